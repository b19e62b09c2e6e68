package bundle

import (
	"errors"
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a bundle.
type Problem struct {
	Path string `json:"path,omitempty"` // of the file it is about; empty: the bundle
	What string `json:"problem"`
}

// String is the problem in one line.
func (p Problem) String() string {
	if p.Path == "" {
		return p.What
	}
	return fmt.Sprintf("%q: %s", p.Path, p.What)
}

// maxProblems is how many are listed; the rest are counted.
const maxProblems = 100

// Damage is all that is wrong with a bundle.
type Damage struct {
	Problems []Problem
	More     int // problems beyond those listed
}

// Error names the first problem and counts the others.
func (d *Damage) Error() string {
	var b strings.Builder
	b.WriteString("the bundle is damaged")
	if len(d.Problems) > 0 {
		b.WriteString(": " + d.Problems[0].String())
	}
	if n := len(d.Problems) - 1 + d.More; n > 0 {
		fmt.Fprintf(&b, " (and %d more)", n)
	}
	return b.String()
}

func (d *Damage) add(path, format string, args ...any) {
	if len(d.Problems) == maxProblems {
		d.More++
		return
	}
	d.Problems = append(d.Problems, Problem{path, fmt.Sprintf(format, args...)})
}

// orNil is the damage as an error, nil where there is none.
func (d *Damage) orNil() error {
	if len(d.Problems) == 0 {
		return nil
	}
	return d
}

// errStop ends reading where the problems found so far are enough.
var errStop = errors.New("enough problems")
