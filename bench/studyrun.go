package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/score"
	"lightbox/score/report"
)

// ArmResult is a finished arm.
type ArmResult struct {
	Arm    Arm
	Dir    string // empty: it was left out, having nothing to show for any sample
	Why    string // it was left out
	Report report.Report
}

// RunStudy runs the arms of a study one after the other, each with a run
// directory of its own below cfg.Out: first all are asked, then all are judged,
// so that each model loads once. All arms have one context window. Equal requests
// of different arms are asked once. An arm that has nothing to show for any
// sample is left out, unless it is the reference. It goes on where an earlier
// study in the same directory stopped.
func RunStudy(ctx context.Context, s Study, cfg Config) ([]ArmResult, error) {
	cfg = cfg.withDefaults()
	if err := oneFigure(cfg); err != nil {
		return nil, err
	}
	results, runs, err := s.runs(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.NumCtx == 0 {
		if err := oneWindow(ctx, runs); err != nil {
			return nil, err
		}
	}
	for phase, judging := range []bool{false, true} {
		for i, run := range runs {
			run.askOnly = !judging
			what := []string{"asking", "finishing"}[phase]
			cfg.Watch(Event{Note: fmt.Sprintf("%s arm %d of %d: %s", what, i+1, len(runs), run.arm.Name)})
			if _, err := Run(ctx, run.Config); err != nil {
				return nil, inArm(run.arm, err)
			}
		}
	}
	for i, result := range results {
		if result.Dir == "" {
			continue
		}
		if results[i].Report, err = ReportOf(result.Dir); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// armRun is how an arm is run.
type armRun struct {
	Config
	arm Arm
}

// oneFigure demands that one figure says how a model does, which is what a study
// compares.
func oneFigure(cfg Config) error {
	if cfg.Benchmark.Pooled {
		return nil
	}
	samples, err := card.Select(cfg.Benchmark.Samples, cfg.Selection)
	if err != nil {
		return &Failure{Kind: Usage, Err: err}
	}
	var subsets []string
	for _, s := range samples {
		if !slices.Contains(subsets, s.Subset) {
			subsets = append(subsets, s.Subset)
		}
	}
	if len(subsets) > 1 {
		return fail(Usage, "choose one with --subset: "+strings.Join(subsets, ", "), "the subsets of %s have no figure in common that a plan could compare", cfg.Benchmark.Name)
	}
	return nil
}

// runs are the arms that can be run, and a result for every arm, without the
// directory where it cannot.
func (s Study) runs(cfg Config) ([]ArmResult, []*armRun, error) {
	results := make([]ArmResult, len(s.Arms))
	shared := &sharedReplies{}
	var runs []*armRun
	for i, arm := range s.Arms {
		results[i].Arm = arm
		own := &armRun{cfg, arm}
		if err := own.set(arm, shared); err != nil {
			return nil, nil, inArm(arm, err)
		}
		quiet := own.Config
		quiet.Watch = func(Event) {}
		err := canShow(quiet)
		if nothingToShow(err) && arm.Name != s.Reference {
			results[i].Why = err.Error()
			cfg.Watch(Event{Note: fmt.Sprintf("arm %q is left out: %v", arm.Name, err)})
			continue
		}
		if err != nil {
			return nil, nil, inArm(arm, err)
		}
		results[i].Dir = own.Out
		runs = append(runs, own)
	}
	return results, runs, nil
}

// canShow tries what a run is to show, and sends nothing.
func canShow(cfg Config) error {
	r := &run{cfg: cfg}
	samples, err := r.choose()
	if err != nil {
		return err
	}
	_, err = r.ablate(samples, newAlbum(r.cfg.Benchmark.Pictures, r.cfg.Recipe))
	return err
}

// set makes a run that of an arm.
func (r *armRun) set(arm Arm, shared *sharedReplies) error {
	if arm.Shots != "" {
		shots, err := card.ParseShots(arm.Shots)
		if err != nil {
			return &Failure{Kind: Usage, Err: err}
		}
		r.Shots = shots
	}
	if _, limited := r.Shots.Most(); r.Benchmark.Pool != nil && !limited {
		return fail(Usage, "--shots N says how many are drawn", "%s has no demonstrations of its own", r.Benchmark.Name)
	}
	r.Arrangement, r.Out = arm.arrangement(), filepath.Join(r.Out, arm.folder())
	if r.Temperature == 0 {
		r.shared = shared
	}
	return nil
}

// oneWindow gives all arms the largest context that one of them needs: another
// one would load the model again.
func oneWindow(ctx context.Context, runs []*armRun) error {
	window := 0
	for _, r := range runs {
		quiet := r.Config
		quiet.Watch = nil
		needs, err := NeedsOf(ctx, quiet)
		if err != nil {
			return inArm(r.arm, err)
		}
		window = max(window, needs.Context)
	}
	for _, r := range runs {
		r.NumCtx = window
	}
	return nil
}

// inArm says in which arm a failure was.
func inArm(a Arm, err error) error {
	var failure *Failure
	if errors.As(err, &failure) {
		hint := failure.Hint
		if nothingToShow(err) { // that of a run names options that a plan does not have
			hint = "make another arm the plan's reference"
		}
		return &Failure{Kind: failure.Kind, Hint: hint, Err: fmt.Errorf("arm %q: %w", a.Name, err)}
	}
	return fmt.Errorf("arm %q: %w", a.Name, err)
}

// primaryOf is the metric that speaks for a report's samples: the benchmark's
// own where it was computed, else the first that was.
func primaryOf(r report.Report) score.Metric {
	if r.Primary.Computed || len(r.Metrics) == 0 {
		return r.Primary.Metric
	}
	return r.Metrics[0]
}
