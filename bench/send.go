package bench

import (
	"context"
	"errors"
	"time"

	"lightbox/bench/record"
	"lightbox/infer"
)

// errGone says that the server stayed away for as long as a run waits for it.
var errGone = errors.New("the server did not come back")

// Waiting for a server.
const (
	comeBack   = 2 * time.Minute // how long a server may be away
	firstWait  = 500 * time.Millisecond
	longestGap = 30 * time.Second
)

// deadly is how many runners a prompt may kill. Another request for it kills the
// next one, and with it what others have under way.
const deadly = 3

// errand is a prompt on its way to a model.
type errand struct {
	model  string // models.Facts.AskName
	id     string // of the sample, empty for probes
	kind   record.Kind
	prompt infer.Prompt
	pass   pass

	pace   *pace
	size   int // tokens of prompt at most
	deaths int // of runners that it may cause; 0: deadly

	sent int // requests so far
}

// attempts is how many faults of a reason an errand takes when they can pass.
func (e *errand) attempts(reason infer.Reason) int {
	switch {
	case reason == infer.ReasonBusy:
		return 8
	case reason == infer.ReasonTimeout:
		return 2
	case reason == infer.ReasonRunnerDied && e.deaths > 0:
		return e.deaths
	case reason == infer.ReasonRunnerDied:
		return deadly
	}
	return 3
}

// send asks one prompt until it is answered or its fault is final, and records
// the time of every attempt.
func (r *run) send(ctx context.Context, e *errand) (infer.Response, error) {
	met := map[infer.Reason]int{}
	for {
		if err := r.sentry.look(ctx, false); err != nil {
			return infer.Response{}, err
		}
		response, err := r.attempt(ctx, e)
		var fault *infer.Fault
		if err == nil || !asFault(err, &fault) {
			return response, err
		}
		met[fault.Reason]++
		if !fault.Retry || met[fault.Reason] >= e.attempts(fault.Reason) {
			return response, err
		}
		if err := r.await(ctx, fault, met[fault.Reason]); err != nil {
			return response, err
		}
		if fault.Reason == infer.ReasonRunnerDied && e.pass == shared {
			e.pass = alone // should it kill the next one, no other sample dies with it
		}
	}
}

// attempt sends a prompt once, when the gate lets it. After a timeout it returns
// when the server is idle again.
func (r *run) attempt(ctx context.Context, e *errand) (infer.Response, error) {
	if err := r.gate.admit(ctx, e.pass); err != nil {
		return infer.Response{}, err
	}
	response, err := r.askWithin(ctx, r.limit(e), e)
	var fault *infer.Fault
	if !asFault(err, &fault) || fault.Reason != infer.ReasonTimeout {
		r.gate.release(e.pass)
		return response, err
	}
	e.pace.miss()
	if e.pass == shared {
		if err := r.gate.promote(ctx); err != nil {
			return response, err
		}
		defer r.gate.release(alone)
	} else {
		defer r.gate.release(e.pass)
	}
	if stuck := r.settle(ctx, e); stuck != nil {
		err = stuck
	}
	return response, err
}

