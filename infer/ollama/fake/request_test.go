package fake

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRequest(t *testing.T) {
	of := func(b string) Picture {
		return Picture{fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(b))), len(b)}
	}
	tests := []struct {
		name, body string
		want       []Message
		err        bool
	}{
		{
			name: "pictures", body: `{"messages":[{"role":"user","content":"x","images":["YQ==","YmM="]},{"role":"user","content":"y","images":[ "YQ==" ]}]}`,
			want: []Message{{"user", "x", []Picture{of("a"), of("bc")}}, {"user", "y", []Picture{of("a")}}},
		},
		{
			name: "key order", body: `{"messages":[{"images":["YQ=="],"content":"images","role":"user"}]}`,
			want: []Message{{"user", "images", []Picture{of("a")}}},
		},
		{
			name: "text that looks like pictures", body: `{"messages":[{"role":"user","content":"\"images\":[\"YQ==\"]","images":[]}]}`,
			want: []Message{{"user", `"images":["YQ=="]`, []Picture{}}},
		},
		{
			name: "text that ends in a backslash", body: `{"messages":[{"role":"images","content":"a\\","images":["YQ=="]}]}`,
			want: []Message{{"images", `a\`, []Picture{of("a")}}},
		},
		{name: "null", body: `{"messages":[{"role":"user","images":null,"content":"YQ=="}]}`, want: []Message{{"user", "YQ==", nil}}},
		{name: "no pictures", body: `{"messages":[{"role":"user","content":"x"}]}`, want: []Message{{"user", "x", nil}}},
		{name: "empty picture", body: `{"messages":[{"images":[""]}]}`, want: []Message{{Images: []Picture{of("")}}}},
		{name: "bad base64", body: `{"messages":[{"images":["data:image/png,x"]}]}`, err: true},
		{name: "picture that is a number", body: `{"messages":[{"images":[5]}]}`, err: true},
		{name: "cut off", body: `{"messages":[{"images":["YQ=`, err: true},
		{name: "content as a list", body: `{"messages":[{"content":["x"]}]}`, err: true},
		{name: "nothing", body: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := parseRequest([]byte(tt.body))
			if (err != nil) != tt.err {
				t.Fatalf("error %v", err)
			}
			if err != nil {
				return
			}
			if d := cmp.Diff(tt.want, r.Messages); d != "" {
				t.Errorf("messages (-want +got):\n%s", d)
			}
		})
	}
}

// FuzzCutPictures compares with the plain decoder.
func FuzzCutPictures(f *testing.F) {
	f.Add("user", "text", []byte("picture"), []byte{0})
	f.Add("images", `"images":["`, []byte{}, []byte("\xff\xfe"))
	f.Add(`\`, "\\\"", []byte{1, 2, 3}, []byte{4})
	f.Fuzz(func(t *testing.T, role, text string, a, b []byte) {
		if a == nil || b == nil {
			return
		}
		type message struct {
			Role    string   `json:"role"`
			Images  [][]byte `json:"images"`
			Content string   `json:"content"`
		}
		sent := map[string]any{"model": text, "messages": []message{{role, [][]byte{a, b}, text}, {text, nil, role}, {role, [][]byte{b}, ""}}}
		body, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		var plain struct {
			Model    string
			Messages []message
		}
		if err := json.Unmarshal(body, &plain); err != nil {
			t.Fatal(err)
		}
		got, err := parseRequest(bytes.Clone(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if got.Model != plain.Model || len(got.Messages) != len(plain.Messages) {
			t.Fatalf("request %+v of %s", got, body)
		}
		for i, m := range plain.Messages {
			g := got.Messages[i]
			if g.Role != m.Role || g.Content != m.Content || len(g.Images) != len(m.Images) {
				t.Errorf("message %+v of %s", g, body)
			}
			for j, img := range m.Images {
				if want := (Picture{fmt.Sprintf("sha256:%x", sha256.Sum256(img)), len(img)}); g.Images[j] != want {
					t.Errorf("picture %+v, want %+v", g.Images[j], want)
				}
			}
		}
	})
}

func FuzzParseRequest(f *testing.F) {
	f.Add([]byte(`{"messages":[{"images":["YQ==","YmM="]}],"options":{"num_ctx":1}}`))
	f.Add([]byte(`"images":["\`))
	f.Fuzz(func(t *testing.T, body []byte) { parseRequest(body) })
}

func BenchmarkParseRequest(b *testing.B) {
	body, err := json.Marshal(map[string]any{"messages": []any{map[string]any{
		"role": "user", "content": "Which side?", "images": [][]byte{bytes.Repeat([]byte("picture "), 8<<10)},
	}}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseRequest(body); err != nil {
			b.Fatal(err)
		}
	}
}
