package template

import (
	"cmp"
	"math"
	"strings"
)

func (r *renderer) unary(u unary) value {
	v := r.defined(u.of)
	if u.op == "not" {
		return !r.true(u.place, v)
	}
	switch v := v.(type) {
	case int64:
		if u.op == "-" && v != math.MinInt64 {
			return -v
		} else if u.op == "+" {
			return v
		}
	case float64:
		if u.op == "-" {
			return -v
		}
		return v
	}
	stop(u.place, u.op, "cannot stand before %s", typeName(v))
	return nil
}

func (r *renderer) binary(b binary) value {
	switch b.op {
	case "and", "or":
		left := r.eval(b.left)
		if r.true(b.left.at(), left) == (b.op == "or") {
			return left
		}
		return r.eval(b.right)
	case "~":
		return r.text(b.place, r.str(b.left.at(), r.eval(b.left))+r.str(b.right.at(), r.eval(b.right)))
	}
	left, right := r.defined(b.left), r.defined(b.right)
	if s, ok := left.(string); ok && b.op == "+" {
		if t, ok := right.(string); ok {
			return r.text(b.place, s+t)
		}
	}
	if m, ok := left.(int64); ok {
		if n, ok := right.(int64); ok {
			return whole(b, m, n)
		}
	}
	x, isX := number(left)
	y, isY := number(right)
	if !isX || !isY || b.op == "//" || b.op == "%" {
		stop(b.place, b.op, "cannot stand between %s and %s", typeName(left), typeName(right))
	}
	return fraction(b, x, y)
}

// number is a value as a fraction; large whole numbers would not be exact.
func number(v value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), -1<<53 <= v && v <= 1<<53
	case float64:
		return v, true
	}
	return 0, false
}

// whole computes with whole numbers as Python does: // rounds down, and % has
// the sign of what it divides by.
func whole(b binary, m, n int64) value {
	const most = 1 << 31 // no sum or product of smaller numbers overflows
	if max(m, n) > most || min(m, n) < -most {
		stop(b.place, b.op, "the numbers are too large")
	}
	switch b.op {
	case "+":
		return m + n
	case "-":
		return m - n
	case "*":
		return m * n
	}
	if n == 0 {
		stop(b.place, b.op, "divides by zero")
	}
	quotient, rest := m/n, m%n
	if rest != 0 && (rest < 0) != (n < 0) {
		quotient, rest = quotient-1, rest+n
	}
	switch b.op {
	case "//":
		return quotient
	case "%":
		return rest
	}
	return float64(m) / float64(n)
}

func fraction(b binary, x, y float64) value {
	switch b.op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	}
	if y == 0 {
		stop(b.place, b.op, "divides by zero")
	}
	return x / y
}

// compareAll tells whether each two neighbours compare.
func (r *renderer) compareAll(c comparison) value {
	left := r.defined(c.first)
	for i, op := range c.ops {
		right := r.defined(c.rest[i])
		if !r.compare(c.rest[i].at(), op, left, right) {
			return false
		}
		left = right
	}
	return true
}

func (r *renderer) compare(at place, op string, left, right value) bool {
	switch op {
	case "==":
		return r.equal(at, left, right)
	case "!=":
		return !r.equal(at, left, right)
	case "in":
		return r.contains(at, right, left)
	case "not in":
		return !r.contains(at, right, left)
	}
	order := 0
	x, isX := number(left)
	y, isY := number(right)
	s, isS := left.(string)
	t, isT := right.(string)
	switch {
	case isX && isY:
		order = cmp.Compare(x, y)
	case isS && isT:
		r.spend(at, len(s)/64)
		order = strings.Compare(s, t) // of UTF-8: by code points, as Python's
	default:
		stop(at, op, "cannot compare %s and %s", typeName(left), typeName(right))
	}
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// equal is Python's ==, by which 1, 1.0 and true are the same.
func (r *renderer) equal(at place, a, b value) bool {
	r.spend(at, 0)
	if x, ok := a.(bool); ok {
		a = map[bool]int64{true: 1}[x]
	}
	if y, ok := b.(bool); ok {
		b = map[bool]int64{true: 1}[y]
	}
	switch x := a.(type) {
	case int64, float64:
		m, isM := number(a)
		n, isN := number(b)
		if k, ok := b.(int64); ok && a == value(k) {
			return true
		}
		return isM && isN && m == n
	case *list:
		y, ok := b.(*list)
		if x.kind > tuple || ok && y.kind > tuple {
			stop(at, "==", "cannot compare %s and %s", typeName(a), typeName(b))
		}
		return ok && x.kind == y.kind && r.equalItems(at, x.items, y.items)
	case *Mapping:
		y, ok := b.(*Mapping)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for _, key := range x.keys {
			if other, ok := y.values[key]; !ok || !r.equal(at, x.values[key], other) {
				return false
			}
		}
		return true
	case string:
		r.spend(at, len(x)/64)
		return a == b
	case nil:
		return b == nil
	}
	stop(at, "==", "cannot compare %s", typeName(a))
	return false
}

func (r *renderer) equalItems(at place, a, b []value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !r.equal(at, a[i], b[i]) {
			return false
		}
	}
	return true
}

// contains is Python's "x in in".
func (r *renderer) contains(at place, in, x value) bool {
	switch in := in.(type) {
	case string:
		s, ok := x.(string)
		if !ok {
			stop(at, "in", "%s cannot be in a text", typeName(x))
		}
		r.spend(at, len(in)/64)
		return strings.Contains(in, s)
	case *Mapping:
		l, isList := x.(*list)
		if _, isDict := x.(*Mapping); isDict || isList && l.kind != tuple {
			stop(at, "in", "%s is no key of a dict", typeName(x))
		}
		key, ok := x.(string)
		_, there := in.values[key]
		return ok && there
	}
	for _, y := range r.items(at, in) {
		if r.equal(at, x, y) {
			return true
		}
	}
	return false
}
