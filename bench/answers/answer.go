package answers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/score"
)

// Answer is what was answered to one sample.
type Answer struct {
	ID     string
	Subset string
	Absent bool // there is no response: the sample was not answered
	Case   score.Case

	Picked string // the letter that a published file holds as chosen; "": none
	Failed bool   // a published file holds an error message as the response
}

// Set is the answers of a file in its order.
type Set struct {
	Answers   []Answer
	Digest    infer.Digest // of the file's bytes
	Published *Published   // nil: it is no published result file
}

// Limits of a file of answers.
const (
	maxFile   = 1 << 30 // bytes, decompressed
	maxErrors = 20
)

// Load reads a file of answers. What is wrong with rows comes as
// [*source.RowError], joined.
func Load(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("reading %q: more than %d MiB", path, maxFile>>20)
	}
	return Parse(path, data)
}

// Parse reads a file of answers that is in memory; what its name ends in says
// how.
func Parse(name string, data []byte) (*Set, error) {
	r := &rows{path: name, ids: map[string]int{}}
	var published *Published
	var err error
	if source.IsSheet(name) {
		published, err = r.sheet(data)
	} else {
		err = r.lines(data)
	}
	if err = errors.Join(err, errors.Join(r.bad...)); err != nil {
		return nil, err
	}
	if len(r.answers) == 0 {
		return nil, fmt.Errorf("reading %q: no rows", name)
	}
	return &Set{Answers: r.answers, Digest: infer.DigestOf(data), Published: published}, nil
}

// rows collects the answers of a file.
type rows struct {
	path    string
	answers []Answer
	ids     map[string]int // row by id
	bad     []error
}

// fault notes what is wrong with a field of a row.
func (r *rows) fault(row int, field, format string, args ...any) {
	r.bad = append(r.bad, &source.RowError{Path: r.path, Row: row, Field: field, Err: fmt.Errorf(format, args...)})
}

// add takes an answer, whose id must be new.
func (r *rows) add(row int, a Answer) {
	if first, twice := r.ids[a.ID]; twice {
		r.fault(row, "id", "is %q, as in row %d", a.ID, first)
	}
	r.ids[a.ID] = row
	if a.Case.Key == "" && len(a.Case.References) == 1 {
		a.Case.Key = keyByText(a.Case.References[0], a.Case.Options)
	}
	r.answers = append(r.answers, a)
}

// labelled are option texts with letters.
func labelled(texts []string) ([]score.Option, error) {
	options, err := card.Letters(texts)
	all := make([]score.Option, len(options))
	for i, o := range options {
		all[i] = score.Option(o)
	}
	return all, err
}

// keyOf is the letter that an answer, a letter or a place from 0, stands for.
func keyOf(letter string, place int, options []score.Option) (string, error) {
	letter = strings.ToUpper(strings.TrimSpace(letter))
	if letter == "" {
		if place < 0 || place > 25 || len(options) > 0 && place >= len(options) {
			return "", fmt.Errorf("is %d, want the place of an option from 0", place)
		}
		letter = string(rune('A' + place))
		if len(options) > 0 && !has(options, letter) {
			return "", fmt.Errorf("is %d, a place from 0, but the options have letters of their own", place)
		}
	}
	switch {
	case len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z':
		return "", fmt.Errorf("is %q, want a letter or a place from 0", letter)
	case len(options) > 0 && !has(options, letter):
		return "", fmt.Errorf("is %q, which is no option's letter", letter)
	}
	return letter, nil
}

// keyByText is the letter of the option that a reference answer is, by its text
// or its letter, or "".
func keyByText(reference string, options []score.Option) string {
	for _, o := range options {
		if o.Text == reference {
			return o.Letter
		}
	}
	if letter := strings.ToUpper(strings.TrimSpace(reference)); has(options, letter) {
		return letter
	}
	return ""
}

func has(options []score.Option, letter string) bool {
	for _, o := range options {
		if o.Letter == letter {
			return true
		}
	}
	return false
}
