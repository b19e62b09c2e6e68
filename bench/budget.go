package bench

import (
	"fmt"

	"lightbox/bench/card"
	"lightbox/infer"
)

// budgetSteps is into how many equal parts the longer side is divided in search of
// the largest that fits.
const budgetSteps = 8

// shrink lowers the longer side of pictures until no prompt needs more than the
// model's context. Pictures that fit as they are stay so.
func (r *run) shrink(samples []card.Sample, a *album) error {
	limit := r.facts.ContextLength
	if limit == 0 {
		return fail(Usage, "name a size with --max-side", "--image-budget: the server does not say how much context the model has")
	}
	whole := r.cfg.Recipe.MaxSide
	for step := budgetSteps; step > 0; step-- {
		side := whole * step / budgetSteps
		if side < max(r.profile.MinSide, r.cfg.Recipe.MinSide, 1) {
			break
		}
		r.cfg.Recipe.MaxSide = side
		a.recipe = r.cfg.Recipe
		a.pictures = blankable{a.pictures.(blankable).Pictures, r.cfg.Recipe}
		clear(a.facts)
		if r.fits(samples, a, limit) {
			if step < budgetSteps {
				r.cfg.Watch(Event{Note: fmt.Sprintf("pictures are made smaller: %d instead of %d pixels a side, so that all prompts fit %d tokens of context", side, whole, limit)})
			}
			return nil
		}
	}
	return fail(Usage, "show fewer demonstrations with --shots", "--image-budget: the largest prompt does not fit %d tokens of context with pictures of any size", limit)
}

// fits tells whether the upper bound of every prompt is within the context.
func (r *run) fits(samples []card.Sample, a *album, limit int) bool {
	controls := newControls(r.facts.ControlTokens)
	plans := plan(samples, r.cfg.Family, a, controls, r.cfg.EscapeControl, r.profile, r.facts.Template, func() {})
	for _, p := range plans {
		if p.refusal != nil && p.refusal.Reason != infer.ReasonContextRefused {
			continue
		}
		if p.bounds.High+r.reserve()+1 > limit {
			return false
		}
	}
	return true
}
