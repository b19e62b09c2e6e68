package infer

import "fmt"

// Reason says in a word or two why a sample could not be asked or judged. The
// words appear in reports.
type Reason string

// The reasons of faults. They are the machine's doing, never the model's.
const (
	ReasonTimeout        Reason = "timeout"
	ReasonConnection     Reason = "connection lost"
	ReasonRunnerDied     Reason = "runner died"
	ReasonBusy           Reason = "server busy"
	ReasonServer         Reason = "server error"
	ReasonReply          Reason = "reply unreadable"
	ReasonContextRefused Reason = "context too small"
	ReasonContextFull    Reason = "context full"
	ReasonPicture        Reason = "picture refused"
	ReasonControlText    Reason = "control text"
	ReasonJudge          Reason = "judge unusable"
	ReasonRemote         Reason = "not local"
	ReasonModel          Reason = "model missing"
	ReasonChanged        Reason = "server or model changed"
	ReasonDegraded       Reason = "server degraded"
)

// Fault is a failure to get a reply. Asking returns no other error but the
// context's own.
type Fault struct {
	Reason Reason
	Status int    // HTTP status, 0 where there was none
	Detail string // the server's words, shortened; never a picture or a path
	Retry  bool   // the same request can succeed later
	Err    error  // what lies beneath, or nil
}

// Error is the reason with the server's words.
func (f *Fault) Error() string {
	s := string(f.Reason)
	if f.Status != 0 {
		s += fmt.Sprintf(" (status %d)", f.Status)
	}
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// Unwrap is what lies beneath.
func (f *Fault) Unwrap() error { return f.Err }
