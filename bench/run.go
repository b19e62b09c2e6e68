package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
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

	verdicts *verdicts

	facts   models.Facts
	profile models.Profile
	judge   models.Facts
	server  record.Server
	think   *bool

	plans   []planned
	order   []int
	fitted  fitted
	studio  *studio
	options infer.Options
	probed  probed
	timeout time.Duration
	widened bool // the window has grown once

	pictureDigest infer.Digest // of all pictures of the run
}

// Run evaluates a model on a benchmark and leaves a run directory. It goes on
// where an earlier run with the same settings and directory stopped. Errors
// that are a *Failure say how the user can go on.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg = cfg.withDefaults()
	r := &run{cfg: cfg, gate: newGate(cfg.Parallel)}
	samples, err := card.Select(cfg.Benchmark.Samples, cfg.Selection)
	if err != nil {
		return Result{}, &Failure{Kind: Usage, Err: err}
	}
	samples = r.shown(samples)
	if err := r.connect(ctx, samples); err != nil {
		return Result{}, err
	}
	defer r.client.Close()
	if err := r.planAll(samples); err != nil {
		return Result{}, err
	}
	if err := r.open(); err != nil {
		return Result{}, err
	}
	result, err := r.evaluate(ctx)
	if closing := r.record.Close(); err == nil && closing != nil {
		err = closing
	}
	if errors.Is(err, errStopped) || errors.Is(err, context.Canceled) {
		err = &Failure{Kind: Interrupted, Hint: "the same command goes on from here", Err: fmt.Errorf("interrupted; the work is kept in %s", cfg.Out)}
	}
	return result, err
}

// shown are samples as they are asked, with as many demonstrations as are
// wanted and the tags that follow from them.
func (r *run) shown(samples []card.Sample) []card.Sample {
	for i, s := range samples {
		s = r.cfg.Shots.Show(s)
		if tags := r.cfg.Benchmark.Shown; tags != nil {
			s.Tags = append(slices.Clone(s.Tags), tags(s)...)
		}
		samples[i] = s
	}
	return samples
}

// evaluate runs the phases: the candidate is loaded once, then the judge.
func (r *run) evaluate(ctx context.Context) (Result, error) {
	if err := r.ready(ctx); err != nil {
		return Result{}, err
	}
	if err := r.ruleAll(); err != nil {
		return Result{}, err
	}
	if err := r.askAll(ctx); err != nil {
		return Result{}, err
	}
	if err := r.judgeAll(ctx); err != nil {
		return Result{}, err
	}
	return r.finish()
}

// ready probes the model and writes the manifest. Where the record holds
// nothing to ask, the server is left alone.
func (r *run) ready(ctx context.Context) error {
	todo, _, _ := r.unanswered()
	earlier := r.record.Manifest()
	if earlier != nil {
		r.options.NumCtx = earlier.Options.NumCtx
		refuseTooLong(r.plans, r.options.NumCtx, r.reserve())
	}
	if len(todo) == 0 && earlier != nil {
		return nil
	}
	if r.fitted.price != "" {
		r.warn("%s", r.fitted.price)
	}
	if err := r.probe(ctx); err != nil {
		return err
	}
	if earlier != nil {
		return nil
	}
	return r.record.WriteManifest(r.manifest())
}
