package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// TestJudgeRepliesAreDoubted gives the judge replies that are a plain 1, in ways
// that show that it did not read the whole prompt or did not end.
func TestJudgeRepliesAreDoubted(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer fake.Answer
		reason infer.Reason
	}{
		{"broken off", fake.Answer{Text: "1", Broken: true}, infer.ReasonJudge},
		{"prompt as long as the window", fake.Answer{Text: "1", PromptTokens: 1 << 20}, infer.ReasonContextFull},
		{"prompt shorter than what was sent", fake.Answer{Text: "1", PromptTokens: 3}, infer.ReasonContextFull},
		{"another model's", fake.Answer{Text: "1"}, infer.ReasonReply},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, cfg := play(t, 1, fake.Config{Script: func(r fake.Request) fake.Reply {
				if r.Format == nil {
					return fake.Answer{}
				}
				if tt.reason == infer.ReasonReply {
					return fake.Plain(200, `{"model":"other","message":{"role":"assistant","content":"1"},"done":true,"done_reason":"stop"}`)
				}
				return tt.answer
			}})
			cfg.Judge = "judge"
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			if v := verdictOf(t, cfg.Out, "1", score.Judged); v.Outcome != score.Unscored || v.Reason != string(tt.reason) {
				t.Errorf("verdict %+v, want unscored for %q", v, tt.reason)
			}
		})
	}
}

// TestAnswersWithoutAManifestAreRefused takes the manifest away, so that nothing
// says what was asked.
func TestAnswersWithoutAManifestAreRefused(t *testing.T) {
	_, cfg := play(t, 2, fake.Config{})
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(cfg.Out, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	cfg.Temperature = 1
	_, err := Run(context.Background(), cfg)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != WrongData || !strings.Contains(err.Error(), "manifest.json") {
		t.Errorf("error %v, want a refusal", err)
	}
}

// TestOneMissingModelIsTheSamplesOwn lets the server deny its model for one
// sample, which must not end the run.
func TestOneMissingModelIsTheSamplesOwn(t *testing.T) {
	_, cfg := play(t, 3, fake.Config{Script: on(2, always(fake.Error(404, "model 'eye' not found")))})
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if v := verdictOf(t, cfg.Out, "2", score.ExactMatch); v.Reason != string(infer.ReasonServer) {
		t.Errorf("verdict %+v, want a server error", v)
	}
	if line := lineOf(t, cfg.Out, "3"); line.Fault != nil {
		t.Errorf("the next sample was not asked: %+v", line.Fault)
	}
}

// TestLengthWithoutCountIsUnknown has a reply that ends for its length without
// saying how long it is.
func TestLengthWithoutCountIsUnknown(t *testing.T) {
	_, cfg := play(t, 2, fake.Config{Script: on(1, always(fake.Answer{Text: "yes", Reason: "length", OutputTokens: -1}))})
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if line := lineOf(t, cfg.Out, "1"); line.Context != record.ContextUnknown {
		t.Errorf("context %q, want unknown", line.Context)
	}
}

// TestHopelessSampleDoesNotSetTheWindow puts a text beside the others that no
// window of the model holds.
func TestHopelessSampleDoesNotSetTheWindow(t *testing.T) {
	model := fake.Vision("eye")
	model.ContextLength = 8192
	s, cfg := play(t, 2, fake.Config{Models: []fake.Model{model}})
	cfg.Benchmark.Samples[0].Question = strings.Repeat("long text ", 60_000)
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if v := verdictOf(t, cfg.Out, "1", score.ExactMatch); v.Reason != string(infer.ReasonContextRefused) {
		t.Errorf("verdict %+v, want that it does not fit", v)
	}
	for _, r := range s.Chats() {
		if n := r.Number("num_ctx"); n > 2048 {
			t.Errorf("a context of %v tokens was asked for", n)
		}
	}
}
