package main

import (
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/urfave/cli/v2"
)

// printHelp renders help with one option a line, its explanation wrapped to a
// column of its own.
func printHelp(w io.Writer, text string, data any) {
	t := template.Must(template.New("help").Funcs(template.FuncMap{"option": optionHelp}).Parse(text))
	if err := t.Execute(w, data); err != nil {
		fmt.Fprintln(w, "lightbox: printing help:", err)
	}
}

const (
	optionColumn = 24 // width of names
	helpWidth    = 96
)

// optionHelp is one option: its name, what its value is, and what it does.
func optionHelp(f cli.Flag) string {
	name := "--" + f.Names()[0]
	usage := ""
	if d, ok := f.(cli.DocGenerationFlag); ok {
		placeholder, text := unquoteUsage(d.GetUsage())
		usage = text
		if placeholder != "" {
			name += " " + placeholder
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s", optionColumn, name)
	column := max(optionColumn, len(name)+1)
	if len(name) >= optionColumn {
		b.WriteByte(' ')
	}
	for _, word := range strings.Fields(usage) {
		if column+len(word) > helpWidth {
			fmt.Fprintf(&b, "\n   %*s", optionColumn, "")
			column = optionColumn
		}
		b.WriteString(word + " ")
		column += len(word) + 1
	}
	return strings.TrimRight(b.String(), " ")
}

// unquoteUsage takes the name of a value out of a usage text, where it stands
// between backquotes.
func unquoteUsage(text string) (placeholder, rest string) {
	before, after, ok := strings.Cut(text, "`")
	if !ok {
		return "", text
	}
	name, after, ok := strings.Cut(after, "`")
	if !ok {
		return "", text
	}
	return name, before + name + after
}
