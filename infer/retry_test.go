package infer_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
)

func TestRetry(t *testing.T) {
	busy := &infer.Fault{Reason: infer.ReasonBusy, Retry: true}
	picture := &infer.Fault{Reason: infer.ReasonPicture}
	other := errors.New("other")
	tests := []struct {
		name     string
		attempts int
		errs     []error // of each attempt; nil is a reply
		want     error
		waits    []time.Duration
		failed   []int
	}{
		{name: "a reply at once", attempts: 3, errs: []error{nil}},
		{name: "a reply at last", attempts: 3, errs: []error{busy, busy, nil}, waits: []time.Duration{1, 2}, failed: []int{1, 2}},
		{name: "attempts used up", attempts: 2, errs: []error{busy, busy, nil}, want: busy, waits: []time.Duration{1}, failed: []int{1, 2}},
		{name: "no attempts means one", errs: []error{busy, nil}, want: busy, failed: []int{1}},
		{name: "a fault that stays", attempts: 3, errs: []error{picture, nil}, want: picture, failed: []int{1}},
		{name: "the last fault counts", attempts: 3, errs: []error{busy, picture, nil}, want: picture, waits: []time.Duration{1}, failed: []int{1, 2}},
		{name: "an error that is no fault", attempts: 3, errs: []error{other, nil}, want: other, failed: []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var waits []time.Duration
			var failed []int
			n := 0
			got, err := infer.Retry(context.Background(), infer.Policy{
				Attempts: tt.attempts,
				Wait:     func(attempt int) time.Duration { return time.Duration(attempt) },
				Sleep: func(_ context.Context, d time.Duration) error {
					waits = append(waits, d)
					return nil
				},
			}, func(context.Context) (infer.Response, error) {
				n++
				return infer.Response{Text: "yes"}, tt.errs[n-1]
			}, func(attempt int, err error) {
				if err == nil {
					t.Error("each was called without an error")
				}
				failed = append(failed, attempt)
			})
			if err != tt.want {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if want := map[bool]string{true: "yes"}[tt.want == nil]; got.Text != want {
				t.Errorf("text %q, want %q", got.Text, want)
			}
			if d := cmp.Diff(tt.waits, waits); d != "" {
				t.Errorf("waits (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.failed, failed); d != "" {
				t.Errorf("failed attempts (-want +got):\n%s", d)
			}
		})
	}
}

func TestRetryStopsWaitingWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err := infer.Retry(ctx, infer.Policy{Attempts: 5, Wait: func(int) time.Duration { return time.Hour }},
		func(context.Context) (infer.Response, error) {
			n++
			cancel()
			return infer.Response{}, &infer.Fault{Reason: infer.ReasonBusy, Retry: true}
		}, nil)
	if err != context.Canceled || n != 1 {
		t.Errorf("error %v after %d attempts, want context.Canceled after 1", err, n)
	}
}
