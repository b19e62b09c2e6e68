package score

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPipeline(t *testing.T) {
	choice := func(response string) Case {
		return Case{Response: response, Key: "B", Options: []Option{{"A", "left"}, {"B", "right"}}}
	}
	open := func(response string) Case { return Case{Response: response, References: []string{"Left lung"}} }
	for _, tt := range []struct {
		name, rules string
		choice      bool
		c           Case
		want        Verdict
	}{
		{
			"first stage", "exact-match, rule-match", true, choice(" b\n"),
			Verdict{Rule: "exact-match", Outcome: Correct, Answer: "b", Explanation: "answers the key B"},
		},
		{
			"second stage", "exact-match, rule-match", true, choice("B. right"),
			Verdict{Rule: "rule-match", Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"second stage decides against it", "exact-match, rule-match", true, choice("A. left"),
			Verdict{Rule: "rule-match", Outcome: Incorrect, Answer: "A", Explanation: "the key is B"},
		},
		{
			"another letter decides nothing", "exact-match, rule-match", true, choice("A"),
			Verdict{Outcome: Incorrect, Answer: "A", Explanation: "the key is B"},
		},
		{
			"no letter", "exact-match, rule-match", true, choice("(B)"),
			Verdict{Outcome: NoAnswer, Explanation: "the response is not a letter alone; the response does not begin with a capital letter and a full stop"},
		},
		{
			"empty", "exact-match, rule-match", true, choice(" "),
			Verdict{Outcome: NoAnswer, Explanation: "the response is empty"},
		},
		{
			"no key", "exact-match, rule-match", true,
			Case{Response: "B", Options: []Option{{"A", "left"}}},
			Verdict{Rule: "exact-match", Outcome: Unscored, Reason: ReasonReference},
		},
		{
			"the key is no option", "rule-match", true,
			Case{Response: "B.", Key: "C", Options: []Option{{"A", "left"}, {"B", "right"}}},
			Verdict{Rule: "rule-match", Outcome: Unscored, Reason: ReasonReference, Explanation: `the key "C" is not the letter of an option`},
		},
		{
			"key without options", "exact-match, rule-match", true,
			Case{Response: "C.", Key: "C"},
			Verdict{Rule: "rule-match", Outcome: Correct, Answer: "C", Explanation: "answers the key C"},
		},
		{
			"a further rule", "exact-match, rule-match, mcqa", true, choice("I say <answer>b</answer>"),
			Verdict{Rule: "mcqa (answer tag)", Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"open question", "exact-match, rule-match", false, open("left lung."),
			Verdict{
				Rule: "exact-match", Outcome: Correct, Answer: "left lung.", NormalizedAnswer: "left lung", NormalizedReference: "left lung",
				Explanation: `equals reference "Left lung"`,
			},
		},
		{
			"open question without a match", "exact-match, rule-match", false, open("A. left"),
			Verdict{
				Outcome: Incorrect, Answer: "A. left", NormalizedAnswer: "a left", NormalizedReference: "left lung",
				Explanation: `differs from reference "Left lung"`,
			},
		},
		{
			"open question with thinking", "exact-match, rule-match", false, open("<think>left lung</think>"),
			Verdict{
				Rule: "exact-match, rule-match (think stripped)", Outcome: NoAnswer,
				Explanation: "the response is empty; an open question has no letters",
			},
		},
		{
			"open question by a further rule", "exact-match, slake", false, open("ANSWER: the left lung"),
			Verdict{
				Rule: "slake", Outcome: Correct, Answer: "the left lung", NormalizedAnswer: "left lung", NormalizedReference: "left lung",
				Explanation: `equals reference "Left lung"`,
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Pipeline(strings.Split(tt.rules, ", "), "own", tt.choice)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Metric = "own"
			if tt.want.Rule == "" {
				tt.want.Rule = tt.rules
			}
			if diff := cmp.Diff(tt.want, r.Verdict(tt.c)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPipelineRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		names  []string
		choice bool
	}{
		"nothing":                {nil, true},
		"unknown":                {[]string{"exact-match", "exact_match"}, true},
		"choice for an open one": {[]string{"mcqa"}, false},
		"open for a choice":      {[]string{"smmile-em"}, true},
	} {
		if r, err := Pipeline(tt.names, "own", tt.choice); err == nil {
			t.Errorf("%s: rule %q, want an error", name, r.Name)
		}
	}
}

func TestPipelinePassesOver(t *testing.T) {
	for choice, want := range map[bool]string{true: "mcqa", false: "smmile-em"} {
		if r, err := Pipeline([]string{"mcqa", "smmile-em"}, "own", choice); err != nil || r.Name != want {
			t.Errorf("choice %v: %q, %v, want %q", choice, r.Name, err, want)
		}
	}
}

func TestRulesAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.Name] || r.Name == "" || r.Metric == "" || r.About == "" {
			t.Errorf("rule %+v is named twice or lacks something", r)
		}
		seen[r.Name] = true
		if v := r.Verdict(Case{}); v.Outcome != Unscored && r.Name != RuleRuleMatch {
			t.Errorf("rule %s decides %s on nothing, want %s", r.Name, v.Outcome, Unscored)
		}
	}
}
