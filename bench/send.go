package bench

import (
	"context"
	"errors"
	"sync"
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

// attempts is how often one prompt is sent when its faults can pass. A prompt
// that ran into its deadline is not sent again at once: the server may still be
// reading it, and a second one would queue behind.
func attempts(reason infer.Reason) int {
	switch reason {
	case infer.ReasonBusy:
		return 8
	case infer.ReasonTimeout:
		return 1
	}
	return 3
}

// send asks one prompt until it is answered or its fault is final, and records
// the time of every attempt. The gate keeps the number of requests under way.
func (r *run) send(ctx context.Context, model, id string, kind record.Kind, p infer.Prompt, limit time.Duration) (infer.Response, error) {
	for attempt := 1; ; attempt++ {
		if err := r.sentry.look(ctx, false); err != nil {
			return infer.Response{}, err
		}
		if err := r.gate.enter(ctx); err != nil {
			return infer.Response{}, err
		}
		start := time.Now()
		response, err := r.askWithin(ctx, limit, model, p)
		r.gate.leave()
		line := record.Timing{ID: id, Kind: kind, Attempt: attempt, Start: start}
		line.Elapsed = record.MillisecondsOf(time.Since(start))
		line.Total, line.Load = record.MillisecondsOf(response.Timing.Total), record.MillisecondsOf(response.Timing.Load)
		line.Prefill, line.Reply = record.MillisecondsOf(response.Timing.Prefill), record.MillisecondsOf(response.Timing.Generate)
		if err != nil {
			line.Fault = err.Error()
		}
		if werr := r.record.AppendTiming(line); werr != nil {
			return response, werr
		}
		var fault *infer.Fault
		if err == nil || !asFault(err, &fault) || !fault.Retry || attempt >= attempts(fault.Reason) {
			return response, err
		}
		if err := r.await(ctx, fault, attempt); err != nil {
			return response, err
		}
	}
}

// askWithin sends a prompt once under its own deadline.
func (r *run) askWithin(ctx context.Context, limit time.Duration, model string, p infer.Prompt) (infer.Response, error) {
	attempt, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	response, err := r.client.Ask(attempt, model, p)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = &infer.Fault{Reason: infer.ReasonTimeout, Detail: "no reply within " + limit.Round(time.Second).String(), Retry: true, Err: err}
	}
	return response, err
}

// await waits until another attempt makes sense. A server that stays away
// ends the run, because every further sample would fail for the same reason, as
// does one that comes back as another.
func (r *run) await(ctx context.Context, fault *infer.Fault, attempt int) error {
	if fault.Reason == infer.ReasonBusy {
		r.gate.halve()
		return r.cfg.pause(ctx, min(firstWait<<(attempt-1), longestGap))
	}
	deadline := r.cfg.now().Add(comeBack)
	for wait := firstWait; ; wait = min(2*wait, longestGap) {
		if err := r.cfg.pause(ctx, wait); err != nil {
			return err
		}
		if _, err := r.client.Version(ctx); err == nil {
			return r.sentry.look(ctx, true)
		}
		if r.cfg.now().After(deadline) {
			return &infer.Fault{Reason: infer.ReasonConnection, Detail: fault.Detail, Retry: true, Err: errGone}
		}
	}
}

// pause waits for d or for the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// gate limits the requests under way. A busy server halves it for good: it has
// said what it can take.
type gate struct {
	mu      sync.Mutex
	change  chan struct{} // closed and replaced whenever a place may be free
	allowed int
	active  int
}

func newGate(allowed int) *gate { return &gate{allowed: allowed, change: make(chan struct{})} }

func (g *gate) enter(ctx context.Context) error {
	for {
		g.mu.Lock()
		if g.active < g.allowed {
			g.active++
			g.mu.Unlock()
			return nil
		}
		change := g.change
		g.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.active--
	close(g.change)
	g.change = make(chan struct{})
}

func (g *gate) halve() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.allowed = max(1, g.allowed/2)
}
