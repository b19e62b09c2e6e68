package score

import (
	"fmt"
	"slices"
	"strings"
)

// RuleMCQA is the rule behind [MCQAVerdict]. Its verdicts name the stage that
// decided behind it.
const RuleMCQA = "mcqa"

// The stages of the rule.
const (
	stageTag    = "answer tag"
	stageLetter = "letter"
	stageCue    = "cue"
	stageText   = "option text"
)

// MCQAVerdict reads which option a response chooses and compares its letter with
// the key. Letters are read in any case; with no options given every ASCII
// letter is one. The rule reads and never guesses. It looks in turn at
//
//   - the answer tag: where the response has an <answer>…</answer>, only the last
//     one counts. It must hold one option, and no other may hold a second one.
//   - the letter: the response, its first or its last line is a letter alone
//     ("B", "(B)", "**B.**", "Option B"), or one followed by the text of that
//     very option ("B. Pneumonia"). Several such lines are a list and say
//     nothing.
//   - the cue: "answer: B", "the answer is B", "I choose B", "B is correct",
//     \boxed{B}, 答案是B, 选B, with a letter and the end of a clause behind it,
//     or with the exact text of an option. A clause that denies or doubts is
//     none.
//   - the option text: the response is exactly the text of one option, but for
//     case, blanks, marks around it and a stop at its end.
//
// Without a tag all that the other three read must be the same option, and two
// different ones are no answer. Words that look like letters ("a mass", "I
// think", "E. coli", "vitamin D", "B超") are none. Options that are listed behind a
// cue are none either. No answer is taken from a reply that takes its letter back
// ("However, C fits better", "This is wrong"), or states the text of another option
// as a sentence or line of its own. Where a model goes on with a question that it
// was not asked, what it said before counts.
//
// Only what stands outside <think>…</think> counts. A <think> that is never
// closed hides what follows, and a </think> before any other tag of thinking what
// stands before it, because some templates open the thinking in the prompt. The
// examples in SMMILE's prompts ("Correct letter.", "…", and X where X is no
// option) are not answers. An <answer> that the reply ends in counts where one
// option follows; any other text where an answer tag has no partner is not read.
// A letter that is no option's, but the text of one, means that one; any other
// that is no option's is incorrect.
func MCQAVerdict(c Case) Verdict {
	letters, key := upperAll(c.letters()), asciiUpper(trimBlanks(c.Key))
	if v, bad := keyFault(letters, key); bad {
		return v
	}
	letter, stage, problem := newChoices(c.Options).read(c.Response)
	if problem != "" {
		return Verdict{Outcome: NoAnswer, Explanation: problem}
	}
	v := chosen(letter, letters, key)
	v.Rule = RuleMCQA + " (" + stage + ")"
	return v
}

// keyFault is the verdict where the data name no option as the right one.
func keyFault(letters []string, key string) (v Verdict, bad bool) {
	v = Verdict{Outcome: Unscored, Reason: ReasonReference}
	switch {
	case key == "":
		return v, true
	case !isLetter(key) || !isOption(key, letters):
		v.Explanation = fmt.Sprintf("the key %s is not the letter of an option", quote(key))
		return v, true
	}
	return Verdict{}, false
}

// chosen is the verdict on a letter.
func chosen(letter string, letters []string, key string) Verdict {
	v := Verdict{Outcome: Incorrect, Answer: letter}
	switch {
	case letter == key:
		v.Outcome, v.Explanation = Correct, "answers the key "+key
	case !isOption(letter, letters):
		v.Explanation = letter + " is no option"
	default:
		v.Explanation = "the key is " + key
	}
	return v
}

// read is the letter of the option that a response chooses and the stage that
// says so, or the problem that keeps it from being read.
func (c choices) read(response string) (letter, stage, problem string) {
	if trimBlanks(response) == "" {
		return "", "", "the response is empty"
	}
	text := visible(response)
	all := answers(text)
	given := slices.DeleteFunc(slices.Clone(all), c.isFormatExample)
	if last, ok := unended(text); ok && c.readChoice(last.content) != "" {
		given = append(given, last)
	}
	if len(given) > 0 {
		letter, problem = c.tagged(given)
		return letter, stageTag, problem
	}
	if rest := without(text, all); len(answerTags(rest)) == 0 {
		letter, stage, problem = c.stated(rest)
	}
	switch {
	case letter != "" || problem != "":
		return letter, stage, problem
	case len(all) > 0 && all[len(all)-1].content == "":
		return "", "", `the answer "" is not one letter`
	case len(all) > 0:
		return "", "", "repeats the format's example"
	case len(answers(response)) > 0:
		return "", "", "answers only inside <think>"
	case trimBlanks(text) == "":
		return "", "", "holds nothing but thinking"
	}
	return "", "", "has no <answer>…</answer>"
}

// tagged is the letter that the last answer holds.
func (c choices) tagged(given []answer) (letter, problem string) {
	last := given[len(given)-1].content
	letter = c.readChoice(last)
	if letter == "" {
		return "", fmt.Sprintf("the answer %s is not one letter", quote(last))
	}
	for _, a := range given {
		if other := c.readChoice(a.content); other != "" && other != letter {
			return "", twoAnswers(other, letter)
		}
	}
	return letter, ""
}

func twoAnswers(a, b string) string {
	return fmt.Sprintf("two different answers: %s and %s", a, b)
}

// answer is a terminated answer tag: its trimmed content, and where in the text
// it begins and ends.
type answer struct {
	content  string
	from, to int
}

// answers are the terminated answers, in order. An <answer> that another one
// follows before its end is not terminated.
func answers(text string) []answer {
	var found []answer
	var open []int // where the last <answer> begins and ends
	for _, at := range answerTags(text) {
		switch {
		case text[at[0]+1] != '/':
			open = at
		case open != nil:
			found = append(found, answer{trimBlanks(text[open[1]:at[0]]), open[0], at[1]})
			open = nil
		}
	}
	return found
}

// unended is the answer behind an <answer> that is the last tag of a text.
func unended(text string) (last answer, ok bool) {
	tags := answerTags(text)
	if len(tags) == 0 || text[tags[len(tags)-1][0]+1] == '/' {
		return answer{}, false
	}
	at := tags[len(tags)-1]
	return answer{trimBlanks(text[at[1]:]), at[0], len(text)}, true
}

// without is the text with a blank in place of each of the answers.
func without(text string, all []answer) string {
	var b strings.Builder
	from := 0
	for _, a := range all {
		b.WriteString(text[from:a.from] + " ")
		from = a.to
	}
	return b.String() + text[from:]
}

// isFormatExample says whether an answer repeats what SMMILE's multiple-choice
// prompts show as the form of an answer.
func (c choices) isFormatExample(a answer) bool {
	switch asciiUpper(a.content) {
	case "", "CORRECT LETTER.", "CORRECT LETTER", "...", "…":
		return true
	case "X":
		return !c.has("X") && len(c.named("x")) == 0
	}
	return false
}

func isLetter(s string) bool { return len(s) == 1 && 'A' <= s[0] && s[0] <= 'Z' }

func isOption(letter string, letters []string) bool {
	return len(letters) == 0 || slices.Contains(letters, letter)
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
