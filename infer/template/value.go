package template

import (
	"slices"
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
