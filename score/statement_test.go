package score

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	lesion = []Option{{"C", "Pneumothorax, right"}, {"A", "Pleural effusion"}, {"D", "E. coli"}, {"B", "Lesion"}, {"E", "No"}}
	yesNo  = []Option{{"A", "Yes"}, {"B", "No"}}
)

// TestMCQAReadsWhatIsStated are replies without an answer tag. An empty letter
// is no answer.
func TestMCQAReadsWhatIsStated(t *testing.T) {
	for _, tt := range []struct {
		reply, letter, stage string
		options              []Option
	}{
		{"B", "B", "letter", lesion},
		{"b", "B", "letter", lesion},
		{" B.\n", "B", "letter", lesion},
		{"(B)", "B", "letter", lesion},
		{"[B]", "B", "letter", lesion},
		{"**B**", "B", "letter", lesion},
		{"**B.**", "B", "letter", lesion},
		{"`B`", "B", "letter", lesion},
		{"Option B", "B", "letter", lesion},
		{"选项B", "B", "letter", lesion},
		{`\boxed{B}`, "B", "letter", lesion},
		{"G", "G", "letter", lesion},
		{"B. Lesion", "B", "letter", lesion},
		{"B) lesion.", "B", "letter", lesion},
		{"**(A) Pleural  effusion**", "A", "letter", lesion},
		{"C: Pneumothorax, right", "C", "letter", lesion},
		{"B. Lesion. It is round.", "B", "letter", lesion},
		{"B\n\nThe lesion is round.", "B", "letter", lesion},
		{"B\n\nA. Pleural effusion: none seen.\nB. Lesion: round.", "B", "letter", lesion},
		{"It is round and dense.\n\n**B**", "B", "letter", lesion},
		{"D. E. coli", "D", "letter", lesion},

		{"Answer: B", "B", "cue", lesion},
		{"**Answer:** B", "B", "cue", lesion},
		{"**Answer**: B.", "B", "cue", lesion},
		{"Answer:\nB", "B", "letter", lesion},
		{"Answer:\nB\nIt is round.", "B", "cue", lesion},
		{"The answer is B", "B", "cue", lesion},
		{"the answer is (b).", "B", "cue", lesion},
		{"The correct answer is **B. Lesion**.", "B", "cue", lesion},
		{"The answer is B. The lesion is round.", "B", "cue", lesion},
		{"The answer is B, because it is round.", "B", "cue", lesion},
		{"The answer is B because it is round.", "B", "cue", lesion},
		{"The answer is A", "A", "cue", lesion},
		{"The answer is A. A lesion would be round.", "A", "cue", lesion},
		{"The answer is: lesion.", "B", "cue", lesion},
		{"The answer is E. coli.", "D", "cue", lesion},
		{"It is not flat, so the answer is B.", "B", "cue", lesion},
		{"The best option is B.", "B", "cue", lesion},
		{"I choose B.", "B", "cue", lesion},
		{"I would select option B.", "B", "cue", lesion},
		{"B is the correct answer.", "B", "cue", lesion},
		{"It is round. Option B is correct.", "B", "cue", lesion},
		{`It is $\boxed{B}$`, "B", "cue", lesion},
		{`{"answer": "B"}`, "B", "cue", lesion},
		{"A. Pleural effusion\nB. Lesion\nThe answer is B.", "B", "cue", lesion},
		{"The answer is B. Really, the answer is B.", "B", "cue", lesion},
		{"<answer>X</answer> The answer is B.", "B", "cue", lesion},
		{"<think>The answer is A.</think>The answer is B.", "B", "cue", lesion},
		{"The answer is G.", "G", "cue", lesion},
		{"答案：B", "B", "cue", lesion},
		{"答案是B。", "B", "cue", lesion},
		{"正确答案为 B，因为它是圆形的。", "B", "cue", lesion},
		{"应选B", "B", "cue", lesion},
		{"我选择B。", "B", "cue", lesion},
		{"故选 (B) 项", "B", "cue", lesion},

		{"Lesion", "B", "option text", lesion},
		{"**lesion.**", "B", "option text", lesion},
		{" pneumothorax,\n right", "C", "option text", lesion},
		{"No", "B", "option text", yesNo},
		{"5", "A", "option text", []Option{{"A", "5"}, {"B", "<5"}}},
		{"<5", "B", "option text", []Option{{"A", "5"}, {"B", "<5"}}},
		{"是。", "A", "option text", []Option{{"A", "是"}, {"B", "不是"}}},

		{"", "", "", yesNo},
		{".", "", "", []Option{{"A", "-"}, {"B", "."}}},
		{"Notice the lesion: yes", "", "", yesNo},
		{"No lesion is seen.", "", "", yesNo},
		{"A lesion is seen.", "", "", lesion},
		{"I think it is round.", "", "", lesion},
		{"The answer is a round lesion.", "", "", lesion},
		{"The answer is a mass, I think", "", "", lesion},
		{"The answer is E. faecalis.", "", "", lesion},
		{"The answer is B cell lymphoma.", "", "", lesion},
		{"The answer is B-cell lymphoma.", "", "", lesion},
		{"Hepatitis B", "", "", lesion},
		{"Vitamin D is the answer.", "", "", lesion},
		{"A or B", "", "", lesion},
		{"The answer is A or B.", "", "", lesion},
		{"The answer is A, B.", "", "", lesion},
		{"The answer is A and B. The answer is B.", "", "", lesion},
		{"The answer is A. The answer is B.", "", "", lesion},
		{"The answer is B?", "", "", lesion},
		{"Is the answer B?", "", "", lesion},
		{"I don't think the answer is B.", "", "", lesion},
		{"If the answer is B, it is round.", "", "", lesion},
		{"The wrong answer is B.", "", "", lesion},
		{"The answer is not B.", "", "", lesion},
		{"B is not the answer.", "", "", lesion},
		{"Neither A nor B is correct.", "", "", lesion},
		{"Option B is unlikely.", "", "", lesion},
		{"The correct answer is X.", "", "", lesion},
		{"2. Then provide the correct single-letter choice (A, B, C, D, E, F, ...)", "", "", lesion},
		{"A. Pleural effusion\nB. Lesion", "", "", lesion},
		{"B. Lesion\nA. No, not that", "", "", lesion},
		{"A. Pleural effusion. B. Lesion. Both are seen.", "", "", lesion},
		{"A\nB\nC", "", "", lesion},
		{"B. Pleural effusion", "", "", lesion},
		{"The answer is B. Pleural effusion", "", "", lesion},
		{"B\nThe answer is A.", "", "", lesion},
		{"Answer: A. Pleural effusion, B. Lesion", "", "", lesion},
		{"E. coli", "D", "option text", lesion},
		{"答案是B型超声", "", "", lesion},
		{"首选B超", "", "", lesion},
		{"不选B。", "", "", lesion},
		{"答案是A、B", "", "", lesion},
		{"选项B是错误的", "", "", lesion},
		{"yes", "", "", []Option{{"A", "Yes "}, {"B", "No"}, {"C", "Yes"}}},
		{"B", "", "", []Option{{"A", "B"}, {"B", "C"}}},
		{"Yes - Panel B", "B", "option text", []Option{{"B", "Yes - Panel B"}, {"A", "No - Panel A"}, {"C", "Yes"}}},
		{"B. Yes", "", "", []Option{{"B", "Yes - Panel B"}, {"A", "No - Panel A"}, {"C", "Yes"}}},
		{"The answer is B. Yes", "", "", []Option{{"B", "Yes - Panel B"}, {"A", "No - Panel A"}, {"C", "Yes"}}},
		{"<answer>B", "B", "answer tag", lesion},
		{"<answer>\nB", "B", "answer tag", lesion},
		{"<answer>B and", "", "", lesion},
		{"<answer>A</answer> or <answer>B", "", "", lesion},

		{"<answer>(B)</answer>", "B", "answer tag", lesion},
		{"<answer>**B**</answer>", "B", "answer tag", lesion},
		{"<answer>B. Lesion</answer>", "B", "answer tag", lesion},
		{"<answer>Lesion</answer>", "B", "answer tag", lesion},
		{"<answer>B. Pleural effusion</answer>", "", "", lesion},
		{"<answer>A, B</answer>", "", "", lesion},
		{"<answer>A lesion</answer>", "", "", lesion},
		{"<answer>Benign</answer> The answer is B.", "", "", lesion},
	} {
		v := verdictOf(tt.reply, tt.options, "A")
		rule := "mcqa"
		if tt.letter != "" {
			rule += " (" + tt.stage + ")"
		}
		if v.Answer != tt.letter || v.Rule != rule || (v.Outcome == NoAnswer) != (tt.letter == "") {
			t.Errorf("%q: %+v, want %q by %s", tt.reply, v, tt.letter, rule)
		}
	}
}

