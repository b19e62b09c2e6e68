package record

import "lightbox/infer"

// Response is one line of responses.jsonl: what was sent for a sample and what
// came back, or why nothing did.
type Response struct {
	ID       string       `json:"id"`     // of the sample
	Prompt   infer.Digest `json:"prompt"` // of everything that was sent
	Pictures []Picture    `json:"pictures,omitempty"`
	Escaped  int          `json:"escaped,omitempty"` // control texts that were escaped

	Text         string  `json:"text"`
	Thinking     string  `json:"thinking,omitempty"`
	Done         bool    `json:"done"`
	DoneReason   string  `json:"done_reason,omitempty"`
	PromptTokens int     `json:"prompt_tokens,omitempty"` // 0: the server did not say
	OutputTokens int     `json:"output_tokens,omitempty"` // 0: the server did not say
	Context      Context `json:"context,omitempty"`
	Fault        *Fault  `json:"fault,omitempty"` // nil: the model answered
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
}

// NewFault is f as the record holds it.
func NewFault(f *infer.Fault) *Fault {
	return &Fault{Reason: f.Reason, Status: f.Status, Detail: f.Detail, Retry: f.Retry}
}

// TextDigest names the response's text. A verdict holds it as Of.
func (r Response) TextDigest() infer.Digest { return infer.DigestOf([]byte(r.Text)) }

func (r *Response) texts() []text {
	all := []text{{"id", &r.ID}, {"text", &r.Text}, {"thinking", &r.Thinking}, {"done_reason", &r.DoneReason}}
	if r.Fault != nil {
		f := *r.Fault
		r.Fault = &f
		all = append(all, text{"fault.detail", &f.Detail})
	}
	return all
}
