package bench

import (
	"context"
	"fmt"
	"slices"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/models"
	"lightbox/preprocess"
)

// planAll plans the samples and chooses the context window.
func (r *run) planAll(samples []card.Sample) error {
	var err error
	if r.cfg.Recipe, err = sized(r.cfg.Recipe, r.profile); err != nil {
		return err
	}
	a := newAlbum(r.cfg.Benchmark.Pictures, r.cfg.Recipe)
	if samples, err = r.ablate(samples, a); err != nil {
		return err
	}
	progress := newCounter(r.cfg.Watch, "reading pictures", len(samples), 0, 0)
	if r.cfg.ImageBudget {
		if err := r.shrink(samples, a); err != nil {
			return err
		}
	}
	r.plans = plan(samples, r.cfg.Family, a, newControls(r.facts.ControlTokens), r.cfg.EscapeControl, r.profile, r.facts.Template, func() { progress.step(false) })
	r.order = schedule(r.plans)
	if limit := r.facts.ContextLength; limit > 0 && r.cfg.NumCtx > limit {
		r.warn("the model was made for %d tokens of context; --num-ctx %d is lowered to it", limit, r.cfg.NumCtx)
	}
	r.fitted = fit(r.plans, r.cfg.NumCtx, r.reserve(), r.facts.ContextLength)
	r.options = infer.Greedy(r.fitted.numCtx, r.reserve(), r.facts.Stop)
	r.options.Temperature, r.options.Seed = r.cfg.Temperature, r.cfg.Seed
	r.studio = newStudio(a)
	return nil
}

// sized is a recipe with the sides that a model sees, where it says none.
func sized(r preprocess.Recipe, p models.Profile) (preprocess.Recipe, error) {
	if r.MaxSide == 0 {
		r.MaxSide = p.MaxSide
	}
	if r.MinSide == 0 {
		r.MinSide = p.MinSide
	}
	switch least := p.MinSide; {
	case r.MaxSide < least || r.MinSide < least:
		return r, fail(Usage, fmt.Sprintf("sides of %d and more", least), "pictures of %d to %d pixels a side: the model needs %d", r.MinSide, r.MaxSide, least)
	case r.MaxSide > 0 && r.MinSide > r.MaxSide:
		return r, fail(Usage, "give a smaller --min-side, or a --max-side", "pictures of %d pixels of the shorter side at least, but %d of the longer at most", r.MinSide, r.MaxSide)
	}
	if err := r.Validate(); err != nil {
		return r, &Failure{Kind: Usage, Err: err}
	}
	return r, nil
}

// probe sends what must be known before the first sample: that the server
// refuses what does not fit, that the model sees pictures, and that the longest
// prompt to be asked fits. All of it has the run's own num_ctx, so that the model
// loads once.
func (r *run) probe(ctx context.Context, todo []int) error {
	r.cfg.Watch(Event{Phase: "loading and probing the model"})
	p := r.prober(shared)
	if err := p.checkTruncation(ctx); err != nil {
		return err
	}
	if r.cfg.Benchmark.Format == FormatLogprob {
		if err := p.checkLetters(ctx); err != nil {
			return err
		}
	}
	found := probed{Picture: checkSkipped, Second: checkSkipped, Counts: checkUnknown, lowFactor: 1}
	var err error
	if needsVision(r.samples()) && !r.cfg.NoProbe {
		found, err = p.see(ctx, several(r.samples()))
	} else {
		found.Counts, err = p.steady(ctx)
	}
	if err != nil {
		return err
	}
	found.Truncation = checkOK
	r.probed = found
	if found.thinks && r.thinking == thinksOff && r.record.Manifest() == nil {
		r.allowThinking()
	}
	return r.tryLongest(ctx, todo)
}

// prober asks the model of the run, with that pass of the gate.
func (r *run) prober(pass pass) prober {
	p := prober{options: r.options, think: r.think(), model: r.cfg.Model, profile: r.profile}
	p.a, p.b = probePictures(max(r.profile.MinSide, min(r.cfg.Recipe.MaxSide, 336)))
	p.ask = func(ctx context.Context, prompt infer.Prompt) (infer.Response, error) {
		return r.send(ctx, &errand{model: r.facts.AskName, kind: record.KindProbe, prompt: prompt, pass: pass, pace: r.pace})
	}
	return p
}

// samples are those of the plans.
func (r *run) samples() []card.Sample {
	samples := make([]card.Sample, len(r.plans))
	for i := range r.plans {
		samples[i] = r.plans[i].sample
	}
	return samples
}

// tryLongest sends the longest prompt of those to be asked for one token of
// reply. Where it does not fit although the bounds said so, the window grows
// once. Its time is a measure for the deadlines of the samples.
func (r *run) tryLongest(ctx context.Context, todo []int) error {
	longest := r.longest(todo)
	if longest < 0 {
		return nil
	}
	r.studio.expect(r.plans[longest])
	q, err := r.question(r.plans[longest])
	if err != nil || q.fault != nil {
		return err
	}
	q.prompt.Options.NumPredict = 1
	_, err = r.send(ctx, &errand{
		model: r.facts.AskName, id: q.plan.sample.ID, kind: record.KindLoad, prompt: q.prompt, pace: r.pace, deaths: 1,
	})
	var fault *infer.Fault
	if !asFault(err, &fault) {
		return err
	}
	if f := fatal(r.cfg.Model, err); f != nil {
		return f
	}
	if fault.Reason == infer.ReasonContextRefused {
		return r.widen(ctx, todo)
	}
	return nil // the sample's own affair: it is asked again in its turn
}

// longest is the plan of those to be asked that needs most of the context, the
// first in data order, or -1. One that kills runners is left to its turn.
func (r *run) longest(todo []int) int {
	longest, high := -1, 0
	for _, i := range slices.Sorted(slices.Values(todo)) {
		p := r.plans[i]
		if p.refusal == nil && !r.quarantined(p.sample.ID) && p.bounds.High > high {
			longest, high = i, p.bounds.High
		}
	}
	return longest
}

// widen doubles the window once, within the model's limit.
func (r *run) widen(ctx context.Context, todo []int) error {
	wider := models.Window(2*r.options.NumCtx, 0, r.facts.ContextLength)
	if r.cfg.NumCtx > 0 || wider <= r.options.NumCtx || r.widened {
		return nil // the server refuses what does not fit, sample by sample
	}
	r.warn("the longest prompt does not fit into %d tokens; the model is loaded again with %d", r.options.NumCtx, wider)
	r.options.NumCtx, r.widened = wider, true
	return r.tryLongest(ctx, todo)
}
