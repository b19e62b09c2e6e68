package source

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// maxProblems is how many bad rows an error tells of.
const maxProblems = 20

// RowError reports what is wrong with a row of a file.
type RowError struct {
	Path  string
	Row   int    // line of the file, from 1
	Field string // the key; empty: the whole row
	Err   error
}

// Error names the file, the row and the key.
func (e *RowError) Error() string {
	field := ""
	if e.Field != "" {
		field = fmt.Sprintf(" key %q:", e.Field)
	}
	return fmt.Sprintf("reading row %d of %q:%s %v", e.Row, e.Path, field, e.Err)
}

// Unwrap is what is wrong.
func (e *RowError) Unwrap() error { return e.Err }

// problems collects what is wrong with the rows of a file.
type problems struct {
	path string
	errs []*RowError
}

func (p *problems) add(row int, field string, err error) {
	p.errs = append(p.errs, &RowError{p.path, row, field, err})
}

func (p *problems) full() bool { return len(p.errs) >= maxProblems }

// err joins the first maxProblems by row; nil where there are none.
func (p *problems) err() error {
	slices.SortStableFunc(p.errs, func(a, b *RowError) int { return cmp.Compare(a.Row, b.Row) })
	var all []error
	for _, e := range p.errs[:min(len(p.errs), maxProblems)] {
		all = append(all, e)
	}
	if p.full() {
		all = append(all, fmt.Errorf("reading %q: stopped after %d problems", p.path, maxProblems))
	}
	return errors.Join(all...)
}
