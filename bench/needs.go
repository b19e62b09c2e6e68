package bench

import (
	"context"

	"lightbox/infer"
)

// Needs is what the prompts of a run need, before anything is sent to a model.
type Needs struct {
	Context int // tokens that the largest prompt takes, its reply included
	Limit   int // tokens that the model was made for; 0: not said
	Refused int // samples that do not fit
}

// NeedsOf plans a run and asks the server for nothing but the facts of the
// model.
func NeedsOf(ctx context.Context, cfg Config) (Needs, error) {
	r := &run{cfg: cfg.withDefaults()}
	samples, err := r.choose()
	if err != nil {
		return Needs{}, err
	}
	if err := r.connect(ctx, samples); err != nil {
		return Needs{}, err
	}
	defer r.client.Close()
	if err := r.planAll(samples); err != nil {
		return Needs{}, err
	}
	n := Needs{Context: r.fitted.numCtx, Limit: r.facts.ContextLength}
	for _, p := range r.plans {
		if p.refusal != nil && p.refusal.Reason == infer.ReasonContextRefused {
			n.Refused++
		}
	}
	return n, nil
}
