package template

import "strings"

// renderer evaluates a template once.
type renderer struct {
	values map[string]value
	scopes []map[string]value // innermost last
	out    strings.Builder
	steps  int
}

// spend counts work, so that every rendering ends.
func (r *renderer) spend(at place, n int) {
	if r.steps += 1 + n; r.steps > maxSteps {
		stop(at, "", "rendering takes more than %d steps", maxSteps)
	}
}

// text is a text that was made, if it is not too long.
func (r *renderer) text(at place, s string) string {
	if len(s) > MaxOutput {
		stop(at, "", "makes a text of more than %d bytes", MaxOutput)
	}
	r.spend(at, len(s)/64)
	return s
}

func (r *renderer) write(at place, s string) {
	r.spend(at, len(s)/64)
	if r.out.Len()+len(s) > MaxOutput {
		stop(at, "", "renders more than %d bytes", MaxOutput)
	}
	r.out.WriteString(s)
}

func (r *renderer) nodes(nodes []node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case string:
			r.write(place{1, 1}, n)
		case output:
			r.write(n.value.at(), r.str(n.value.at(), r.eval(n.value)))
		case branch:
			r.branch(n)
		case forLoop:
			r.loop(n)
		case assignment:
			r.scopes[len(r.scopes)-1][n.name] = r.eval(n.value)
		}
	}
}

func (r *renderer) branch(b branch) {
	for _, a := range b.arms {
		if a.when == nil || r.true(a.when.at(), r.eval(a.when)) {
			r.nodes(a.body)
			return
		}
	}
}

// position is what a loop tells of itself.
type position struct{ at, of int }

func (p position) attribute(name string) (value, bool) {
	switch name {
	case "index":
		return int64(p.at + 1), true
	case "index0":
		return int64(p.at), true
	case "revindex":
		return int64(p.of - p.at), true
	case "revindex0":
		return int64(p.of - p.at - 1), true
	case "first":
		return p.at == 0, true
	case "last":
		return p.at == p.of-1, true
	case "length":
		return int64(p.of), true
	}
	return nil, false
}

func (r *renderer) loop(f forLoop) {
	var chosen []map[string]value
	for _, x := range r.items(f.items.at(), r.eval(f.items)) {
		scope := r.bind(f, x)
		if f.when != nil {
			// The filter does not see where the loop is.
			scope[loopName] = undefined{what: loopName}
			r.scopes = append(r.scopes, scope)
			keep := r.true(f.when.at(), r.eval(f.when))
			r.scopes = r.scopes[:len(r.scopes)-1]
			if !keep {
				continue
			}
		}
		chosen = append(chosen, scope)
	}
	for i, scope := range chosen {
		r.spend(f.place, 0)
		scope[loopName] = position{i, len(chosen)}
		r.inside(scope, f.body)
	}
	if len(chosen) == 0 {
		r.inside(map[string]value{}, f.otherwise)
	}
}

func (r *renderer) inside(scope map[string]value, body []node) {
	r.scopes = append(r.scopes, scope)
	r.nodes(body)
	r.scopes = r.scopes[:len(r.scopes)-1]
}

// bind gives the loop's names their values of one item.
func (r *renderer) bind(f forLoop, x value) map[string]value {
	if len(f.targets) == 1 {
		return map[string]value{f.targets[0]: x}
	}
	l, ok := x.(*list)
	if !ok || len(l.items) != len(f.targets) {
		n, _ := size(x)
		stop(f.place, "for", "an item is %s of size %d; want %d values", typeName(x), n, len(f.targets))
	}
	return map[string]value{f.targets[0]: l.items[0], f.targets[1]: l.items[1]}
}
