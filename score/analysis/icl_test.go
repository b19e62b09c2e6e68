package analysis

import (
	"math"
	"strings"
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
		{"choice", 1, 1.0, ofKeys, 0.5, 0.0},
		{"closed", 3, 2.0 / 3, ofReferences, 5.0 / 9, 1.0 / 3},
		{"all subsets", 6, 4.0 / 6, ofSeveral, (2*0.5 + 0.5 + 5.0/3) / 6, 2.0 / 6},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	if diff := cmp.Diff(want, table.Rows, near); diff != "" || !ok {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestGuessesAreScoredAsResponsesAre: the rule of the benchmark decides on
// guesses, any reference is as good as the first, and of multiple choice it is
// the letter that counts.
func TestGuessesAreScoredAsResponsesAre(t *testing.T) {
	slake, err := score.RuleNamed("slake")
	if err != nil {
		t.Fatal(err)
	}
	byRule := func(reference string) Sample {
		s := shown("", reference, "x", score.Incorrect)
		s.Verdicts = []score.Verdict{slake.Verdict(score.Case{Response: "x", References: []string{reference}})}
		return s
	}
	choice := func(key string, answers []string, texts ...string) Sample {
		s := Sample{Subset: "s", Key: key, Answers: answers, Verdicts: []score.Verdict{{Metric: score.MCQA, Outcome: score.Incorrect}}}
		for i, text := range texts {
			s.Options = append(s.Options, score.Option{Letter: string(rune('A' + i)), Text: text})
			if s.Options[i].Letter == key {
				s.References = []string{text}
			}
		}
		return s
	}
	second := shown("1", "left lung", "lung", score.Correct, "lung")
	second.References = append(second.References, "lung")
	for _, tt := range []struct {
		name    string
		rule    score.Rule
		samples []Sample
		want    []any
	}{
		{"one answer in four spellings", slake, []Sample{byRule("X-Ray"), byRule("x ray"), byRule("CT"), byRule("MRI")}, []any{"s", 4, 0.5, ofReferences, 0.375, 0.0}},
		{"the second reference", score.Rule{}, []Sample{second}, []any{"s", 1, 1.0, ofShown, 1.0, 1.0}},
		{"options that exact match takes as equal", score.Rule{}, []Sample{choice("B", []string{"Yes", "Yes", "No"}, "Yes", "Yes ", "No")}, []any{"s", 1, 0.0, ofShown, 1.0 / 3, 0.0}},
		{"the same letter for other texts", score.Rule{}, []Sample{choice("A", nil, "a", "b"), choice("A", nil, "c", "d"), choice("B", nil, "e", "a")}, []any{"s", 3, 2.0 / 3, ofKeys, 0.5, 0.0}},
		{"answers shown that are no options", score.Rule{}, []Sample{choice("A", []string{"z"}, "a", "b")}, []any{"s", 1, 1.0, ofKeys, 0.5, 0.0}},
	} {
		table, _ := Run{Samples: tt.samples, Pooled: true, Rule: tt.rule}.Baselines()
		if diff := cmp.Diff([][]any{tt.want}, table.Rows); diff != "" {
			t.Errorf("%s: rows (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCopyingOfDistractors(t *testing.T) {
	copied := shown("1", "lung", "heart", score.Incorrect, "lung", "heart")
	copied.Inserted = []int{1}
	other := shown("2", "lung", "lung", score.Correct, "lung", "heart")
	other.Inserted = []int{1}
	// A judge takes no answer out of a response; the rule has.
	other.Response = "<think>heart?</think>lung"
	other.Verdicts = append([]score.Verdict{{Metric: score.Judged, Outcome: score.Correct}}, score.ExactMatchVerdict(other.Response, other.References))
	table, _ := Run{Samples: []Sample{copied, other, shown("3", "b", "a", score.Incorrect, "a")}, Primary: score.Judged}.Copying()
	want := [][]any{
		{"any", 3, 3, 1.0, 1, 2},
		{"the last", 3, 2, 2.0 / 3, 0, 2},
		{"any put in to distract", 2, 1, 0.5, 0, 1},
		{"1", 3, 2, 2.0 / 3, 1, 1},
		{"2", 2, 1, 0.5, 0, 1},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
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
	want := [][]any{{2, 5, 0.5, 0.5, 1.5, (1 + 1.0/3) / 2, 0.5, 0.5, 0.0}}
	if diff := cmp.Diff(want, table.Rows); diff != "" || !ok {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if !strings.HasSuffix(table.About, "1 problems with an unscored order are left out.") {
		t.Errorf("about %q", table.About)
	}
	if _, ok := (Run{Samples: samples[7:8], Primary: score.ExactMatch}).Consistency(); ok {
		t.Error("a table of one order")
	}
}

// TestConsistencyOfOtherQuestions: what one picture was asked with the same answers
// shown is no order of one problem where the question, or a picture, is another; and
// what was sent twice is one order.
func TestConsistencyOfOtherQuestions(t *testing.T) {
	asked := func(question, prompt string, pictures ...string) Sample {
		s := shown("p", "a", "a", score.Correct, "a", "b")
		s.Question, s.Prompt, s.Pictures = question, prompt, pictures
		return s
	}
	for name, samples := range map[string][]Sample{
		"questions":          {asked("q1", "1", "x", "y", "z"), asked("q2", "2", "x", "y", "z")},
		"query's pictures":   {asked("q1", "1", "x", "y", "z"), asked("q1", "2", "x", "z", "y")},
		"pictures":           {asked("q1", "1", "x", "y", "z"), asked("q1", "2", "x", "v", "z")},
		"what was sent once": {asked("q1", "1", "x", "y", "z"), asked("q1", "1", "x", "y", "z")},
	} {
		if table, ok := (Run{Samples: samples, Primary: score.ExactMatch}).Consistency(); ok {
			t.Errorf("other %s: rows %v", name, table.Rows)
		}
	}
	unsent := asked("q1", "")
	unsent.Verdicts[0].Outcome = score.Unscored
	samples := []Sample{
		asked("q1", "1", "x", "y", "z"), asked("q1", "2", "y", "x", "z"), asked("q1", "2", "y", "x", "z"),
		asked("q2", "3", "x", "y", "z"), unsent,
	}
	table, ok := Run{Samples: samples[:3], Primary: score.ExactMatch}.Consistency()
	if !ok || table.Rows[0][0] != 1 || table.Rows[0][1] != 2 {
		t.Errorf("rows %v, want one problem in two orders", table.Rows)
	}
	if _, ok := (Run{Samples: samples, Primary: score.ExactMatch}).Consistency(); ok {
		t.Error("a problem with an order that was not sent is counted")
	}
}

// TestLettersShown: where demonstrations are answered by letters, letters are what is
// copied and what is most frequent.
func TestLettersShown(t *testing.T) {
	lettered := func(key, response string, letters ...string) Sample {
		s := shown("p", "mass", response, score.Incorrect, make([]string, len(letters))...)
		for i, letter := range letters {
			s.Answers[i] = "text behind " + letter
		}
		s.AnswerLetters, s.Key = letters, key
		s.Options = []score.Option{{Letter: "A", Text: "mass"}, {Letter: "B", Text: "text behind A"}}
		s.Verdicts = []score.Verdict{{Metric: score.MCQA, Outcome: score.Incorrect, Answer: response}}
		return s
	}
	r := Run{Primary: score.MCQA, Samples: []Sample{
		lettered("A", "B", "A", "B"), lettered("A", "B", "A", "A"), lettered("B", "a", "A", "B", "A"), lettered("A", "", "A"),
	}}
	copying, _ := r.Copying()
	want := [][]any{
		{"any", 4, 2, 0.5, 0, 2},
		{"the last", 4, 2, 0.5, 0, 2},
		{"1", 4, 1, 0.25, 0, 1},
		{"2", 3, 1, 1.0 / 3, 0, 1},
		{"3", 1, 1, 1.0, 0, 1},
	}
	if diff := cmp.Diff(want, copying.Rows); diff != "" {
		t.Errorf("copying (-want +got):\n%s", diff)
	}
	baselines, _ := r.Baselines()
	if diff := cmp.Diff([][]any{{"s", 4, 0.75, "letters shown", 0.5, 0.0}}, baselines.Rows); diff != "" {
		t.Errorf("baselines (-want +got):\n%s", diff)
	}
}

// TestSameIsOfOptions: where the rule finds no letter, the letters of another rule
// stand for options, which orders label differently.
func TestSameIsOfOptions(t *testing.T) {
	order := func(prompt string, options ...score.Option) Sample {
		s := shown("p", "mass", "A?", score.NoAnswer, "mass", "cyst")
		s.Prompt, s.Options, s.Key = prompt, options, "A"
		s.Verdicts = []score.Verdict{{Metric: score.MCQA, Outcome: score.NoAnswer}, {Metric: "other", Outcome: score.Correct, Answer: "A"}}
		return s
	}
	mass, cyst := score.Option{Letter: "A", Text: "mass"}, score.Option{Letter: "B", Text: "cyst"}
	r := Run{Primary: score.MCQA, Samples: []Sample{order("1", mass, cyst), order("2", score.Option{Letter: "A", Text: "cyst"}, score.Option{Letter: "B", Text: "mass"})}}
	if table, ok := r.Consistency(); !ok || table.Rows[0][2] != 0.0 {
		t.Errorf("rows %v, want answers that differ", table.Rows)
	}
}
