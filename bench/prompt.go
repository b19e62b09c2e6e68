package bench

import (
	"cmp"
	"fmt"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/smmile"
	"lightbox/infer"
)

// turn is one message of a dialogue before its pictures are encoded.
type turn struct {
	role     infer.Role
	text     string
	pictures []string // references into the benchmark's pictures
}

// dialogue is what a sample shows the model: the family's system text, each
// demonstration as a question with its picture and an answer, then the question
// itself.
func dialogue(s card.Sample, f smmile.Family) []turn {
	turns := make([]turn, 0, 2*len(s.Demonstrations)+2)
	if f.System != "" {
		turns = append(turns, turn{infer.System, f.System, nil})
	}
	if text, ok := f.OneTurn(s); ok {
		return append(turns, turn{infer.User, text, s.Pictures})
	}
	for _, d := range s.Demonstrations {
		turns = append(turns, asking(cmp.Or(d.Prompt, d.Question), d.Pictures)...)
		turns = append(turns, turn{infer.Assistant, d.Reply() + f.After, nil})
	}
	return append(turns, asking(promptText(s), s.Pictures)...)
}

// asking is the turn that asks a question. Of several pictures each but the last
// goes before it in a turn of its own, with text between: some engines merge the
// pictures of one message.
func asking(text string, pictures []string) []turn {
	var turns []turn
	for len(pictures) > 1 {
		turns = append(turns, turn{infer.User, fmt.Sprintf("Picture %d:", len(turns)+1), pictures[:1]})
		pictures = pictures[1:]
	}
	if len(turns) > 0 {
		text = fmt.Sprintf("Picture %d:\n%s", len(turns)+1, text)
	}
	return append(turns, turn{infer.User, text, pictures})
}

// promptText is the text of the turn that asks a sample.
func promptText(s card.Sample) string {
	switch {
	case s.Prompt != "":
		return s.Prompt
	case len(s.Options) > 0:
		return multipleChoice(s.Question, s.Options)
	}
	return s.Question
}

// What stands around the options of SMMILE's multiple-choice questions.
const (
	beforeOptions = "\n\nPlease select the best answer from the following options:\n"
	behindOptions = `
Your task:
1. Think through the question, enclose your reasoning process in <think>...</think> tags.
2. Then provide the correct single-letter choice (A, B, C, D, E, F, ...) inside <answer>...</answer> tags.
Example of the expected format:
<think>This is my thought.</think>
<answer>Correct letter.</answer>
`
)

// multipleChoice is SMMILE's multiple-choice question (eth-medical-ai-lab/smmile
// at ab004d2, the wording that most of its scripts share). Demonstrations stay
// open questions.
func multipleChoice(question string, options []card.Option) string {
	var b strings.Builder
	b.WriteString("\n" + question + beforeOptions)
	for _, o := range options {
		fmt.Fprintf(&b, "%s. %s\n", o.Letter, o.Text)
	}
	b.WriteString(behindOptions)
	return b.String()
}
