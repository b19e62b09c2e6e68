package card

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// FieldError reports what is wrong with a column of a row of a data set.
type FieldError struct {
	Row    int // from 0, in the rows as given
	Column string
	Err    error
}

// Error names the row, counted from 1, and the column.
func (e *FieldError) Error() string {
	return fmt.Sprintf("row %d: column %q %v", e.Row+1, e.Column, e.Err)
}

// Unwrap is what is wrong.
func (e *FieldError) Unwrap() error { return e.Err }

// maxFaults is how many wrong fields are told of.
const maxFaults = 20

// Faults collects what is wrong with rows. Its zero value is empty.
type Faults struct{ all []error }

// Add notes an error; nil is none.
func (f *Faults) Add(row int, column string, err error) {
	if err != nil {
		f.all = append(f.all, &FieldError{row, column, err})
	}
}

// Len is the number of errors.
func (f *Faults) Len() int { return len(f.all) }

// Full tells whether there are so many that no more are told of.
func (f *Faults) Full() bool { return f.Len() >= maxFaults }

// Err joins the errors, each a [*FieldError], the first 20; nil where there are
// none.
func (f *Faults) Err() error {
	if f.Full() {
		return errors.Join(append(slices.Clone(f.all[:maxFaults]), fmt.Errorf("stopped after %d problems", maxFaults))...)
	}
	return errors.Join(f.all...)
}

// Fields reads the columns of one row and notes what is wrong with them.
type Fields struct {
	Row    int
	Values map[string]any
	Faults *Faults
}

// Fail notes that a column is wrong.
func (f Fields) Fail(column string, err error) { f.Faults.Add(f.Row, column, err) }

// Text is a text that must be there and hold more than blanks.
func (f Fields) Text(column string) string {
	s, ok := f.Values[column].(string)
	switch {
	case f.Values[column] == nil:
		f.Fail(column, errors.New("is missing"))
	case !ok:
		f.Fail(column, wrongType(f.Values[column], "text"))
	case strings.TrimSpace(s) == "":
		f.Fail(column, errors.New("is empty"))
	case strings.Contains(s, "\x00"):
		f.Fail(column, errors.New("has the character U+0000, which no text has"))
	}
	return s
}

// OptionalText is a text that may be empty, null or not there.
func (f Fields) OptionalText(column string) string {
	s, ok := f.Values[column].(string)
	if !ok && f.Values[column] != nil {
		f.Fail(column, wrongType(f.Values[column], "text"))
	}
	return s
}

// OneOf is a text that is one of the known ones.
func (f Fields) OneOf(column string, known ...string) string {
	s, ok := f.Values[column].(string)
	switch {
	case ok && slices.Contains(known, s):
	case ok:
		f.Fail(column, fmt.Errorf("is %q, want %s", s, strings.Join(known, " or ")))
	default:
		f.Text(column)
	}
	return s
}

// Whole is a whole number from 0 that must be there. Tables that had gaps once
// hold them as fractions, others as text.
func (f Fields) Whole(column string) int64 {
	n := int64(-1)
	switch v := f.Values[column].(type) {
	case nil:
		f.Fail(column, errors.New("is missing"))
		return 0
	case int64:
		n = v
	case float64:
		if v == math.Trunc(v) && v >= 0 && v < 1<<53 {
			n = int64(v)
		}
	case string:
		if number, err := strconv.ParseUint(v, 10, 63); err == nil {
			n = int64(number)
		}
	}
	if n < 0 {
		f.Fail(column, wrongType(f.Values[column], "a whole number from 0"))
	}
	return n
}

// Texts is a list of texts that must be there; each may be empty.
func (f Fields) Texts(column string) []string {
	list, ok := f.Values[column].([]any)
	if !ok {
		if f.Values[column] == nil {
			f.Fail(column, errors.New("is missing"))
		} else {
			f.Fail(column, wrongType(f.Values[column], "a list of texts"))
		}
		return nil
	}
	texts := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			f.Fail(column, fmt.Errorf("has element %d, which %w", i+1, wrongType(v, "text")))
			return nil
		}
		texts[i] = s
	}
	return texts
}

// wrongType is the error that a value is not of the kind that is wanted.
func wrongType(v any, want string) error {
	kind := fmt.Sprint(v)
	switch v := v.(type) {
	case string:
		kind = strconv.Quote(v)
	case []any:
		kind = "a list"
	case map[string]any:
		kind = "an object"
	case nil:
		kind = "null"
	}
	return fmt.Errorf("is %s, want %s", kind, want)
}
