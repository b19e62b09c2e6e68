package score

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type extractRow struct {
	ID, Variant string
	Response    *string
	Options     [][2]string
	Expected    string
}

func (r extractRow) options() []Option {
	var options []Option
	for _, o := range r.Options {
		options = append(options, Option{o[0], o[1]})
	}
	return options
}

// TestParitySmmileReadersAsPublished compares the four readers with what SMMILE's
// functions took out of the same replies. A reply that is null is no text.
func TestParitySmmileReadersAsPublished(t *testing.T) {
	read, differ := map[string]int{}, 0
	for _, r := range vectorRows[extractRow](t, "smmile_mcqa_extract.jsonl") {
		if r.Response == nil {
			continue
		}
		read[r.Variant]++
		got := SmmileReader(r.Variant[0]|0x20).Letter(*r.Response, r.options())
		if got == "" {
			got = "EXTRACTION_FAILED"
		}
		if got != r.Expected {
			differ++
			t.Errorf("%s, reader %s: %q, want %q from %q", r.ID, r.Variant, got, r.Expected, *r.Response)
		}
	}
	t.Logf("%v replies compared, %d differ", read, differ)
}

// TestSmmileReaders are replies made up for this test, with what the regular
// expressions of Python read in them.
func TestSmmileReaders(t *testing.T) {
	options := []Option{{"B", "Mass"}, {"A", "Round mass "}, {"C", ""}}
	for _, tt := range []struct {
		name, reply, a, b, c, d string
	}{
		{"tag", "<think>A?</think><answer>C</answer>", "C", "C", "C", "C"},
		{"tag with text", "<answer>\n b) Mass</answer>", "B", "B", "", "B"},
		{"letter inside a word", "<answer>2d</answer>", "D", "D", "", "2"},
		{"upper case of sharp s", "<answer>ß</answer>", "S", "S", "", "SS"},
		{"no letter", "<answer>是</answer>", "是", "是", "", "是"},
		{"format example", "<answer>Correct letter.</answer>", "C", "C", "", "C"},
		{"open tag ends at an empty line", "<answer>\n1\n\nD", "1", "1", "", "D"},
		{"empty tag falls through", "<answer></answer> B", "B", "B", "", "B"},
		{"tag in capitals", "<ANSWER>B</ANSWER>", "B", "B", "B", "B"},
		{"article", "The answer is a mass.", "A", "A", "A", ""},
		{"first cue of the list, not of the text", "Option B. The answer is D", "D", "D", "D", "B"},
		{"dotless i", "The answer is ı.", "I", "I", "I", ""},
		{"Kelvin sign", "The answer is \u212a", "\u212a", "\u212a", "\u212a", ""},
		{"long s in a cue", "anſwer: b", "B", "B", "B", ""},
		{"no-break space behind the letter", "answer: b\u00a0or c", "B", "B", "B", ""},
		{"letter inside a word of any script", "optionBé", "", "", "", ""},
		{"combining mark ends a word", "optionB\u0301", "B", "B", "B", ""},
		{"emphasis", "so _c_", "C", "C", "", ""},
		{"word I", "I see", "I", "I", "", "I"},
		{"D knows A to J", "K E", "K", "K", "", "E"},
		{"text of an option", "a round mass", "", "B", "", ""},
		{"text behind a marker", "assistant: a round mass", "B", "B", "", ""},
		{"last marker, cut at the user's", "Assistant: A. assistant: B. user: C", "B", "A", "", "A"},
		{"colon markers of users come first", "assistant x user y USER: B", "", "B", "", "B"},
		{"C cuts behind the bare word", "answer: B assistants answer: D", "B", "B", "D", "B"},
		{"empty", "", "", "C", "", ""},
		{"marker and nothing", "assistant: ", "", "", "", ""},
	} {
		for reader, want := range map[SmmileReader]string{SmmileA: tt.a, SmmileB: tt.b, SmmileC: tt.c, SmmileD: tt.d} {
			if got := reader.Letter(tt.reply, options); got != want {
				t.Errorf("%s: reader %c takes %q out of %q, want %q", tt.name, reader, got, tt.reply, want)
			}
		}
	}
}

