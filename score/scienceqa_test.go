package score

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lettered is a case with n options and a key.
func lettered(response, key string, n int) Case {
	c := Case{Response: response, Key: key}
	for i := range n {
		c.Options = append(c.Options, Option{Letter: string(rune('A' + i)), Text: fmt.Sprint(i)})
	}
	return c
}

// TestScienceQA holds what each rule reads, of three options with the key B:
// the letter, then + for correct, - for incorrect; "" for no answer.
func TestScienceQA(t *testing.T) {
	for _, tt := range []struct{ response, lmms, official, llava string }{
		{"B", "B+", "", "B+"},
		{"C", "C-", "", "C-"},
		{"b", "b+", "", ""},
		{" B", "B+", "", ""},
		{"B\n", "B+", "", ""},
		{"\u3000b\x1f", "b+", "", ""},
		{"B.", "B+", "", ""},
		{"A.", "A-", "", ""},
		{"B. ", "B+", "", "B+"},
		{"B. right", "B+", "", "B+"},
		{"B.\u00a0right", "B+", "", ""},
		{"b. right", "", "", ""},
		{"Ⓑ.", "Ⓑ-", "", ""},
		{"ǅ.", "", "", ""},
		{"Б.", "Б-", "", ""},
		{"Ｂ", "", "", ""},
		{"BB.", "", "", ""},
		{".", "", "", ""},
		{"D", "D-", "", "D-"},
		{"E. x", "E-", "", "E-"},
		{"F", "F-", "", ""},
		{"FAILED", "", "", ""},
		{"", "", "", ""},
		{" \n", "", "", ""},
		{"The answer is B.", "", "B+", "B+"},
		{"I say: The answer is B, as seen.", "", "B+", "B+"},
		{"The answer is Bad", "", "B+", "B+"},
		{"The answer is B", "", "", ""},
		{"The answer is B \n", "", "", "B+"},
		{"The answer is B\n.", "", "", ""},
		{"The answer is B\u2028.", "", "B+", "B+"},
		{"The answer is B。", "", "B+", "B+"},
		{"The answer is b.", "", "", ""},
		{"the answer is B.", "", "", ""},
		{"The answer is  B.", "", "", ""},
		{"The answer is D.", "", "D", "D-"},
		{"The answer is Z.", "", "Z", "Z-"},
		{"The answer is A. The answer is B.", "", "", ""},
		{"The answer is A or B. The answer is", "", "A-", "A-"},
		{"The answer is AThe answer is B.", "", "A-", "A-"},
		{"The answer is The answer is B.", "", "T", "T-"},
		{"The answer is the answer. The answer is B.", "", "B+", "B+"},
		{"A. The answer is B.", "A-", "B+", "A-"},
		{"A.\nThe answer is B.", "A-", "B+", "B+"},
	} {
		for name, want := range map[string]string{
			RuleScienceQALmms: tt.lmms, RuleScienceQAOfficial: tt.official, RuleScienceQALlava: tt.llava,
		} {
			v := rule(t, name).Verdict(lettered(tt.response, "B", 3))
			got := v.Answer + map[Outcome]string{Correct: "+", Incorrect: "-", NoAnswer: "", Unscored: "?"}[v.Outcome]
			if got != want {
				t.Errorf("%s reads %q in %q, want %q", name, got, tt.response, want)
			}
			if v.Explanation == "" || string(v.Metric) != name || !strings.HasPrefix(v.Rule, name) {
				t.Errorf("%s on %q: %+v", name, tt.response, v)
			}
		}
	}
}

