package record

import "time"

// Timing is one line of timings.jsonl: when something was done and how long it
// took. Nothing that a score depends on stands there.
type Timing struct {
	ID      string    `json:"id,omitempty"` // of the sample; empty for loads and probes
	Kind    Kind      `json:"kind"`
	Attempt int       `json:"attempt,omitempty"` // from 1
	Start   time.Time `json:"start"`             // UTC, whole milliseconds

	Elapsed Milliseconds `json:"elapsed_ms"` // by our clock; the others are by the server's
	Total   Milliseconds `json:"total_ms,omitempty"`
	Load    Milliseconds `json:"load_ms,omitempty"`
	Prefill Milliseconds `json:"prefill_ms,omitempty"`
	Reply   Milliseconds `json:"reply_ms,omitempty"`

	Fault string `json:"fault,omitempty"` // what ended the attempt; empty: a reply

	Model    string `json:"model,omitempty"`     // of KindMemory, as are the sizes
	Size     int64  `json:"size,omitempty"`      // bytes of memory that the server says it takes
	SizeVRAM int64  `json:"size_vram,omitempty"` // of them in a GPU's memory; 0: it runs on the CPU
}

// Kind says what a [Timing] is about.
type Kind string

// The kinds of timings.
const (
	KindAsk   Kind = "ask"
	KindJudge Kind = "judge"
	KindProbe Kind = "probe"
	KindLoad  Kind = "load"

	KindShared Kind = "shared" // nothing was asked: the reply is that to the same request of another run

	KindMemory Kind = "memory" // nothing was asked: how a model lies in memory
	KindWaited Kind = "waited" // nothing was asked: of the time of asking (Total), how long requests waited for pictures (Elapsed)
	KindIdle   Kind = "idle"   // waiting for the end of a request that was given up
)

// Milliseconds is a duration in whole milliseconds.
type Milliseconds int64

// MillisecondsOf rounds d.
func MillisecondsOf(d time.Duration) Milliseconds {
	return Milliseconds(d.Round(time.Millisecond).Milliseconds())
}

// Duration is m as the standard library has it.
func (m Milliseconds) Duration() time.Duration { return time.Duration(m) * time.Millisecond }

func (t *Timing) texts() []text {
	return []text{{"id", &t.ID}, {"fault", &t.Fault}, {"model", &t.Model}}
}
