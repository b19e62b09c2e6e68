package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer/ollama/fake"
	"lightbox/score/analysis"
	"lightbox/score/report"
)

// TestProbabilitiesAreProbedFirst: a server that gives none is told from one that
// does not see, and is shown no picture.
func TestProbabilitiesAreProbedFirst(t *testing.T) {
	for _, noProbe := range []bool{false, true} {
		s, cfg := play(t, 3, fake.Config{Script: func(fake.Request) fake.Reply { return fake.Answer{Text: "a picture", NoLogprobs: true} }})
		for i := range cfg.Benchmark.Samples {
			cfg.Benchmark.Samples[i].Options = []card.Option{{Letter: "A", Text: "yes"}, {Letter: "B", Text: "no"}}
			cfg.Benchmark.Samples[i].Key = "A"
		}
		cfg.Benchmark, cfg.NoProbe = ByLogprobs(cfg.Benchmark), noProbe
		_, err := Run(context.Background(), cfg)
		var failure *Failure
		if !errors.As(err, &failure) || failure.Kind != WrongModel || !strings.Contains(err.Error(), "no probabilities of tokens") {
			t.Errorf("no probe %t: error %v, want one that names probabilities", noProbe, err)
		}
		for _, r := range s.Chats() {
			if len(r.Images()) > 0 {
				t.Errorf("no probe %t: %q was asked with a picture", noProbe, r.Last())
			}
		}
	}
}

// TestLettersThatAreHardlySaid: the report warns from half of the probability on.
func TestLettersThatAreHardlySaid(t *testing.T) {
	for _, tt := range []struct {
		outside []float64
		want    string
	}{
		{nil, ""},
		{[]float64{0.4, 0.6}, ""},
		{[]float64{0.5, 0.6}, "on average 55.0 %"},
	} {
		samples := []analysis.Sample{{ID: "not asked for"}}
		for i := range tt.outside {
			samples = append(samples, analysis.Sample{Outside: &tt.outside[i]})
		}
		var got string
		for _, n := range ruleNotes(samples) {
			if n.Level == report.Warning {
				got += n.Text
			}
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%v: %q, want %q", tt.outside, got, tt.want)
		}
	}
}

// TestProbabilitiesAreNotAsPublished: SMMILE's figures are of generated letters.
func TestProbabilitiesAreNotAsPublished(t *testing.T) {
	for _, tt := range []struct {
		name, format string
		want         bool
	}{{"smmile", FormatLogprob, true}, {"smmile++", FormatLogprob, true}, {"smmile", FormatMCQA, false}, {"phantom", FormatLogprob, false}} {
		got := caveat(record.Manifest{Format: tt.format, Benchmark: record.Benchmark{Name: tt.name}})
		if strings.HasPrefix(got, "not comparable with published figures: prompt and rule of mcqa-logprob") != tt.want {
			t.Errorf("%s, %s: %q", tt.name, tt.format, got)
		}
	}
}
