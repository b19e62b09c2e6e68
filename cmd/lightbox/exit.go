package main

import (
	"errors"
	"fmt"

	"lightbox/bench"
)

// Exit codes. They are stable; exitStatus explains them in every help text.
const (
	exitDone        = 0
	exitFailure     = 1
	exitUsage       = 2
	exitUnscored    = 3
	exitUnreachable = 10
	exitModel       = 11
	exitData        = 12
	exitNotLocal    = 13
	exitInterrupted = 130
)

const exitStatus = `EXIT STATUS:
   0    done
   1    failure
   2    the command line is wrong
   3    finished, but some samples are unscored
   10   no Ollama server answers, or none is found
   11   model missing, unable or changed, or the server is too old
   12   data missing or changed
   13   refused: not local
   130  interrupted, the work is kept
`

// exitError is an error with its exit code and, where there is one, what the
// user can do next.
type exitError struct {
	code int
	hint string
	err  error // nil: the code says it all
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func usage(hint, format string, args ...any) error {
	return &exitError{exitUsage, hint, fmt.Errorf(format, args...)}
}

var codes = map[bench.Kind]int{
	bench.Failed: exitFailure, bench.Usage: exitUsage, bench.Unreachable: exitUnreachable, bench.WrongModel: exitModel,
	bench.WrongData: exitData, bench.NotLocal: exitNotLocal, bench.Interrupted: exitInterrupted,
}

// report writes what went wrong and gives the exit code.
func (t terminal) report(err error) int {
	code, hint := exitFailure, ""
	var own *exitError
	var failure *bench.Failure
	var hinted interface{ Hint() string }
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &own):
		code, hint = own.code, own.hint
	case errors.As(err, &failure):
		code, hint = codes[failure.Kind], failure.Hint
	case errors.As(err, &hinted):
		hint = hinted.Hint()
	}
	if text := err.Error(); text != "" {
		t.tell("error:", text)
	}
	if hint != "" {
		t.tell("hint:", hint)
	}
	return code
}
