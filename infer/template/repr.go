package template

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

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
