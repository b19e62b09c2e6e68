package codec

import (
	"errors"
	"fmt"
)

// Kinds of refusal, for errors.Is.
var (
	ErrUnsupported = errors.New("unsupported compression")
	ErrTooLarge    = errors.New("frame too large")
	ErrDamaged     = errors.New("damaged frame")
)

// Error is why a frame was refused.
type Error struct {
	Syntax  string // UID of the transfer syntax
	Name    string // its name; empty where it is not known
	Offset  int    // bytes from the start of the frame; -1: not known
	Problem string
	Kind    error // ErrUnsupported, ErrTooLarge or ErrDamaged
}

// Error names the syntax, the place and the problem.
func (e *Error) Error() string {
	s := "decoding frame of "
	if e.Name != "" {
		s += e.Name + " "
	}
	s += fmt.Sprintf("(%q)", e.Syntax)
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at byte %d", e.Offset)
	}
	return s + ": " + e.Problem
}

// Unwrap is the kind.
func (e *Error) Unwrap() error { return e.Kind }

func damaged(offset int, problem string, args ...any) error {
	return &Error{Kind: ErrDamaged, Offset: offset, Problem: fmt.Sprintf(problem, args...)}
}

func unsupported(offset int, problem string, args ...any) error {
	return &Error{Kind: ErrUnsupported, Offset: offset, Problem: fmt.Sprintf(problem, args...)}
}

func tooLarge(problem string, args ...any) error {
	return &Error{Kind: ErrTooLarge, Offset: -1, Problem: fmt.Sprintf(problem, args...)}
}
