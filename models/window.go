package models

// Size is what decides a prompt's need of context.
type Size struct {
	TextBytes int    // of all messages
	Messages  int    // their number
	Pictures  []Side // as sent
}

// Side is the width and height of a picture in pixels.
type Side struct{ W, H int }

// Overheads of a chat template: what stands around a message and around a
// prompt. The template's own text (a default system text, say) comes on top.
const (
	perMessage    = 16
	perPrompt     = 64
	templateLimit = 512
)

// Bounds bounds the prompt tokens of a prompt of size s for a model with the
// given template. Above: a token is at least a byte of text. Below: no common
// token is longer than 32 bytes.
func (p Profile) Bounds(s Size, template string) Bounds {
	b := Bounds{
		Low:  s.TextBytes / 32,
		High: s.TextBytes + s.Messages*perMessage + perPrompt + min(len(template), templateLimit),
	}
	for _, side := range s.Pictures {
		t := p.Tokens(side.W, side.H)
		b.Low += t.Low
		b.High += t.High
	}
	return b
}

// Limits of the context window.
const (
	leastWindow = 2048 // servers raise less for vision models
	stepWindow  = 256  // newer servers round up to it
)

// Window is the num_ctx for a prompt of at most high tokens and reserve tokens
// of reply, within the model's own limit (0: unknown). One token more than both
// is needed, because newer servers take prompts of at most n_ctx - 1.
func Window(high, reserve, limit int) int {
	n := max(leastWindow, high+reserve+1)
	n = ceil(n, stepWindow) * stepWindow
	if limit > 0 {
		n = min(n, limit)
	}
	return n
}

// Oversize is a number of words that no context of numCtx tokens can hold on
// any server: above what it raises small windows to and what it rounds up to.
func Oversize(numCtx int) int {
	return max(leastWindow, ceil(numCtx, stepWindow)*stepWindow) + 1
}