// settle waits until the server is idle after a request that was given up.
// Servers up to 0.17 at least read a prompt to its end although nobody waits for
// the reply (later ones to the end of a batch), and another request would stand
// behind it and miss its deadline too. A request for one token is answered in
// its turn. Where it is not, the server answers nothing any more, and the run
// ends. It is also what makes a server load again whose loading hung: it gives
// the loading up with the request that wanted it.
func (r *run) settle(ctx context.Context, e *errand) error {
	ctx, cancel := r.untilStopped(ctx)
	defer cancel()
	tiny := errand{model: e.model, kind: record.KindIdle, pass: held, pace: e.pace, prompt: infer.Prompt{
		Messages: []infer.Message{{Role: infer.User, Text: "."}}, Options: e.prompt.Options, Think: e.prompt.Think,
	}}
	tiny.prompt.Options.NumPredict = 1
	limit := max(loadLimit, r.limit(e))
	if r.cfg.Timeout > 0 {
		limit = slack * r.cfg.Timeout
	}
	for try := 1; ; try++ {
		_, err := r.askWithin(ctx, limit, &tiny)
		var fault *infer.Fault
		switch {
		case err == nil:
			return nil
		case !asFault(err, &fault):
			return r.stopCause(err)
		case fault.Reason == infer.ReasonTimeout:
			return fail(Unreachable, "start the server again; the same command goes on from here",
				"the server takes requests and answers none: a reply of one token did not come within %s", limit.Round(time.Second))
		case !fault.Retry, try >= tiny.attempts(fault.Reason):
			return nil // it is idle: it answers, if only with an error
		}
		if err := r.await(ctx, fault, try); err != nil {
			return err
		}
	}
}

// limit is the deadline of an errand's next request. Requests that are under way
// at once may have to wait for each other.
func (r *run) limit(e *errand) time.Duration {
	switch {
	case e.kind == record.KindProbe || e.kind == record.KindLoad:
		return loadLimit
	case r.cfg.Timeout > 0:
		return r.cfg.Timeout
	}
	return min(time.Duration(r.cfg.Parallel)*e.pace.limit(e.size, e.prompt.Options.NumPredict), mostLimit)
}

// askWithin sends a prompt once under a deadline and writes down its time.
func (r *run) askWithin(ctx context.Context, limit time.Duration, e *errand) (infer.Response, error) {
	e.sent++
	line := record.Timing{ID: e.id, Kind: e.kind, Attempt: e.sent, Start: r.cfg.now()}
	begun := time.Now() // not r.cfg.now, which can be set back
	attempt, cancel := withPatience(ctx, limit)
	response, err := r.client.Ask(attempt, e.model, e.prompt)
	cancel()
	if err != nil && context.Cause(attempt) == errLate {
		err = &infer.Fault{Reason: infer.ReasonTimeout, Detail: "no reply within " + limit.Round(time.Second).String(), Retry: true, Err: err}
	}
	line.Elapsed = record.MillisecondsOf(time.Since(begun))
	line.Total, line.Load = record.MillisecondsOf(response.Timing.Total), record.MillisecondsOf(response.Timing.Load)
	line.Prefill, line.Reply = record.MillisecondsOf(response.Timing.Prefill), record.MillisecondsOf(response.Timing.Generate)
	if err != nil {
		line.Fault = err.Error()
	} else if e.kind != record.KindIdle {
		e.pace.observe(response, e.kind == record.KindAsk || e.kind == record.KindJudge)
	}
	if werr := r.record.AppendTiming(line); werr != nil {
		return response, werr
	}
	return response, err
}

// await waits until another attempt makes sense. A server that stays away ends
// the run, because every further sample would fail for the same reason.
func (r *run) await(ctx context.Context, fault *infer.Fault, met int) error {
	ctx, cancel := r.untilStopped(ctx)
	defer cancel()
	switch fault.Reason {
	case infer.ReasonTimeout:
		return nil // attempt waited
	case infer.ReasonBusy:
		r.gate.halve()
		return r.stopCause(r.cfg.pause(ctx, min(firstWait<<(met-1), longestGap)))
	}
	// What was waited is added up, because a clock can be set.
	waited := time.Duration(0)
	for wait := firstWait; ; wait = min(2*wait, longestGap) {
		if err := r.cfg.pause(ctx, wait); err != nil {
			return r.stopCause(err)
		}
		begun := time.Now()
		if _, err := r.client.Version(ctx); err == nil {
			return r.sentry.look(ctx, true)
		}
		if r.stopped() {
			return errStopped
		}
		if waited += wait + time.Since(begun); waited > comeBack {
			return &infer.Fault{Reason: infer.ReasonConnection, Detail: fault.Detail, Err: errGone}
		}
	}
}
