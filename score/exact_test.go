package score

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNormalize(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"case and full stop", "Pleural Effusion.", "pleural effusion"},
		{"punctuation is deleted, not replaced", "x-ray a,b", "xray ab"},
		{"all punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", ""},
		{"punctuation between blanks leaves one blank", "left - right", "left right"},
		{"other punctuation stays", "Charcot´s “foot” – left’", "charcot´s “foot” – left’"},
		{"articles and number words stay", "A mass in the two lungs", "a mass in the two lungs"},
		{"runs of blanks", "\t a \n\r\n b\v\fc ", "a b c"},
		{"Unicode blanks", "a\u3000b\u00a0c\u0085d\u2028e\u2009f", "a b c d e f"},
		{"ASCII separators are blanks", "\x1ca\x1d\x1eb\x1f", "a b"},
		{"zero width is no blank", "a\u200bb \ufeff", "a\u200bb \ufeff"},
		{"İ is two code points", "İ", "i\u0307"},
		{"final sigma", "ΟΔΟΣ ΣΟΦΟΣ", "οδος σοφος"},
		{"sigma before punctuation", "ΟΔΟΣ.", "οδος"},
		{"sigma alone", "Σ", "σ"},
		{"sharp s", "ẞß", "ßß"},
		{"Kelvin and Ångström signs", "K Å", "k å"},
		{"full width stays full width", "ＡＢ．", "ａｂ．"},
		{"Chinese", " 肺炎。", "肺炎。"},
		{"Deseret", "𐐀", "𐐨"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Normalize(tt.in); got != tt.want {
				t.Errorf("Normalize(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestExactMatchVerdict(t *testing.T) {
	for _, tt := range []struct {
		name       string
		response   string
		references []string
		want       Verdict
	}{
		{
			"equal", "Black",
			[]string{"black."},
			Verdict{Outcome: Correct, Answer: "Black", NormalizedReference: "black", Explanation: `equals reference "black."`},
		},
		{
			"second reference", "No",
			[]string{"none", "no"},
			Verdict{Outcome: Correct, Answer: "No", NormalizedReference: "no", Explanation: `equals reference "no"`},
		},
		{
			"different", "It is red.",
			[]string{"Black"},
			Verdict{Outcome: Incorrect, Answer: "It is red.", NormalizedReference: "black", Explanation: `differs from reference "Black"`},
		},
		{
			"a word inside another is no match", "Notice the lesion: yes",
			[]string{"no"},
			Verdict{Outcome: Incorrect, Answer: "Notice the lesion: yes", NormalizedReference: "no", Explanation: `differs from reference "no"`},
		},
		{
			"different from all", "red",
			[]string{"black", "blue"},
			Verdict{Outcome: Incorrect, Answer: "red", NormalizedReference: "black", Explanation: "differs from each of 2 references"},
		},
		{
			"empty response", "",
			[]string{"No"},
			Verdict{Outcome: NoAnswer, NormalizedReference: "no", Explanation: "the response is empty"},
		},
		{
			"blank response", "\n\u3000\x1f",
			[]string{"No"},
			Verdict{Outcome: NoAnswer, NormalizedReference: "no", Explanation: "the response is empty"},
		},
		{
			"punctuation only", "...",
			[]string{"No"},
			Verdict{Outcome: NoAnswer, Answer: "...", NormalizedReference: "no", Explanation: "the response is only punctuation"},
		},
		{
			"two empty texts are no match", "-",
			[]string{"+", "No"},
			Verdict{Outcome: NoAnswer, Answer: "-", NormalizedReference: "no", Explanation: "the response is only punctuation"},
		},
		{
			"no reference", "red", nil,
			Verdict{Outcome: Unscored, Answer: "red", Reason: "reference missing"},
		},
		{
			"no reference, no response", "", nil,
			Verdict{Outcome: Unscored, Reason: "reference missing"},
		},
		{
			"reference without text", "+",
			[]string{" + "},
			Verdict{Outcome: Unscored, Answer: "+", Reason: "reference missing", Explanation: "nothing is left of the reference after normalizing"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Metric, tt.want.Rule = ExactMatch, "smmile-em"
			tt.want.NormalizedAnswer = Normalize(tt.response)
			if diff := cmp.Diff(tt.want, ExactMatchVerdict(tt.response, tt.references)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// TestParityExactMatchAgreesWithSMMILE compares every recorded row. The official code
// reads an empty cell as the text "nan", so of those rows only the decision is
// compared.
func TestParityExactMatchAgreesWithSMMILE(t *testing.T) {
	type row struct {
		ID        string
		Reference string `json:"true_answer"`
		Response  string `json:"generated_answer"`
		IsNaN     bool   `json:"csv_cell_is_nan"`
		NormTrue  string `json:"norm_true"`
		NormGiven string `json:"norm_generated"`
		EM        bool   `json:"official_em"`
	}
	correct := 0
	for _, r := range vectorRows[row](t, "smmile_em.jsonl") {
		if got := Normalize(r.Reference); got != r.NormTrue {
			t.Errorf("%s: reference normalizes to %q, want %q", r.ID, got, r.NormTrue)
		}
		if got := Normalize(r.Response); got != r.NormGiven && !r.IsNaN {
			t.Errorf("%s: response normalizes to %q, want %q", r.ID, got, r.NormGiven)
		}
		v := ExactMatchVerdict(r.Response, []string{r.Reference})
		if got := v.Outcome == Correct; got != r.EM || v.Outcome == Unscored {
			t.Errorf("%s: %+v, want correct %t", r.ID, v, r.EM)
		}
		if r.EM {
			correct++
		}
	}
	t.Logf("%d correct rows", correct)
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"", "Pleural Effusion.", "ΟΔΟΣ ΣΟΦΟΣ", "İΣ\u0345Σ", "a\u3000\x1fb", "\xff\xfe", "x-ray, \u200b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Normalize(s)
		if twice := Normalize(once); twice != once {
			t.Errorf("Normalize(%q) = %q, and of that %q", s, once, twice)
		}
		v := ExactMatchVerdict(s, []string{s})
		switch {
		case once == "" && v.Outcome != Unscored:
			t.Errorf("empty %q against itself: %+v", s, v)
		case once != "" && v.Outcome != Correct:
			t.Errorf("%q against itself: %+v", s, v)
		}
		if v := ExactMatchVerdict("", []string{s}); v.Outcome == Correct {
			t.Errorf("no response against %q: %+v", s, v)
		}
	})
}

func TestRawThinkingIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		response, rule string
		want           Outcome
	}{
		{"<think>It could be a mass.</think>\n\nPneumonia", "smmile-em (think stripped)", Correct},
		{"It could be a mass.</think> Pneumonia.", "smmile-em (think stripped)", Correct},
		{"Effusion?</think> Pneumonia</think>", "smmile-em (think stripped)", Correct},
		{"<think>It could be.</think>Pneumonia</think>", "smmile-em (think stripped)", Correct},
		{"Pneumonia</think>", "smmile-em (think stripped)", NoAnswer},
		{"<THINK>hm</THINK>Effusion", "smmile-em (think stripped)", Incorrect},
		{"<think>Pneumonia", "smmile-em (think stripped)", NoAnswer},
		{"<think>Pneumonia</think>", "smmile-em (think stripped)", NoAnswer},
		{"I think pneumonia", "smmile-em", Incorrect},
		{"pneumonia", "smmile-em", Correct},
	} {
		v := ExactMatchVerdict(tt.response, []string{"Pneumonia"})
		if v.Outcome != tt.want || v.Rule != tt.rule || HoldsThinking(tt.response) != strings.Contains(tt.rule, "think") {
			t.Errorf("%q: %s by %q, want %s by %q", tt.response, v.Outcome, v.Rule, tt.want, tt.rule)
		}
	}
}
