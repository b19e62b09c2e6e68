package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// preparedAhead is how many questions are made ready before the server asks for
// them, beyond those under way: enough for one that is slow, few enough that their
// pictures do not fill the memory.
func preparedAhead(parallel int) int { return parallel + min(runtime.GOMAXPROCS(0), 8) }

// prepare builds the questions ahead of the server, several at once, and hands
// them over in their order until the user stops.
func (r *run) prepare(ctx context.Context, todo []int, ready chan<- question) error {
	group, ctx := errgroup.WithContext(ctx)
	line := make(chan chan question, preparedAhead(r.cfg.Parallel))
	group.Go(func() error {
		defer close(line)
		return r.build(ctx, todo, line, group)
	})
	group.Go(func() error {
		for next := range line {
			select {
			case q := <-next:
				if err := r.hand(ctx, q, ready); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}

// build starts to build each question when there is room for it.
func (r *run) build(ctx context.Context, todo []int, line chan<- chan question, group *errgroup.Group) error {
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, i := range todo {
		next := make(chan question, 1)
		select {
		case line <- next:
		case <-r.cfg.Stop:
			return errStopped
		case <-ctx.Done():
			return ctx.Err()
		}
		plan := r.plans[i]
		group.Go(func() error {
			cores <- struct{}{}
			defer func() { <-cores }()
			q, err := r.question(plan)
			if err == nil {
				next <- q
			}
			return err
		})
	}
	return nil
}

// hand gives a question to those who ask.
func (r *run) hand(ctx context.Context, q question, ready chan<- question) error {
	select {
	case ready <- q:
		return nil
	case <-r.cfg.Stop:
		return errStopped
	case <-ctx.Done():
		return ctx.Err()
	}
}

// idleness is how long the server had nothing to do because a question was not
// ready. It is told and kept out of the record: it varies.
type idleness struct {
	mu   sync.Mutex
	sum  time.Duration
	most time.Duration
}

func (i *idleness) add(d time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.sum += d
	i.most = max(i.most, d)
}

// leastTold is how long asking must have taken for a share of it to say anything.
const leastTold = 10 * time.Second

// tell says which share of the time the server waited for lightbox.
func (i *idleness) tell(watch func(Event), took time.Duration, parallel int) {
	if took < leastTold {
		return
	}
	share := 100 * i.sum.Seconds() / (took.Seconds() * float64(parallel))
	watch(Event{Note: fmt.Sprintf("the server waited for pictures %.1f %% of the time, at most %.1f s at once", share, i.most.Seconds())})
}
