package bench

import (
	"sync"
	"time"

	"lightbox/infer"
)

// Deadlines of requests.
const (
	loadLimit  = 15 * time.Minute // of requests that may load the model, and of the first ones
	leastLimit = time.Minute
	mostLimit  = 24 * time.Hour
	slack      = 10 // times the measured time that a request may take
	loadSlack  = 2  // times the measured time that loading again may take
	mostLate   = 4  // doublings of a deadline that was missed

	unmeasured = 0.5 // seconds a token of reply, where no reply of several tokens was measured
	remembered = 32  // replies that a pace looks back on
)

// pace is how fast a model on the server has been, and from it how long a
// request may take. What came before the first sample was measured on purpose
// and always counts; of the samples the last ones do, so that a server that
// turns out slower gets more time, and one slow reply is forgotten.
type pace struct {
	mu     sync.Mutex
	start  rate
	recent [remembered]rate
	n      int           // of samples so far
	load   time.Duration // the longest loading
	late   int           // requests in a row that missed their deadline
}

// rate is the time that a token takes, in seconds.
type rate struct{ prompt, reply float64 }

func (r rate) slower(other rate) rate {
	return rate{max(r.prompt, other.prompt), max(r.reply, other.reply)}
}

// rateOf is the rate of one reply by the server's clock. Preparing pictures is a
// part of the prompt's time.
func rateOf(r infer.Response) rate {
	var one rate
	if r.PromptTokens > 0 {
		one.prompt = (r.Timing.Total - r.Timing.Load - r.Timing.Generate).Seconds() / float64(r.PromptTokens)
	}
	if r.OutputTokens > 1 { // the time of a single one is often not given
		one.reply = r.Timing.Generate.Seconds() / float64(r.OutputTokens)
	}
	return one
}

// observe takes a reply into account. sample tells one of a sample from those
// that were asked to learn the pace.
func (p *pace) observe(r infer.Response, sample bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late = 0
	p.load = max(p.load, r.Timing.Load)
	switch {
	case sample:
		p.recent[p.n%remembered] = rateOf(r)
		p.n++
	case p.n == 0:
		p.start = p.start.slower(rateOf(r))
	}
}

// miss notes that a request missed its deadline: the next may take longer.
func (p *pace) miss() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late = min(p.late+1, mostLate)
}

// limit is the deadline of a request of so many tokens of prompt and reply, both
// upper bounds. Where nothing was measured it is that of a first load.
func (p *pace) limit(prompt, reply int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	slowest := p.start
	for _, r := range p.recent {
		slowest = slowest.slower(r)
	}
	if slowest == (rate{}) {
		return loadLimit
	}
	if slowest.reply == 0 {
		slowest.reply = unmeasured
	}
	work := slack * (slowest.prompt*float64(prompt) + slowest.reply*float64(reply))
	limit := time.Duration(min(work, mostLimit.Seconds()) * float64(time.Second))
	return min((max(limit, leastLimit)+loadSlack*p.load)<<p.late, mostLimit)
}
