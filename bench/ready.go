package bench

import (
	"context"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/models"
)

// Deadlines of requests.
const (
	loadLimit  = 15 * time.Minute // of the first requests, which load the model
	leastLimit = time.Minute
	slack      = 10 // times the measured time that a request may take

	unmeasured = 0.5 // seconds a token of reply, where the probe did not measure it
)

// planAll plans the samples and chooses the context window.
func (r *run) planAll(samples []card.Sample) error {
	if r.cfg.Recipe.MaxSide == 0 {
		r.cfg.Recipe.MaxSide = r.profile.MaxSide
	}
	if r.cfg.Recipe.MinSide == 0 {
		r.cfg.Recipe.MinSide = min(r.profile.MinSide, r.cfg.Recipe.MaxSide)
	}
	if err := r.cfg.Recipe.Validate(); err != nil {
		return &Failure{Kind: Usage, Err: err}
	}
	a := &album{pictures: r.cfg.Benchmark.Pictures, recipe: r.cfg.Recipe, facts: map[string]pictureFacts{}}
	progress := newCounter(r.cfg.Watch, "reading pictures", len(samples), 0, 0)
	r.plans = plan(samples, r.cfg.Family, a, newControls(r.facts.ControlTokens), r.cfg.EscapeControl, r.profile, r.facts.Template, func() { progress.step(false) })
	r.order = schedule(r.plans)
	r.fitted = fit(r.plans, r.cfg.NumCtx, r.reserve(), r.facts.ContextLength)
	r.options = infer.Greedy(r.fitted.numCtx, r.reserve(), r.facts.Stop)
	r.options.Temperature, r.options.Seed = r.cfg.Temperature, r.cfg.Seed
	r.studio = &studio{pictures: a.pictures, recipe: a.recipe, facts: a.facts}
	r.pictureDigest = a.digest()
	return nil
}

// probe sends what must be known before the first sample: that the server
// refuses what does not fit, that the model sees pictures, and that the longest
// prompt fits. All of it has the run's own num_ctx, so that the model loads
// once.
func (r *run) probe(ctx context.Context) error {
	r.cfg.Watch(Event{Phase: "loading and probing the model"})
	p := prober{ask: r.probeAsk, options: r.options, think: r.think, model: r.cfg.Model, profile: r.profile}
	p.a, p.b = probePictures(max(r.profile.MinSide, min(r.cfg.Recipe.MaxSide, 336)))
	if err := p.checkTruncation(ctx); err != nil {
		return err
	}
	found := probed{Picture: checkSkipped, Second: checkSkipped, Counts: checkUnknown, lowFactor: 1}
	samples := make([]card.Sample, len(r.plans))
	for i := range r.plans {
		samples[i] = r.plans[i].sample
	}
	if needsVision(samples) && !r.cfg.NoProbe {
		var err error
		if found, err = p.see(ctx, several(samples)); err != nil {
			return err
		}
	}
	found.Truncation = checkOK
	r.probed = found
	return r.tryLongest(ctx)
}

func (r *run) probeAsk(ctx context.Context, p infer.Prompt) (infer.Response, error) {
	return r.send(ctx, r.facts.AskName, "", record.KindProbe, p, loadLimit)
}

// tryLongest sends the longest prompt for one token of reply. Where it does not
// fit although the bounds said so, the window grows once. Its time sets the
// deadline of the samples.
func (r *run) tryLongest(ctx context.Context) error {
	if r.fitted.longest < 0 {
		return nil
	}
	q, err := r.question(r.plans[r.fitted.longest])
	if err != nil || q.fault != nil {
		return err
	}
	q.prompt.Options.NumPredict = 1
	response, err := r.send(ctx, r.facts.AskName, q.plan.sample.ID, record.KindLoad, q.prompt, loadLimit)
	var fault *infer.Fault
	if asFault(err, &fault) {
		if f := fatal(r.cfg.Model, err); f != nil {
			return f
		}
		if fault.Reason == infer.ReasonContextRefused {
			return r.widen(ctx)
		}
		err = nil // the sample's own affair: it is asked again in its turn
	}
	if err != nil {
		return err
	}
	took := response.Timing.Total - response.Timing.Load
	perToken := r.probed.perToken
	if perToken == 0 {
		perToken = unmeasured
	}
	took += time.Duration(float64(r.options.NumPredict) * perToken * float64(time.Second))
	r.timeout = max(leastLimit, slack*took)
	return nil
}

// widen doubles the window once, within the model's limit.
func (r *run) widen(ctx context.Context) error {
	wider := models.Window(2*r.options.NumCtx, 0, r.facts.ContextLength)
	if r.cfg.NumCtx > 0 || wider <= r.options.NumCtx || r.widened {
		return nil // the server refuses what does not fit, sample by sample
	}
	r.warn("the longest prompt does not fit into %d tokens; the model is loaded again with %d", r.options.NumCtx, wider)
	r.options.NumCtx, r.widened = wider, true
	return r.tryLongest(ctx)
}

// limit is the deadline of one sample. A run that goes on without a probe has
// no measure of its own and waits as for a first load.
func (r *run) limit() time.Duration {
	switch {
	case r.cfg.Timeout > 0:
		return r.cfg.Timeout
	case r.timeout > 0:
		return r.timeout
	}
	return loadLimit
}
