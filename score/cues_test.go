package score

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The expressions as they are defined, asked of the whole text. What finds their
// matches in long replies must find the same ones.
var (
	wholeBefore = regexp.MustCompile(
		`(?:\b(?:ans\.?|answer(?: (?:to|for) (?:the|this|your) question)?|(?:correct|best|right|final|chosen) (?:option|choice|letter|selection))|答案|(?:正确|最佳)的?选项)` +
			`["'*_` + "`" + `]*\s?(?:is\b|would be\b|should be\b|must be\b|:|：|应?该?[是为选])[\s:：*_]*` +
			`|\bi (?:would |will |have )?(?:choose|chose|chosen|select|selected|pick|picked) ` +
			`|\\boxed` +
			`|选择?[:：]? ?`)
	wholeBehind = regexp.MustCompile(
		`(?:\A|[.!,;:\n。！，；：] ?|\b(?:option|choice|letter|so|thus|hence|therefore) )[*_"'(\[` + "`" + `]*([a-z])[*_"')\]` + "`" + `]*` +
			` is (?:the (?:correct |right |best )?(?:answer|option|choice)|correct)(?:\z|["'*_)\].!,;:\n。，；]| (?:because|since|as|given|here|based on|due to)\b)`)
	wholeItem = regexp.MustCompile(`(?:\A|[^\p{L}\p{N}\p{M}_])([a-z])[.):*\-）．：、]`)

	wholeTag        = regexp.MustCompile(`(?i)</?answer>`)
	wholeDenial     = regexp.MustCompile(`n['’]t\b|\b(?:not|cannot|no|never|neither|nor|if|whether|unless|unlikely|doubt|may|might|could|wrong|incorrect|other|another|previous|false|mistake|refuse|assume|assuming|suppose|alternative|example|tempting|common|distractor|students?|claims|claimed|said|second|imagine|excluded?|opposite)\b|one would|不|非|未|若|如果|可能|排除|错误`)
	wholeEmphasized = regexp.MustCompile(`[*_]` + anyLetter + `[*_]`)
	wholeLone       = regexp.MustCompile(atWord + `([A-Z])` + wordEnds)
	wholeUpToJ      = regexp.MustCompile(atWord + `([A-J])` + wordEnds)
)

// Python's classes.
const (
	blankClass = `\s\x0b\x1c-\x1f\x{85}\p{Z}`
	wordClass  = `\p{L}\p{N}_`
	anyLetter  = `([A-Za-zİıſ\x{212a}])`

	atWord    = `(?:\A|[^` + wordClass + `])`
	wordEnds  = `(?:[^` + wordClass + `]|\z)`
	mustStop  = `[.` + blankClass + `]`
	stopOrEnd = `(?:[.` + blankClass + `]|\z)`
)

// inAnyCase has ~ for blanks and ~~ for blanks or none.
func inAnyCase(cue string) string {
	return `(?i:` + strings.NewReplacer("~~", "["+blankClass+"]*", "~", "["+blankClass+"]+", "i", "[iİı]").Replace(cue) + `)`
}

func behindCue(cue, then string) *regexp.Regexp {
	return regexp.MustCompile(inAnyCase(cue+`~~`) + anyLetter + then)
}

// wholeOfAll and wholeOfAB are the cues of SMMILE's readers, in their order.
var (
	wholeOfAll = []*regexp.Regexp{
		behindCue(`\*\*answer:\*\*`, stopOrEnd),
		behindCue(`\*\*answer\*\*:`, stopOrEnd),
		behindCue(`\*answer\*:`, stopOrEnd),
		behindCue(`answer:`, stopOrEnd),
		behindCue(`the correct answer is`, stopOrEnd),
		behindCue(`the answer(?:~is)?:?`, stopOrEnd),
		behindCue(`the correct answer(?:~is)?:?`, stopOrEnd),
		behindCue(`answer~~is`, stopOrEnd),
		regexp.MustCompile(anyLetter + inAnyCase(`~~is the (?:correct )?answer`)),
		behindCue(`option`, wordEnds),
		behindCue(`choice`, wordEnds),
		behindCue(`select`, wordEnds),
	}
	wholeOfAB = slices.Concat([]*regexp.Regexp{
		behindCue(`answer is:?`, mustStop),
		regexp.MustCompile(atWord + inAnyCase(`answer:?~~`) + anyLetter + mustStop),
	}, wholeOfAll, []*regexp.Regexp{
		behindCue(`chose`, mustStop),
		behindCue(`choose`, mustStop),
		behindCue(`final answer:?`, ""),
	})
)

