package template

import "strings"

// eval is the value of an expression.
func (r *renderer) eval(e expr) value {
	r.spend(e.at(), 0)
	switch e := e.(type) {
	case literal:
		return e.value
	case variable:
		return r.lookUp(e)
	case listing:
		l := &list{kind: e.kind}
		for _, x := range e.items {
			l.items = append(l.items, r.defined(x))
		}
		return l
	case dict:
		m := NewMapping()
		for i, key := range e.keys {
			m.Set(key, r.eval(e.values[i]))
		}
		return m
	case attribute:
		return r.attribute(e)
	case item:
		return r.item(e)
	case span:
		return r.span(e)
	case call:
		return r.call(e)
	case filtered:
		return filters[e.name](r, e.arguments(r))
	case tested:
		return r.test(e) != e.not
	case unary:
		return r.unary(e)
	case binary:
		return r.binary(e)
	case comparison:
		return r.compareAll(e)
	case choice:
		return r.choose(e)
	}
	stop(e.at(), "", "a %T cannot be evaluated", e)
	return nil
}

func (r *renderer) lookUp(v variable) value {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if x, ok := r.scopes[i][v.name]; ok {
			return x
		}
	}
	if x, ok := r.values[v.name]; ok {
		return x
	}
	return undefined{what: v.name}
}

// defined is a value that must be there.
func (r *renderer) defined(e expr) value {
	v := r.eval(e)
	if u, ok := v.(undefined); ok {
		stop(e.at(), u.what, "has no value")
	}
	return v
}

func (r *renderer) choose(c choice) value {
	if r.true(c.when.at(), r.eval(c.when)) {
		return r.eval(c.then)
	}
	if c.otherwise == nil {
		return undefined{what: "the else of an if", lenient: true}
	}
	return r.eval(c.otherwise)
}

// attribute reads x.name: of a dict the item, unless a method is called so.
func (r *renderer) attribute(a attribute) value {
	switch of := r.defined(a.of).(type) {
	case *Mapping:
		if !isDictAttribute(a.name) {
			if v, ok := of.Get(a.name); ok {
				return v
			}
			return undefined{what: a.name}
		}
	case position:
		if v, ok := of.attribute(a.name); ok {
			return v
		}
	case nil:
		return undefined{what: a.name}
	}
	stop(a.place, a.name, "is no attribute that prompts know")
	return nil
}

// item reads x[key]. What is not there is undefined.
func (r *renderer) item(i item) value {
	of, key := r.defined(i.of), r.defined(i.key)
	switch of := of.(type) {
	case *Mapping:
		if name, ok := key.(string); ok {
			if v, ok := of.Get(name); ok {
				return v
			}
			if isDictAttribute(name) {
				stop(i.place, name, "is a method and no item")
			}
		}
		return undefined{what: "item " + r.repr(i.place, key)}
	case string, *list:
		if l, ok := of.(*list); ok && l.kind > tuple {
			break
		}
		n, ok := key.(int64)
		if !ok {
			break
		}
		all := r.items(i.place, of)
		if n < 0 {
			n += int64(len(all))
		}
		if n < 0 || n >= int64(len(all)) {
			return undefined{what: "item " + r.repr(i.place, key)}
		}
		return all[n]
	}
	stop(i.place, "", "%s has no items by %s", typeName(of), typeName(key))
	return nil
}

// span reads x[from:to].
func (r *renderer) span(s span) value {
	of := r.defined(s.of)
	l, isList := of.(*list)
	if _, isText := of.(string); !isText && (!isList || l.kind > tuple) {
		stop(s.place, "", "%s cannot be cut", typeName(of))
	}
	all := r.items(s.place, of)
	bound := func(e expr, otherwise int) int {
		if e == nil {
			return otherwise
		}
		n, ok := r.defined(e).(int64)
		if !ok {
			stop(e.at(), "", "want a whole number")
		}
		if n < 0 {
			n += int64(len(all))
		}
		return int(max(0, min(n, int64(len(all)))))
	}
	from, to := bound(s.from, 0), bound(s.to, len(all))
	all = all[from:max(from, to)]
	if isList {
		return &list{kind: l.kind, items: all}
	}
	var b strings.Builder
	for _, c := range all {
		b.WriteString(c.(string))
	}
	return b.String()
}

// call calls a method.
func (r *renderer) call(c call) value {
	method := c.of.(attribute)
	of := r.defined(method.of)
	args := arguments{at: c.place, name: method.name, of: of}
	for _, a := range c.args {
		args.given = append(args.given, r.defined(a))
		args.keys = append(args.keys, "")
	}
	var known map[string]function
	switch of.(type) {
	case string:
		known = textMethods
	case *Mapping:
		known = dictMethods
	}
	do, ok := known[method.name]
	if !ok {
		stop(method.place, method.name, "is no method of %s that prompts know", typeName(of))
	}
	return do(r, args)
}
