package template

import (
	"errors"
	"fmt"
)

// Error reports what is wrong with a template, or with rendering it.
type Error struct {
	Line, Column int    // from 1; the column counts characters
	Operand      string // the part of the template that it is about; may be empty
	Err          error
}

// Error names the place and the operand.
func (e *Error) Error() string {
	operand := ""
	if e.Operand != "" {
		operand = fmt.Sprintf("%q: ", e.Operand)
	}
	return fmt.Sprintf("line %d, column %d: %s%v", e.Line, e.Column, operand, e.Err)
}

// Unwrap is what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// place is where something begins in a template.
type place struct{ line, column int }

// stop ends parsing or rendering. The functions in between need no error results;
// [contain] turns it into an error at the one boundary.
func stop(at place, operand, format string, args ...any) {
	panic(&Error{at.line, at.column, operand, fmt.Errorf(format, args...)})
}

// contain turns what stop said into err. A panic of another kind is a mistake in
// this package; it becomes an error too, since the template may be hostile.
func contain(err *error) {
	switch p := recover().(type) {
	case nil:
	case *Error:
		*err = p
	default:
		*err = &Error{Line: 1, Column: 1, Err: errors.New(fmt.Sprint("cannot be rendered: ", p))}
	}
}
