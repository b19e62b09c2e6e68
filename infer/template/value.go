package template

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// value is nil, bool, int64, float64, string, *list, *Mapping, undefined, or
// position.
type value any

// Mapping is a dict of texts that keeps the order in which keys came.
type Mapping struct {
	keys   []string
	values map[string]any
}

// NewMapping is an empty mapping.
func NewMapping() *Mapping { return &Mapping{values: map[string]any{}} }

// Set gives a key a value. A key that is there keeps its place.
func (m *Mapping) Set(key string, v any) {
	if _, ok := m.values[key]; !ok {
		m.keys = append(m.keys, key)
	}
	m.values[key] = v
}

// Get is the value of a key.
func (m *Mapping) Get(key string) (any, bool) {
	v, ok := m.values[key]
	return v, ok
}

// Keys are all keys in their order.
func (m *Mapping) Keys() []string { return slices.Clone(m.keys) }

// Len is the number of keys.
func (m *Mapping) Len() int { return len(m.keys) }

// list is what Python has several types for.
type list struct {
	kind  listKind
	items []value
	used  bool // of a stream: it was read
}

// listKind tells what can be done with a list.
type listKind int

const (
	plainList listKind = iota
	tuple
	view   // of a mapping: can be read and counted
	stream // can be read once
)

// undefined is the value of a name or item that has none. Using it is an error,
// unless it is lenient: the missing else of an inline if.
type undefined struct {
	what    string
	lenient bool
}

// valueOf takes over a value of the caller.
func valueOf(name string, v any, depth int) value {
	if depth > maxDepth {
		stop(place{1, 1}, name, "the value is nested more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v
	case int:
		return int64(v)
	case []string:
		l := &list{}
		for _, s := range v {
			l.items = append(l.items, s)
		}
		return l
	case []any:
		l := &list{}
		for _, x := range v {
			l.items = append(l.items, valueOf(name, x, depth+1))
		}
		return l
	case *Mapping:
		m := NewMapping()
		for _, key := range v.keys {
			m.Set(key, valueOf(name, v.values[key], depth+1))
		}
		return m
	}
	stop(place{1, 1}, name, "the value is of type %T", v)
	return nil
}

// typeName is Python's name of a value's type, for messages.
func typeName(v value) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case bool:
		return "a bool"
	case int64, float64:
		return "a number"
	case string:
		return "a text"
	case *list:
		return [...]string{"a list", "a tuple", "a view of a dict", "a stream"}[v.kind]
	case *Mapping:
		return "a dict"
	case undefined:
		return "undefined"
	}
	return "the loop's position"
}

// str is a value as Jinja2 writes it.
func (r *renderer) str(at place, v value) string {
	switch v := v.(type) {
	case string:
		return v
	case undefined:
		if v.lenient {
			return ""
		}
	}
	return r.repr(at, v)
}

// repr is a value as it stands in a printed list.
func (r *renderer) repr(at place, v value) string {
	r.spend(at, 0)
	switch v := v.(type) {
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return floatText(v)
	case string:
		return r.text(at, quote(v))
	case *list:
		if v.kind == plainList || v.kind == tuple {
			return r.listText(at, v)
		}
	case *Mapping:
		parts := make([]string, len(v.keys))
		for i, key := range v.keys {
			parts[i] = quote(key) + ": " + r.repr(at, v.values[key])
		}
		return r.text(at, "{"+strings.Join(parts, ", ")+"}")
	case nil:
		stop(at, "", "none would be written as a text; ask for it with if, or give a default")
	case undefined:
		stop(at, v.what, "has no value")
	}
	stop(at, "", "%s cannot be written as a text", typeName(v))
	return ""
}

func (r *renderer) listText(at place, l *list) string {
	parts := make([]string, len(l.items))
	for i, x := range l.items {
		parts[i] = r.repr(at, x)
	}
	inner := strings.Join(parts, ", ")
	if l.kind == plainList {
		return r.text(at, "["+inner+"]")
	}
	if len(parts) == 1 {
		inner += ","
	}
	return r.text(at, "("+inner+")")
}

// floatText is Python's repr of a float.
func floatText(f float64) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return strings.TrimPrefix(strings.ToLower(fmt.Sprint(f)), "+")
	}
	short := strconv.FormatFloat(f, 'e', -1, 64)
	_, exponent, _ := strings.Cut(short, "e")
	if e, _ := strconv.Atoi(exponent); e < -4 || e >= 16 {
		return short
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(plain, ".") {
		plain += ".0"
	}
	return plain
}

// quote is Python's repr of a text.
func quote(s string) string {
	mark := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		mark = `"`
	}
	var b strings.Builder
	b.WriteString(mark)
	for _, c := range s {
		switch {
		case string(c) == mark, c == '\\':
			b.WriteString(`\` + string(c))
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(c):
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
	}
	b.WriteString(mark)
	return b.String()
}

// true tells whether a value counts as true.
func (r *renderer) true(at place, v value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case undefined:
		if v.lenient {
			return false
		}
		stop(at, v.what, "has no value")
	case *list:
		if v.kind == stream {
			stop(at, "", "a stream is no condition")
		}
	}
	n, ok := size(v)
	return !ok || n > 0
}

// size is the number of characters, items or keys.
func size(v value) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case *list:
		return len(v.items), v.kind != stream
	case *Mapping:
		return v.Len(), true
	case undefined:
		return 0, v.lenient
	}
	return 0, false
}

// items are what a loop over a value goes through.
func (r *renderer) items(at place, v value) []value {
	switch v := v.(type) {
	case string:
		r.spend(at, len(v))
		var all []value
		for _, c := range v {
			all = append(all, string(c))
		}
		return all
	case *list:
		if v.used {
			stop(at, "", "a stream can be read once")
		}
		v.used = v.kind == stream
		r.spend(at, len(v.items))
		return v.items
	case *Mapping:
		r.spend(at, v.Len())
		return texts(v.keys)
	case undefined:
		if v.lenient {
			return nil
		}
		stop(at, v.what, "has no value")
	}
	stop(at, "", "%s cannot be gone through", typeName(v))
	return nil
}

func texts(all []string) []value {
	values := make([]value, len(all))
	for i, s := range all {
		values[i] = s
	}
	return values
}
