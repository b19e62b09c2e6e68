package bench

import (
	"context"
	"errors"
	"time"
)

// errLate is the cause of a context that ended by its patience.
var errLate = errors.New("no reply in time")

// withPatience ends after a duration, or with ctx. It counts ticks that it was
// awake for: where this process stands still (Ctrl-Z, a closed lid) the time
// does not count, because the reply may be waiting to be read.
func withPatience(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	tick := max(min(d/20, time.Second), time.Millisecond)
	go func() {
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		for waited := time.Duration(0); waited < d; waited += tick {
			select {
			case <-ticker.C: // ticks that nobody takes are dropped, not kept
			case <-ctx.Done():
				return
			}
		}
		cancel(errLate)
	}()
	return ctx, func() { cancel(nil) }
}

// untilStopped is ctx, which ends also when the user stops the run. Only waiting
// for a server happens under it: a request under way is finished.
func (r *run) untilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-r.cfg.Stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// stopped tells whether the user has stopped the run.
func (r *run) stopped() bool {
	select {
	case <-r.cfg.Stop:
		return true
	default:
		return false
	}
}

// stopCause is why a wait under [run.untilStopped] failed, or nil where it did
// not.
func (r *run) stopCause(err error) error {
	if err != nil && r.stopped() {
		return errStopped
	}
	return err
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
