package template

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// dictAttributes are what Python's dict has, beside what begins with "__": they
// stand before the items of the same name.
var dictAttributes = []string{
	"clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values",
}

func isDictAttribute(name string) bool {
	return slices.Contains(dictAttributes, name) || strings.HasPrefix(name, "__")
}

// dictMethods by name.
var dictMethods = map[string]function{
	"items":  ofDict(pairs),
	"keys":   ofDict(func(m *Mapping) []value { return texts(m.keys) }),
	"values": ofDict(func(m *Mapping) []value { return valuesOf(m) }),
	"get": func(_ *renderer, a arguments) value {
		v := a.take([]string{"key", "default"}, needed, nil)
		if key, ok := v[0].(string); ok {
			if x, ok := dictOf(a).Get(key); ok {
				return x
			}
		}
		return v[1]
	},
}

func ofDict(do func(*Mapping) []value) function {
	return func(_ *renderer, a arguments) value {
		a.take(nil)
		return &list{kind: view, items: do(dictOf(a))}
	}
}

func valuesOf(m *Mapping) []value {
	all := make([]value, len(m.keys))
	for i, key := range m.keys {
		all[i] = m.values[key]
	}
	return all
}

// textMethods by name.
var textMethods = map[string]function{
	"upper":        onText(upper),
	"lower":        onText(lower),
	"capitalize":   onText(capitalize),
	"strip":        stripping(true, true),
	"lstrip":       stripping(true, false),
	"rstrip":       stripping(false, true),
	"startswith":   withText(func(s, t string) value { return strings.HasPrefix(s, t) }),
	"endswith":     withText(func(s, t string) value { return strings.HasSuffix(s, t) }),
	"removeprefix": withText(func(s, t string) value { return strings.TrimPrefix(s, t) }),
	"removesuffix": withText(func(s, t string) value { return strings.TrimSuffix(s, t) }),
	"replace": func(r *renderer, a arguments) value {
		v := a.take([]string{"old", "new", "count"}, needed, needed, int64(-1))
		return replace(r, a, a.text(a.of), v)
	},
	"split": func(r *renderer, a arguments) value {
		v := a.take([]string{"sep"}, nil)
		r.spend(a.at, len(a.text(a.of)))
		if v[0] == nil {
			return &list{items: texts(strings.FieldsFunc(a.text(a.of), isBlank))}
		}
		sep := a.text(v[0])
		if sep == "" {
			stop(a.at, a.name, "wants a separator that is not empty")
		}
		return &list{items: texts(strings.Split(a.text(a.of), sep))}
	},
	"join": func(r *renderer, a arguments) value {
		v := a.take([]string{"iterable"}, needed)
		all := r.items(a.at, v[0])
		for _, x := range all {
			a.text(x)
		}
		return joined(r, a, a.text(a.of), all)
	},
}

func withText(do func(s, t string) value) function {
	return func(r *renderer, a arguments) value {
		v := a.take([]string{"text"}, needed)
		r.spend(a.at, len(a.text(a.of))/64)
		return do(a.text(a.of), a.text(v[0]))
	}
}

func stripping(left, right bool) function {
	return func(r *renderer, a arguments) value {
		v := a.take([]string{"chars"}, nil)
		return r.text(a.at, strip(a, a.text(a.of), v[0], left, right))
	}
}

// strip removes blanks, or the given characters, from the ends of a text.
func strip(a arguments, s string, chars value, left, right bool) string {
	drop := isBlank
	if chars != nil {
		set := a.text(chars)
		drop = func(c rune) bool { return strings.ContainsRune(set, c) }
	}
	if left {
		s = strings.TrimLeftFunc(s, drop)
	}
	if right {
		s = strings.TrimRightFunc(s, drop)
	}
	return s
}

// replace replaces a text, as often as v[2] says where it is not none.
func replace(r *renderer, a arguments, s string, v []value) value {
	before, after, times := a.text(v[0]), a.text(v[1]), int64(-1)
	if v[2] != nil {
		n, ok := v[2].(int64)
		if !ok {
			stop(a.at, a.name, "wants a whole number as count")
		}
		times = n
	}
	if found := int64(strings.Count(s, before)); times < 0 || times > found {
		times = found
	}
	if int64(len(s))+times*int64(len(after)) > MaxOutput {
		stop(a.at, a.name, "makes a text of more than %d bytes", MaxOutput)
	}
	return r.text(a.at, strings.Replace(s, before, after, int(times)))
}

// upper and lower follow Unicode's full mappings, as Python does: ß becomes SS.
func upper(s string) string { return cases.Upper(language.Und).String(s) }

func lower(s string) string { return cases.Lower(language.Und).String(s) }

func capitalize(s string) string {
	if s == "" {
		return s
	}
	_, n := utf8.DecodeRuneInString(s)
	small := lower(s)
	return cases.Title(language.Und).String(s[:n]) + small[len(lower(s[:n])):]
}
