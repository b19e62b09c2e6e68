package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"lightbox/bench"
)

// progress shows what a run is doing: on a terminal as one line that overwrites
// itself, elsewhere as lines now and then.
type progress struct {
	w     io.Writer
	live  bool // w is a terminal
	now   func() time.Time
	phase string
	start time.Time
	base  int // done when the phase began
	shown time.Time
	drawn bool // a live line stands on the terminal
}

// Intervals between what is shown.
const (
	liveEvery  = 100 * time.Millisecond
	plainEvery = 15 * time.Second
	barWidth   = 24
)

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, now: time.Now}
	if f, ok := w.(*os.File); ok {
		p.live = term.IsTerminal(int(f.Fd()))
	}
	return p
}

// watch shows an event. It is called from one goroutine at a time.
func (p *progress) watch(e bench.Event) {
	for _, said := range [][2]string{{"warning:", e.Warning}, {"note:", e.Note}} {
		if said[1] != "" {
			p.clear()
			fmt.Fprint(p.w, "lightbox: ", printable(fmt.Sprintln(said[0], said[1])))
			return
		}
	}
	now := p.now()
	begun := e.Phase != p.phase
	if begun {
		p.phase, p.start, p.base = e.Phase, now, e.Done
	}
	every := plainEvery
	if p.live {
		every = liveEvery
	}
	ended := e.Total > 0 && e.Done == e.Total
	if !begun && !ended && now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	line := printable(p.line(e, now))
	if !p.live {
		fmt.Fprintln(p.w, "lightbox:", line)
		return
	}
	fmt.Fprint(p.w, "\r\x1b[K", line)
	p.drawn = true
	if ended {
		fmt.Fprintln(p.w)
		p.drawn = false
	}
}

// line is the state of a phase in words.
func (p *progress) line(e bench.Event, now time.Time) string {
	if e.Total == 0 {
		return e.Phase
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s ", e.Phase)
	if p.live {
		full := barWidth * e.Done / e.Total
		b.WriteString("[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "] ")
	}
	fmt.Fprintf(&b, "%d/%d", e.Done, e.Total)
	elapsed, fresh := now.Sub(p.start), e.Done-p.base
	if fresh > 0 && elapsed > time.Second/2 {
		rate := float64(fresh) / elapsed.Seconds()
		fmt.Fprintf(&b, "  %s", speed(rate))
		if left := e.Total - e.Done; left > 0 {
			fmt.Fprintf(&b, "  ETA %s", clock(time.Duration(float64(left)/rate*float64(time.Second))))
		}
	}
	if e.Unscored > 0 {
		fmt.Fprintf(&b, "  %d unscored", e.Unscored)
	}
	return b.String()
}

// clear takes the live line away.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

func speed(perSecond float64) string {
	if perSecond >= 1 {
		return fmt.Sprintf("%.1f/s", perSecond)
	}
	return fmt.Sprintf("%.1f/min", perSecond*60)
}

// clock writes a duration as h:mm:ss or m:ss.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
