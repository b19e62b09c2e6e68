package score

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// verdictOf is the verdict of the rule mcqa.
func verdictOf(response string, options []Option, key string) Verdict {
	rule, err := RuleNamed(RuleMCQA)
	if err != nil {
		panic(err)
	}
	return rule.Verdict(Case{Response: response, Options: options, Key: key})
}

// lettersOnly are options whose texts are not known.
func lettersOnly(letters []string) []Option {
	var options []Option
	for _, l := range letters {
		options = append(options, Option{Letter: l})
	}
	return options
}

func TestMCQAVerdict(t *testing.T) {
	four := []string{"A", "B", "C", "D"}
	for _, tt := range []struct {
		name     string
		response string
		letters  []string
		key      string
		want     Verdict
	}{
		{
			"correct", "<answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"incorrect", "<answer>A</answer>", four, "B",
			Verdict{Outcome: Incorrect, Answer: "A", Explanation: "the key is B"},
		},
		{
			"any case, blanks, full stop", "<ANSWER>\n b. </Answer> ", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"parenthesis", "<answer>B)</answer>", four, "b",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"after thinking", "<think>A? <answer>A</answer> no.</think>\n<answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"before thinking", "<answer>B</answer><think>done</think>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"think tag in prose after the answer", "<answer>B</answer> as in <think>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"thinking opened by the template", "A? <answer>A</answer></think><answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"thinking twice", "<think>a</think><think>b</think><answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"think inside thinking is a word", "<think>a <think> b</think><answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"thinking inside the answer", "<answer><think>b</think>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"the end of thinking twice", "A?</think><answer>B</answer></think>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"an end without a beginning", "<think>a</think><answer>B</answer></think> for sure", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"nothing but thinking", "The answer is B.</think>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "holds nothing but thinking"},
		},
		{
			"thinking never ends", "<think>perhaps <answer>B</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "answers only inside <think>"},
		},
		{
			"cut thinking does not make a tag", "<ans<think></think>wer>B</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "has no <answer>…</answer>"},
		},
		{
			"same answer twice", "<answer>B</answer> so <answer>b.</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"two different answers", "<answer>A</answer> or <answer>B</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "two different answers: A and B"},
		},
		{
			"a text, then a letter", "<answer>Benign</answer><answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"a letter, then a text", "<answer>B</answer><answer>Benign</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: `the answer "Benign" is not one letter`},
		},
		{
			"not terminated", "<answer>B", four, "B",
			Verdict{Rule: "mcqa (answer tag)", Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"never begun", "B</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "has no <answer>…</answer>"},
		},
		{
			"the terminated one of two", "<answer>A <answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"letter and text", "<answer>B. Benign</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: `the answer "B. Benign" is not one letter`},
		},
		{
			"two letters", "<answer>AB</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: `the answer "AB" is not one letter`},
		},
		{
			"empty answer", "<answer> </answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: `the answer "" is not one letter`},
		},
		{
			"full-width letter", "<answer>Ｂ</answer>", four, "B",
			Verdict{Rule: "mcqa (answer tag)", Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"dotless i is not I", "<answer>ı</answer>",
			[]string{"I"},
			"I",
			Verdict{Outcome: NoAnswer, Explanation: `the answer "ı" is not one letter`},
		},
		{
			"a plain statement", "The answer is B.", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"no guess from prose", "The answer is a B cell lymphoma.", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "has no <answer>…</answer>"},
		},
		{
			"empty", " \n", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "the response is empty"},
		},
		{
			"no option", "<answer>G</answer>", four, "B",
			Verdict{Outcome: Incorrect, Answer: "G", Explanation: "G is no option"},
		},
		{
			"format example", "<think>This is my thought.</think>\n<answer>Correct letter.</answer>", four, "C",
			Verdict{Outcome: NoAnswer, Explanation: "repeats the format's example"},
		},
		{
			"format example X", "<answer>X</answer>", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "repeats the format's example"},
		},
		{
			"format instruction", "inside <answer>...</answer> tags", four, "B",
			Verdict{Outcome: NoAnswer, Explanation: "repeats the format's example"},
		},
		{
			"format example, then an answer", "<answer>Correct letter.</answer> <answer>X</answer> <answer>B</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"answer, then format example", "<answer>B</answer> as in <answer>X</answer>", four, "B",
			Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"},
		},
		{
			"X is an option", "<answer>x</answer>",
			[]string{"W", "X"},
			"X",
			Verdict{Outcome: Correct, Answer: "X", Explanation: "answers the key X"},
		},
		{
			"options unknown", "<answer>D</answer>", nil, "D",
			Verdict{Outcome: Correct, Answer: "D", Explanation: "answers the key D"},
		},
		{
			"no key", "<answer>B</answer>", four, "",
			Verdict{Outcome: Unscored, Answer: "B", Reason: "reference missing"},
		},
		{
			"key is no option", "<answer>B</answer>", four, "E",
			Verdict{Outcome: Unscored, Answer: "B", Reason: "reference missing", Explanation: `the key "E" is not the letter of an option`},
		},
		{
			"key is an index", "<answer>B</answer>", nil, "1",
			Verdict{Outcome: Unscored, Answer: "B", Reason: "reference missing", Explanation: `the key "1" is not the letter of an option`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Metric, tt.want.Rule = MCQA, "mcqa"
			switch {
			case tt.want.Outcome == Unscored:
			case tt.want.Answer != "" && strings.Contains(tt.response, "swer>"):
				tt.want.Rule = "mcqa (answer tag)"
			case tt.want.Answer != "":
				tt.want.Rule = "mcqa (cue)"
			}
			if diff := cmp.Diff(tt.want, verdictOf(tt.response, lettersOnly(tt.letters), tt.key)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// A letter that is no option's can be the text of one; one that is an option's, and
// the text of another, says nothing.
func TestMCQAOptionsWhoseTextsAreLetters(t *testing.T) {
	groups := []Option{{"A", "A"}, {"B", "B"}, {"C", "AB"}, {"D", "O"}}
	turned := []Option{{"A", "B"}, {"B", "A"}, {"C", "x"}}
	for _, tt := range []struct {
		response string
		options  []Option
		answer   string // "": no answer
	}{
		{"O", groups, "D"},
		{"The blood group is\n**O**", groups, "D"},
		{"The answer is O.", groups, "D"},
		{"O is correct.", groups, "D"},
		{"<answer>O</answer>", groups, "D"},
		{"D", groups, "D"},
		{"D. O", groups, "D"},
		{"AB", groups, "C"},
		{"A", groups, "A"},
		{"E", groups, "E"},
		{"D or O?\nO", groups, "D"},
		{"A", turned, ""},
		{"The answer is A.", turned, ""},
		{"<answer>A</answer>", turned, ""},
		{"<answer>X</answer>", turned, "C"},
		{"<answer>C</answer>", turned, "C"},
	} {
		if v := verdictOf(tt.response, tt.options, "D"); v.Answer != tt.answer {
			t.Errorf("%q of %v: %+v, want %q", tt.response, tt.options, v, tt.answer)
		}
	}
}

// TestParityMCQANeverContradictsSMMILE holds that a letter read here is the letter
// that SMMILE's four readers take out of the same reply, where they read a
// letter. Theirs is a word where it is I or a bracket. Exempt are replies with
// two answers or the format's example, where SMMILE takes the first.
func TestParityMCQANeverContradictsSMMILE(t *testing.T) {
	stages := map[string]int{}
	for _, r := range vectorRows[extractRow](t, "smmile_mcqa_extract.jsonl") {
		if r.Response == nil || slices.Contains([]string{"EXTRACTION_FAILED", "I", "("}, r.Expected) {
			continue
		}
		response := *r.Response
		if r.Variant == "A" || r.Variant == "C" { // these read what follows the last marker
			if at := strings.LastIndex(response, "assistant"); at >= 0 {
				response = response[at:]
			}
		}
		letter, stage, problem := newChoices(r.options()).read(response)
		if problem != "" {
			continue
		}
		if stages[stage]++; letter != r.Expected {
			t.Errorf("%s: read %q (%s), SMMILE reads %q in %q", r.ID, letter, stage, r.Expected, response)
		}
	}
	t.Logf("replies by stage: %v", stages)
	if stages[stageTag] < 1000 || stages[stageLetter] < 100 || stages[stageCue] < 50 {
		t.Errorf("read by stage %v, want 1000 tags, 100 letters and 50 cues or more", stages)
	}
}

func FuzzMCQAVerdict(f *testing.F) {
	for _, s := range []string{
		"<answer>B</answer>", "<think>x</think>\n<answer>b.</answer>", "<answer>Correct letter.</answer>",
		"<answer>A</answer><answer>B</answer>", "</think><answer>X</answer>", "<answer><think>", "ı<answer>ı</answer>", "\xff<answer>C\xff</answer>",
	} {
		f.Add(s, "B")
	}
	letters := lettersOnly([]string{"A", "B", "C", "D"})
	f.Fuzz(func(t *testing.T, response, key string) {
		v := verdictOf(response, letters, key)
		for name, changed := range map[string]string{
			"upper case": asciiUpper(response),
			"lower case": asciiLower(response),
			"blanks":     " \n" + strings.ReplaceAll(response, ">", ">\u3000\t") + "\x1f",
		} {
			if got := verdictOf(changed, letters, key); got.Outcome != v.Outcome || got.Answer != v.Answer {
				t.Errorf("%s changes the verdict on %q: %+v, was %+v", name, response, got, v)
			}
		}
		if v.Outcome == Correct && !strings.Contains(asciiUpper(response), asciiUpper(trimBlanks(key))) {
			t.Errorf("correct without the key %q in %q", key, response)
		}
		if v.Outcome == Correct && v.Answer != asciiUpper(trimBlanks(key)) {
			t.Errorf("correct with answer %q for key %q", v.Answer, key)
		}
	})
}

// asciiLower is s with A to Z in lower case. Unicode's lower case would make a
// letter k of the Kelvin sign.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, s)
}
