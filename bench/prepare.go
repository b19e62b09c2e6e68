package bench

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// Bounds of what is prepared ahead of the server.
const (
	mostAhead  = 8         // questions beyond those under way
	aheadBytes = 256 << 20 // of all questions that are prepared or ready, by what their pictures can take
)

// preparedAhead is how many questions are made ready before the server asks for
// them: enough for one that is slow.
func preparedAhead(parallel int) int { return parallel + min(runtime.GOMAXPROCS(0), mostAhead) }

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

// build starts to build each question when there is room for it, in their order:
// the first in line always has its memory, so that the line moves.
func (r *run) build(ctx context.Context, todo []int, line chan<- chan question, group *errgroup.Group) error {
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	memory := semaphore.NewWeighted(r.cfg.aheadBytes)
	waiting, end := context.WithCancel(ctx)
	defer end()
	go func() {
		select {
		case <-r.cfg.Stop:
			end()
		case <-waiting.Done():
		}
	}()
	for _, i := range todo {
		plan := r.plans[i]
		preparing, kept := r.studio.needs(plan, r.cfg.aheadBytes)
		if err := memory.Acquire(waiting, preparing+kept); err != nil {
			return r.whyStopped(ctx)
		}
		next := make(chan question, 1)
		select {
		case line <- next:
		case <-waiting.Done():
			return r.whyStopped(ctx)
		}
		group.Go(func() error {
			cores <- struct{}{}
			defer func() { <-cores }()
			q, err := r.question(plan)
			memory.Release(preparing)
			q.done = func() { memory.Release(kept) }
			if err == nil {
				next <- q
			}
			return err
		})
	}
	return nil
}

// whyStopped is the reason for which nothing more is prepared.
func (r *run) whyStopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return errStopped
}

// needs bounds the bytes that a question takes while its pictures are prepared, and
// those that it goes on taking until it is answered. Together they are at most all:
// a question that needs more is prepared alone.
func (s *studio) needs(p planned, all int64) (preparing, kept int64) {
	preparing, kept = s.album.memory(p.turns)
	kept = min(kept, all/2)
	return min(preparing, all-kept), kept
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
