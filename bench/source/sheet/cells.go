package sheet

import (
	"fmt"
	"strings"
)

// Limits of a sheet.
const (
	maxColumns = 1_000
	maxRows    = 1_000_000
)

// record is a row of cells and the line that it begins on.
type record struct {
	cells []string
	line  int
}

// reader goes through text, whose lines end in "\n", "\r\n" or "\r".
type reader struct {
	text  string
	comma byte
	loose bool // text may follow a closing quotation mark, as pandas has it
	at    int
	line  int
}

// records are the rows that are not blank.
func (r *reader) records() ([]record, error) {
	var all []record
	r.line = 1
	for r.at < len(r.text) {
		row := record{line: r.line}
		if err := r.row(&row); err != nil {
			return nil, err
		}
		if len(row.cells) == 1 && strings.Trim(row.cells[0], " \t") == "" {
			continue
		}
		if all = append(all, row); len(all) > maxRows {
			return nil, &Error{row.line, fmt.Sprintf("more than %d rows", maxRows)}
		}
	}
	return all, nil
}

// row reads the cells up to the end of a line.
func (r *reader) row(row *record) error {
	for {
		cell, err := r.cell()
		if err != nil {
			return err
		}
		if row.cells = append(row.cells, cell); len(row.cells) > maxColumns {
			return &Error{row.line, fmt.Sprintf("more than %d cells", maxColumns)}
		}
		if r.at == len(r.text) {
			return nil
		}
		if r.text[r.at] != r.comma {
			r.lineEnd()
			return nil
		}
		if r.at++; r.at == len(r.text) {
			row.cells = append(row.cells, "")
			return nil
		}
	}
}

// lineEnd steps over the end of a line.
func (r *reader) lineEnd() {
	if strings.HasPrefix(r.text[r.at:], "\r\n") {
		r.at++
	}
	r.at++
	r.line++
}

// ends tells whether a cell without quotation marks ends at a byte.
func (r *reader) ends(b byte) bool { return b == r.comma || b == '\n' || b == '\r' }

// cell reads a cell. A quotation mark counts at its start only.
func (r *reader) cell() (string, error) {
	if r.at == len(r.text) || r.text[r.at] != '"' {
		return r.plain(), nil
	}
	var b strings.Builder
	opened := r.line
	r.at++
	for {
		n := strings.IndexByte(r.text[r.at:], '"')
		if n < 0 {
			return "", &Error{opened, "a quotation mark is opened and never closed"}
		}
		part := r.text[r.at : r.at+n]
		b.WriteString(part)
		r.line += lineEnds(part)
		r.at += n + 1
		if r.at < len(r.text) && r.text[r.at] == '"' {
			b.WriteByte('"')
			r.at++
			continue
		}
		break
	}
	if r.at < len(r.text) && !r.ends(r.text[r.at]) {
		if !r.loose {
			return "", &Error{r.line, "text follows a closing quotation mark"}
		}
		b.WriteString(r.plain())
	}
	return b.String(), nil
}

// plain reads up to the end of a cell.
func (r *reader) plain() string {
	from := r.at
	for r.at < len(r.text) && !r.ends(r.text[r.at]) {
		r.at++
	}
	return r.text[from:r.at]
}

// lineEnds counts the ends of lines in text.
func lineEnds(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}
