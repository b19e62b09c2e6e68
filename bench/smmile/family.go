package smmile

import (
	"fmt"
	"strings"

	"lightbox/bench/card"
	"lightbox/score"
)

// Family is how the authors' scripts address a family of models, as far as
// Ollama can carry it. Its zero value is the plain way: the picture, then the
// bare question; demonstrations as turns of their own; no system text.
type Family struct {
	Name   string
	System string   // text of the system message, "": none
	After  string   // stands behind the answer of every demonstration
	Notes  []string // what of the scripts' way is not carried

	oneTurn bool // demonstrations are text in the query's own turn

	// Of multiple-choice questions: whether the model is told to think step by
	// step, what follows the format's example, and how the replies are read.
	stepwise     bool
	afterExample string
	reader       score.SmmileReader // 0: A
}

const (
	physician = "You are a highly skilled physician and an excellent writer."

	textFirst = "the SMMILE scripts for this family put the question before the picture; Ollama puts pictures first"
)

// families are those of the scripts at ab004d2, inference_*.py. Families that
// are addressed in the plain way stand here for their names.
var families = []Family{
	{Name: "none"},
	{Name: "qwen", Notes: []string{"the SMMILE scripts send no system text to this family, but its own chat template inserts one; whether Ollama's does, the model's template in the record says"}},
	{Name: "llava"},
	{Name: "llava-med"},
	{Name: "llama3.2-vision", After: "\n", stepwise: true, afterExample: "Alternatively:\nThe correct answer is X.\n", reader: score.SmmileC},
	{
		Name:   "medgemma",
		System: "You are an expert medical professional with extensive knowledge in medical imaging, diagnosis, and clinical practice.",
		Notes:  []string{textFirst},

		stepwise: true, reader: score.SmmileC,
	},
	{Name: "medvlm-r1", oneTurn: true, reader: score.SmmileD},
	{
		Name: "gpt4o", System: physician, reader: score.SmmileB,
		Notes: []string{textFirst, "the SMMILE scripts for this family send the demonstrations' answers in the role of the system; they are sent in that of the assistant"},
	},
	{Name: "claude", System: physician, reader: score.SmmileB, Notes: []string{textFirst}},
}

// FamilyNames are the names that FamilyOf knows, the plain way first.
func FamilyNames() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.Name
	}
	return names
}

// FamilyOf finds a family by its name; "" is the plain way.
func FamilyOf(name string) (Family, error) {
	if name == "" {
		return families[0], nil
	}
	for _, f := range families {
		if f.Name == name {
			return f, nil
		}
	}
	hint := ""
	if near := card.Nearest(name, FamilyNames()); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return Family{}, fmt.Errorf("choosing family %q: known are %s%s", name, strings.Join(FamilyNames(), ", "), hint)
}

// OneTurn is the text that shows a question and its demonstrations in one
// turn, without the demonstrations' pictures; ok tells whether the family does
// so. Only MedVLM-R1 does (inference_medr1.py).
func (f Family) OneTurn(s card.Sample) (text string, ok bool) {
	switch {
	case !f.oneTurn:
		return "", false
	case len(s.Options) > 0:
		return choiceInOneTurn(s), true
	}
	question := s.Question
	if len(s.Demonstrations) > 0 {
		var b strings.Builder
		for i, d := range s.Demonstrations {
			fmt.Fprintf(&b, "Example %d:\nQuestion: %s\nAnswer: %s\n\n", i+1, d.Question, d.References[0])
		}
		fmt.Fprintf(&b, "Now answer this question:\n%s", s.Question)
		question = b.String()
	}
	const indent = "        "
	return "\n" + indent + question + "\n\n" + indent + "Please provide your response to this question.\n" + indent, true
}
