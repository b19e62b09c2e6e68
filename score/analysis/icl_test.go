package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/score"
)

// shown is a sample that showed answers and got a response.
func shown(group, reference, response string, outcome score.Outcome, answers ...string) Sample {
	return Sample{
		Group: group, Subset: "s", References: []string{reference}, Response: response, Answers: answers,
		Verdicts: []score.Verdict{{Metric: score.ExactMatch, Outcome: outcome, Answer: response}},
	}
}

func TestCopying(t *testing.T) {
	samples := []Sample{
		shown("1", "lung", "Lung.", score.Correct, "heart", "lung"),
		shown("2", "liver", "heart", score.Incorrect, "Heart", "heart"),
		shown("3", "liver", "spleen", score.Incorrect, "a", "b", "c"),
		shown("4", "liver", "a", score.Unscored, "a"),
		shown("5", "liver", "", score.NoAnswer, "+"),
		shown("6", "liver", "liver", score.Correct),
	}
	table, ok := Run{Samples: samples, Primary: score.ExactMatch}.Copying()
	want := [][]any{
		{"any", 4, 2, 0.5, 1, 1},
		{"the last", 4, 2, 0.5, 1, 1},
		{"1", 4, 1, 0.25, 0, 1},
		{"2", 3, 2, 2.0 / 3, 1, 1},
		{"3", 1, 0, 0.0, 0, 0},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" || !ok {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if _, ok := (Run{Samples: samples[5:], Primary: score.ExactMatch}).Copying(); ok {
		t.Error("a table where nothing was shown")
	}
}

func TestCopyingOfAnOptionsText(t *testing.T) {
	s := shown("1", "mass", "<answer>B</answer>", score.Correct, "nodule", "mass")
	s.Options = []score.Option{{Letter: "B", Text: "mass"}, {Letter: "A", Text: "nodule"}}
	s.Verdicts = []score.Verdict{{Metric: score.MCQA, Outcome: score.Correct, Answer: "B"}}
	table, _ := Run{Samples: []Sample{s}, Primary: score.MCQA}.Copying()
	if got := table.Rows[0][2]; got != 1 {
		t.Errorf("%v copies, want 1", got)
	}
}

func TestBaselines(t *testing.T) {
	choice := shown("4", "mass", "B", score.Incorrect)
	choice.Subset, choice.Key = "choice", "A"
	choice.Options = []score.Option{{Letter: "A", Text: "mass"}, {Letter: "B", Text: "cyst"}}
	closed := shown("5", "Yes", "no", score.Incorrect)
	closed.Subset = "closed"
	other := shown("6", "no", "no", score.Correct)
	other.Subset = "closed"
	samples := []Sample{
		shown("1", "lung", "Lung.", score.Correct, "heart", "lung", "lung", "x"),
		shown("2", "b", "a", score.Incorrect, "a", "b"), // a is first of equally frequent ones
		shown("3", "b", "a", score.Unscored, "b"),
		choice, closed, closed, other,
	}
	table, ok := Run{Samples: samples, Primary: score.ExactMatch, Pooled: true}.Baselines()
	want := [][]any{
		{"s", 2, 0.5, ofShown, 0.5, 0.5},
		{"choice", 1, 1.0, ofReferences, 0.5, 0.0},
		{"closed", 3, 2.0 / 3, ofReferences, nil, 1.0 / 3},
		{"all subsets", 6, 4.0 / 6, ofBoth, nil, 2.0 / 6},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" || !ok {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestConsistency(t *testing.T) {
	samples := []Sample{
		shown("p", "a", "a", score.Correct, "a", "b"), shown("p", "a", "A.", score.Correct, "b", "a"),
		shown("q", "a", "a", score.Correct, "a", "b", "c"), shown("q", "a", "b", score.Incorrect, "b", "a", "c"), shown("q", "a", "b", score.Incorrect, "c", "b", "a"),
		shown("r", "a", "a", score.Correct, "a", "b"), shown("r", "a", "b", score.Incorrect, "a", "c"), // shows other ones
		shown("s", "a", "a", score.Correct, "a", "b"),
		shown("u", "a", "a", score.Unscored, "a", "b"), shown("u", "a", "a", score.Correct, "b", "a"),
	}
	table, ok := Run{Samples: samples, Primary: score.ExactMatch}.Consistency()
	want := [][]any{{2, 5, 0.5, 0.5, 1.5, 0.5, 0.5, 0.0}}
	if diff := cmp.Diff(want, table.Rows); diff != "" || !ok {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if _, ok := (Run{Samples: samples[7:8], Primary: score.ExactMatch}).Consistency(); ok {
		t.Error("a table of one order")
	}
}
