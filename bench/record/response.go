package record

import (
	"fmt"
	"slices"

	"lightbox/infer"
)

// Response is one line of responses.jsonl: what was sent for a sample and what
// came back, or why nothing did.
type Response struct {
	ID     string   `json:"id"`              // of the sample
	At     int      `json:"at"`              // its place in the order of the data, from 1
	Group  string   `json:"group,omitempty"` // as are Subset and Tags, of the sample
	Subset string   `json:"subset,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Shown  int      `json:"shown,omitempty"` // demonstrations before the question
	Asked  string   `json:"asked"`           // the question as it was sent, or would have been

	References []string `json:"references,omitempty"` // acceptable answers
	Options    []Option `json:"options,omitempty"`    // in the order in which they were shown
	Key        string   `json:"key,omitempty"`        // letter of the right option
	Answers    []string `json:"answers,omitempty"`    // of the demonstrations, in the order in which they were shown
	Inserted   []int    `json:"inserted,omitempty"`   // places of those that were put in to distract, from 0

	// AnswerLetters are the letters in whose form the demonstrations are answered, each
	// at the place of its answer; empty: none is answered by its letter.
	AnswerLetters []string `json:"answer_letters,omitempty"`

	Prompt   infer.Digest `json:"prompt"` // of everything that was sent
	Pictures []Picture    `json:"pictures,omitempty"`
	Escaped  int          `json:"escaped,omitempty"` // control texts that were escaped

	// Of multiple choice by probabilities: those of the letters as the first token,
	// and what is left for all other tokens.
	Letters map[string]float64 `json:"letters,omitempty"`
	Outside *float64           `json:"outside,omitempty"`

	Text         string  `json:"text"`
	Thinking     string  `json:"thinking,omitempty"`
	Done         bool    `json:"done"`
	DoneReason   string  `json:"done_reason,omitempty"`
	PromptTokens int     `json:"prompt_tokens,omitempty"` // 0: the server did not say
	OutputTokens int     `json:"output_tokens,omitempty"` // 0: the server did not say
	Context      Context `json:"context,omitempty"`
	Fault        *Fault  `json:"fault,omitempty"` // nil: the model answered
}

// Option is a choice of a question.
type Option struct {
	Letter string `json:"letter"`
	Text   string `json:"text"`
}

// Context says whether it is known that the model saw the whole prompt.
type Context string

// The states of a context check.
const (
	ContextOK      Context = "ok"
	ContextUnknown Context = "unknown"
)

// Picture is a picture as it was sent and where it came from, without pixels.
type Picture struct {
	Digest    infer.Digest `json:"digest"` // of the bytes sent
	MediaType string       `json:"media_type"`
	Width     int          `json:"width"` // pixels, as is Height
	Height    int          `json:"height"`

	Source       infer.Digest `json:"source"`       // of the file's bytes
	SourceWidth  int          `json:"source_width"` // pixels, as is SourceHeight
	SourceHeight int          `json:"source_height"`
	Steps        []string     `json:"steps,omitempty"` // what was done to it, in order
}

// Fault says why a sample has no reply.
type Fault struct {
	Reason infer.Reason `json:"reason"`
	Status int          `json:"status,omitempty"` // HTTP status, 0 where there was none
	Detail string       `json:"detail,omitempty"`
	Retry  bool         `json:"retry,omitempty"` // asking again can succeed

	Attempts int `json:"attempts,omitempty"` // requests that were sent in vain, those of earlier runs included
}

// NewFault is f as the record holds it.
func NewFault(f *infer.Fault) *Fault {
	return &Fault{Reason: f.Reason, Status: f.Status, Detail: f.Detail, Retry: f.Retry}
}

// Subject is what verdicts are about: the text, or the fault in its place. A
// verdict stands as long as its sample's subject is the same.
func (r Response) Subject() infer.Digest {
	if r.Fault != nil {
		return infer.DigestOf([]byte("fault\x00" + string(r.Fault.Reason) + "\x00" + r.Fault.Detail))
	}
	return r.TextDigest()
}

// TextDigest names the response's text. A verdict holds it as Of.
func (r Response) TextDigest() infer.Digest { return infer.DigestOf([]byte(r.Text)) }

func (r *Response) texts() []text {
	r.References, r.Answers = slices.Clone(r.References), slices.Clone(r.Answers) // they are the caller's
	all := []text{{"id", &r.ID}, {"asked", &r.Asked}, {"text", &r.Text}, {"thinking", &r.Thinking}, {"done_reason", &r.DoneReason}}
	all = append(all, numberedTexts("references", r.References)...)
	all = append(all, numberedTexts("answers", r.Answers)...)
	if r.Fault != nil {
		f := *r.Fault
		r.Fault = &f
		all = append(all, text{"fault.detail", &f.Detail})
	}
	return all
}

// numberedTexts are the texts of a list, by name and place.
func numberedTexts(name string, list []string) []text {
	all := make([]text, len(list))
	for i := range list {
		all[i] = text{fmt.Sprintf("%s.%d", name, i), &list[i]}
	}
	return all
}
