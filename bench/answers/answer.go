package answers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/card"
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
	Absent   bool // there is no response: the sample was not answered
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
	How       string       // what a reader must know of how it was read: columns and encoding of a sheet; may be empty
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
	return &Set{Path: name, Answers: r.answers, Digest: infer.DigestOf(data), Published: published, How: r.how + placesNote(r.places)}, nil
}

// rows collects the answers of a file.
type rows struct {
	path     string
	encoding string // of a sheet; "": to be found
	answers  []Answer
	ids      map[string]int // row by id
	how      string         // which columns of a sheet were taken
	places   []string       // rows, see placesNote
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

// labelled are option texts with the letters of their places.
func labelled(texts []string) ([]score.Option, error) {
	options, err := card.Letters(texts)
	all := make([]score.Option, len(options))
	for i, o := range options {
		all[i] = score.Option(o)
	}
	return all, errors.Join(err, card.CheckOwnLetters(texts), card.CheckLetterTexts(options))
}

// place is an answer as the place of an option from 0: a number, or a text that
// is one; ok is false where it is neither.
func place(answer string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(answer))
	return n, err == nil
}

// keyOf is the letter that an answer, a letter or a place from 0, stands for.
func keyOf(answer string, options []score.Option) (string, error) {
	if n, ok := place(answer); ok {
		return keyAt(n, options)
	}
	letter := strings.ToUpper(strings.TrimSpace(answer))
	switch {
	case len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z':
		return "", fmt.Errorf("is %q, want a letter or a place from 0", answer)
	case len(options) > 0 && !has(options, letter):
		return "", fmt.Errorf("is %q, which is no option's letter", answer)
	}
	return letter, nil
}

// keyAt is the letter of a place from 0. Letters in another order than that of
// the alphabet say other places, and are refused.
func keyAt(n int, options []score.Option) (string, error) {
	if n < 0 || n > 25 || len(options) > 0 && n >= len(options) {
		return "", fmt.Errorf("is %d, want the place of an option from 0", n)
	}
	for i, o := range options {
		if letter := string(rune('A' + i)); o.Letter != letter {
			return "", fmt.Errorf("is %d, a place from 0, but the options have letters of their own: %s stands in the place of %s; name the letter", n, o.Letter, letter)
		}
	}
	return string(rune('A' + n)), nil
}

// checkPlace refuses a place in the form of a text that is an option's text too,
// and of another one, where no reference answer tells which is meant.
func checkPlace(answer string, a Answer) error {
	if n, ok := place(answer); ok {
		if other := otherText(n, a); other != "" {
			return fmt.Errorf("is %q, which is the place of option %s (%q), from 0, and the text of option %s; name the letter", answer, a.Case.Key, a.Case.Options[n].Text, other)
		}
	}
	return nil
}

// otherText is the letter of the option whose text is the number of another one's
// place; "" where none is, or a reference answer tells which is meant.
func otherText(n int, a Answer) string {
	for _, reference := range a.Case.References {
		if len(readings(reference, a.Case.Options))+len(alike(reference, a.Case.Options)) > 0 {
			return ""
		}
	}
	for i, o := range a.Case.Options {
		if strings.TrimSpace(o.Text) == strconv.Itoa(n) && i != n {
			return o.Letter
		}
	}
	return ""
}

// placesNote says of which rows a number was taken as a place though it is the
// text of another option too: in JSON a number is a place, as published data sets
// have it.
func placesNote(rows []string) string {
	n := len(rows)
	if n == 0 {
		return ""
	}
	if more := n - maxNamed; more > 0 {
		rows = append(rows[:maxNamed:maxNamed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%d of the answers are numbers and were taken as the place of an option, from 0, though another option has this very text: row %s", n, strings.Join(rows, ", "))
}

// maxNamed is how many such rows are named.
const maxNamed = 10

// readings are the letters of the options that a reference answer can mean: that
// of which it is the text, and that of which it is the letter.
func readings(reference string, options []score.Option) []string {
	var all []string
	letter := strings.ToUpper(strings.TrimSpace(reference))
	for _, o := range options {
		if o.Text == reference || o.Letter == letter {
			all = append(all, o.Letter)
		}
	}
	if len(options) == 0 && len(letter) == 1 && 'A' <= letter[0] && letter[0] <= 'Z' {
		all = []string{letter}
	}
	return all
}

// alike are the letters of the options whose text a reference answer is but for
// letter case and blanks around it.
func alike(reference string, options []score.Option) []string {
	var all []string
	for _, o := range options {
		if strings.EqualFold(strings.TrimSpace(o.Text), strings.TrimSpace(reference)) {
			all = append(all, o.Letter)
		}
	}
	return all
}

// settle finds the key of an answer that has none by its reference answer, or
// holds both against each other.
func settle(a *Answer) error {
	for _, reference := range a.Case.References {
		meant := readings(reference, a.Case.Options)
		if len(meant) == 0 && a.Case.Key != "" {
			meant = alike(reference, a.Case.Options)
		}
		switch key := a.Case.Key; {
		case key != "" && len(meant) > 0 && !slices.Contains(meant, key):
			return fmt.Errorf("is %q, which is option %s, and the key answer says option %s", reference, meant[0], key)
		case key != "" || len(a.Case.Options) == 0 || len(a.Case.References) > 1:
		case len(meant) > 1:
			return fmt.Errorf("is %q, which is the text of one option and the letter of another: it could mean %s", reference, strings.Join(meant, " or "))
		case len(meant) == 1:
			a.Case.Key = meant[0]
		}
	}
	return nil
}

func has(options []score.Option, letter string) bool {
	return slices.ContainsFunc(options, func(o score.Option) bool { return o.Letter == letter })
}
