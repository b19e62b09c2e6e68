package bench

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer/ollama/fake"
)

// TestClockThatIsSet runs under a clock that goes an hour back, or forward, each
// time that it is read. Nothing but the times written down may tell.
func TestClockThatIsSet(t *testing.T) {
	whole := undisturbed(t, 6)
	for _, step := range []time.Duration{-time.Hour, time.Hour} {
		_, cfg := play(t, 6, fake.Config{Script: on(2, until(2, fake.RunnerDied(), fake.Answer{}))})
		cfg.now = jumping(step)
		if _, err := Run(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, readAll(t, cfg.Out)); diff != "" {
			t.Errorf("step %s: the record differs from that of an undisturbed run:\n%s", step, diff)
		}
		run, err := record.Read(cfg.Out)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range run.Timings() {
			if line.Elapsed < 0 || line.Elapsed.Duration() > time.Hour/2 {
				t.Errorf("step %s: a request took %s", step, line.Elapsed.Duration())
			}
		}
	}
}

// TestClockDoesNotEndWaiting has a server go and come back under such a clock,
// and one that stays away: the wait is neither cut short nor without end.
func TestClockDoesNotEndWaiting(t *testing.T) {
	for _, step := range []time.Duration{-time.Hour, time.Hour} {
		for _, comesBack := range []bool{true, false} {
			var s *fake.Server
			script := func(r fake.Request) fake.Reply {
				if isSample(r) && r.Last() == "question 2?" {
					s.Close()
					return fake.Cut()
				}
				return fake.Answer{}
			}
			s, cfg := play(t, 4, fake.Config{Script: script})
			cfg.now = jumping(step)
			pauses, back := 0, (*fake.Server)(nil)
			cfg.pause = func(ctx context.Context, _ time.Duration) error {
				if pauses++; comesBack && pauses == 4 {
					back = fake.Start(fake.Config{Models: []fake.Model{fake.Vision("eye"), fake.Text("judge")}, Address: cfg.Host.String()})
				}
				return ctx.Err()
			}
			result, err := Run(context.Background(), cfg)
			if back != nil {
				back.Close()
			}
			var failure *Failure
			switch {
			case comesBack && (err != nil || result.Unscored > 0):
				t.Errorf("step %s: %d unscored, error %v, want that it waited", step, result.Unscored, err)
			case !comesBack && (!errors.As(err, &failure) || failure.Kind != Unreachable):
				t.Errorf("step %s: error %v, want that the server is gone", step, err)
			}
		}
	}
}

// jumping is a clock that moves by a step each time that it is read.
func jumping(step time.Duration) func() time.Time {
	var reads atomic.Int64
	return func() time.Time {
		return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(reads.Add(1)) * step)
	}
}
