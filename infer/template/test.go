package template

// tests by name, as in jinja2/tests.py. The first argument is what is tested.
var tests = map[string]func(*renderer, arguments) bool{
	"defined":   func(_ *renderer, a arguments) bool { return !isA[undefined](a) },
	"undefined": func(_ *renderer, a arguments) bool { return isA[undefined](a) },
	"none":      func(_ *renderer, a arguments) bool { return a.of == nil },
	"string":    func(_ *renderer, a arguments) bool { return isA[string](a) },
	"boolean":   func(_ *renderer, a arguments) bool { return isA[bool](a) },
	"true":      func(_ *renderer, a arguments) bool { return a.of == true },
	"false":     func(_ *renderer, a arguments) bool { return a.of == false },
	"integer":   func(_ *renderer, a arguments) bool { return isA[int64](a) },
	"float":     func(_ *renderer, a arguments) bool { return isA[float64](a) },
	"number":    func(_ *renderer, a arguments) bool { return isA[int64](a) || isA[float64](a) || isA[bool](a) },
	"mapping":   func(_ *renderer, a arguments) bool { return isA[*Mapping](a) },
	"sequence": func(_ *renderer, a arguments) bool {
		l, ok := a.of.(*list)
		return isA[string](a) || isA[*Mapping](a) || ok && l.kind <= tuple
	},
	"iterable": func(_ *renderer, a arguments) bool {
		return isA[string](a) || isA[*Mapping](a) || isA[*list](a)
	},
	"odd":         func(_ *renderer, a arguments) bool { return remainder(a, int64(2)) == 1 },
	"even":        func(_ *renderer, a arguments) bool { return remainder(a, int64(2)) == 0 },
	"divisibleby": func(_ *renderer, a arguments) bool { return remainder(a, a.given[0]) == 0 },
	"in":          func(r *renderer, a arguments) bool { return r.contains(a.at, a.given[0], a.of) },
	"eq":          func(r *renderer, a arguments) bool { return r.equal(a.at, a.of, a.given[0]) },
	"equalto":     func(r *renderer, a arguments) bool { return r.equal(a.at, a.of, a.given[0]) },
	"ne":          func(r *renderer, a arguments) bool { return !r.equal(a.at, a.of, a.given[0]) },
}

// compares are the tests that take an argument.
var compares = map[string]bool{"divisibleby": true, "in": true, "eq": true, "equalto": true, "ne": true}

func (r *renderer) test(t tested) bool {
	a := arguments{at: t.place, name: t.name, of: r.eval(t.of)}
	if u, ok := a.of.(undefined); ok && t.name != "defined" && t.name != "undefined" {
		stop(t.place, u.what, "has no value")
	}
	for _, x := range t.args {
		a.given = append(a.given, r.defined(x))
	}
	return tests[t.name](r, a)
}

func isA[T any](a arguments) bool {
	_, ok := a.of.(T)
	return ok
}

// remainder is what dividing by n leaves, by Python's rule.
func remainder(a arguments, n value) int64 {
	x, isX := a.of.(int64)
	y, isY := n.(int64)
	if !isX || !isY {
		stop(a.at, a.name, "wants whole numbers")
	}
	return whole(binary{place: a.at, op: "%"}, x, y).(int64)
}
