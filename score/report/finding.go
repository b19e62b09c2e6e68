package report

import (
	"fmt"
	"strconv"
	"strings"
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
	for _, line := range wrapped(Plain(f.About), 100) {
		text += "  " + line + "\n"
	}
	return text
}

// wrapped breaks text into lines of so many characters at most, where words let
// it.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && displayWidth(line)+1+displayWidth(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Markdown is the table for a page that renders Markdown.
func (f Table) Markdown() string {
	text := f.lines().markdown()
	if f.About != "" {
		text += "\n" + literal(Plain(f.About)) + "\n"
	}
	return text
}

// finding is one for the page.
type finding struct {
	Name, About string
	Header      []string
	Numbers     []bool // by column: numbers stand at the right
	Rows        [][]string
	Points      []point // of the plot; empty: none
}

// point is a place in a plot of 100 by 100, whose y grows downwards.
type point struct{ X, Y string }

// points are those of the plot.
func (f Table) points() []point {
	if !f.Plot || len(f.Rows) < 2 || len(f.Columns) < 2 {
		return nil
	}
	var all []point
	for _, row := range f.Rows[:len(f.Rows)-1] {
		x, okX := row[len(row)-2].(float64)
		y, okY := row[len(row)-1].(float64)
		if okX && okY {
			all = append(all, point{fmt.Sprintf("%.1f", 100*x), fmt.Sprintf("%.1f", 100*(1-y))})
		}
	}
	return all
}

func (f Table) finding() finding {
	t := f.lines()
	return finding{Name: Plain(strings.ToUpper(f.Name[:1]) + f.Name[1:]), About: Plain(f.About), Header: t.rows[0], Numbers: t.right, Rows: t.rows[1:], Points: f.points()}
}
