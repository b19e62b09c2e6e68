package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/score"
)

// lastLook bounds the look at the end of a phase: who stopped a run should not
// wait for a server that hangs.
const lastLook = 10 * time.Second

// lookAfter looks at the server once more when a phase has ended, or was
// stopped, with err, so that a good look stands behind its last answers too.
func (r *run) lookAfter(ctx context.Context, err error) error {
	if err != nil && err != errStopped || !r.sentry.doubts() {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lastLook)
	defer cancel()
	if changed := r.sentry.look(ctx, true); changed != nil {
		return changed
	}
	return err
}

// takeBack takes back what was answered since the last good look, after changed
// has ended the run.
func (r *run) takeBack(changed error) error {
	n, err := r.sentry.takeBack()
	if err != nil {
		return err
	}
	var failure *Failure
	if !errors.As(changed, &failure) {
		return changed
	}
	text := "the work is kept in " + r.cfg.Out
	if n > 0 {
		text += fmt.Sprintf(", but for the last %d answers, which are asked again", n)
	}
	return fail(failure.Kind, failure.Hint, "%w; %s", failure.Err, text)
}

// takeBackResponse puts a fault that passes in the place of a response.
func (r *run) takeBackResponse(p planned, was record.Response) error {
	line := p.line()
	line.Prompt, line.Pictures = was.Prompt, was.Pictures
	line.Fault = &record.Fault{Reason: infer.ReasonChanged, Detail: "another server or model may have answered", Retry: true}
	if err := r.record.AppendResponse(line); err != nil {
		return fmt.Errorf("taking back the response to %q: %w", line.ID, err)
	}
	return r.rule(p, line)
}

// takeBackVerdict puts one that is decided again in the place of a judge's
// verdict.
func (r *run) takeBackVerdict(v record.Verdict) error {
	v.Verdict = score.Verdict{
		Metric: v.Metric, Rule: r.protocol.Rule(), Outcome: score.Unscored,
		Reason: string(infer.ReasonChanged), Explanation: "another server or model may have judged",
	}
	v.Reply = ""
	return r.verdicts.add(v)
}
