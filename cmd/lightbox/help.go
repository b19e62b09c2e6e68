package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/urfave/cli/v2"
)

// printHelp renders help; it replaces the library's, which sorts options and
// their groups by the alphabet.
func printHelp(w io.Writer, text string, data any) {
	t := template.Must(template.New("help").Funcs(template.FuncMap{"options": optionsHelp}).Parse(text))
	if err := t.Execute(w, data); err != nil {
		fmt.Fprintln(w, "lightbox: printing help:", err)
	}
}

// optionsHelp lists a command's options in their own order, each group under
// its name.
func optionsHelp(c *cli.Command) string {
	if !slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return f != cli.HelpFlag }) {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nOPTIONS:\n")
	group := ""
	for _, f := range c.Flags {
		if f == cli.HelpFlag {
			continue
		}
		if g, ok := f.(cli.CategorizableFlag); ok && g.GetCategory() != group {
			group = g.GetCategory()
			fmt.Fprintf(&b, " %s:\n", group)
		}
		b.WriteString("   " + optionHelp(f) + "\n")
	}
	return b.String()
}

const (
	optionColumn = 22 // width of names
	helpWidth    = 92
)

// optionHelp is one option: its name, what its value is, and what it does,
// wrapped to a column of its own.
func optionHelp(f cli.Flag) string {
	name, usage := "--"+f.Names()[0], ""
	if d, ok := f.(cli.DocGenerationFlag); ok {
		var placeholder string
		if placeholder, usage = unquoteUsage(d.GetUsage()); placeholder != "" {
			name += " " + placeholder
		}
	}
	line := fmt.Sprintf("%-*s", optionColumn, name)
	var b strings.Builder
	for _, word := range strings.Fields(usage) {
		if len(line)+1+len(word) > helpWidth {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", optionColumn+3)
		}
		line += " " + word
	}
	return b.String() + line
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
