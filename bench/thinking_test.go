package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// thinker is a vision model that says it can think.
func thinker() fake.Model {
	m := fake.Vision("eye")
	m.Capabilities = append(m.Capabilities, "thinking")
	return m
}

// TestThinking runs models that do and do not obey.
func TestThinking(t *testing.T) {
	obeys := func(r fake.Request) fake.Reply { return fake.Answer{} }
	thinksOnly := func(r fake.Request) fake.Reply { return fake.Answer{Thinking: "hmm"} }
	endsOnly := func(r fake.Request) fake.Reply { return fake.Answer{Text: "hmm</think> yes"} }
	leaks := func(r fake.Request) fake.Reply {
		if isSample(r) {
			return fake.Answer{Text: "<think>no</think> yes"}
		}
		return fake.Answer{}
	}
	gptoss := thinker()
	gptoss.Architecture = "gptoss"
	for _, tt := range []struct {
		name       string
		model      fake.Model
		think      string
		script     fake.Script
		sent       string // think on the wire of samples
		state      string // in the manifest
		predict    float64
		loads      int
		comparable bool
	}{
		{"no thinking model", fake.Vision("eye"), "auto", obeys, "", "none", 512, 1, true},
		{"switched off", thinker(), "auto", obeys, "false", "off", 512, 1, true},
		{"switched on", thinker(), "on", obeys, "true", "on", 4608, 1, false},
		{"does not obey", thinker(), "auto", thinksOnly, "false", "always", 4608, 2, false},
		{"does not obey, opened by its template", thinker(), "auto", endsOnly, "false", "always", 4608, 2, false},
		{"has no off", gptoss, "auto", obeys, "", "always", 4608, 1, false},
		{"raw in the text", fake.Vision("eye"), "auto", leaks, "", "none", 512, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, cfg := play(t, 2, fake.Config{Models: []fake.Model{tt.model}, Script: tt.script})
			cfg.Think = tt.think
			result, err := Run(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Chats() {
				if isSample(r) && (string(r.Think) != tt.sent || r.Number("num_predict") != tt.predict) {
					t.Errorf("%s: think %s, num_predict %v; want %s, %v", r.Last(), r.Think, r.Number("num_predict"), tt.sent, tt.predict)
				}
			}
			if n := len(s.Loads()); n != tt.loads {
				t.Errorf("%d loads, want %d", n, tt.loads)
			}
			manifest, err := os.ReadFile(filepath.Join(cfg.Out, "manifest.json"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(manifest), `"thinking": "`+tt.state+`"`) {
				t.Errorf("the manifest does not say that thinking is %s", tt.state)
			}
			if marked := strings.Contains(result.Report.Headline, "not comparable"); marked == tt.comparable {
				t.Errorf("headline %q", result.Report.Headline)
			}
			if tt.name == "raw in the text" {
				v := verdictOf(t, cfg.Out, "1", score.ExactMatch)
				if v.Outcome != score.Correct || v.Rule != "smmile-em (think stripped)" {
					t.Errorf("verdict %+v", v)
				}
			}
			if _, err := Run(context.Background(), cfg); err != nil { // the same settings, whatever the probe found
				t.Error(err)
			}
		})
	}
}

func TestThinkOnNeedsAThinkingModel(t *testing.T) {
	_, cfg := play(t, 1, fake.Config{})
	cfg.Think = "on"
	_, err := Run(context.Background(), cfg)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != Usage {
		t.Errorf("error %v, want a wrong use", err)
	}
}

// TestJudgeProtocolsOnTheWire looks at what the judge is sent by each protocol.
func TestJudgeProtocolsOnTheWire(t *testing.T) {
	for _, tt := range []struct {
		protocol   string
		options    int // number of options sent
		format     bool
		comparable bool
		judge      string
	}{
		{"strict", 13, true, false, "judge"},
		{"official", 1, false, false, "judge"},
		{"card", 13, false, true, "judge"}, // figures that no judge of SMMILE's made
		{"llm_recall", 13, false, true, "judge"},
		{"strict", 13, true, true, "llama3.3"},
	} {
		t.Run(tt.protocol+" "+tt.judge, func(t *testing.T) {
			s, cfg := play(t, 1, fake.Config{Models: []fake.Model{fake.Vision("eye"), fake.Text(tt.judge)}})
			cfg.Judge, cfg.JudgeProtocol = tt.judge, tt.protocol
			result, err := Run(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			asked := 0
			for _, r := range s.Chats() {
				if !strings.HasPrefix(r.Model, tt.judge) || len(r.Last()) > 2000 {
					continue
				}
				asked++
				if len(r.Options) != tt.options || (r.Format != nil) != tt.format {
					t.Errorf("options %v, format %s; want %d options, a format: %t", r.Options, r.Format, tt.options, tt.format)
				}
				if r.Truncate == nil || *r.Truncate || r.Shift == nil || *r.Shift {
					t.Error("truncation is not forbidden")
				}
			}
			if asked != 1 {
				t.Errorf("the judge was asked %d times, want once", asked)
			}
			if marked := strings.Contains(result.Report.Headline, "not comparable"); marked == tt.comparable {
				t.Errorf("headline %q", result.Report.Headline)
			}
		})
	}
}
