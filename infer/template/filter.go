package template

import (
	"slices"
	"strings"
)

// filters by name, as in jinja2/filters.py. Those that escape, or guess at
// numbers in texts, are left out.
var filters = map[string]function{
	"default": fallBack, "d": fallBack,
	"upper":      onText(upper),
	"lower":      onText(lower),
	"capitalize": onText(capitalize),
	"string":     onText(func(s string) string { return s }),
	"trim": func(r *renderer, a arguments) value {
		v := a.take([]string{"chars"}, nil)
		return r.text(a.at, strip(a, r.str(a.at, a.of), v[0], true, true))
	},
	"replace": func(r *renderer, a arguments) value {
		v := a.take([]string{"old", "new", "count"}, needed, needed, nil)
		return replace(r, a, r.str(a.at, a.of), v)
	},
	"length": length, "count": length,
	"first": func(r *renderer, a arguments) value { return atEnd(r, a, false) },
	"last":  func(r *renderer, a arguments) value { return atEnd(r, a, true) },
	"list": func(r *renderer, a arguments) value {
		a.take(nil)
		return &list{items: r.items(a.at, a.of)}
	},
	"reverse": reverse,
	"join":    join,
	"items": func(r *renderer, a arguments) value {
		a.take(nil)
		return &list{kind: stream, items: pairs(dictOf(a))}
	},
	"dictsort": dictSort,
}

// onText is a filter of texts; other values are written as texts first.
func onText(do func(string) string) function {
	return func(r *renderer, a arguments) value {
		a.take(nil)
		return r.text(a.at, do(r.str(a.at, a.of)))
	}
}

func fallBack(r *renderer, a arguments) value {
	v := a.take([]string{"default_value", "boolean"}, "", false)
	if _, ok := a.of.(undefined); ok || r.true(a.at, v[1]) && !r.true(a.at, a.of) {
		return v[0]
	}
	return a.of
}

func length(_ *renderer, a arguments) value {
	a.take(nil)
	n, ok := size(a.of)
	if !ok {
		stop(a.at, a.name, "%s has no length", typeName(a.of))
	}
	return int64(n)
}

// atEnd is the first or the last item.
func atEnd(r *renderer, a arguments, last bool) value {
	a.take(nil)
	if l, ok := a.of.(*list); ok && l.kind == stream && last {
		stop(a.at, a.name, "a stream has no end")
	}
	all := r.items(a.at, a.of)
	switch {
	case len(all) == 0:
		return undefined{what: "the " + a.name + " of nothing"}
	case last:
		return all[len(all)-1]
	}
	return all[0]
}

func reverse(r *renderer, a arguments) value {
	a.take(nil)
	if l, ok := a.of.(*list); ok && l.kind == stream {
		stop(a.at, a.name, "a stream has no end")
	}
	all := slices.Clone(r.items(a.at, a.of))
	slices.Reverse(all)
	if _, ok := a.of.(string); !ok {
		return &list{kind: stream, items: all}
	}
	var b strings.Builder
	for _, c := range all {
		b.WriteString(c.(string))
	}
	return b.String()
}

func join(r *renderer, a arguments) value {
	v := a.take([]string{"d"}, "")
	return joined(r, a, r.str(a.at, v[0]), r.items(a.at, a.of))
}

func joined(r *renderer, a arguments, between string, all []value) value {
	var b strings.Builder
	for i, x := range all {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(r.str(a.at, x))
		r.spend(a.at, len(between)/64)
		if b.Len() > MaxOutput {
			break // text says so
		}
	}
	return r.text(a.at, b.String())
}

func dictOf(a arguments) *Mapping {
	m, ok := a.of.(*Mapping)
	if !ok {
		stop(a.at, a.name, "wants a dict where %s is given", typeName(a.of))
	}
	return m
}

// pairs are the items of a mapping.
func pairs(m *Mapping) []value {
	all := make([]value, len(m.keys))
	for i, key := range m.keys {
		all[i] = &list{kind: tuple, items: []value{key, m.values[key]}}
	}
	return all
}

// dictSort orders a dict by its keys, letter case aside unless it is asked for.
func dictSort(r *renderer, a arguments) value {
	v := a.take([]string{"case_sensitive", "by", "reverse"}, false, "key", false)
	by := map[value]int{"key": 0, "value": 1}
	at, ok := by[v[1]]
	if !ok {
		stop(a.at, a.name, `wants by="key" or by="value"`)
	}
	exact, falling := r.true(a.at, v[0]), r.true(a.at, v[2])
	key := func(pair value) value {
		x := pair.(*list).items[at]
		if s, ok := x.(string); ok && !exact {
			return lower(s)
		}
		return x
	}
	all := pairs(dictOf(a))
	r.spend(a.at, len(all)*len(all))
	slices.SortStableFunc(all, func(x, y value) int {
		before := func(x, y value) bool { return r.compare(a.at, "<", key(x), key(y)) }
		if falling {
			x, y = y, x
		}
		switch {
		case before(x, y):
			return -1
		case before(y, x):
			return 1
		}
		return 0
	})
	return &list{items: all}
}
