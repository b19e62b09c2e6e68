package answers

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/bench/source/sheet"
)

// sheet reads a sheet of answers, or a published result file.
func (r *rows) sheet(data []byte) (*Published, error) {
	if p := recognise(data); p != nil {
		if r.encoding != "" && r.encoding != "utf-8" {
			return nil, fmt.Errorf("reading %q: it is a published result file, which is UTF-8 and not %s", r.path, r.encoding)
		}
		return p, r.published(data, p)
	}
	s, err := sheet.Read(data, r.encoding)
	if err != nil {
		return nil, r.wrap(err)
	}
	c, err := source.AnswerColumns(s.Header, fields)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", r.path, err)
	}
	if !c.Has("response") {
		return nil, fmt.Errorf("reading %q: there is no column %q; there are %s%s", r.path, "response", strings.Join(s.Header, ", "), misspelt("response", slices.Clone(s.Header)))
	}
	lists := 0
	for i, cells := range s.Rows {
		if len(r.bad) >= maxErrors {
			return nil, fmt.Errorf("reading %q: stopped after %d problems", r.path, maxErrors)
		}
		if _, isList, _ := source.List(c.Text(cells, "reference")); isList {
			lists++
		}
		r.row(s.Lines[i], c, cells)
	}
	r.how = fmt.Sprintf("columns: %s (%s)", c, s.Said())
	if lists > 0 {
		r.how += fmt.Sprintf("; the reference of %d of %d rows is a list of alternatives", lists, len(s.Rows))
	}
	return nil, nil
}

// wrap gives an error of a sheet its place.
func (r *rows) wrap(err error) error {
	var bad *sheet.Error
	if errors.As(err, &bad) && bad.Line > 0 {
		return &source.RowError{Path: r.path, Row: bad.Line, Err: errors.New(bad.Problem)}
	}
	return fmt.Errorf("reading %q: %w", r.path, err)
}

// row reads a row. Responses and references are taken as they stand; an empty
// response is one, and a reference that is a JSON list is alternatives.
func (r *rows) row(n int, c source.Columns, cells []string) {
	before := len(r.bad)
	bad := func(field string, err error) {
		if err != nil {
			r.fault(n, c.Name(field), "%w", err)
		}
	}
	text := func(field string) string { return c.Text(cells, field) }
	language := text("language")
	a := Answer{ID: cmp.Or(strings.TrimSpace(text("id")), strconv.Itoa(n)), Subset: cmp.Or(text("subset"), language), Language: language, Group: strings.TrimSpace(text("group"))}
	a.Case.Response, a.Case.Question = text("response"), text("question")
	if reference := text("reference"); reference != "" {
		list, isList, err := source.List(reference)
		bad("reference", err)
		if a.Case.References = list; !isList {
			a.Case.References = []string{reference}
		}
	}
	bad("options", setCells(&a, c, cells))
	if key := strings.TrimSpace(text("answer")); key != "" && len(r.bad) == before {
		bad("answer", setKeyText(&a, key))
	}
	r.settle(n, a, before)
}

// setCells reads options that have a column each, or stand in a cell as JSON or
// with bars, line ends or semicolons between.
func setCells(a *Answer, c source.Columns, cells []string) error {
	texts, err := c.Options(cells)
	text := strings.TrimSpace(c.Text(cells, "options"))
	switch {
	case err != nil:
		return err
	case c.Several("options"):
	case strings.HasPrefix(text, "["), strings.HasPrefix(text, "{"):
		if !json.Valid([]byte(text)) {
			return errors.New("is not JSON")
		}
		return setOptions(a, json.RawMessage(text))
	case text != "":
		if texts, err = card.SplitOptions(text); err != nil {
			return err
		}
	}
	if len(texts) > 0 {
		a.Case.Options, err = labelled(texts)
	}
	return err
}
