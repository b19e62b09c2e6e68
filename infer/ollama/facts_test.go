package ollama_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/models"
)

func TestFacts(t *testing.T) {
	m := fake.Vision("Med:4b")
	m.Digest = strings.Repeat("ab", 32)
	m.System = "You are kind."
	m.Messages = []fake.Message{{Role: "user", Content: "hi"}}
	m.Parameters = "temperature                    0\nstop                           \"<b>\"\nstop                           \"<a>\""
	m.Capabilities = append(m.Capabilities, "thinking")
	want := models.Facts{
		Name: "Med:4b", AskName: "Med:4b", Digest: m.Digest, Capabilities: []string{"completion", "vision", "thinking"},
		Architecture: "gemma3", Families: []string{"gemma3"}, ParameterSize: "4.3B", Quantization: "Q4_K_M", ContextLength: 131072,
		System: "You are kind.", Messages: []models.Turn{{Role: "user", Text: "hi"}}, Template: m.Template,
		Parameters: "stop                           \"<b>\"\nstop                           \"<a>\"\ntemperature                    0",
		Stop:       []string{"<b>", "<a>"},
		Vision:     models.Vision{ImageSize: 896, PatchSize: 14, Merge: 1},

		ControlTokens: []string{"<bos>", "<end_of_turn>", "<eos>", "<pad>", "<start_of_turn>", "<unk>"}, ControlSource: "model",
	}
	for _, newer := range []bool{false, true} {
		if newer {
			want.AskName = "Med:4b:local"
		}
		for _, name := range []string{"Med:4b", "mED:4B", " Med:4b "} {
			s, c := start(t, fake.Config{Models: []fake.Model{fake.Vision("other"), m}, Newer: newer})
			got, err := c.Facts(context.Background(), name)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("newer %v, %q: facts (-want +got):\n%s", newer, name, d)
			}
			if n := s.ChatCount() + len(s.Loads()); n != 0 {
				t.Errorf("asking for facts loads or runs the model")
			}
			if r, err := c.Ask(context.Background(), got.AskName, question("?")); err != nil || r.Text == "" {
				t.Errorf("asking %q: %+v, %v", got.AskName, r, err)
			}
		}
	}
}

func TestFactsAddsTheTag(t *testing.T) {
	_, c := start(t, fake.Config{})
	f, err := c.Facts(context.Background(), "FAKE")
	if err != nil || f.Name != "fake:latest" || !f.Can("vision") {
		t.Errorf("facts %+v, %v", f, err)
	}
}

func TestFactsRefuses(t *testing.T) {
	stub := fake.Vision("innocent")
	stub.RemoteHost, stub.RemoteModel = "http://127.0.0.1:11599", "up"
	held := []fake.Model{fake.Vision("fake"), stub, fake.Vision("a:cloud")}
	tests := []struct {
		name, model string
		reason      infer.Reason
		requests    []string
	}{
		{"a cloud tag", "a:cloud", infer.ReasonRemote, nil},
		{"a cloud tag in capitals", "a:CLOUD", infer.ReasonRemote, nil},
		{"a cloud suffix", "gpt-oss:120b-cloud", infer.ReasonRemote, nil},
		{"a cloud suffix in blanks", " gpt-oss:120b-cloud ", infer.ReasonRemote, nil},
		{"a cloud tag that claims to be local", "a:cloud:local", infer.ReasonRemote, nil},
		{"a stub", "innocent", infer.ReasonRemote, []string{"GET /api/tags"}},
		{"a model that is not there", "nope", infer.ReasonModel, []string{"GET /api/tags"}},
		{"another tag", "fake:4b", infer.ReasonModel, []string{"GET /api/tags"}},
		{"no name", "", infer.ReasonModel, []string{"GET /api/tags"}},
	}
	for _, tt := range tests {
		for _, cloud := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				s, c := start(t, fake.Config{Models: held, Newer: true, CloudEnabled: cloud})
				_, err := c.Facts(context.Background(), tt.model)
				if f := faultOf(t, err); f.Reason != tt.reason || f.Retry {
					t.Errorf("fault %+v, want %q", f, tt.reason)
				}
				var got []string
				for _, r := range s.Requests() {
					got = append(got, r.Method+" "+r.Path)
				}
				if d := cmp.Diff(tt.requests, got); d != "" {
					t.Errorf("requests (-want +got):\n%s", d)
				}
			})
		}
	}
}

func TestNothingIsSentToACloudName(t *testing.T) {
	ctx := context.Background()
	s, c := start(t, fake.Config{CloudEnabled: true})
	p := question("?", picture("a"))
	_, ask := c.Ask(ctx, "qwen3-vl:cloud", p)
	_, _, render := c.Render(ctx, "qwen3-vl:235b-Cloud", p)
	for _, err := range []error{ask, render, c.Preload(ctx, "m:cloud", p.Options), c.Unload(ctx, "m:cloud:LOCAL")} {
		if f := faultOf(t, err); f.Reason != infer.ReasonRemote {
			t.Errorf("fault %+v", f)
		}
	}
	if n := len(s.Requests()); n != 0 || len(c.Contacted()) != 0 {
		t.Errorf("%d requests were sent, to %v", n, c.Contacted())
	}
}