func TestScienceQAVerdicts(t *testing.T) {
	for _, tt := range []struct {
		name, rule string
		c          Case
		want       Verdict
	}{
		{
			"lmms names the first stage", RuleScienceQALmms, lettered("b", "B", 2),
			Verdict{Rule: "scienceqa-lmms (exact-match)", Outcome: Correct, Answer: "b", Explanation: "answers the key B"},
		},
		{
			"lmms names the second stage", RuleScienceQALmms, lettered("A. x", "B", 2),
			Verdict{Rule: "scienceqa-lmms (rule-match)", Outcome: Incorrect, Answer: "A", Explanation: "the key is B"},
		},
		{
			"lmms decides by no stage", RuleScienceQALmms, lettered("A", "B", 2),
			Verdict{Rule: "scienceqa-lmms", Outcome: Incorrect, Answer: "A", Explanation: "the key is B"},
		},
		{
			"lmms needs a key", RuleScienceQALmms,
			Case{Response: "A", References: []string{"A"}},
			Verdict{Rule: "scienceqa-lmms", Outcome: Unscored, Answer: "A", Reason: ReasonReference},
		},
		{
			"official: what is guessed is no answer", RuleScienceQAOfficial, lettered("B", "B", 2),
			Verdict{Outcome: NoAnswer, Explanation: `no letter is read: "The answer is X." is not there exactly once; the official code guesses`},
		},
		{
			"official: a letter that is no option is guessed too", RuleScienceQAOfficial, lettered("The answer is C.", "B", 2),
			Verdict{Outcome: NoAnswer, Answer: "C", Explanation: "C is no option; the official code guesses"},
		},
		{
			"official: five letters without options", RuleScienceQAOfficial,
			Case{Response: "The answer is E.", Key: "e"},
			Verdict{Outcome: Correct, Answer: "E", Explanation: "answers the key E"},
		},
		{
			"official: a key that it does not know", RuleScienceQAOfficial, lettered("The answer is F.", "F", 7),
			Verdict{Outcome: Unscored, Answer: "F", Reason: ReasonReference, Explanation: "the rule knows the letters ABCDE, the key is F"},
		},
		{
			"official: empty", RuleScienceQAOfficial, lettered("\n", "A", 2),
			Verdict{Outcome: NoAnswer, Explanation: "the response is empty; the official code guesses"},
		},
		{
			"llava: a letter that is no option", RuleScienceQALlava, lettered("E", "B", 2),
			Verdict{Outcome: Incorrect, Answer: "E", Explanation: "E is no option"},
		},
		{
			"llava needs a key", RuleScienceQALlava, lettered("E", "", 2),
			Verdict{Outcome: Unscored, Answer: "E", Reason: ReasonReference},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Metric = Metric(tt.rule)
			if tt.want.Rule == "" {
				tt.want.Rule = tt.rule
			}
			if diff := cmp.Diff(tt.want, rule(t, tt.rule).Verdict(tt.c)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// scienceQARow is a recorded response with what three published rules read in it.
type scienceQARow struct {
	ID       string
	Response string
	Choices  int    `json:"choices_count"`
	Key      string `json:"answer_letter"`

	Lmms          float64 `json:"lmms_exact_match"`
	Official      string  `json:"official_regex_letter"`
	Guessed       bool    `json:"official_random_fallback"`
	Right         *bool   `json:"official_correct"`
	Llava         string  `json:"llava_parsed_letter"`
	LlavaIndex    int     `json:"llava_pred_index"`
	LlavaIsRight  bool    `json:"llava_correct"`
	OfficialIndex *int    `json:"official_pred_index"`
}

func TestParityScienceQAAgreesWithTheOfficialCodes(t *testing.T) {
	for _, file := range []string{"scienceqa_parse", "scienceqa_full_gpt3", "scienceqa_full_llava15"} {
		t.Run(file, func(t *testing.T) {
			for _, r := range vectorRows[scienceQARow](t, file+".jsonl") {
				c := lettered(r.Response, r.Key, r.Choices)
				if v := rule(t, RuleScienceQALmms).Verdict(c); (v.Outcome == Correct) != (r.Lmms == 1) || v.Outcome == Unscored {
					t.Errorf("%s: %q: lmms-eval gives %v, here %+v", r.ID, r.Response, r.Lmms, v)
				}
				r.official(t, rule(t, RuleScienceQAOfficial).Verdict(c))
				r.llava(t, rule(t, RuleScienceQALlava).Verdict(c))
			}
		})
	}
}

func (r scienceQARow) official(t *testing.T, v Verdict) {
	t.Helper()
	want := NoAnswer
	switch {
	case r.Guessed:
	case *r.Right:
		want = Correct
	default:
		want = Incorrect
	}
	if v.Outcome != want || v.Answer != strings.Replace(r.Official, "FAILED", "", 1) {
		t.Errorf("%s: %q: the official code reads %s (%s), here %+v", r.ID, r.Response, r.Official, want, v)
	}
	if !r.Guessed && int(v.Answer[0]-'A') != *r.OfficialIndex {
		t.Errorf("%s: answer %s, want the option %d", r.ID, v.Answer, *r.OfficialIndex)
	}
}

func (r scienceQARow) llava(t *testing.T, v Verdict) {
	t.Helper()
	want := Incorrect
	switch {
	case r.Llava == "FAILED":
		want, r.Llava = NoAnswer, ""
	case r.LlavaIsRight:
		want = Correct
	}
	if v.Outcome != want || v.Answer != r.Llava {
		t.Errorf("%s: %q: LLaVA's code reads %q (%s, option %d), here %+v", r.ID, r.Response, r.Llava, want, r.LlavaIndex, v)
	}
}

// TestScienceQAFullRuns holds the totals of those runs of which all rows are here.
func TestScienceQAFullRuns(t *testing.T) {
	var summary struct {
		Runs map[string]struct {
			Rows     int
			Official int     `json:"official_deterministic_correct"`
			Guessed  int     `json:"official_random_fallback_rows"`
			Llava    int     `json:"llava_script_correct"`
			Lmms     float64 `json:"lmms_eval_exact_match"`
		}
	}
	if err := json.Unmarshal(vectors(t, "scienceqa_runs_summary.json"), &summary); err != nil {
		t.Fatal(err)
	}
	for run, file := range map[string]string{"gpt3-QCM-ALE-2shot": "scienceqa_full_gpt3.jsonl", "llava-1.5-13b": "scienceqa_full_llava15.jsonl"} {
		rows, want := vectorRows[scienceQARow](t, file), summary.Runs[run]
		if len(rows) != want.Rows {
			t.Logf("%s has %d of %d rows", file, len(rows), want.Rows)
			continue
		}
		count := map[string]int{}
		for _, r := range rows {
			for _, s := range scienceQARules {
				v := s.Verdict(lettered(r.Response, r.Key, r.Choices))
				count[s.Name+" "+string(v.Outcome)]++
			}
		}
		got := []int{count[RuleScienceQAOfficial+" correct"], count[RuleScienceQAOfficial+" no_answer"], count[RuleScienceQALlava+" correct"], count[RuleScienceQALmms+" correct"]}
		if diff := cmp.Diff([]int{want.Official, want.Guessed, want.Llava, int(want.Lmms)}, got); diff != "" {
			t.Errorf("%s: official, guessed, LLaVA, lmms-eval (-want +got):\n%s", run, diff)
		}
	}
}

func FuzzScienceQA(f *testing.F) {
	for _, s := range []string{"", "B", "b. ", "The answer is B.", "The answer is A.The answer is ", "É.", "\xff.", "The answer is A\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, response string) {
		for _, r := range scienceQARules {
			v := r.Verdict(lettered(response, "B", 4))
			if v.Outcome == Unscored || v.Explanation == "" {
				t.Errorf("%s on %q: %+v", r.Name, response, v)
			}
			if v.Outcome == Correct && !strings.EqualFold(v.Answer, "B") {
				t.Errorf("%s reads %q in %q", r.Name, v.Answer, response)
			}
			if !strings.Contains(response, v.Answer) {
				t.Errorf("%s reads %q, which is not in %q", r.Name, v.Answer, response)
			}
		}
	})
}

func BenchmarkScienceQACues(b *testing.B) {
	const line = "The answer is the answer is A\n"
	for _, mb := range []int{1, 2} {
		c := lettered(strings.Repeat(line, mb<<20/len(line)), "B", 4)
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			b.SetBytes(int64(len(c.Response)))
			b.ReportAllocs()
			for range b.N {
				for _, r := range scienceQARules {
					r.Verdict(c)
				}
			}
		})
	}
}