func FuzzMCQAStated(f *testing.F) {
	for _, s := range []string{
		"B. Lesion", "The answer is E. coli", "**Answer:** B", "答案是B。", "i choose (c)", "B\nA. pleural effusion", "lesion.", `\boxed{B}`,
		"option b is correct", "the answer is K\u212a", "选B", "A\nB", "the answer is not b", "<answer>lesion</answer>", "İ", "B\u0345",
	} {
		f.Add(s, uint64(1))
	}
	f.Fuzz(func(t *testing.T, reply string, seed uint64) {
		v := verdictOf(reply, lesion, "B")
		for name, changed := range map[string]string{
			"upper case": asciiUpper(reply),
			"lower case": asciiLower(reply),
			"blanks":     "\n\t" + strings.ReplaceAll(reply, " ", " \u3000") + " \x1f\n",
		} {
			if got := verdictOf(changed, lesion, "B"); got.Outcome != v.Outcome || got.Answer != v.Answer {
				t.Errorf("%s changes the verdict on %q: %+v, was %+v", name, reply, got, v)
			}
		}
		shuffled := append([]Option{}, lesion...)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := verdictOf(reply, shuffled, "B"); got.Outcome != v.Outcome || got.Answer != v.Answer {
			t.Errorf("another order of the options changes the verdict on %q: %+v, was %+v", reply, got, v)
		}
		if v.Answer == "" {
			return
		}
		stands := strings.Contains(asciiUpper(reply), v.Answer)
		for _, o := range lesion {
			stands = stands || o.Letter == v.Answer && strings.Contains(squeeze(reply), strings.ReplaceAll(fold(o.Text), " ", ""))
			stands = stands || o.Letter == v.Answer && strings.Contains(strings.Join(strings.Fields(squeeze(reply)), " "), fold(o.Text))
		}
		if !stands {
			t.Errorf("read %q, which does not stand in %q", v.Answer, reply)
		}
	})
}

