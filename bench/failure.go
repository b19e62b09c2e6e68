package bench

import (
	"errors"
	"fmt"

	"lightbox/infer"
)

// Kind says what sort of failure ended a run; commands turn it into their exit
// code.
type Kind int

// The kinds of failure.
const (
	Failed      Kind = iota // anything else
	Usage                   // the request contradicts itself
	Unreachable             // no server answers
	WrongModel              // missing, unable, changed, or the server is too old
	WrongData               // missing or changed
	NotLocal                // something would leave the machine
	Interrupted             // stopped by the user, the work is kept
)

// Failure is an error that ends a run, with what the user can do about it.
type Failure struct {
	Kind Kind
	Hint string // the next command or step; may be empty
	Err  error
}

// Error is the error without the hint.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap is the error beneath.
func (f *Failure) Unwrap() error { return f.Err }

// fail makes a failure of a kind with a hint.
func fail(kind Kind, hint, format string, args ...any) error {
	return &Failure{Kind: kind, Hint: hint, Err: fmt.Errorf(format, args...)}
}

const startHint = "start it with: ollama serve   (another address goes into --host)"

// fatal turns a fault into the failure that it is for the whole run, or nil
// where it concerns one sample only.
func fatal(model string, err error) error {
	var fault *infer.Fault
	if !errors.As(err, &fault) {
		return err
	}
	switch fault.Reason {
	case infer.ReasonConnection:
		return fail(Unreachable, startHint,
			"asking the Ollama server: %w", err)
	case infer.ReasonModel:
		return fail(WrongModel, fmt.Sprintf("see which models the server has with: ollama list   (and bring one in with: ollama pull %s, where there is a network)", model),
			"asking for model %q: %w", model, err)
	case infer.ReasonRemote:
		return fail(NotLocal, "choose a model whose files are on this machine: ollama list shows a size for those",
			"model %q: %w", model, err)
	}
	return nil
}

// asFault finds the fault in err.
func asFault(err error, fault **infer.Fault) bool { return errors.As(err, fault) }
