package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"lightbox/bench/card"
	"lightbox/score"
	"lightbox/score/report"
)

// ArmResult is a finished arm.
type ArmResult struct {
	Arm    Arm
	Dir    string
	Report report.Report
}

// RunStudy runs the arms of a study one after the other, each with a run
// directory of its own below cfg.Out: first all are asked, then all are judged,
// so that each model loads once. All arms have one context window. Equal requests
// of different arms are asked once. It goes on where an earlier study in the same
// directory stopped.
func RunStudy(ctx context.Context, s Study, cfg Config) ([]ArmResult, error) {
	cfg = cfg.withDefaults()
	runs := make([]Config, len(s.Arms))
	shared := &sharedReplies{}
	for i, arm := range s.Arms {
		shots, err := card.ParseShots(arm.Shots)
		if err != nil {
			return nil, &Failure{Kind: Usage, Err: err}
		}
		runs[i] = cfg
		runs[i].Shots, runs[i].Arrangement, runs[i].Out = shots, arm.arrangement(), filepath.Join(cfg.Out, arm.folder())
		if cfg.Temperature == 0 {
			runs[i].shared = shared
		}
	}
	if cfg.NumCtx == 0 {
		if err := oneWindow(ctx, runs); err != nil {
			return nil, err
		}
	}
	for phase, judging := range []bool{false, true} {
		for i := range runs {
			runs[i].askOnly = !judging
			what := []string{"asking", "finishing"}[phase]
			cfg.Watch(Event{Note: fmt.Sprintf("%s arm %d of %d: %s", what, i+1, len(runs), s.Arms[i].Name)})
			if _, err := Run(ctx, runs[i]); err != nil {
				return nil, inArm(s.Arms[i], err)
			}
		}
	}
	results := make([]ArmResult, len(runs))
	for i, arm := range s.Arms {
		r, err := ReportOf(runs[i].Out)
		if err != nil {
			return nil, err
		}
		results[i] = ArmResult{arm, runs[i].Out, r}
	}
	return results, nil
}

// oneWindow gives all arms the largest context that one of them needs: another
// one would load the model again.
func oneWindow(ctx context.Context, runs []Config) error {
	window := 0
	for i := range runs {
		quiet := runs[i]
		quiet.Watch = nil
		needs, err := NeedsOf(ctx, quiet)
		if err != nil {
			return err
		}
		window = max(window, needs.Context)
	}
	for i := range runs {
		runs[i].NumCtx = window
	}
	return nil
}

// inArm says in which arm a failure was.
func inArm(a Arm, err error) error {
	var failure *Failure
	if errors.As(err, &failure) {
		return &Failure{Kind: failure.Kind, Hint: failure.Hint, Err: fmt.Errorf("arm %q: %w", a.Name, err)}
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
