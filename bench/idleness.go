package bench

import (
	"fmt"
	"sync"
	"time"

	"lightbox/bench/record"
)

// idleness is how long the server had nothing to do because a question was not
// ready. It varies, so that timings.jsonl alone holds it.
type idleness struct {
	mu    sync.Mutex
	began time.Time
	sum   time.Duration
	most  time.Duration
	waits int
}

func newIdleness() *idleness { return &idleness{began: time.Now()} }

func (i *idleness) add(d time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.sum += d
	i.most = max(i.most, d)
	i.waits++
}

// leastTold is how long asking must have taken for a share of it to say anything.
const leastTold = 10 * time.Second

// tellIdle keeps, and says, which share of the time of asking the server waited for
// pictures, each of the requests at once counted.
func (r *run) tellIdle(i *idleness) error {
	if i.waits == 0 {
		return nil
	}
	took := time.Since(i.began) * time.Duration(r.cfg.Parallel)
	if took >= leastTold {
		r.cfg.Watch(Event{Note: fmt.Sprintf("the server waited for pictures %.1f %% of the time (%.1f of %.1f s, at most %.1f s at once)",
			100*i.sum.Seconds()/took.Seconds(), i.sum.Seconds(), took.Seconds(), i.most.Seconds())})
	}
	return r.record.AppendTiming(record.Timing{
		Kind: record.KindWaited, Start: i.began, Elapsed: record.MillisecondsOf(i.sum), Total: record.MillisecondsOf(took),
	})
}