func TestSmmileMCQAVerdicts(t *testing.T) {
	options := []Option{{"B", "Mass"}, {"A", "No mass"}}
	for _, tt := range []struct {
		rule, reply, key string
		want             Verdict
	}{
		{"smmile-mcqa-a", "<answer>Benign</answer>", "B", Verdict{Outcome: Correct, Answer: "B", Explanation: "answers the key B"}},
		{"smmile-mcqa-b", "mass", "A", Verdict{Outcome: Incorrect, Answer: "B", Explanation: "the key is A"}},
		{"smmile-mcqa-c", "B", "B", Verdict{Outcome: NoAnswer, Explanation: "SMMILE's script has EXTRACTION_FAILED"}},
		{"smmile-mcqa-d", "<answer>(B)</answer>", "B", Verdict{Outcome: Incorrect, Answer: "(", Explanation: "( is no option"}},
		{"smmile-mcqa-a", "B", "", Verdict{Outcome: Unscored, Answer: "B", Reason: ReasonReference}},
		{"smmile-mcqa-a", "B", "E", Verdict{Outcome: Unscored, Answer: "B", Reason: ReasonReference, Explanation: `the key "E" is not the letter of an option`}},
	} {
		rule, err := RuleNamed(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		tt.want.Rule, tt.want.Metric = tt.rule, Metric(tt.rule)
		if diff := cmp.Diff(tt.want, rule.Verdict(Case{Response: tt.reply, Options: options, Key: tt.key})); diff != "" {
			t.Errorf("%s on %q (-want +got):\n%s", tt.rule, tt.reply, diff)
		}
	}
}

// TestSmmileDHasAKeyOfItsOwn: the first option line that contains the answer, where
// the options are known.
func TestSmmileDHasAKeyOfItsOwn(t *testing.T) {
	paced := []Option{{"A", "No - Panel A"}, {"B", "Yes - Panel B"}, {"C", "Yes"}}
	for _, tt := range []struct {
		rule, reply, key string
		options          []Option
		want             Outcome
	}{
		{"smmile-mcqa-d", "<answer>B</answer>", "C", paced, Correct},
		{"smmile-mcqa-d", "<answer>C</answer>", "C", paced, Incorrect},
		{"smmile-mcqa-d", "<answer>A</answer>", "A", paced, Correct},
		{"smmile-mcqa-d", "<answer>A</answer>", "B", []Option{{"A", "No"}, {"B", "A"}}, Correct}, // "A) No" contains it
		{"smmile-mcqa-d", "<answer>C</answer>", "C", nil, Correct},
		{"smmile-mcqa-a", "<answer>C</answer>", "C", paced, Correct},
		{RuleMCQA, "<answer>C</answer>", "C", paced, Correct},
	} {
		rule, err := RuleNamed(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		if v := rule.Verdict(Case{Response: tt.reply, Options: tt.options, Key: tt.key}); v.Outcome != tt.want {
			t.Errorf("%s on %q, the key %s: %+v, want %s", tt.rule, tt.reply, tt.key, v, tt.want)
		}
	}
}

func FuzzSmmileReaders(f *testing.F) {
	for _, s := range []string{"<answer>B</answer>", "assistant: the answer is b. user: c", "**Answer:** C", "_d_", "ı ſ \u212a İ ß", "option\u3000b"} {
		f.Add(s, "Mass")
	}
	f.Fuzz(func(t *testing.T, reply, option string) {
		options := []Option{{"A", option}, {"B", "No " + option}}
		for _, reader := range []SmmileReader{SmmileA, SmmileB, SmmileC, SmmileD} {
			letter := reader.Letter(reply, options)
			if again := reader.Letter(" \u3000\n"+reply+" \n", options); reader == SmmileD && again != letter {
				t.Errorf("blanks around %q change what D reads: %q, was %q", reply, again, letter)
			}
			own := strings.Contains(pythonUpper(reply), letter) || strings.Contains(reply, letter)
			if byText := reader < SmmileC && (letter == "A" || letter == "B") && strings.Contains(lower(reply), lower(trimBlanks(option))); !own && !byText {
				t.Errorf("reader %c takes %q out of %q", reader, letter, reply)
			}
		}
	})
}
