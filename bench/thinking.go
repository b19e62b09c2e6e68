package bench

import (
	"lightbox/infer"
	"lightbox/score"
)

// thinking is whether the model reasons before it answers.
type thinking string

// The states of thinking. It costs 4096 tokens where it is on or cannot be
// switched off; published figures were made without.
const (
	thinksNot    thinking = "none" // the model does not
	thinksOff    thinking = "off"
	thinksOn     thinking = "on"
	thinksAlways thinking = "always" // it was switched off and goes on
)

// chooseThinking decides what is sent of thinking. What "off" is worth shows
// when the model is probed.
func (r *run) chooseThinking() error {
	r.thinking = thinksNot
	switch {
	case r.facts.Architecture == "gptoss": // takes a level, but no "off"
		r.thinking = thinksAlways
	case r.facts.Can("thinking") && r.cfg.Think == "on":
		r.thinking = thinksOn
	case r.facts.Can("thinking"):
		r.thinking = thinksOff
	case r.cfg.Think == "on":
		return fail(Usage, "leave --think out", "model %q does not think", r.cfg.Model)
	}
	return nil
}

// think is what requests say of thinking: nothing where the model does not know
// the word.
func (r *run) think() *bool {
	if !r.facts.Can("thinking") || r.facts.Architecture == "gptoss" {
		return nil
	}
	on := r.thinking == thinksOn
	return &on
}

// reserve is the number of tokens kept free for a reply.
func (r *run) reserve() int {
	if r.thinking == thinksOn || r.thinking == thinksAlways {
		return r.cfg.NumPredict + thinkingReserve
	}
	return r.cfg.NumPredict
}

// thought tells whether a reply holds thinking, apart from its text or in it.
func thought(response infer.Response) bool {
	return response.Thinking != "" || score.HoldsThinking(response.Text)
}

// allowThinking makes room for a model that thinks although it was told not to.
// The window can grow by it, which loads the model once more.
func (r *run) allowThinking() {
	r.thinking = thinksAlways
	r.warn("the model thinks although it was told not to; %d tokens more are allowed, and the figures are not comparable with published ones", thinkingReserve)
	r.setWindow(fit(r.plans, r.cfg.NumCtx, r.reserve(), r.facts.ContextLength))
}

// setWindow takes a context window, and a reply of the length it was made for.
func (r *run) setWindow(f fitted) {
	r.fitted = f
	r.options.NumCtx, r.options.NumPredict = f.numCtx, r.reserve()
}
