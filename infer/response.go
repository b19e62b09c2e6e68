package infer

import "time"

// Response is what a model answered, complete and unjudged.
type Response struct {
	Text     string
	Thinking string // reasoning the server kept apart from the text

	// Done is false where the server gave up on a repeating reply (Ollama ends
	// such a request with 200 and "done": false). The text up to there counts.
	Done       bool
	DoneReason string // "stop", "length", or empty

	PromptTokens int // prompt_eval_count; 0: the server did not say
	OutputTokens int // eval_count, the end token included; 0: the server did not say

	Logprobs []TokenLogprobs // one entry a token of the reply, where asked for and given
	Timing   Timing
}

// TokenLogprobs is one token of a reply and the likeliest at its place, with
// natural logarithms of their probabilities.
type TokenLogprobs struct {
	Token   string
	Logprob float64
	Top     []TokenLogprob
}

// TokenLogprob is a token and the natural logarithm of its probability.
type TokenLogprob struct {
	Token   string
	Logprob float64
}

// Timing is how long the server says that a reply took.
type Timing struct {
	Total, Load, Prefill, Generate time.Duration
}
