package template

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rendering is a case of testdata/oracle.json, which make_oracle.py made with
// Jinja2 itself.
type rendering struct {
	Name, Template string
	Values         json.RawMessage
	Want           string
	Error          bool
}

func oracle(t testing.TB) []rendering {
	t.Helper()
	raw, err := os.ReadFile("testdata/oracle.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []rendering
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 190 {
		t.Fatalf("the oracle has only %d cases", len(all))
	}
	return all
}

// values are those of a case, dicts in their order.
func (c rendering) values(t testing.TB) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(c.Values))
	dec.UseNumber()
	top := ordered(t, dec).(*Mapping)
	all := map[string]any{}
	for _, key := range top.Keys() {
		all[key], _ = top.Get(key)
	}
	return all
}

func ordered(t testing.TB, dec *json.Decoder) any {
	t.Helper()
	tok, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch tok := tok.(type) {
	case json.Delim:
		m, l := NewMapping(), []any{}
		for dec.More() {
			v := ordered(t, dec)
			if tok == '{' {
				m.Set(v.(string), ordered(t, dec))
			} else {
				l = append(l, v)
			}
		}
		if _, err := dec.Token(); err != nil {
			t.Fatal(err)
		}
		if tok == '{' {
			return m
		}
		return l
	case json.Number:
		if n, err := tok.Int64(); err == nil && !strings.Contains(tok.String(), ".") {
			return n
		}
		f, _ := tok.Float64()
		return f
	default:
		return tok
	}
}

func render(source string, values map[string]any) (string, error) {
	t, err := Parse(source)
	if err != nil {
		return "", err
	}
	return t.Render(values)
}

// TestAsJinja2 demands what Jinja2 rendered, byte for byte, and an error where
// Jinja2 has one.
func TestAsJinja2(t *testing.T) {
	for _, c := range oracle(t) {
		t.Run(c.Name, func(t *testing.T) {
			got, err := render(c.Template, c.values(t))
			if c.Error {
				if err == nil {
					t.Errorf("%q rendered as %q; Jinja2 fails", c.Template, got)
				}
				return
			}
			if err != nil {
				t.Fatalf("%q: %v", c.Template, err)
			}
			if diff := cmp.Diff(c.Want, got); diff != "" {
				t.Errorf("%q: %s", c.Template, diff)
			}
		})
	}
}

// TestRefused are templates that Jinja2 renders and this package refuses, each
// by name and place.
func TestRefused(t *testing.T) {
	tests := []struct{ template, want string }{
		{"{{ x }}", `line 1, column 4: none would be written as a text; ask for it with if, or give a default`},
		{"ab\n  {{ x ~ 'a' }}", `line 2, column 6: none would be written as a text; ask for it with if, or give a default`},
		{"{{ [x] }}", `line 1, column 4: none would be written as a text; ask for it with if, or give a default`},
		{"日本{{ 'a' * 3 }}", `line 1, column 10: "*": cannot stand between a text and a number`},
		{"{{ [1] * 3 }}", `line 1, column 8: "*": cannot stand between a list and a number`},
		{"{{ '%s' % 1 }}", `line 1, column 9: "%": cannot stand between a text and a number`},
		{"{{ 2 ** 3 }}", `line 1, column 6: "**": is no operator of a prompt`},
		{"{{ range(3) }}", `line 1, column 9: "(": only methods can be called`},
		{"{% include 'a' %}", `line 1, column 4: "include": is no block of a prompt; there are if, for and set`},
		{"{% import 'a' as b %}", `line 1, column 4: "import": is no block of a prompt; there are if, for and set`},
		{"{% extends 'a' %}", `line 1, column 4: "extends": is no block of a prompt; there are if, for and set`},
		{"{% macro a() %}{% endmacro %}", `line 1, column 4: "macro": is no block of a prompt; there are if, for and set`},
		{"{% raw %}{% endraw %}", `line 1, column 4: "raw": is no block of a prompt; there are if, for and set`},
		{"{%raw%}{%endraw%%}", `line 1, column 3: "raw": is no block of a prompt; there are if, for and set`},
		{"{{ 'a'|e }}", `line 1, column 8: "e": is no filter of a prompt; there are capitalize, count, d, default, dictsort, first, items, join, last, length, list, lower, replace, reverse, string, trim, upper`},
		{"{{ ''.__class__ }}", `line 1, column 6: "__class__": is no attribute that prompts know`},
		{"{{ {}.__class__ }}", `line 1, column 6: "__class__": is no attribute that prompts know`},
		{"{{ 'a'.format(1) }}", `line 1, column 7: "format": is no method of a text that prompts know`},
		{"{{ {'a': 1}.pop('a') }}", `line 1, column 12: "pop": is no method of a dict that prompts know`},
		{"{% set y = [1]|reverse %}{{ y|join }}{{ y|join }}", `line 1, column 43: a stream can be read once`},
		{"{{ [1, 2][::2] }}", `line 1, column 12: ":": is not expected here; want a value`},
		{"{{ 3000000000 * 2 }}", `line 1, column 15: "*": the numbers are too large`},
		{"{{ 99999999999999999999 }}", `line 1, column 4: "99999999999999999999": is too large`},
		{"{{ '\\q' }}", `line 1, column 4: "\\q": is unknown; want \n, \t, \r, \\, \', \", \xNN or \uNNNN`},
		{"{{ 1, 2 }}", `line 1, column 5: ",": is not expected here; want }}`},
		{"{% set a %}b{% endset %}", `line 1, column 10: "%}": is not expected here; want "="`},
		{"{% for x in l recursive %}{% endfor %}", `line 1, column 15: "recursive": is not expected here; want %}`},
		{"{{ true + 1 }}", `line 1, column 9: "+": cannot stand between a bool and a number`},
		{"\xff", `line 1, column 1: the template is not valid UTF-8`},
		{strings.Repeat("a", MaxSource+1), `line 1, column 1: the template has 16385 bytes, 16384 at most`},
	}
	for _, tt := range tests {
		_, err := render(tt.template, map[string]any{"x": nil, "l": []string{"a"}})
		var e *Error
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("%.40q:\n%v, want\n%s", tt.template, err, tt.want)
		}
	}
}

