package parquet

import (
	"errors"
	"fmt"
)

// Error reports what is wrong with a file, or what this package does not read.
type Error struct {
	Column string // empty: the file as a whole
	Offset int64  // byte of the file where the part with the fault begins
	Err    error
}

// Error names the column and the place.
func (e *Error) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("at byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("column %q at byte %d: %v", e.Column, e.Offset, e.Err)
}

// Unwrap is what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// errShort says that a part ends before what it holds does.
var errShort = errors.New("ends too early")

// placed makes an error say where it is, unless it does.
func placed(column string, offset int64, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &Error{column, offset, err}
}
