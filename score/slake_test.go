package score

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNormalizeSlake(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"case and blanks", "\u3000 Left \t\n Kidney\x1f", "left kidney"},
		{"punctuation is replaced", "x-mas,tree", "x mas tree"},
		{"full-width punctuation", "肾，肝。脾；胃、肠", "肾 肝 脾 胃 肠"},
		{"all full-width punctuation", "！？。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～、《》【】", ""},
		{"all ASCII punctuation but parentheses", "!\"#$%&'*+,-./:;<=>?@[\\]^_`{|}~", ""},
		{"other punctuation stays", "“肾” ‘肝’ … — – · 「胃」 ￥", "“肾” ‘肝’ … — – · 「胃」 ￥"},
		{"asides", "kidney (left) or liver (right)", "kidney or liver"},
		{"an aside inside an aside", "((x)y)", "y"},
		{"an aside over lines", "kidney (on\nthe left)", "kidney"},
		{"unclosed aside", "kidney (left", "kidney left"},
		{"closing first", ") kidney (", "kidney"},
		{"full-width asides", "肾（左）", "肾"},
		{"pairs do not mix", "肾（左)", "肾 左"},
		{"an ASCII aside can take a full-width closing away", "（a(b）c)d）e", "e"},
		{"a full-width aside is looked for after the ASCII ones", "(a（b)c）d", "c d"},
		{"number words", "None, zero; TWO ten", "0 0 2 10"},
		{"Chinese number words", "零 一 两 二 三 四 五 六 七 八 九 十", "0 1 2 2 3 4 5 6 7 8 9 10"},
		{"measure word", "两个 7个 ７个 ²个 ①个 ٣个 半个 个 个个", "2 7 ７ ² ① ٣ 半个 个 个个"},
		{"a measure word is taken off once", "三个个", "三个个"},
		{"numbers are no part of words", "someone 十二 twofold", "someone 十二 twofold"},
		{"articles", "The heart of a man, an organ", "heart of man organ"},
		{"only articles", "a/an (the) THE", ""},
		{"X-ray", "X_Ray", "xray"},
		{"X-ray with an article", "an X-ray.", "xray"},
		{"X-ray in Chinese", "X 射线", "xray"},
		{"X-ray is the whole answer", "X光片", "x光片"},
		{"yes", "True!", "yes"},
		{"yes in Chinese", "存在。", "yes"},
		{"no", "NOPE", "no"},
		{"no in Chinese", "（图中）不正常", "no"},
		{"polarity is the whole answer", "yes it is", "yes it is"},
		{"no number word is a polarity", "none", "0"},
		{"blanks keep a polarity apart", "没 有", "没 有"},
		{"İ is two code points", "İ", "i\u0307"},
		{"final sigma", "ΟΔΟΣ", "οδος"},
		{"full-width letters stay", "ＣＴ", "ｃｔ"},
		{"zero width is no blank", "ct\u200b \ufeff", "ct\u200b \ufeff"},
		{"Unicode blanks", "a\u00a0b\u2028c\u0085d", "b c d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := NormalizeSlake(tt.in); got != tt.want {
				t.Errorf("NormalizeSlake(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSlakeAnswer(t *testing.T) {
	for _, tt := range []struct{ name, response, evalscope, ours string }{
		{"no marker", " liver\n", "liver", "liver"},
		{"empty", "", "", ""},
		{"marker", "I see it.\nANSWER: liver", "liver", "liver"},
		{"any case, within a word", "myaNsWeR:liver", "liver", "liver"},
		{"long s", "AnſWER: liver", "liver", "liver"},
		{"half a long s", "an\xbfwer: liver", "an\xbfwer: liver", "an\xbfwer: liver"},
		{"quotation marks", `ANSWER: "'liver'" `, "liver", "liver"},
		{"blanks inside quotation marks stay", `ANSWER: " liver "`, " liver ", " liver "},
		{"bold marker", "**ANSWER:** liver", "** liver", "** liver"},
		{"all bold", "**ANSWER: liver**", "liver**", "liver**"},
		{"answer in the next line with text", "ANSWER:\n\u3000\nliver\nkidney", "liver", "liver"},
		{"the last of two", "ANSWER: kidney\nANSWER: liver", "liver", "liver"},
		{"two in a line", "ANSWER: kidney ANSWER: liver", "kidney ANSWER: liver", "kidney ANSWER: liver"},
		{"a marker after an empty one", "ANSWER:\nANSWER: liver", "ANSWER: liver", "ANSWER: liver"},
		{"trailing empty marker", "ANSWER: liver\nANSWER:", "", ""},
		{"lines end at line feeds only", "ANSWER: liver\rkidney\u2028left\u0085\nright", "liver\rkidney\u2028left", "liver\rkidney\u2028left"},
		{"blank before the colon", "ANSWER : liver", "ANSWER : liver", "ANSWER : liver"},
		{"no word", ": :: 答:liver", ": :: 答:liver", ": :: 答:liver"},
		{"full-width colon", "ANSWER：liver", "ANSWER：liver", "liver"},
		{"Chinese marker", "图中是肝。\n答案：肝\n以上", "图中是肝。\n答案：肝\n以上", "肝"},
		{"Chinese marker, ASCII colon", "正确答案: “肝”", "正确答案: “肝”", "“肝”"},
		{"the last of both kinds is ours", "ANSWER: liver\n答案：'肝'", "liver", "肝"},
		{"the last of both kinds is evalscope's", "答案：肝\nANSWER: liver", "liver", "liver"},
		{"both kinds in a line", "答案：ANSWER: 肝", "肝", "肝"},
		{"both kinds in a line, ours last", "ANSWER: 答案：肝", "答案：肝", "肝"},
		{"two of ours in a line", "答案：肝 答案：肾", "答案：肝 答案：肾", "肾"},
		{"ours, answer in the next line", "答案：\n\n肝\n肾", "答案：\n\n肝\n肾", "肝"},
		{"half a word", "nswer：肝 案：肾", "nswer：肝 案：肾", "nswer：肝 案：肾"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, got := evalscopeAnswer(tt.response); got != tt.evalscope {
				t.Errorf("evalscopeAnswer(%q) = %q, want %q", tt.response, got, tt.evalscope)
			}
			if got := slakeAnswer(tt.response); got != tt.ours {
				t.Errorf("slakeAnswer(%q) = %q, want %q", tt.response, got, tt.ours)
			}
		})
	}
}

