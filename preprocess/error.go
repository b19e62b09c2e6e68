package preprocess

import (
	"errors"
	"fmt"
)

// Kinds of refusal, for errors.Is.
var (
	ErrUnsupported = errors.New("unsupported picture")
	ErrTooLarge    = errors.New("picture too large")
	ErrDamaged     = errors.New("damaged picture")
)

// Error is why a file was refused. It says nothing of where the file came from,
// because names of files can be names of patients.
type Error struct {
	Kind    error  // ErrUnsupported, ErrTooLarge or ErrDamaged
	Format  string // "png", "jpeg", or the name of a format that is not read
	Offset  int64  // bytes from the start of the file; -1: not known
	Problem string
	Err     error // what lies beneath, or nil
}

// Error names the format, the place and the problem.
func (e *Error) Error() string {
	s := "reading " + e.Format + " picture"
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at byte %d", e.Offset)
	}
	s += ": " + e.Problem
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap is the kind and what lies beneath.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

func damaged(format string, offset int, problem string, args ...any) error {
	return &Error{Kind: ErrDamaged, Format: format, Offset: int64(offset), Problem: fmt.Sprintf(problem, args...)}
}

func unsupported(format string, offset int, problem string, args ...any) error {
	return &Error{Kind: ErrUnsupported, Format: format, Offset: int64(offset), Problem: fmt.Sprintf(problem, args...)}
}

func tooLarge(format string, problem string, args ...any) error {
	return &Error{Kind: ErrTooLarge, Format: format, Offset: -1, Problem: fmt.Sprintf(problem, args...)}
}
