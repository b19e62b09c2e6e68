package score

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// RuleMCQA is the rule behind [MCQAVerdict].
const RuleMCQA = "mcqa"

// MCQAVerdict reads the chosen letter from <answer>…</answer> and compares it
// with the key. Letters are those of the options in any case; with none given
// every ASCII letter is an option. The rule reads and never guesses:
//
//   - Only terminated answers outside <think>…</think> count. A <think> that is
//     never closed hides what follows, a </think> that was never opened hides
//     what stands before it.
//   - The last answer must be one letter, with a full stop or a closing
//     parenthesis after it or not. Two different letters are no answer.
//   - The format examples of SMMILE's prompt ("Correct letter.", "…", and X
//     where X is no option) are not answers.
//
// A letter that is no option is incorrect.
func MCQAVerdict(response string, letters []string, key string) Verdict {
	v := Verdict{Metric: MCQA, Rule: RuleMCQA}
	options := upperAll(letters)
	key = asciiUpper(trimBlanks(key))
	switch {
	case key == "":
		v.Outcome, v.Reason = Unscored, ReasonReference
		return v
	case readLetter(key) != key || !isOption(key, options):
		v.Outcome, v.Reason = Unscored, ReasonReference
		v.Explanation = fmt.Sprintf("the key %s is not the letter of an option", quote(key))
		return v
	}
	letter, problem := chosenLetter(response, options)
	switch {
	case problem != "":
		v.Outcome, v.Explanation = NoAnswer, problem
		return v
	case letter == key:
		v.Outcome, v.Explanation = Correct, "answers the key "+key
	case !isOption(letter, options):
		v.Outcome, v.Explanation = Incorrect, letter+" is no option"
	default:
		v.Outcome, v.Explanation = Incorrect, "the key is "+key
	}
	v.Answer = letter
	return v
}

// chosenLetter is the one letter that the response answers, or the problem that
// keeps it from being read.
func chosenLetter(response string, options []string) (letter, problem string) {
	all := answers(visible(response))
	given := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return isFormatExample(s, options) })
	switch {
	case trimBlanks(response) == "":
		return "", "the response is empty"
	case len(given) == 0 && len(all) > 0:
		return "", "repeats the format's example"
	case len(given) == 0 && len(answers(response)) > 0:
		return "", "answers only inside <think>"
	case len(given) == 0:
		return "", "has no <answer>…</answer>"
	}
	last := given[len(given)-1]
	letter = readLetter(last)
	if letter == "" {
		return "", fmt.Sprintf("the answer %s is not one letter", quote(last))
	}
	for _, s := range given {
		if other := readLetter(s); other != "" && other != letter {
			return "", fmt.Sprintf("two different answers: %s and %s", other, letter)
		}
	}
	return letter, ""
}

var answerTag = regexp.MustCompile(`(?i)</?answer>`)

// answers are the trimmed contents of the terminated answers, in order. An
// <answer> that another one follows before its end is not terminated.
func answers(text string) []string {
	var found []string
	from := -1
	for _, at := range answerTag.FindAllStringIndex(text, -1) {
		switch {
		case text[at[0]+1] != '/':
			from = at[1]
		case from >= 0:
			found = append(found, trimBlanks(text[from:at[0]]))
			from = -1
		}
	}
	return found
}

// isFormatExample says whether an answer repeats what SMMILE's multiple-choice
// prompts show as the form of an answer.
func isFormatExample(answer string, options []string) bool {
	switch asciiUpper(answer) {
	case "CORRECT LETTER.", "CORRECT LETTER", "...", "…":
		return true
	case "X":
		return !isOption("X", options)
	}
	return false
}

// readLetter is the upper-case letter of an answer that is one ASCII letter,
// followed by "." or ")" or nothing; else "".
func readLetter(answer string) string {
	if len(answer) == 2 && (answer[1] == '.' || answer[1] == ')') {
		answer = answer[:1]
	}
	letter := asciiUpper(answer)
	if len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z' {
		return ""
	}
	return letter
}

func isOption(letter string, options []string) bool {
	return len(options) == 0 || slices.Contains(options, letter)
}

func upperAll(letters []string) []string {
	upper := make([]string, len(letters))
	for i, letter := range letters {
		upper[i] = asciiUpper(trimBlanks(letter))
	}
	return upper
}

// asciiUpper is s with a to z in upper case. Other letters stay: Unicode's upper
// case turns ı and ſ into I and S, which would make options of them.
func asciiUpper(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}
