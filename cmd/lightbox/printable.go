package main

import (
	"fmt"
	"io"
	"strings"

	"lightbox/score/report"
)

// printable is text that cannot steer the terminal. Its lines and tabs stay.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j, cell := range cells {
			cells[j] = report.Plain(cell)
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// guarded writes only what is printable. Every write ends where a character does.
type guarded struct{ io.Writer }

func (g guarded) Write(p []byte) (int, error) {
	if _, err := io.WriteString(g.Writer, printable(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// text is where output for people goes.
func (t terminal) text() io.Writer { return guarded{t.out} }

// tell says something beside the output.
func (t terminal) tell(what ...any) {
	fmt.Fprint(t.err, "lightbox: ", printable(fmt.Sprintln(what...)))
}
