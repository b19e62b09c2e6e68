package score

import (
	"regexp"
	"strings"
)

// thinkStripped marks the rule of a verdict on a response whose raw thinking was
// left out first. Servers that know a model's thinking keep it apart; others
// leave it in the text.
const thinkStripped = " (think stripped)"

// HoldsThinking tells whether a response has raw thinking in its text.
func HoldsThinking(response string) bool { return thinkTag.MatchString(response) }

// answered is the response without raw thinking, and the mark for the rule where
// there was any.
func answered(response string) (text, mark string) {
	if !HoldsThinking(response) {
		return response, ""
	}
	return visible(response), thinkStripped
}

var thinkTag = regexp.MustCompile(`(?i)</?think(?:ing)?>`)

// visible is the response without its thinking. Some templates, as those of Qwen3
// and R1, open the thinking in the prompt, so that a reply holds its end alone: a
// </think> before any other tag hides what stands before it. Behind another tag a
// </think> that ends nothing is only a word, and hides no answer. A <think> that is
// never closed hides what follows. A blank stands where something was cut out, so
// that what is left cannot grow together into a tag.
func visible(response string) string {
	var kept strings.Builder
	thinking, from := false, 0
	for i, at := range thinkTag.FindAllStringIndex(response, -1) {
		opens := response[at[0]+1] != '/'
		if opens && thinking { // a <think> inside thinking is only a word
			continue
		}
		if !thinking && (opens || i > 0) {
			kept.WriteString(response[from:at[0]] + " ")
		}
		thinking, from = opens, at[1]
	}
	if !thinking {
		kept.WriteString(response[from:])
	}
	return kept.String()
}
