package card

import "fmt"

// Sample is one question with what belongs to it. It holds no model output.
type Sample struct {
	ID     string // unique in its benchmark; what records and reports show
	Name   string // what the data call it; may be personal, and stays out of records
	Group  string // the problem it belongs to
	Subset string
	Split  string

	Language   string   // as ISO 639-1 has it; empty: not known
	Question   string   // as the data have it
	Prompt     string   // text of the turn that asks it; empty: from Question and Options
	Wording    string   // the end of Prompt that is the benchmark's own, not the data's; empty: none is
	Options    []Option // in display order; empty: open question
	Key        string   // letter of the right option
	Hint       string
	Pictures   []string // references that the source can open
	References []string // acceptable answers; empty: asked, but unscored

	Demonstrations []Sample // shown before the question, each answered with its Reply
	Shown          string   // as a demonstration: text of the turn that answers it; empty: the first reference
	Inserted       bool     // as a demonstration: put in to distract
	Tags           []string // "name:value" or a bare word
}

// Reply is the text of the turn that answers the sample where it is a
// demonstration.
func (s Sample) Reply() string {
	if s.Shown != "" {
		return s.Shown
	}
	return s.References[0]
}

// Option is one choice of a multiple-choice question.
type Option struct{ Letter, Text string }

// Letters labels texts A, B, C … in order. More than 26 options have no labels.
func Letters(texts []string) ([]Option, error) {
	if len(texts) > 26 {
		return nil, fmt.Errorf("labelling options: %d given, 26 at most", len(texts))
	}
	options := make([]Option, len(texts))
	for i, text := range texts {
		options[i] = Option{Letter: string(rune('A' + i)), Text: text}
	}
	return options, nil
}

// KeyOf is the letter of the first option that equals a reference answer, or ""
// where none does.
func KeyOf(options []Option, reference string) string {
	for _, o := range options {
		if o.Text == reference {
			return o.Letter
		}
	}
	return ""
}
