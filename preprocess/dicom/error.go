package dicom

import (
	"errors"
	"fmt"
)

// Kinds of refusal, for errors.Is.
var (
	ErrUnsupported = errors.New("unsupported dicom")
	ErrTooLarge    = errors.New("dicom too large")
	ErrDamaged     = errors.New("damaged dicom")
	ErrNoPixels    = errors.New("dicom without pixels")
)

// Error is why a file was refused. It holds no value of the file but those of
// the header's allow-list, because any other can be about a patient.
type Error struct {
	Kind    error // ErrUnsupported, ErrTooLarge, ErrDamaged or ErrNoPixels
	Offset  int64 // bytes from the start of the file, in a deflated one of the inflated data set; -1: not known
	Tag     Tag   // 0: none
	Problem string
	Err     error // what lies beneath, or nil
}

// Error names the place, the tag and the problem.
func (e *Error) Error() string {
	s := "reading dicom"
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at byte %d", e.Offset)
	}
	if e.Tag != 0 {
		s += ", " + e.Tag.String()
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

func damaged(offset int, tag Tag, problem string, args ...any) error {
	return &Error{Kind: ErrDamaged, Offset: int64(offset), Tag: tag, Problem: fmt.Sprintf(problem, args...)}
}

func unsupported(tag Tag, problem string, args ...any) error {
	return &Error{Kind: ErrUnsupported, Offset: -1, Tag: tag, Problem: fmt.Sprintf(problem, args...)}
}

func tooLarge(problem string, args ...any) error {
	return &Error{Kind: ErrTooLarge, Offset: -1, Problem: fmt.Sprintf(problem, args...)}
}
