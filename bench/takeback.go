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

// takeBack takes back what was answered since the last good look, after cause has
// ended the run.
func (r *run) takeBack(cause error) error {
	n, err := r.sentry.takeBack()
	if err != nil {
		return err
	}
	var failure *Failure
	if !errors.As(cause, &failure) {
		return cause
	}
	text := "the work is kept in " + r.cfg.Out
	switch {
	case n == 1:
		text += ", but for the last answer, which is asked again"
	case n > 1:
		text += fmt.Sprintf(", but for the last %d answers, which are asked again", n)
	}
	return fail(failure.Kind, failure.Hint, "%w; %s", failure.Err, text)
}

// changedUnder takes the place of an answer that may be another model's.
var changedUnder = infer.Fault{Reason: infer.ReasonChanged, Retry: true, Detail: "another server or model may have answered"}

// takeBackResponse puts a fault that passes in the place of a response.
func (r *run) takeBackResponse(p planned, was record.Response, fault infer.Fault) error {
	line := p.line()
	line.Prompt, line.Pictures = was.Prompt, was.Pictures
	line.Fault = record.NewFault(&fault)
	return r.keep(p, line)
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
