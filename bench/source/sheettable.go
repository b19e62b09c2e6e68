package source

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// readSheet appends the rows of a sheet. Cells are texts without blanks around
// them, but for empty ones, which are nil, and for lists and objects in JSON.
func (t *Table) readSheet(f *os.File, name, onDisk string, o TableOptions) error {
	plain, err := decompress(onDisk, f)
	if err != nil {
		return fmt.Errorf("reading %q: %w", onDisk, err)
	}
	defer plain.Close()
	s, err := readSheet(onDisk, plain, o.Encoding)
	if err != nil {
		return err
	}
	if s.Guessed {
		t.Guessed = append(t.Guessed, fmt.Sprintf("%s is read as %s", name, s.Said()))
	}
	picture := o.Picture
	t.addColumns(s.Header...)
	for i, cells := range s.Rows {
		r := Record{}
		for at, column := range s.Header {
			if r[column], err = cellValue(cells[at]); err != nil {
				return &RowError{onDisk, s.Lines[i], column, err}
			}
		}
		if cell, ok := r[picture].(string); ok {
			r[picture] = pictureValue(cell)
		}
		if err := t.setPicture(r, picture, name); err != nil {
			return &RowError{onDisk, s.Lines[i], picture, err}
		}
		if err := t.add(r, onDisk, s.Lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// pictureValue is what a cell of pictures holds: a path, a list of several, or nil.
func pictureValue(cell string) any {
	var all []any
	for _, path := range picturesIn(cell) {
		all = append(all, path)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

// cellValue is what a cell holds. One that begins as a list of texts does and is
// none is an error: it would be one text.
func cellValue(cell string) (any, error) {
	text := strings.TrimSpace(cell)
	switch {
	case text == "":
		return nil, nil
	case text[0] != '[' && text[0] != '{':
		return text, nil
	case json.Valid([]byte(text)):
		return parseValue(json.RawMessage(text))
	case beginsList(text):
		return nil, fmt.Errorf("is %s, which looks like a list and is no JSON list", text)
	}
	return text, nil
}

// SheetColumns are the columns of a sheet of questions by the field that they
// hold, and in words which were chosen.
func SheetColumns(path string, o Options) (columns map[string][]string, how string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	plain, err := decompress(path, f)
	if err != nil {
		return nil, "", fmt.Errorf("reading %q: %w", path, err)
	}
	defer plain.Close()
	s, err := readSheet(path, plain, o.Encoding)
	if err != nil {
		return nil, "", err
	}
	c, err := chooseColumns(s.Header, o.Columns)
	if err != nil {
		return nil, "", fmt.Errorf("reading %q: %w", path, err)
	}
	columns = map[string][]string{}
	for field, places := range c.of {
		columns[field] = pick(s.Header, places)
	}
	return columns, c.how(s), nil
}
