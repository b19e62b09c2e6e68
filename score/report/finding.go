package report

import (
	"fmt"
	"strconv"
)

// cell is a value of a finding as text.
func (k Kind) cell(v any) string {
	switch v := v.(type) {
	case nil:
		return dash
	case int:
		return strconv.Itoa(v)
	case float64:
		if k == Fraction {
			return percent(&v)
		}
		return fmt.Sprintf("%.4g", v)
	}
	return fmt.Sprint(v)
}

// lines are the header and the rows of a finding as text, lined up by kind.
func (f Table) lines() *table {
	t := &table{right: make([]bool, len(f.Columns))}
	header := make([]string, len(f.Columns))
	for i, c := range f.Columns {
		header[i], t.right[i] = c.Name, c.Kind != Words
	}
	t.add(header...)
	for _, row := range f.Rows {
		cells := make([]string, len(f.Columns))
		for i, c := range f.Columns {
			cells[i] = dash
			if i < len(row) {
				cells[i] = c.Kind.cell(row[i])
			}
		}
		t.add(cells...)
	}
	return t
}

// Text is the table for a terminal, with how to read it below; "" where it has no
// rows.
func (f Table) Text() string {
	if len(f.Rows) == 0 {
		return ""
	}
	text := f.lines().String()
	if f.About != "" {
		text += "  " + plain(f.About) + "\n"
	}
	return text
}

// Markdown is the table for a page that renders Markdown.
func (f Table) Markdown() string {
	text := f.lines().markdown()
	if f.About != "" {
		text += "\n" + literal(plain(f.About)) + "\n"
	}
	return text
}

// finding is one for the page.
type finding struct {
	Name, About string
	Header      []string
	Numbers     []bool // by column: numbers stand at the right
	Rows        [][]string
}

func (f Table) finding() finding {
	t := f.lines()
	return finding{Name: plain(f.Name), About: plain(f.About), Header: t.rows[0], Numbers: t.right, Rows: t.rows[1:]}
}
