package bench

import (
	"sync"

	"lightbox/bench/record"
	"lightbox/infer"
)

// sharedReplies are those to requests at temperature 0, by what was sent. Runs of one
// model on one server share them. It is safe for concurrent use.
type sharedReplies struct {
	mu  sync.Mutex
	got map[infer.Digest]infer.Response
}

// take gives the reply to a prompt that was sent before.
func (r *sharedReplies) take(prompt infer.Digest) (infer.Response, bool) {
	if r == nil {
		return infer.Response{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	response, ok := r.got[prompt]
	return response, ok
}

// keep takes up a line of a record, unless it is none of a reply.
func (r *sharedReplies) keep(line record.Response) {
	if r == nil || line.Fault != nil || line.Prompt == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.got == nil {
		r.got = map[infer.Digest]infer.Response{}
	}
	r.got[line.Prompt] = responseOf(line)
}

// responseOf is the reply that a line of a record holds.
func responseOf(line record.Response) infer.Response {
	return infer.Response{
		Text: line.Text, Thinking: line.Thinking, Done: line.Done, DoneReason: line.DoneReason,
		PromptTokens: line.PromptTokens, OutputTokens: line.OutputTokens,
	}
}
