package report

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// table lines up columns by the width that a terminal gives to characters. The
// first row is the header. text/tabwriter counts characters, and so sets East
// Asian text out of line.
type table struct {
	rows  [][]string
	right []bool // by column: numbers stand at the right
}

func (t *table) add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = Plain(cell)
	}
	t.rows = append(t.rows, row)
}

// String is the lines of the table, each after an indent, without blanks at
// their ends.
func (t *table) String() string {
	const indent, gap = "  ", "  "
	widths := make([]int, len(t.right))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], displayWidth(cell))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		line := indent
		for i, cell := range row {
			fill := strings.Repeat(" ", widths[i]-displayWidth(cell))
			if t.right[i] {
				cell = fill + cell
			} else {
				cell += fill
			}
			line += cell + gap
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// displayWidth is how many columns of a terminal a text takes: two for wide
// East Asian characters and emoji, none for combining marks.
func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
