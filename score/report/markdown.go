package report

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the headline and the table of scores for a page or a thread
// that renders Markdown with tables. Text of models and data stays text.
func (r Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", literal(Plain(r.Headline)))
	if name := strings.Trim(benchmarkLabel(r.Benchmark)+": "+r.Title, ": "); name != "" {
		fmt.Fprintf(&b, "\n%s\n", literal(Plain(name)))
	}
	if groups := r.scoredGroups(); len(groups) > 0 {
		t, legend := scoresOf("subset", groups, r.Metrics)
		fmt.Fprintf(&b, "\n%s\n", t.markdown())
		if legend != "" {
			fmt.Fprintf(&b, "%s. ", literal(legend))
		}
		fmt.Fprintf(&b, "%s %s.\n", ofScored, countsInWords(r.Counts))
	}
	for _, f := range r.Tables {
		if len(f.Rows) > 0 {
			fmt.Fprintf(&b, "\n**%s**\n\n%s", literal(Plain(f.Name)), f.Markdown())
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown is the table as Markdown has it.
func (t *table) markdown() string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	for i, row := range t.rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			cells[j] = literal(cell)
		}
		line(cells)
		if i > 0 {
			continue
		}
		for j := range cells {
			cells[j] = ":--"
			if t.right[j] {
				cells[j] = "--:"
			}
		}
		line(cells)
	}
	return b.String()
}

// markup are the characters that Markdown, or HTML in it, could read as more than
// themselves. Brackets do so only before a parenthesis.
const markup = "\\`*_<>|~&#"

// literal puts a backslash before every character that Markdown could act on.
func literal(s string) string {
	var b strings.Builder
	before := rune(0)
	for _, r := range s {
		if strings.ContainsRune(markup, r) || r == '(' && before == ']' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
