package source

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/card"
)

// options are those of a cell with a JSON list, or as [card.SplitOptions] finds
// them; or those of a column each.
func (c Columns) options(cells []string) ([]string, error) {
	if len(c.of[fieldOptions]) > 1 {
		return c.Options(cells)
	}
	text := c.cell(cells, fieldOptions)
	if !strings.HasPrefix(text, "[") {
		if text == "" {
			return nil, nil
		}
		return card.SplitOptions(text)
	}
	var all []string
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("is no list of texts: %w", err)
	}
	return all, nil
}

// Options are the texts of a row whose options have a column each; none where they
// have one or none.
func (c Columns) Options(cells []string) ([]string, error) {
	places := c.of[fieldOptions]
	if len(places) < 2 {
		return nil, nil
	}
	var all []string
	for i, at := range places {
		text := strings.TrimSpace(cells[at])
		if text != "" && len(all) < i {
			return nil, fmt.Errorf("has a text in column %q and none before it", c.header[at])
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return all, nil
}

// List are the texts of a cell that holds a JSON list of them; isList tells
// whether it holds one, or something that looks like one and is not.
func List(cell string) (texts []string, isList bool, err error) {
	cell = strings.TrimSpace(cell)
	inner, ok := strings.CutPrefix(cell, "[")
	if !ok || !strings.HasSuffix(inner, "]") && !beginsList(cell) {
		return nil, false, nil
	}
	if json.Unmarshal([]byte(cell), &texts) != nil {
		return nil, true, fmt.Errorf("is %s, which looks like a list and is no JSON list of texts; a text that has brackets stands in one, as [\"[…]\"]", cell)
	}
	return texts, true, nil
}

// beginsList tells whether a cell begins as a list of texts does.
func beginsList(cell string) bool {
	inner, ok := strings.CutPrefix(strings.TrimSpace(cell), "[")
	return ok && strings.IndexAny(strings.TrimSpace(inner), `"'`) == 0
}

// spelled is the text of the option whose letter an answer is, unless it is an
// option's text itself.
func spelled(answer string, options []string) (string, bool) {
	if slices.Contains(options, answer) || len(answer) != 1 {
		return "", false
	}
	labelled, err := card.Letters(options)
	if err != nil {
		return "", false
	}
	for _, o := range labelled {
		if o.Letter == strings.ToUpper(answer) {
			return o.Text, true
		}
	}
	return "", false
}
