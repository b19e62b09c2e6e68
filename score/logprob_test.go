package score

import (
	"strings"
	"testing"
)

func TestLikeliestLetter(t *testing.T) {
	options := []Option{{"A", "CT"}, {"B", "MRI"}}
	for _, tt := range []struct {
		name    string
		letters map[string]float64
		key     string
		want    Outcome
		answer  string
	}{
		{"the key", map[string]float64{"A": 0.2, "B": 0.3}, "B", Correct, "B"},
		{"another", map[string]float64{"A": 0.4, "B": 0.3}, "B", Incorrect, "A"},
		{"two alike", map[string]float64{"A": 0.4, "B": 0.4}, "B", NoAnswer, ""},
		{"none", nil, "B", NoAnswer, ""},
		{"no key", map[string]float64{"A": 0.4}, "", Unscored, "A"},
	} {
		v := rule(t, RuleLogprob).Verdict(Case{Options: options, Key: tt.key, Letters: tt.letters})
		if v.Outcome != tt.want || v.Answer != tt.answer || v.Metric != MCQA {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
	for token, want := range map[string]string{"A": "A", " B": "B", "▁C": "C", "ĠD": "D", "a": "", "AB": "", "A.": "", "": "", "\nB": "B"} {
		if got := LetterOf(token); got != want {
			t.Errorf("LetterOf(%q) = %q, want %q", token, got, want)
		}
	}
	if about := rule(t, RuleLogprob).About; !strings.Contains(about, "--format mcqa-logprob") {
		t.Errorf("about %q", about)
	}
}
