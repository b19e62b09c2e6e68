package sheet

import "fmt"

// Error reports where a sheet cannot be read.
type Error struct {
	Line    int // of the text, from 1; 0: the whole
	Problem string
}

// Error names the line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Problem)
}