func TestSlakeVerdicts(t *testing.T) {
	for _, tt := range []struct {
		name, rule, response string
		references           []string
		want                 Verdict
	}{
		{
			"correct", "slake-evalscope", "ANSWER: Two kidneys.",
			[]string{"2 Kidneys"},
			Verdict{Outcome: Correct, Answer: "Two kidneys.", NormalizedAnswer: "2 kidneys", NormalizedReference: "2 kidneys", Explanation: `equals reference "2 Kidneys"`},
		},
		{
			"second reference", "slake", "肝",
			[]string{"liver", "肝"},
			Verdict{Outcome: Correct, Answer: "肝", NormalizedAnswer: "肝", NormalizedReference: "肝", Explanation: `equals reference "肝"`},
		},
		{
			"incorrect", "slake", "ANSWER: left kidney",
			[]string{"Kidney"},
			Verdict{Outcome: Incorrect, Answer: "left kidney", NormalizedAnswer: "left kidney", NormalizedReference: "kidney", Explanation: `differs from reference "Kidney"`},
		},
		{
			"differs from all", "slake", "spleen",
			[]string{"", "Liver", "肝"},
			Verdict{Outcome: Incorrect, Answer: "spleen", NormalizedAnswer: "spleen", NormalizedReference: "liver", Explanation: "differs from each of 3 references"},
		},
		{
			"empty", "slake-evalscope", " \n",
			[]string{"Liver"},
			Verdict{Outcome: NoAnswer, NormalizedReference: "liver", Explanation: "the answer is empty"},
		},
		{
			"nothing left", "slake", "ANSWER: (liver)",
			[]string{"Liver"},
			Verdict{Outcome: NoAnswer, Answer: "(liver)", NormalizedReference: "liver", Explanation: "nothing is left of the answer after normalizing"},
		},
		{
			"nothing left of both, which evalscope takes as equal", "slake-evalscope", "ANSWER: the",
			[]string{"An"},
			Verdict{Outcome: Correct, Answer: "the", Explanation: `nothing is left of the answer, nor of reference "An"`},
		},
		{
			"nothing left of the reference", "slake-evalscope", "liver",
			[]string{"An"},
			Verdict{Outcome: Incorrect, Answer: "liver", NormalizedAnswer: "liver", Explanation: `differs from reference "An"`},
		},
		{
			"no reference", "slake", "liver",
			[]string{" "},
			Verdict{Outcome: Unscored, Answer: "liver", NormalizedAnswer: "liver", Reason: ReasonReference},
		},
		{
			"long texts are kept", "slake", strings.Repeat("X ", 500),
			[]string{"Liver"},
			Verdict{
				Outcome: Incorrect, Answer: strings.TrimSpace(strings.Repeat("X ", 500)), NormalizedAnswer: strings.TrimSpace(strings.Repeat("x ", 500)),
				NormalizedReference: "liver", Explanation: `differs from reference "Liver"`,
			},
		},
		{
			"evalscope's knows no other marker", "slake-evalscope", "答案：肝",
			[]string{"肝"},
			Verdict{Outcome: Incorrect, Answer: "答案：肝", NormalizedAnswer: "答案 肝", NormalizedReference: "肝", Explanation: `differs from reference "肝"`},
		},
		{
			"nothing left of both", "slake", "ANSWER: the",
			[]string{"An"},
			Verdict{Outcome: NoAnswer, Answer: "the", Explanation: "nothing is left of the answer after normalizing"},
		},
		{
			"nothing left of both, which are the same letter", "slake", "ANSWER: a",
			[]string{"A"},
			Verdict{Outcome: Correct, Answer: "a", Explanation: `equals reference "A" letter by letter`},
		},
		{
			"rescued", "slake", "答案：肝",
			[]string{"肝"},
			Verdict{Rule: "slake (rescued)", Outcome: Correct, Answer: "肝", NormalizedAnswer: "肝", NormalizedReference: "肝", Explanation: `equals reference "肝"`},
		},
		{
			"lost", "slake", "ANSWER: liver\n答案：脾",
			[]string{"Liver"},
			Verdict{Rule: "slake (lost)", Outcome: Incorrect, Answer: "脾", NormalizedAnswer: "脾", NormalizedReference: "liver", Explanation: `differs from reference "Liver"`},
		},
		{
			"wrong by both", "slake", "答案：脾",
			[]string{"肝"},
			Verdict{Outcome: Incorrect, Answer: "脾", NormalizedAnswer: "脾", NormalizedReference: "肝", Explanation: `differs from reference "肝"`},
		},
		{
			"thinking is left out", "slake", "<think>ANSWER: spleen</think>liver",
			[]string{"Liver"},
			Verdict{Rule: "slake (think stripped)", Outcome: Correct, Answer: "liver", NormalizedAnswer: "liver", NormalizedReference: "liver", Explanation: `equals reference "Liver"`},
		},
		{
			"thinking is left out, then rescued", "slake", "<think>liver?</think>ANSWER：liver",
			[]string{"Liver"},
			Verdict{Rule: "slake (rescued) (think stripped)", Outcome: Correct, Answer: "liver", NormalizedAnswer: "liver", NormalizedReference: "liver", Explanation: `equals reference "Liver"`},
		},
		{
			"evalscope's reads thinking too", "slake-evalscope", "<think>ANSWER: spleen</think>liver",
			[]string{"Liver"},
			Verdict{Outcome: Incorrect, Answer: "spleen</think>liver", NormalizedAnswer: "spleen think liver", NormalizedReference: "liver", Explanation: `differs from reference "Liver"`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Metric = Metric(tt.rule)
			if tt.want.Rule == "" {
				tt.want.Rule = tt.rule
			}
			got := rule(t, tt.rule).Verdict(Case{Response: tt.response, References: tt.references})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func rule(t testing.TB, name string) Rule {
	t.Helper()
	r, err := RuleNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestParitySlakeAgreesWithEvalscope compares every recorded decision.
func TestParitySlakeAgreesWithEvalscope(t *testing.T) {
	type row struct {
		ID         string
		Response   string `json:"raw_response"`
		Reference  string
		Extracted  string `json:"expected_extracted"`
		Answer     string `json:"expected_normalized_response"`
		Normalized string `json:"expected_normalized_reference"`
		Correct    bool
	}
	evalscope := rule(t, RuleSlakeEvalscope)
	for _, r := range vectorRows[row](t, "slake_norm.jsonl") {
		got := evalscope.Verdict(Case{Response: r.Response, References: []string{r.Reference}})
		texts := [3]string{got.Answer, got.NormalizedAnswer, got.NormalizedReference}
		if diff := cmp.Diff([3]string{r.Extracted, r.Answer, r.Normalized}, texts); diff != "" {
			t.Errorf("%s: %q: answer and normalized texts (-want +got):\n%s", r.ID, r.Response, diff)
		}
		if correct := got.Outcome == Correct; correct != r.Correct {
			t.Errorf("%s: %q is %s, evalscope says correct: %t", r.ID, r.Response, got.Outcome, r.Correct)
		}
	}
}

func TestParitySlakeReferencesAreThoseOfEvalscope(t *testing.T) {
	type row struct{ ID, Answer, Evalscope string }
	for _, r := range vectorRows[row](t, "slake_refs.jsonl") {
		if got := NormalizeSlake(r.Answer); got != r.Evalscope {
			t.Errorf("%s: NormalizeSlake(%q) = %q, want %q", r.ID, r.Answer, got, r.Evalscope)
		}
	}
}

func FuzzNormalizeSlake(f *testing.F) {
	for _, s := range []string{"", "The left kidney (lower).", "两个", "x-Ray", "（a(b）c)d）", "\xff(", "İΣ.", strings.Repeat("(", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := NormalizeSlake(s)
		if strings.TrimFunc(got, isSlakeGap) != got || strings.Contains(got, "  ") {
			t.Errorf("NormalizeSlake(%q) = %q, with gaps left", s, got)
		}
		for word := range strings.FieldsSeq(got) {
			if word == "a" || word == "an" || word == "the" {
				t.Errorf("NormalizeSlake(%q) = %q, with an article", s, got)
			}
		}
	})
}

func FuzzSlakeAnswer(f *testing.F) {
	for _, s := range []string{"", "ANSWER: liver", "anſwer:\n\nx", "答案：肝 ANSWER：b", "ANSWER:ANSWER:", "\xff：answer：", "answer:\r\n'x'\ny"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, response string) {
		at, official := evalscopeAnswer(response)
		for _, answer := range []string{official, slakeAnswer(response)} {
			if !strings.Contains(response, answer) {
				t.Errorf("answer %q is no part of %q", answer, response)
			}
		}
		if at < 0 && official != trimBlanks(response) {
			t.Errorf("answer %q of %q, which has no marker", official, response)
		}
		if at >= 0 && strings.Contains(official, "\n") {
			t.Errorf("answer %q of %q has several lines", official, response)
		}
	})
}

// cues are about n bytes of markers that each could be the last.
func cues(n int) string {
	const line = "ANSWER: 答案：x (（\n"
	return strings.Repeat(line, n/len(line))
}

// TestSlakeTakesLinearTime compares what is allocated for 1 and for 2 MB of
// markers, and comes to its end: did every marker begin the search anew, it would
// take hours.
func TestSlakeTakesLinearTime(t *testing.T) {
	r := rule(t, RuleSlake)
	allocated := func(size int) uint64 {
		c := Case{Response: cues(size), References: []string{"x"}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if v := r.Verdict(c); v.Answer != "x (（" {
			t.Errorf("answer %q", v.Answer)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	one, two := allocated(1<<20), allocated(2<<20)
	if two > 3*one+1<<16 {
		t.Errorf("2 MB allocate %d bytes, 1 MB allocates %d", two, one)
	}
}

func BenchmarkSlake100000(b *testing.B) {
	responses := []string{
		"ANSWER: Left Lung", "The picture shows a chest.\nANSWER: X-Ray", "答案：两个", "ANSWER: 不包含",
		"Pay attention to the cold and keep warm (in winter), enhance physical fitness", "ANSWER: \"yes\"",
	}
	r := rule(b, RuleSlake)
	b.ReportAllocs()
	for range b.N {
		for i := range 100_000 {
			r.Verdict(Case{Response: responses[i%len(responses)], References: []string{"Lung, Spinal Cord"}})
		}
	}
}

func BenchmarkSlakeCues(b *testing.B) {
	r := rule(b, RuleSlake)
	for _, mb := range []int{1, 2} {
		c := Case{Response: cues(mb << 20), References: []string{"x"}}
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			b.SetBytes(int64(len(c.Response)))
			b.ReportAllocs()
			for range b.N {
				r.Verdict(c)
			}
		})
	}
}
