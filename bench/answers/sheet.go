package answers

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/source"
	"lightbox/bench/source/sheet"
)

// sheet reads a sheet of answers, or a published result file.
func (r *rows) sheet(data []byte) (*Published, error) {
	if p := recognise(data); p != nil {
		return p, r.published(data, p)
	}
	s, err := sheet.Read(data)
	if err != nil {
		return nil, r.wrap(err)
	}
	if !slices.Contains(s.Header, "response") {
		return nil, fmt.Errorf("reading %q: there is no column %q; there are %s", r.path, "response", strings.Join(s.Header, ", "))
	}
	for i, cells := range s.Rows {
		if len(r.bad) >= maxErrors {
			return nil, fmt.Errorf("reading %q: stopped after %d problems", r.path, maxErrors)
		}
		by := map[string]string{}
		for at, name := range s.Header {
			by[name] = cells[at]
		}
		r.row(s.Lines[i], by)
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

// row reads a row by column. Responses and references are taken as they stand;
// an empty response is one.
func (r *rows) row(n int, by map[string]string) {
	a := Answer{ID: strconv.Itoa(n), Subset: by["language"]}
	before := len(r.bad)
	if id := strings.TrimSpace(by["id"]); id != "" {
		a.ID = id
	}
	if subset := by["subset"]; subset != "" {
		a.Subset = subset
	}
	a.Case.Response, a.Case.Question = by["response"], by["question"]
	if reference := by["reference"]; reference != "" {
		a.Case.References = []string{reference}
	}
	if options := strings.TrimSpace(by["options"]); options != "" {
		if err := setCellOptions(&a, options); err != nil {
			r.fault(n, "options", "%w", err)
		}
	}
	if key := strings.TrimSpace(by["answer"]); key != "" {
		letter := key
		place, err := strconv.Atoi(key)
		if err == nil {
			letter = ""
		}
		if a.Case.Key, err = keyOf(letter, place, a.Case.Options); err != nil {
			r.fault(n, "answer", "%w", err)
		}
	}
	if len(r.bad) == before {
		r.add(n, a)
	}
}

// setCellOptions reads options as JSON, or with bars between.
func setCellOptions(a *Answer, text string) (err error) {
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		if !json.Valid([]byte(text)) {
			return errors.New("is not JSON")
		}
		return setOptions(a, json.RawMessage(text))
	}
	var texts []string
	for part := range strings.SplitSeq(text, "|") {
		texts = append(texts, strings.TrimSpace(part))
	}
	a.Case.Options, err = labelled(texts)
	return err
}
