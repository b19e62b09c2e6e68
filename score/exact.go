package score

import (
	"fmt"
	"strings"
	"unicode"
)

// RuleSmmileEM is the rule behind [ExactMatchVerdict].
const RuleSmmileEM = "smmile-em"

// ReasonReference is the reason of an unscored verdict where the data hold no
// usable reference answer.
const ReasonReference = "reference missing"

// asciiPunctuation are the 32 characters of Python's string.punctuation.
const asciiPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// Normalize is the text that SMMILE's exact match compares (normalize_answer in
// its evaluate_EM.py): lower case as Python's str.lower makes it, the 32 ASCII
// punctuation characters deleted and not replaced, runs of blanks made one
// blank, blanks at the ends removed. Articles, number words and punctuation
// beyond ASCII stay.
func Normalize(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(asciiPunctuation, r) {
			return -1
		}
		return r
	}, lower(s))
	return strings.Join(strings.FieldsFunc(s, isBlank), " ")
}

// isBlank says whether Python's str.isspace holds for r: Unicode's white space
// and the four ASCII separators, which Unicode does not count.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}

// trimBlanks removes Python's blanks at both ends.
func trimBlanks(s string) string { return strings.TrimFunc(s, isBlank) }

// ExactMatchVerdict compares a response with the acceptable answers by
// [Normalize]; its Answer is the response without blanks around it. A response
// without any text after normalizing is a no answer, and such a reference equals
// nothing: two empty texts are never a match. Raw thinking between <think> and
// </think> is left out first, and the rule says so.
func ExactMatchVerdict(response string, references []string) Verdict {
	response, mark := answered(response)
	answer := Normalize(response)
	v := Verdict{Metric: ExactMatch, Rule: RuleSmmileEM + mark, Answer: trimBlanks(response), NormalizedAnswer: answer}
	usable := 0
	for _, reference := range references {
		normalized := Normalize(reference)
		if usable == 0 || normalized == answer {
			v.NormalizedReference = normalized
		}
		if normalized == "" {
			continue
		}
		usable++
		if normalized == answer {
			v.Outcome = Correct
			v.Explanation = "equals reference " + quote(reference)
			return v
		}
	}
	switch {
	case usable == 0:
		v.Outcome, v.Reason = Unscored, ReasonReference
		if len(references) > 0 {
			v.Explanation = "nothing is left of the reference after normalizing"
		}
	case trimBlanks(response) == "":
		v.Outcome, v.Explanation = NoAnswer, "the response is empty"
	case answer == "":
		v.Outcome, v.Explanation = NoAnswer, "the response is only punctuation"
	case len(references) == 1:
		v.Outcome = Incorrect
		v.Explanation = "differs from reference " + quote(references[0])
	default:
		v.Outcome = Incorrect
		v.Explanation = fmt.Sprintf("differs from each of %d references", len(references))
	}
	return v
}

// quote shows text in an explanation: quoted, escaped, at most 60 characters.
func quote(s string) string {
	const limit = 60
	n := 0
	for i := range s {
		if n == limit {
			return fmt.Sprintf("%q…", s[:i])
		}
		n++
	}
	return fmt.Sprintf("%q", s)
}
