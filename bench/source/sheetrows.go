package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
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
	ids := map[string]int{}
	for i, cells := range s.Rows {
		if bad.full() {
			break
		}
		n, before := s.Lines[i], len(bad.errs)
		f := columns.fields(cells, func(field string, err error) { bad.add(n, columns.at(field), err) })
		parsed := row{number: n}
		parsed.set(f)
		if id := parsed.Problem; id != "" && len(columns.of[fieldProblem]) == 0 {
			if first, twice := ids[id]; twice {
				f.bad(fieldProblem, fmt.Errorf("is %q, as in row %d; a problem of several rows has a column problem_id and an order", id, first))
			}
			ids[id] = n
		}
		if len(bad.errs) == before {
			rows = append(rows, parsed)
		}
	}
	return rows, columns.how(s), nil
}

// how says which columns were taken, the encoding, and which rows lack a picture
// where there is a column of them.
func (c Columns) how(s *sheet.Sheet) string {
	how := fmt.Sprintf("columns: %s (%s)", c, s.Said())
	if hidden := c.hidden(s); len(hidden) > 0 {
		how += fmt.Sprintf("; there are pictures in %s, which are not shown: --column image=NAME names a column of pictures", quoted(hidden))
	}
	if len(c.of[fieldImage]) == 0 {
		return how
	}
	var without []string
	for i, cells := range s.Rows {
		if len(c.pictures(cells)) == 0 {
			without = append(without, strconv.Itoa(s.Lines[i]))
		}
	}
	n := len(without)
	if n == 0 {
		return how
	}
	rows := "row"
	if n > 1 {
		rows = "rows"
	}
	if more := n - maxNamed; more > 0 {
		without = append(without[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s; %d of %d questions have no picture: %s %s", how, n, len(s.Rows), rows, strings.Join(without, ", "))
}

// pictureName is how names of pictures end.
var pictureName = regexp.MustCompile(`(?i)\.(png|jpe?g|webp|tiff?|bmp|gif|dcm)$`)

// hidden are the columns with names of pictures that hold no field.
func (c Columns) hidden(s *sheet.Sheet) []string {
	var all []string
	for _, at := range c.left() {
		if slices.ContainsFunc(s.Rows, func(cells []string) bool { return pictureName.MatchString(strings.TrimSpace(cells[at])) }) {
			all = append(all, c.header[at])
		}
	}
	return all
}

// maxNamed is how many rows are named that lack a picture.
const maxNamed = 10

// at names the column of a field, for messages.
func (c Columns) at(field string) string {
	if field == fieldProblem && len(c.of[field]) == 0 {
		field = fieldID
	}
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
		set(fieldProblem, id)
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
		for _, part := range strings.FieldsFunc(cells[at], func(r rune) bool { return strings.ContainsRune(";|\r\n", r) }) {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, strings.ReplaceAll(part, `\`, "/")) // as Windows writes paths
			}
		}
	}
	return all
}

// tags are those of the column of tags, with commas, semicolons or bars between,
// and those of columns that the user named for them.
func (c Columns) tags(cells []string) []string {
	var all []string
	for _, part := range strings.FieldsFunc(c.cell(cells, fieldTags), func(r rune) bool { return strings.ContainsRune(",;|\r\n", r) }) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	for _, at := range c.of[fieldTag] {
		if text := strings.TrimSpace(cells[at]); text != "" {
			all = append(all, c.header[at]+":"+text)
		}
	}
	return all
}

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