// sameFound compares what is found in a text with what the expressions match.
func sameFound(t *testing.T, text string) {
	t.Helper()
	squeezed := squeeze(text)
	var before [][]int
	cuesBefore(squeezed, func(from, to int) { before = append(before, []int{from, to}) })
	if want := wholeBefore.FindAllStringIndex(squeezed, -1); !slices.EqualFunc(before, want, slices.Equal) {
		t.Fatalf("cues before in %q at %v, want %v", squeezed, before, want)
	}
	var behind [][]int
	for _, f := range cuesBehind(squeezed) {
		behind = append(behind, []int{f.from, f.to, f.letter, f.letter + 1})
	}
	if want := wholeBehind.FindAllStringSubmatchIndex(squeezed, -1); !slices.EqualFunc(behind, want, slices.Equal) {
		t.Fatalf("cues behind in %q at %v, want %v", squeezed, behind, want)
	}
	var items []int
	for _, at := range wholeItem.FindAllStringSubmatchIndex(squeezed, -1) {
		items = append(items, at[2])
	}
	if got := listItems(squeezed); !slices.Equal(got, items) {
		t.Fatalf("items in %q at %v, want %v", squeezed, got, items)
	}
	if got, want := answerTags(text), wholeTag.FindAllStringIndex(text, -1); !slices.EqualFunc(got, want, slices.Equal) {
		t.Fatalf("tags in %q at %v, want %v", text, got, want)
	}
	for _, clause := range []string{text, squeezed} {
		if got, want := denies(clause), wholeDenial.MatchString(clause); got != want {
			t.Fatalf("%q denies: %v, want %v", clause, got, want)
		}
	}
	places := smmilePlaces(text)
	for i, cue := range cuesOfAB {
		if got, want := cue.find(text, places[cue.word]), firstLetter(wholeOfAB[i], text); got != want {
			t.Fatalf("%v in %q: %q, want %q", wholeOfAB[i], text, got, want)
		}
	}
	for name, pair := range map[string][2]string{
		"emphasized": {emphasizedLetter(text), firstLetter(wholeEmphasized, text)},
		"lone":       {loneLetter(text, 'Z'), firstLetter(wholeLone, text)},
		"up to J":    {loneLetter(text, 'J'), firstLetter(wholeUpToJ, text)},
	} {
		if pair[0] != pair[1] {
			t.Fatalf("%s in %q: %q, want %q", name, text, pair[0], pair[1])
		}
	}
}

// cuePieces are of what the expressions look for, and next to it.
var cuePieces = []string{
	"ans", "Ans.", " would be ", " should be", "answer", "Answer", "AN\u017fWER", "answer is", "the answer", "the correct answer", "correct answer is", "best option", "final answer", "answer for this question", "right choice", "chosen letter", "selection",
	" is the correct answer", " is the answer", " is correct", " is right", " is the best option", " is the choice", "is", " \u0131s ", " \u0130S:", "option", "choice", "select", "chose", "choose", "chosen", "chooses",
	"I ", "i would ", "i have ", "pick ", "selected ", `\boxed`, "{", "so ", "thus ", "hence ", "答案", "正确", "最佳", "的", "选项", "选", "选择", "应该", "是", "为",
	"<", "</", "</", ">", "<answer>", "</AnSwer>", "one would", "students", "false", "not", "no", " isn't", "n’t", "n't", "nor", "if ", "could", "cannot", "incorrect", "不", "如果", "可能", "错", "误",
	"a", "b", "C", "X", "K", "\u212a", "\u017f", "é", "\u0301", "²", "_", "*", "**", "'", "\"", "`", "(", ")", "[", "]", ".", "。", "!", ",", "，", ";", ":", "：", "、", "）", "-", "?", "\n", " ", "  ", "\t", "\u00a0", "\u0085", "\x1c", "\x0b",
	"\xe7", "\xad\x94", "\xff", strings.Repeat("*", 70), strings.Repeat(" *", 40), strings.Repeat("\t", 90), strings.Repeat("'", 61), "9", "x",
}

// TestCuesAreFound compares with the expressions on texts drawn from what they look
// for.
func TestCuesAreFound(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 40_000 {
		var b strings.Builder
		for range 1 + draw.IntN(12) {
			b.WriteString(cuePieces[draw.IntN(len(cuePieces))])
		}
		sameFound(t, b.String())
	}
}

func FuzzCuesAreFound(f *testing.F) {
	for i := range cuePieces {
		f.Add(strings.Join(cuePieces[i:min(len(cuePieces), i+6)], " "))
		f.Add(strings.Join(cuePieces[i:min(len(cuePieces), i+4)], ""))
	}
	f.Fuzz(sameFound)
}
