package answers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/score"
)

// Answer is what was answered to one sample.
type Answer struct {
	ID       string
	Row      int    // line of the file, from 1
	Subset   string // else the language
	Language string
	Group    string // the problem or picture that it shares with others; "": none
	Absent   bool   // there is no response: the sample was not answered
	Case     score.Case

	Picked string // the letter that a published file holds as chosen; "": none
	Failed bool   // a published file holds an error message as the response
}

// Set is the answers of a file in its order.
type Set struct {
	Path      string // as it was named
	Answers   []Answer
	Digest    infer.Digest // of the file's bytes
	Published *Published   // nil: it is no published result file
	How       string       // what a reader must know of how it was read, such as the columns of a sheet; may be empty
}

// Limits of a file of answers.
const (
	maxFile   = 1 << 30 // bytes, decompressed
	maxErrors = 20
)

// Load reads a file of answers; the encoding of a sheet is found as [sheet.Decode]
// does. What is wrong with rows comes as [*source.RowError], joined.
func Load(path, encoding string) (*Set, error) {
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
	return Parse(path, data, encoding)
}

// Parse reads a file of answers that is in memory; what its name ends in says
// how.
func Parse(name string, data []byte, encoding string) (*Set, error) {
	r := &rows{path: name, encoding: encoding, ids: map[string]int{}}
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
	return &Set{Path: name, Answers: r.answers, Digest: infer.DigestOf(data), Published: published, How: r.said()}, nil
}

// said is what a reader must know of how the rows were read.
func (r *rows) said() string {
	notes := slices.DeleteFunc([]string{r.how, placesNote(r.places)}, func(note string) bool { return note == "" })
	return strings.Join(notes, "; ")
}

// rows collects the answers of a file.
type rows struct {
	path     string
	encoding string // of a sheet; "": to be found
	answers  []Answer
	ids      map[string]int // row by id
	how      string         // which columns of a sheet were taken, or fields were not
	places   []string       // rows, see placesNote
	others   []string       // fields of JSON that are not read
	bad      []error
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
	a.Row = row
	r.answers = append(r.answers, a)
}
