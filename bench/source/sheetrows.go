package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source/sheet"
)

// maxSheet is the size of the largest sheet in bytes.
const maxSheet = 256 << 20

// IsSheet tells whether a file's name is that of a sheet's text.
func IsSheet(name string) bool {
	name = strings.ToLower(name)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	return slices.Contains([]string{".csv", ".tsv"}, filepath.Ext(name))
}

// readSheet reads a sheet. What is wrong with its text is a [*RowError].
func readSheet(path string, r io.Reader, encoding string) (*sheet.Sheet, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSheet+1))
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	if len(data) > maxSheet {
		return nil, fmt.Errorf("reading %q: more than %d MiB", path, maxSheet>>20)
	}
	s, err := sheet.Read(data, encoding)
	var bad *sheet.Error
	if errors.As(err, &bad) && bad.Line > 0 {
		return nil, &RowError{Path: path, Row: bad.Line, Err: errors.New(bad.Problem)}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	return s, nil
}

// sheetRows are the rows of a sheet of questions, as far as they are right. How
// says which columns were taken.
func sheetRows(path string, r io.Reader, o Options, bad *problems) (rows []row, how string, err error) {
	s, err := readSheet(path, r, o.Encoding)
	if err != nil {
		return nil, "", err
	}
	columns, err := chooseColumns(s.Header, o.Columns)
	if err != nil {
		return nil, "", fmt.Errorf("reading %q: %w", path, err)
	}
	for i, cells := range s.Rows {
		if bad.full() {
			break
		}
		n, before := s.Lines[i], len(bad.errs)
		f := columns.fields(cells, func(field string, err error) { bad.add(n, columns.at(field), err) })
		parsed := row{number: n}
		parsed.set(f)
		parsed.pictured = columns.at(parsed.pictured)
		if parsed.single != "" {
			parsed.single = columns.at(fieldID)
		}
		if len(bad.errs) == before {
			rows = append(rows, parsed)
		}
	}
	return rows, columns.how(s), nil
}

// at names the column of a field, for messages.
func (c Columns) at(field string) string {
	if field == fieldImages {
		field = fieldImage
	}
	if places := c.of[field]; len(places) > 0 {
		return c.header[places[0]]
	}
	return field
}

// fields are a row's cells as the fields of a question. Empty cells are absent.
func (c Columns) fields(cells []string, bad complain) fields {
	f := fields{map[string]json.RawMessage{}, bad}
	set := func(field string, value any) {
		b, err := json.Marshal(value)
		if err != nil { // texts, lists of texts and numbers encode
			panic(err)
		}
		f.values[field] = b
	}
	for _, field := range []string{fieldQuestion, fieldAnswer, fieldSubset, fieldTask} {
		if text := c.cell(cells, field); text != "" {
			set(field, text)
		}
	}
	if answer := c.cell(cells, fieldAnswer); beginsList(answer) {
		bad(fieldAnswer, fmt.Errorf("is %s, a list, and the reference answer is one text", answer))
	}
	if id := c.cell(cells, fieldID); id != "" {
		set(fieldID, id)
	}
	if id := c.cell(cells, fieldProblem); id != "" {
		set(fieldProblem, id)
	}
	if order := strings.TrimSpace(c.cell(cells, fieldOrder)); order != "" {
		if n, err := strconv.Atoi(order); err == nil {
			set(fieldOrder, n)
		} else {
			bad(fieldOrder, fmt.Errorf("is %q, want a whole number", order))
		}
	}
	if pictures := c.pictures(cells); len(pictures) == 1 {
		set(fieldImage, pictures[0])
	} else if len(pictures) > 1 {
		set(fieldImages, pictures)
	}
	if tags := c.tags(cells); len(tags) > 0 {
		set(fieldTags, tags)
	}
	if options, err := c.options(cells); err != nil {
		bad(fieldOptions, err)
	} else if len(options) > 0 {
		set(fieldOptions, options)
		if answer, ok := spelled(c.cell(cells, fieldAnswer), options); ok {
			set(fieldAnswer, answer)
		}
	}
	return f
}

// cell is the text of a field that has one column; blank is empty.
func (c Columns) cell(cells []string, field string) string {
	if len(c.of[field]) == 0 {
		return ""
	}
	return strings.TrimSpace(cells[c.of[field][0]])
}

// pictures are the paths in the columns of pictures, several in a cell with
// semicolons, bars or line ends between.
func (c Columns) pictures(cells []string) []string {
	var all []string
	for _, at := range c.of[fieldImage] {
		all = append(all, picturesIn(cells[at])...)
	}
	return all
}

// picturesIn are the paths in a cell.
func picturesIn(cell string) []string {
	var all []string
	for _, part := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(";|\r\n", r) }) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, strings.ReplaceAll(part, `\`, "/")) // as Windows writes paths
		}
	}
	return all
}

// tags are those of the column of tags, with commas, semicolons or bars between,
// and those of columns that the user named for them.
func (c Columns) tags(cells []string) []string {
	all := card.SplitTags(c.cell(cells, fieldTags))
	for _, at := range c.of[fieldTag] {
		if text := strings.TrimSpace(cells[at]); text != "" {
			all = append(all, c.header[at]+":"+text)
		}
	}
	return all
}