func BenchmarkMCQACues(b *testing.B) {
	const piece = "the answer is b. lesion because "
	r, err := RuleNamed(RuleMCQA)
	if err != nil {
		b.Fatal(err)
	}
	for _, mb := range []int{1, 2} {
		c := Case{Response: strings.Repeat(piece, mb<<20/len(piece)), Options: lesion, Key: "B"}
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			b.SetBytes(int64(len(c.Response)))
			b.ReportAllocs()
			for range b.N {
				r.Verdict(c)
			}
		})
	}
}

func BenchmarkMCQA(b *testing.B) {
	for name, piece := range map[string]string{
		"cues": "the answer is b. lesion because ", "denied": "not the answer is b ", "lines": "b\n", "items": "b. lesion, ", "tags": "<answer>x</answer>",
		"opened": "option option (", "boxed": `\boxed{`, "blanks": "answer is   \t", "no cue": "a round mass in the lung; ",
	} {
		reply := strings.Repeat(piece, 1<<20/len(piece))
		for _, rule := range []string{RuleMCQA, "smmile-mcqa-a", "smmile-mcqa-c"} {
			b.Run(rule+"/"+name, func(b *testing.B) {
				r, err := RuleNamed(rule)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(reply)))
				for b.Loop() {
					r.Verdict(Case{Response: reply, Options: lesion, Key: "B"})
				}
			})
		}
	}
}