func TestVisionGeometry(t *testing.T) {
	tests := []struct {
		name, arch      string
		info, projector map[string]any
		want            models.Vision
	}{
		{
			"mistral", "mistral3",
			map[string]any{"mistral3.vision.image_size": 1540, "mistral3.vision.patch_size": 14, "mistral3.spatial_merge_size": 3},
			nil,
			models.Vision{ImageSize: 1540, PatchSize: 14, Merge: 3},
		},
		{
			"mistral without a merge", "mistral3",
			map[string]any{"mistral3.vision.patch_size": 14},
			nil,
			models.Vision{ImageSize: 896, PatchSize: 14, Merge: 2},
		},
		{
			"longest edge comes first", "mistral3",
			map[string]any{"mistral3.vision.longest_edge": 1024, "mistral3.vision.spatial_merge_size": 2},
			nil,
			models.Vision{ImageSize: 1024, PatchSize: 14, Merge: 2},
		},
		{
			"a longest edge that counts pixels", "qwen3vl",
			map[string]any{"qwen3vl.vision.longest_edge": 16 << 20, "qwen3vl.vision.patch_size": 16, "qwen3vl.vision.image_size": nil},
			nil,
			models.Vision{PatchSize: 16, Merge: 2},
		},
		{
			"a projector", "llama",
			map[string]any{"llama.vision.image_size": nil, "llama.vision.patch_size": nil},
			map[string]any{"clip.vision.image_size": 336, "clip.vision.patch_size": 14},
			models.Vision{ImageSize: 336, PatchSize: 14, Merge: 1},
		},
		{"nonsense", "gemma3", map[string]any{"gemma3.vision.image_size": "big", "gemma3.vision.patch_size": -1, "gemma3.spatial_merge_size": 1.5}, nil, models.Vision{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fake.Vision("m")
			m.Architecture, m.Info, m.ProjectorInfo = tt.arch, tt.info, tt.projector
			_, c := start(t, fake.Config{Models: []fake.Model{m}})
			f, err := c.Facts(context.Background(), "m")
			if err != nil {
				t.Fatal(err)
			}
			if f.Vision != tt.want {
				t.Errorf("vision %+v, want %+v", f.Vision, tt.want)
			}
		})
	}
}

func TestControlTokens(t *testing.T) {
	tests := []struct {
		name   string
		arch   string
		change func(*fake.Model)
		source string
		has    []string
		lacks  []string
	}{
		{"the model's own", "gemma3", func(m *fake.Model) {
			m.Tokens, m.TokenTypes = []string{"<a>", "", "x", "é", "<b>", "<c>", "<a>"}, []int{3, 3, 3, 3, 4, 1, 3}
		}, "model", []string{"<a>"}, []string{"", "x", "é", "<b>", "<c>", "<bos>"}},
		{"none told", "gemma3", func(m *fake.Model) { m.Tokens, m.TokenTypes = nil, nil }, "built-in list", []string{"<start_of_turn>"}, []string{"[INST]"}},
		{"no types told", "mistral3", func(m *fake.Model) { m.TokenTypes = nil }, "built-in list", []string{"[INST]", "[IMG]"}, []string{"<start_of_turn>"}},
		{"fewer types than tokens", "gemma3", func(m *fake.Model) { m.TokenTypes = []int{3} }, "model", []string{"<pad>"}, []string{"<bos>"}},
		{"wrong types", "qwen25vl", func(m *fake.Model) { m.Info = map[string]any{"tokenizer.ggml.tokens": 5} }, "built-in list", []string{"<|im_start|>"}, nil},
		{"a family not known", "novel", func(m *fake.Model) { m.Tokens = nil }, "built-in list", []string{"[INST]", "<start_of_turn>", "<|im_end|>"}, []string{""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fake.Vision("m")
			m.Architecture = tt.arch
			tt.change(&m)
			_, c := start(t, fake.Config{Models: []fake.Model{m}})
			f, err := c.Facts(context.Background(), "m")
			if err != nil {
				t.Fatal(err)
			}
			if f.ControlSource != tt.source {
				t.Errorf("source %q, want %q", f.ControlSource, tt.source)
			}
			set := map[string]int{}
			for _, token := range f.ControlTokens {
				set[token]++
			}
			for _, token := range tt.has {
				if set[token] != 1 {
					t.Errorf("%q is there %d times in %q", token, set[token], f.ControlTokens)
				}
			}
			for _, token := range tt.lacks {
				if set[token] != 0 {
					t.Errorf("%q is in %q", token, f.ControlTokens)
				}
			}
		})
	}
}
