package infer

import (
	"context"
	"errors"
	"time"
)

// Policy says how often and how patiently a request is repeated.
type Policy struct {
	Attempts int                                              // in all, the first included
	Wait     func(attempt int) time.Duration                  // after that attempt, counted from 1; nil: none
	Sleep    func(ctx context.Context, d time.Duration) error // nil: a timer that ctx can stop
}

// Retry asks until it gets a reply, a fault that repeating cannot cure, or has
// used up its attempts; it returns the last fault. After every failed attempt it
// calls each, which may be nil. A ctx that ends while it waits ends it with the
// context's error.
func Retry(ctx context.Context, p Policy, ask func(context.Context) (Response, error), each func(attempt int, err error)) (Response, error) {
	if p.Sleep == nil {
		p.Sleep = sleep
	}
	for attempt := 1; ; attempt++ {
		r, err := ask(ctx)
		if err == nil {
			return r, nil
		}
		if each != nil {
			each(attempt, err)
		}
		var fault *Fault
		if !errors.As(err, &fault) || !fault.Retry || attempt >= p.Attempts {
			return Response{}, err
		}
		var wait time.Duration
		if p.Wait != nil {
			wait = p.Wait(attempt)
		}
		if err := p.Sleep(ctx, wait); err != nil {
			return Response{}, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return ctx.Err()
	}
}
