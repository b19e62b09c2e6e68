package smmile

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The columns that a data set must have, as the datasets are published.
const (
	columnProblem  = "problem_id"
	columnOrder    = "order"
	columnQuestion = "question"
	columnAnswer   = "answer"
	// PictureColumn holds a reference to the panel's picture.
	PictureColumn = "image"
)

// Columns are those that every data set must have.
var Columns = []string{columnProblem, columnOrder, columnQuestion, columnAnswer, PictureColumn}

// flags are the columns that describe a problem, with the names of their tags.
var flags = [][2]string{
	{"speciality", "speciality"},
	{"flag_answer_format", "answer_format"},
	{"flag_image_type", "image_type"},
	{"flag_cognitive_process", "cognitive_process"},
	{"flag_rarity", "rarity"},
	{"flag_difficulty_llms", "difficulty"},
}

// Unsupported is the tag of problems whose demonstrations do not support the
// query's answer.
const Unsupported = "cognitive_process:reasoning classification"

// unset is the value of the tag of a flag that a row leaves open.
const unset = "none"

// NoPicture is the reference of a panel whose picture is null in the data. It
// stands for no file, so that opening it says that the picture is missing.
const NoPicture = "no picture"

// PanelError reports what is wrong with a row.
type PanelError struct {
	Row    int // from 0, in the rows as given
	Column string
	Err    error
}

// Error names the row, counted from 1, and the column.
func (e *PanelError) Error() string {
	return fmt.Sprintf("row %d: column %q %v", e.Row+1, e.Column, e.Err)
}

// Unwrap is what is wrong.
func (e *PanelError) Unwrap() error { return e.Err }

// panel is a row.
type panel struct {
	row              int
	problem          string
	order            int64
	question, answer string // as they stand: some carry blanks and line ends
	picture          string
	tags             []string
}

// maxErrors is how many wrong rows are told of.
const maxErrors = 20

// readPanels reads the rows, or says what is wrong with them.
func readPanels(rows []map[string]any) ([]panel, error) {
	var bad []error
	panels := make([]panel, len(rows))
	for i, row := range rows {
		p, errs := readPanel(i, row)
		panels[i] = p
		if bad = append(bad, errs...); len(bad) >= maxErrors {
			bad = append(bad[:maxErrors], fmt.Errorf("stopped after %d problems", maxErrors))
			break
		}
	}
	return panels, errors.Join(bad...)
}

func readPanel(row int, r map[string]any) (panel, []error) {
	p := panel{row: row, picture: NoPicture}
	var bad []error
	fail := func(column string, err error) {
		if err != nil {
			bad = append(bad, &PanelError{row, column, err})
		}
	}
	set := func(to *string, column string) {
		s, err := text(r[column])
		*to = s
		fail(column, err)
	}
	set(&p.problem, columnProblem)
	set(&p.question, columnQuestion)
	set(&p.answer, columnAnswer)
	var err error
	p.order, err = whole(r[columnOrder])
	fail(columnOrder, err)
	if s, ok := r[PictureColumn].(string); ok && s != "" {
		p.picture = s
	}
	for _, f := range flags {
		if v, ok := r[f[0]]; ok {
			p.tags = append(p.tags, f[1]+":"+flagText(v))
		}
	}
	return p, bad
}

func text(v any) (string, error) {
	s, ok := v.(string)
	switch {
	case v == nil:
		return "", errors.New("is missing")
	case !ok:
		return "", fmt.Errorf("is %v, want text", v)
	case strings.TrimSpace(s) == "":
		return "", errors.New("is empty")
	}
	return s, nil
}

// whole reads a whole number. Tables that had gaps once hold them as fractions,
// others as text.
func whole(v any) (int64, error) {
	switch v := v.(type) {
	case nil:
		return 0, errors.New("is missing")
	case int64:
		return v, nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v), nil
		}
	case string:
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return n, nil
		}
	}
	return 0, fmt.Errorf("is %v, want a whole number", v)
}

// flagText is a flag for a tag. SMMILE leaves rarity null in 13 problems, which
// SMMILE++ writes as "nan".
func flagText(v any) string {
	s := strings.TrimSpace(fmt.Sprint(v))
	switch s {
	case "", "<nil>", "nan", "NaN", "None", "null":
		return unset
	}
	return s
}
