package bench

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"syscall"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
	"lightbox/score"
	"lightbox/score/report"
)

//	samples ──► plan ──► fit ──► probe ──► ask ──► judge ──► verdicts ──► report
//	            sizes    num_ctx  seen?     │        │          │
//	                                        ▼        ▼          ▼
//	                              record: responses, timings, verdicts, report
//
// Everything above the record is decided before the first sample is asked; what
// follows it is computed from the record alone.

// Result is a finished run.
type Result struct {
	Report   report.Report
	Dir      string
	Unscored int // samples with at least one unscored verdict
}

// run is the state of a run under way.
type run struct {
	cfg    Config
	client *ollama.Client
	record *record.Run
	gate   *gate
	sentry *sentry

	verdicts *verdicts
	pool     infer.Digest // of what demonstrations were drawn from; empty: none were

	facts   models.Facts
	profile models.Profile
	judge   models.Facts

	protocol score.Protocol // of the judge
	server   record.Server
	thinking thinking

	plans   []planned
	order   []int
	fitted  fitted
	studio  *studio
	options infer.Options
	probed  probed
	pace    *pace
	widened bool // the window has grown once, or is an earlier run's

	sharedCount atomic.Int64 // replies that were not asked for

	leftOut int // samples that the arrangement has nothing to show for

	earlier map[string]record.Fault // passing faults on record, by sample
	streak  streak                  // of equal answers
}

// Run evaluates a model on a benchmark and leaves a run directory. It goes on
// where an earlier run with the same settings and directory stopped. Errors
// that are a *Failure say how the user can go on.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg = cfg.withDefaults()
	r := &run{cfg: cfg, gate: newGate(cfg.Parallel), pace: &pace{}}
	samples, err := r.choose()
	if err != nil {
		return Result{}, err
	}
	if err := r.connect(ctx, samples); err != nil {
		return Result{}, err
	}
	defer r.client.Close()
	if err := r.planAll(samples); err != nil {
		return Result{}, err
	}
	if err := r.tellRefused(); err != nil {
		return Result{}, err
	}
	if err := r.open(); err != nil {
		return Result{}, err
	}
	result, err := r.evaluate(ctx)
	return result, r.end(err)
}

// choose checks the settings and gives the samples that are wanted, as they are
// asked.
func (r *run) choose() ([]card.Sample, error) {
	var err error
	if r.protocol, err = score.JudgeProtocol(r.cfg.JudgeProtocol); err != nil {
		return nil, &Failure{Kind: Usage, Err: err}
	}
	if most := max(r.cfg.NumCtx, r.cfg.NumPredict); most > MostTokens {
		return nil, fail(Usage, "", "%d tokens of context or reply: %d at most", most, MostTokens)
	}
	if about := r.cfg.Benchmark.About; about != "" {
		r.cfg.Watch(Event{Note: about})
	}
	samples, err := card.Select(r.cfg.Benchmark.Samples, r.cfg.Selection)
	if err != nil {
		return nil, &Failure{Kind: Usage, Err: err}
	}
	own := func(s card.Sample) bool { return s.Prompt != "" }
	if _, oneTurn := r.cfg.Family.OneTurn(card.Sample{}); oneTurn && slices.ContainsFunc(samples, own) {
		return nil, fail(Usage, "leave --family out", "family %q asks in words of its own, and so does %s", r.cfg.Family.Name, r.cfg.Benchmark.Name)
	}
	isOpen := func(s card.Sample) bool { return len(s.Options) == 0 }
	if r.cfg.Benchmark.Format == FormatLogprob && slices.ContainsFunc(samples, isOpen) {
		return nil, fail(Usage, "choose subsets of multiple choice, or leave --format out", "--format %s: some of the samples have no options", FormatLogprob)
	}
	if samples, err = r.draw(samples); err != nil {
		return nil, err
	}
	return r.shown(samples)
}

// end closes the record of a run that ended with err, nil where it is finished,
// and says how the user can go on.
func (r *run) end(err error) error {
	if errors.Is(err, errChanged) {
		err = r.takeBack(err)
	}
	if closing := r.record.Close(); err == nil && closing != nil {
		err = closing
	}
	var failure *Failure
	switch {
	case errors.Is(err, errStopped), errors.Is(err, context.Canceled):
		err = fail(Interrupted, "the same command goes on from here", "interrupted; the work is kept in %s", r.cfg.Out)
	case errors.Is(err, syscall.ENOSPC) && !errors.As(err, &failure):
		err = &Failure{Kind: Failed, Hint: "make room on the disk", Err: err}
	}
	return r.keeping(err)
}

// keeping adds to what ended a run that its work is not lost.
func (r *run) keeping(err error) error {
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind == Interrupted || len(r.record.Responses()) == 0 {
		return err
	}
	const kept = "what was answered is kept, and the same command goes on from there"
	hint := kept
	if failure.Hint != "" {
		hint = failure.Hint + "; " + kept
	}
	return &Failure{Kind: failure.Kind, Err: err, Hint: hint}
}

// evaluate runs the phases: the candidate is loaded once, then the judge.
func (r *run) evaluate(ctx context.Context) (Result, error) {
	if err := r.ready(ctx); err != nil {
		return Result{}, err
	}
	if err := r.ruleAll(); err != nil {
		return Result{}, err
	}
	if err := r.lookAfter(ctx, r.askAll(ctx)); err != nil {
		return Result{}, err
	}
	if r.cfg.askOnly {
		return Result{Dir: r.cfg.Out}, nil
	}
	if err := r.lookAfter(ctx, r.judgeAll(ctx)); err != nil {
		return Result{}, err
	}
	r.cacheAll()
	return r.finish()
}

// ready probes the model and writes the manifest. Where the record holds
// nothing to ask, the server is left alone.
func (r *run) ready(ctx context.Context) error {
	todo, _, _ := r.unanswered()
	earlier := r.record.Manifest()
	if earlier != nil {
		r.options.NumCtx, r.widened = earlier.Options.NumCtx, true
		refuseTooLong(r.plans, r.options.NumCtx, r.reserve())
	}
	if len(todo) == 0 && earlier != nil {
		return nil
	}
	if r.fitted.price != "" {
		r.warn("%s", r.fitted.price)
	}
	if err := r.probe(ctx, todo); err != nil {
		return err
	}
	if err := r.sentry.weigh(ctx, r.facts); err != nil {
		return err
	}
	if earlier != nil {
		return nil
	}
	r.server.Contacted = r.contacted()
	return r.record.WriteManifest(r.manifest())
}
