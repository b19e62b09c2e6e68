package scienceqa

import (
	"fmt"
	"strings"

	"lightbox/bench/card"
)

// Prompt is a way to ask a question.
type Prompt struct {
	Name string
	Rule string // that reads the answers it asks for

	ask   func(card.Sample) string
	reply string // a demonstration's answer, with the letter in the place of %s
}

// Prompts are the ways to ask, the usual first.
var Prompts = []Prompt{
	{Name: "lmms", Rule: "scienceqa-lmms", ask: lmms, reply: "%s"},
	{Name: "qcm", Rule: "scienceqa-official", ask: qcm, reply: "The answer is %s."},
}

// PromptNamed finds a way to ask; "" is the usual one.
func PromptNamed(name string) (Prompt, error) {
	var names []string
	for _, p := range Prompts {
		if name == "" || p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Prompt{}, fmt.Errorf("choosing prompt %q: want %s", name, strings.Join(names, " or "))
}

// lmms is how lmms-eval asks by default (sqa_doc_to_text).
func lmms(s card.Sample) string {
	var b strings.Builder
	if s.Hint != "" {
		b.WriteString("Context: " + s.Hint + "\n")
	}
	b.WriteString(s.Question + "\n")
	for _, o := range s.Options {
		b.WriteString(o.Letter + ". " + o.Text + "\n")
	}
	b.WriteString("Answer with the option's letter from the given choices directly.")
	return b.String()
}

// qcm is how the authors ask, without a caption of the picture (base_prompt.py,
// format QCM-A).
func qcm(s card.Sample) string {
	context := card.Strip(s.Hint)
	if context == "" {
		context = "N/A"
	}
	options := make([]string, len(s.Options))
	for i, o := range s.Options {
		options[i] = "(" + o.Letter + ") " + o.Text
	}
	text := "Question: " + s.Question + "\nContext: " + context + "\nOptions: " + strings.Join(options, " ") + "\nAnswer:"
	return strings.ReplaceAll(text, "  ", " ")
}