// TestLimits: no template takes long, much memory, or the stack.
func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 1<<10)
	doubled := "{% set a = l %}" + strings.Repeat("{% set a = a ~ a %}", 40) + "{{ a }}"
	pairs := "{% set a = 'x' %}" + strings.Repeat("{% set a = [a, a] %}", 60) + "{{ a }}"
	loops := strings.Repeat("{% for x in l %}", 5) + "y" + strings.Repeat("{% endfor %}", 5)
	tests := []struct{ name, template, want string }{
		{"brackets", "{{ " + strings.Repeat("(", 8000), "nested more than 64 deep"},
		{"closed brackets", "{{ " + strings.Repeat("(", 8000) + "1" + strings.Repeat(")", 8000) + " }}", "nested more than 64 deep"},
		{"negations", "{{ " + strings.Repeat("not ", 4000) + "1 }}", "nested more than 64 deep"},
		{"signs", "{{ " + strings.Repeat("-", 8000) + "1 }}", "nested more than 64 deep"},
		{"conditions", "{{ " + strings.Repeat("1 if 0 else ", 1300) + "1 }}", "nested more than 64 deep"},
		{"blocks", strings.Repeat("{% if 1 %}", 1600), "nested more than 64 deep"},
		{"doubling texts", doubled, "a text of more than 1048576 bytes"},
		{"doubling lists", pairs, "steps"},
		{"nested loops", loops, "steps"},
		{"joining", "{{ l|join(l) }}" + strings.Repeat("{{ l|join(l) }}", 10), "renders more than 1048576 bytes"},
		{"replacing", "{{ l.replace('', l ~ l).replace('x', l) }}", "more than 1048576 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := render(tt.template, map[string]any{"l": long})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
	wide := "{{ 1" + strings.Repeat(" + 1", 4000) + " }}"
	if got, err := render(wide, nil); err != nil || got != "4001" {
		t.Errorf("a long sum: %q, %v", got, err)
	}
}

func TestCheck(t *testing.T) {
	known := []string{"question", "options"}
	tests := []struct{ template, want string }{
		{"{{ question }}{% for k, v in options.items() %}{{ loop.index }}{{ k }}{% endfor %}", ""},
		{"{% set x = question %}{{ x }}", ""},
		{"\n{{ qestion }}", `line 2, column 4: "qestion": names no value; there are question, options`},
		{"{% for k in options %}{% endfor %}{{ k }}", `line 1, column 38: "k": names no value; there are question, options`},
		{"{{ loop.index }}", `line 1, column 4: "loop": names no value; there are question, options`},
	}
	for _, tt := range tests {
		parsed, err := Parse(tt.template)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := parsed.Check(known); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s", tt.template, got, tt.want)
		}
	}
}

// TestValues: what callers give is taken over, of any type that is allowed.
func TestValues(t *testing.T) {
	m := NewMapping()
	m.Set("b", 1)
	m.Set("a", []string{"x"})
	m.Set("b", 2.5)
	values := map[string]any{"m": m, "n": 7, "l": []any{int64(1), nil, m}}
	got, err := render("{{ m }} {{ n }} {{ l[2].a[0] }} {{ l|length }}", values)
	if want := "{'b': 2.5, 'a': ['x']} 7 x 3"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for _, bad := range []any{map[string]any{}, struct{}{}, uint8(1), []int{1}} {
		if _, err := render("x", map[string]any{"bad": bad}); err == nil {
			t.Errorf("a value of type %T is no error", bad)
		}
	}
	deep := []any{}
	for range 100 {
		deep = []any{deep}
	}
	if _, err := render("x", map[string]any{"deep": deep}); err == nil {
		t.Error("a deeply nested value is no error")
	}
}

// TestAtOnce: a template is shared by goroutines.
func TestAtOnce(t *testing.T) {
	parsed, err := Parse("{% for x in l|reverse %}{{ x }}{% endfor %}")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if got, err := parsed.Render(map[string]any{"l": []string{"a", "b"}}); err != nil || got != "ba" {
					t.Errorf("%q, %v", got, err)
				}
			}
		})
	}
	group.Wait()
}

// FuzzTemplate: a template renders the same twice or is an [*Error] with a place.
func FuzzTemplate(f *testing.F) {
	for _, c := range oracle(f) {
		f.Add(c.Template)
	}
	values := map[string]any{"x": "X", "l": []string{"a", "b"}, "o": NewMapping(), "n": nil}
	f.Fuzz(func(t *testing.T, source string) {
		first, err := render(source, values)
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1 || strings.Contains(err.Error(), "cannot be rendered")) {
			t.Fatalf("error %v", err)
		}
		again, _ := render(source, values)
		if first != again || len(first) > MaxOutput {
			t.Errorf("%q, then %q", first, again)
		}
	})
}
