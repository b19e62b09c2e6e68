package score

import (
	"fmt"
	"strings"
)

// The rules of SLAKE's open and closed questions.
const (
	RuleSlake          = "slake"
	RuleSlakeEvalscope = "slake-evalscope"
)

// Marks of the rule [RuleSlake] where evalscope, which knows the marker "ANSWER:"
// alone, would have decided otherwise.
const (
	rescued = " (rescued)" // it would not have read the right answer
	lost    = " (lost)"    // it would have read the right answer
)

// Marked tells whether a verdict of the rule [RuleSlake] is one that evalscope would
// not have given: rescued, where the answer is right, or lost, where it is not.
func Marked(v Verdict) (isRescued, isLost bool) {
	return strings.Contains(v.Rule, rescued), strings.Contains(v.Rule, lost)
}

// slakeRules are ours, and evalscope's.
var slakeRules = []Rule{
	{
		Name: RuleSlake, Metric: RuleSlake,
		About:  "as slake-evalscope, but ANSWER：, 答案： and 答案: are markers too, and raw thinking is left out first; what the markers rescued is marked",
		decide: slake,
	},
	{
		Name: RuleSlakeEvalscope, Metric: RuleSlakeEvalscope,
		About:  "the text after the last ANSWER:, or the whole response, equals a reference after evalscope's normalisation (evalscope/benchmarks/slake)",
		decide: slakeEvalscope,
	},
}

func slakeEvalscope(c Case) Verdict {
	_, answer := evalscopeAnswer(c.Response)
	v, equal := slakeVerdict(answer, c.References)
	if v.Outcome == NoAnswer && equal >= 0 { // evalscope takes two empty texts as equal
		v.Outcome, v.Explanation = Correct, "nothing is left of the answer, nor of reference "+quote(c.References[equal])
	}
	return v
}

func slake(c Case) Verdict {
	response, mark := answered(c.Response)
	answer := slakeAnswer(response)
	v, equal := slakeVerdict(answer, c.References)
	if v.Outcome == NoAnswer && equal >= 0 && answer != "" && lower(answer) == lower(trimBlanks(c.References[equal])) {
		v.Outcome, v.Explanation = Correct, "equals reference "+quote(c.References[equal])+" letter by letter"
	}
	v.Rule = RuleSlake
	if _, official := evalscopeAnswer(response); official != answer {
		was, _ := slakeVerdict(official, c.References)
		switch {
		case v.Outcome == Correct && was.Outcome != Correct:
			v.Rule += rescued
		case v.Outcome != Correct && was.Outcome == Correct:
			v.Rule += lost
		}
	}
	v.Rule += mark
	return v
}

// slakeVerdict compares an answer with the reference answers, and gives the place
// of the one whose normalised text is equal, -1 where none is. An answer that is
// empty after normalising is a no answer, whatever it equals.
func slakeVerdict(answer string, references []string) (Verdict, int) {
	v := Verdict{Answer: answer, NormalizedAnswer: NormalizeSlake(answer)}
	equal, usable := -1, 0
	for i, reference := range references {
		if trimBlanks(reference) == "" {
			continue
		}
		usable++
		normalized := NormalizeSlake(reference)
		if usable == 1 {
			v.NormalizedReference = normalized
		}
		if normalized == v.NormalizedAnswer {
			v.NormalizedReference, equal = normalized, i
			break
		}
	}
	switch {
	case usable == 0:
		v.Outcome, v.Reason = Unscored, ReasonReference
	case v.NormalizedAnswer == "":
		v.Outcome, v.Explanation = NoAnswer, "the answer is empty"
		if trimBlanks(answer) != "" {
			v.Explanation = "nothing is left of the answer after normalizing"
		}
	case equal >= 0:
		v.Outcome, v.Explanation = Correct, "equals reference "+quote(references[equal])
	case len(references) == 1:
		v.Outcome, v.Explanation = Incorrect, "differs from reference "+quote(references[0])
	default:
		v.Outcome, v.Explanation = Incorrect, fmt.Sprintf("differs from each of %d references", len(references))
	}
	return v, equal
}

// slakeAnswer is the text after the last marker of any kind, or the whole
// response. evalscope's marker is found as evalscope finds it.
func slakeAnswer(response string) string {
	at, answer := evalscopeAnswer(response)
	if start, end := lastWideMarker(response); start > at {
		_, line := lineAfter(response[end:])
		return unquote(line)
	}
	return answer
}

// evalscopeAnswer is the text after the last "ANSWER:", and where that marker
// starts, or the whole response and -1 (parse_answer of
// evalscope/benchmarks/slake/utils.py). A marker takes the rest of its line with
// it, or the next line with text where nothing follows it: a second marker in
// there is text.
func evalscopeAnswer(response string) (at int, answer string) {
	at, answer = -1, trimBlanks(response)
	for from := 0; ; {
		start, end := nextMarker(response[from:])
		if start < 0 {
			return at, answer
		}
		length, line := lineAfter(response[from+end:])
		at, answer = from+start, unquote(line)
		from += end + length
	}
}

// nextMarker finds "ANSWER:", in any case, whatever stands before it.
func nextMarker(s string) (start, end int) {
	for {
		colon := strings.IndexByte(s[end:], ':')
		if colon < 0 {
			return -1, -1
		}
		colon += end
		end = colon + len(":")
		if word := markerWord(s[:colon]); word > 0 {
			return colon - word, end
		}
	}
}

// lastWideMarker finds the last "ANSWER：", "答案：" or "答案:".
func lastWideMarker(s string) (start, end int) {
	for colon := len(s); ; {
		colon = strings.LastIndexAny(s[:colon], ":：")
		if colon < 0 {
			return -1, -1
		}
		wide := s[colon] != ':'
		end = colon + len(":")
		if wide {
			end = colon + len("：")
		}
		if before, ok := strings.CutSuffix(s[:colon], "答案"); ok {
			return len(before), end
		}
		if word := markerWord(s[:colon]); wide && word > 0 {
			return colon - word, end
		}
	}
}

// markerWord is the length in bytes of the word "answer" at the end of s, 0 where
// there is none. Where case is ignored, Python takes ſ for an s.
func markerWord(s string) int {
	const plain, long = len("answer"), len("anſwer")
	if len(s) >= plain && strings.EqualFold(s[len(s)-plain:], "answer") {
		return plain
	}
	if len(s) >= long && strings.EqualFold(s[len(s)-long:], "anſwer") {
		return long
	}
	return 0
}

// lineAfter is the first line of s, blank lines left out, and where it ends.
// Lines end at "\n" only.
func lineAfter(s string) (end int, line string) {
	line = strings.TrimLeftFunc(s, isBlank)
	end = len(s)
	if at := strings.IndexByte(line, '\n'); at >= 0 {
		end -= len(line) - at
		line = line[:at]
	}
	return end, line
}

// unquote takes the blanks, then ASCII quotation marks, off both ends.
func unquote(s string) string { return strings.Trim(trimBlanks(s), `"'`) }
