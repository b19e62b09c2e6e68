package bench

import (
	"context"
	"sync"
)

// pass says how a request goes through the [gate].
type pass int

const (
	shared pass = iota // beside others
	alone              // with nothing else under way
	held               // its caller has the gate for itself already
)

// gate limits the requests under way. A busy server halves it for good: it has
// said what it can take. One request, or a row of them, can have the server for
// itself.
type gate struct {
	mu      sync.Mutex
	change  chan struct{} // closed and replaced whenever a place may be free
	allowed int
	active  int
	closed  bool // somebody has or waits for the server for itself
}

func newGate(allowed int) *gate { return &gate{allowed: allowed, change: make(chan struct{})} }

// admit waits until a request with that pass may be sent.
func (g *gate) admit(ctx context.Context, p pass) error {
	switch p {
	case shared:
		return g.enter(ctx)
	case alone:
		return g.shut(ctx, false)
	}
	return nil
}

// release gives back what admit gave.
func (g *gate) release(p pass) {
	switch p {
	case shared:
		g.update(func() { g.active-- })
	case alone:
		g.update(func() { g.closed = false })
	}
}

// promote turns a shared pass into one for itself. No other request comes in
// between. Where it fails the shared pass is given back.
func (g *gate) promote(ctx context.Context) error {
	mine := false
	g.update(func() {
		g.active--
		mine = g.claim()
	})
	return g.shut(ctx, mine)
}

func (g *gate) enter(ctx context.Context) error {
	return g.wait(ctx, func() bool {
		free := !g.closed && g.active < g.allowed
		if free {
			g.active++
		}
		return free
	})
}

// shut waits until the gate is closed for its caller and nothing is under way.
// Where mine is set it is closed already.
func (g *gate) shut(ctx context.Context, mine bool) error {
	err := g.wait(ctx, func() bool {
		mine = mine || g.claim()
		return mine && g.active == 0
	})
	if err != nil && mine {
		g.release(alone)
	}
	return err
}

// claim closes the gate, unless it is closed. The lock is held.
func (g *gate) claim() bool {
	free := !g.closed
	g.closed = true
	return free
}

// wait tries until it succeeds or ctx ends. A try is made under the lock.
func (g *gate) wait(ctx context.Context, try func() bool) error {
	for {
		g.mu.Lock()
		done, change := try(), g.change
		g.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-change:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (g *gate) halve() { g.update(func() { g.allowed = max(1, g.allowed/2) }) }

// update changes the state and wakes those that wait.
func (g *gate) update(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	close(g.change)
	g.change = make(chan struct{})
}
