package template

import (
	"maps"
	"slices"
	"strings"
)

// arguments are those of a filter, test or method, and what it is applied to.
type arguments struct {
	at    place
	name  string
	of    value
	given []value
	keys  []string // "" where an argument has no name
}

// function is a filter or a method.
type function func(*renderer, arguments) value

// arguments evaluates those of a filter.
func (f filtered) arguments(r *renderer) arguments {
	a := arguments{at: f.place, name: f.name, of: r.eval(f.of), keys: f.keys}
	if u, ok := a.of.(undefined); ok && !u.lenient && f.name != "default" && f.name != "d" {
		stop(f.place, u.what, "has no value")
	}
	for _, x := range f.args {
		a.given = append(a.given, r.defined(x))
	}
	return a
}

// take are the values of the parameters in their order; where one is not given,
// its default.
func (a arguments) take(params []string, defaults ...value) []value {
	values := slices.Clone(defaults)
	set := make([]bool, len(params))
	for i, v := range a.given {
		at := i
		if a.keys[i] != "" {
			at = slices.Index(params, a.keys[i])
		}
		if at < 0 || at >= len(params) || set[at] {
			stop(a.at, a.name, "takes the arguments (%s)", strings.Join(params, ", "))
		}
		values[at], set[at] = v, true
	}
	for i, v := range values {
		if v == needed {
			stop(a.at, a.name, "wants its argument %s", params[i])
		}
	}
	return values
}

// needed is the default of a parameter that has none.
var needed value = undefined{what: "needed"}

// text is an argument that must be a text.
func (a arguments) text(v value) string {
	s, ok := v.(string)
	if !ok {
		stop(a.at, a.name, "wants a text where %s is given", typeName(v))
	}
	return s
}

// names are the keys of a table, for messages.
func names[T any](table map[string]T) string {
	return strings.Join(slices.Sorted(maps.Keys(table)), ", ")
}
