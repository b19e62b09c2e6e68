package bench

import (
	"context"
	"io"
	"sync"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/bench/record"
	"lightbox/bench/smmile"
	"lightbox/infer"
	"lightbox/infer/cache"
	"lightbox/infer/ollama"
	"lightbox/preprocess"
	"lightbox/score"
)

// Pictures gives the bytes of a benchmark's pictures by the references that its
// samples hold. Open is called from several goroutines.
type Pictures interface {
	Open(reference string) ([]byte, error)
}

// Benchmark is a data set as it is asked: its samples in data order, where
// their pictures are, and which score speaks for it.
type Benchmark struct {
	Name, Version string
	Digest        infer.Digest // of the questions
	Split         string       // of the data; empty: there is one
	Format        string       // of the questions: "open" or "mcqa"; empty: as the data have them
	Prompt        string       // name of the way to ask; empty: there is one
	Files         []string     // that the questions are in, below the data set's path; may be empty
	Samples       []card.Sample
	Pictures      Pictures
	Primary       score.Metric // of open questions
	Open, Choice  []score.Rule // of open and of multiple-choice questions: the first is ours, the others stand beside it; empty: smmile-em, and mcqa
	Pooled        bool         // one figure over all subsets has a meaning
	Encoding      string       // of a sheet, as the user says; empty: it was found
	About         string       // what a reader of the figures must know, may be empty
	Warnings      []string     // what may be wrong with the data

	// Of benchmarks that a card describes.
	Card          infer.Digest      // of the card's file; empty: there is none
	Origin        record.Origin     // what the card says of where things are from
	Recipe        preprocess.Recipe // of pictures, where the user asks for no other; 0: the model's
	JudgeProtocol string            // where the user asks for no other; empty: the usual
	Shots         int               // demonstrations to draw, where the user does not say
	// Pool gives what demonstrations are drawn from where samples have none of
	// their own; nil: nothing.
	Pool func() (Pool, error)

	// Shown gives the tags that depend on the demonstrations a sample shows;
	// nil: none do.
	Shown func(card.Sample) []string
}

// Close gives the files of the pictures back, where they are on disk.
func (b Benchmark) Close() error {
	if c, ok := b.Pictures.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Config is a run. The zero value of a field that has a default means it.
type Config struct {
	Benchmark Benchmark
	Selection card.Selection
	Shots     card.Shots    // demonstrations shown, the first by their order
	Family    smmile.Family // how the model is addressed

	Arrangement icl.Arrangement // of what is shown; zero: as the data have it

	Host         ollama.Host
	AllowPrivate bool // Host was named by the user and may be a private address
	HostHidden   bool // the address is a private server's and differs every time

	Model       string
	KeepSystem  bool // the model's own SYSTEM text may stand
	Temperature float64
	Seed        int
	NumPredict  int    // tokens of reply, default 512
	NumCtx      int    // tokens of context, 0: from the largest prompt
	Think       string // "auto" (default: off where it can be), "on", "off"

	Judge         string // model that judges open questions, "": none
	JudgeProtocol string // "strict" (default), "official", "card" or "llm_recall", see score.JudgeProtocol

	Recipe        preprocess.Recipe // MaxSide 0: what the model sees
	ImageBudget   bool              // pictures are made smaller until all prompts fit the model's context
	EscapeControl bool
	NoProbe       bool
	Parallel      int // requests at once, default 1
	KeepNames     bool

	Cache *cache.Store // of replies to equal requests of earlier runs, at temperature 0; nil: none

	Out     string        // run directory
	Version string        // of lightbox
	Timeout time.Duration // of one request; 0: from the model's measured speed

	Stop  <-chan struct{} // closed: take no further samples
	Watch func(Event)     // what happens, as it happens; called from one goroutine at a time

	longStreak int            // see streak; 0: its default
	aheadBytes int64          // see prepare; 0: its default
	askOnly    bool           // judging and the report come another time
	shared     *sharedReplies // of runs that ask the same model; nil: none
	sound      *soundness     // of pictures, by runs with the same ones and the same recipe

	// Tests do not wait for real.
	pause func(context.Context, time.Duration) error
	now   func() time.Time // of what is written down; nothing is decided by it
}

// Event tells what a run is doing.
type Event struct {
	Phase       string // "reading pictures", "asking", …
	Done, Total int
	Unscored    int    // of Done
	Warning     string // something the user should know now
	Note        string // something good to know
}

// Defaults of a run.
const (
	DefaultNumPredict = 512
	MostTokens        = 1 << 21 // of context or reply that can be asked for
	thinkingReserve   = 4096    // tokens for thinking that is switched on
	judgePredict      = 8       // tokens of a judge's reply
	judgeReserve      = 512     // tokens of context for a reply whose length the server chooses
)

// oneByOne is watch for callers from several goroutines. A nil watch is none.
func oneByOne(watch func(Event)) func(Event) {
	var mu sync.Mutex
	return func(e Event) {
		if watch == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		watch(e)
	}
}

func (c Config) withDefaults() Config {
	if c.NumPredict == 0 {
		c.NumPredict = DefaultNumPredict
	}
	if c.Parallel < 1 {
		c.Parallel = 1
	}
	if c.JudgeProtocol == "" {
		c.JudgeProtocol = "strict"
	}
	if c.Think == "" {
		c.Think = "auto"
	}
	c.Watch = oneByOne(c.Watch)
	if c.pause == nil {
		c.pause = pause
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.longStreak == 0 {
		c.longStreak = longStreak
	}
	if c.aheadBytes == 0 {
		c.aheadBytes = aheadBytes
	}
	if c.sound == nil {
		c.sound = &soundness{}
	}
	if c.Stop == nil {
		c.Stop = make(chan struct{})
	}
	return c
}
