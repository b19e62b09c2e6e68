package template

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a template and of rendering one.
const (
	MaxSource = 16 << 10 // bytes of a template
	MaxOutput = 1 << 20  // bytes of what it renders, and of every text on the way
	maxDepth  = 64       // of nested blocks, brackets and values
	maxSteps  = 1 << 20  // of rendering: parts evaluated, and texts by their length
)

// Template is a parsed template. It is safe for concurrent use.
type Template struct {
	nodes []node
	vars  []variable
}

// Parse reads a template. Its error is an [*Error].
func Parse(source string) (t *Template, err error) {
	defer contain(&err)
	start := place{1, 1}
	if len(source) > MaxSource {
		stop(start, "", "the template has %d bytes, %d at most", len(source), MaxSource)
	}
	if !utf8.ValidString(source) {
		stop(start, "", "the template is not valid UTF-8")
	}
	source = strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\r", "\n")
	p := &parser{tokens: lex(strings.TrimSuffix(source, "\n"))}
	p.scope()
	t = &Template{}
	t.nodes, _ = p.body()
	t.vars = p.vars
	return t, nil
}

// Check demands that every name which the template reads is among the known. Its
// error is an [*Error] about the first that is not.
func (t *Template) Check(known []string) error {
	for _, v := range t.vars {
		if !slices.Contains(known, v.name) {
			return &Error{v.line, v.column, v.name, fmt.Errorf("names no value; there are %s", strings.Join(known, ", "))}
		}
	}
	return nil
}

// Render writes the template with values by name: nil, bool, int, int64,
// float64, string, []string, []any or *[Mapping], and those within each other.
// Its error is an [*Error].
func (t *Template) Render(values map[string]any) (rendered string, err error) {
	defer contain(&err)
	r := &renderer{values: map[string]value{}, scopes: []map[string]value{{}}}
	for name, v := range values {
		r.values[name] = valueOf(name, v, 0)
	}
	r.nodes(t.nodes)
	return r.out.String(), nil
}
