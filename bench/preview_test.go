package bench

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
)

// wired is a message as a preview and as a server have it.
type wired struct {
	Role, Text string
	Pictures   []string // digests
}

func wiredOf(r fake.Request) []wired {
	var all []wired
	for _, m := range r.Messages {
		w := wired{Role: m.Role, Text: m.Content}
		for _, p := range m.Images {
			w.Pictures = append(w.Pictures, p.Digest)
		}
		all = append(all, w)
	}
	return all
}

func wiredPreview(t testing.TB, v Preview) []wired {
	t.Helper()
	var all []wired
	for _, m := range v.Messages {
		w := wired{Role: m.Role, Text: m.Text}
		for _, p := range m.Pictures {
			if got := infer.DigestOf(p.Data); got != p.Digest {
				t.Errorf("a picture of digest %s holds bytes of %s", p.Digest, got)
			}
			w.Pictures = append(w.Pictures, string(p.Digest))
		}
		all = append(all, w)
	}
	return all
}

// crowded is a fake model whose context takes one large picture and not three.
func crowded() fake.Model {
	m := fake.Vision("eye")
	m.Architecture, m.ContextLength = "other", 10_000
	return m
}

// TestPreviewIsWhatIsSent compares the preview of every sample with what a run
// with the same settings puts on the wire and on record.
func TestPreviewIsWhatIsSent(t *testing.T) {
	tests := []struct {
		name  string
		model fake.Model
		set   func(*Config)
	}{
		{"plain", fake.Vision("eye"), func(*Config) {}},
		{"resized", fake.Vision("eye"), func(c *Config) { c.Recipe.MaxSide = 32 }},
		{"first two of the samples", fake.Vision("eye"), func(c *Config) { c.Selection.Limit = 2 }},
		{"no demonstrations", fake.Vision("eye"), func(c *Config) { c.Shots = parseShots(t, "0") }},
		{"pictures swapped", fake.Vision("eye"), func(c *Config) { c.Arrangement.Ablate = icl.Swapped }},
		{"pictures blank", fake.Vision("eye"), func(c *Config) { c.Arrangement.Ablate = icl.Blank }},
		{"shuffled", fake.Vision("eye"), func(c *Config) { c.Arrangement.Order, c.Seed = "shuffle", 5 }},
		{"pictures smaller for the longest prompt", crowded(), func(c *Config) {
			c.ImageBudget = true
			enlarge(t, c.Benchmark.Pictures.(gallery), 900)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, cfg := play(t, 4, fake.Config{Models: []fake.Model{tt.model}})
			tt.set(&cfg)
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			sent := map[string]fake.Request{}
			for _, r := range s.Chats() {
				if isSample(r) {
					sent[r.Last()] = r
				}
			}
			asked := len(s.Chats())
			for question, r := range sent {
				var number int
				fmt.Sscanf(question, "question %d?", &number)
				v, err := Show(context.Background(), cfg, fmt.Sprint(number))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(wiredOf(r), wiredPreview(t, v)); diff != "" {
					t.Errorf("sample %d (-sent +shown):\n%s", number, diff)
				}
				if line := lineOf(t, cfg.Out, v.ID); line.Prompt != v.Prompt {
					t.Errorf("sample %d: prompt %s on record, %s shown", number, line.Prompt, v.Prompt)
				}
				if got := r.Number("num_ctx"); int(got) != v.Context {
					t.Errorf("sample %d: context %v sent, %d shown", number, got, v.Context)
				}
			}
			if got := len(s.Chats()); len(sent) == 0 || got != asked {
				t.Errorf("%d samples were sent, and previews asked the model %d times", len(sent), got-asked)
			}
		})
	}
}

// enlarge puts noise of a size in the place of pictures.
func enlarge(t testing.TB, pictures gallery, side int) {
	t.Helper()
	for name := range pictures {
		m := image.NewGray(image.Rect(0, 0, side, side))
		for i := range m.Pix {
			m.Pix[i] = uint8(i*len(name) + int(name[0]) + i/side)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		pictures[name] = b.Bytes()
	}
}

// TestPreviewChooses: a sample is found by its id; one that the run would not ask
// is not shown.
func TestPreviewChooses(t *testing.T) {
	_, cfg := play(t, 4, fake.Config{})
	for _, tt := range []struct {
		id    string
		limit int
		want  string // empty: an error
	}{{"", 0, "1"}, {"3", 0, "3"}, {"3", 2, ""}, {"9", 0, ""}} {
		cfg.Selection = card.Selection{Limit: tt.limit}
		v, err := Show(context.Background(), cfg, tt.id)
		if v.ID != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("id %q of the first %d: sample %q, error %v", tt.id, tt.limit, v.ID, err)
		}
	}
}

// TestPreviewWithoutModel asks no server, and says that the model is not known.
func TestPreviewWithoutModel(t *testing.T) {
	s, cfg := play(t, 2, fake.Config{})
	cfg.Model = ""
	v, err := Show(context.Background(), cfg, "")
	if err != nil {
		t.Fatal(err)
	}
	if v.Profile != "unknown" || v.MaxSide != 1024 || len(v.Messages) == 0 {
		t.Errorf("profile %q, sides up to %d, %d messages", v.Profile, v.MaxSide, len(v.Messages))
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("the server got %d requests", n)
	}
	if slices.ContainsFunc(v.Messages, func(m PreviewedMessage) bool { return m.Role == "" }) {
		t.Error("a message has no role")
	}
}
