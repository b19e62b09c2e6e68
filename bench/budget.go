package bench

import (
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/card"
)

// shrink lowers the longer side of pictures to the largest at which no prompt
// needs more than the context: the model's, or a smaller one that the user named.
// Pictures that fit as they are stay so. The files are not read again for it.
func (r *run) shrink(samples []card.Sample, a *album) error {
	limit := r.facts.ContextLength
	if n := r.cfg.NumCtx; n > 0 && (limit == 0 || n < limit) {
		limit = n
	}
	if limit == 0 {
		return fail(Usage, "name a size with --max-side, or a context with --num-ctx", "--image-budget: the server does not say how much context the model has")
	}
	plans := plan(samples, r.cfg.Family, a, newControls(r.facts.ControlTokens), r.cfg.EscapeControl, r.profile, r.facts.Template, func() {})
	fits := func(side int) bool {
		a.resize(side)
		return r.fits(plans, a, limit)
	}
	whole, least := r.cfg.Recipe.MaxSide, max(r.profile.MinSide, r.cfg.Recipe.MinSide, 1)
	if fits(whole) {
		return nil
	}
	if !fits(least) {
		return fail(Usage, r.roomHint(plans), "--image-budget: the largest prompt does not fit %d tokens of context with pictures of any size", limit)
	}
	side, tooLarge := least, whole
	for side+1 < tooLarge {
		if middle := (side + tooLarge) / 2; fits(middle) {
			side = middle
		} else {
			tooLarge = middle
		}
	}
	a.resize(side)
	r.cfg.Recipe = a.recipe
	r.cfg.Watch(Event{Note: fmt.Sprintf("pictures are made smaller: %d instead of %d pixels a side, so that all prompts fit %d tokens of context", side, whole, limit)})
	return nil
}

// roomHint says what makes prompts fit that are too long with the smallest pictures.
func (r *run) roomHint(plans []planned) string {
	ways := []string{}
	if slices.ContainsFunc(plans, func(p planned) bool { return len(p.sample.Demonstrations) > 0 }) {
		ways = append(ways, "show fewer demonstrations with --shots")
	}
	if n := r.cfg.NumCtx; n > 0 && (r.facts.ContextLength == 0 || n < r.facts.ContextLength) {
		ways = append(ways, "name a larger --num-ctx")
	}
	return strings.Join(append(ways, "keep less room for the reply with --num-predict"), ", or ")
}

// fits tells whether the upper bound of every prompt is within the context. What
// cannot be asked for another reason does not count.
func (r *run) fits(plans []planned, a *album, limit int) bool {
	for _, p := range plans {
		if p.refusal != nil {
			continue
		}
		size, _ := a.measure(p.turns, nil)
		if r.profile.Bounds(size, r.facts.Template).High+r.reserve()+1 > limit {
			return false
		}
	}
	return true
}
