package template

import (
	"slices"
	"strconv"
)

// primary reads a value that no operator makes.
func (p *parser) primary() expr {
	t := p.take()
	switch t.kind {
	case name:
		return p.named(t)
	case text:
		val := t.val
		for p.peek().kind == text {
			val += p.take().val
		}
		return literal{t.place, val}
	case integer:
		n, err := strconv.ParseInt(t.val, 10, 64)
		if err != nil {
			stop(t.place, t.val, "is too large")
		}
		return literal{t.place, n}
	case float:
		f, err := strconv.ParseFloat(t.val, 64)
		if err != nil {
			stop(t.place, t.val, "is too large")
		}
		return literal{t.place, f}
	case operator:
		switch t.val {
		case "(":
			return p.brackets(t.place)
		case "[":
			items, _ := p.list("]")
			return listing{t.place, plainList, items}
		case "{":
			return p.dict(t.place)
		}
	}
	p.tokens = append([]token{t}, p.tokens...)
	p.unexpected("want a value")
	return nil
}

// named is a constant or a variable.
func (p *parser) named(t token) expr {
	switch t.val {
	case "true", "True":
		return literal{t.place, true}
	case "false", "False":
		return literal{t.place, false}
	case "none", "None":
		return literal{t.place, nil}
	}
	if slices.Contains(keywords, t.val) {
		stop(t.place, t.val, "is not expected here; want a value")
	}
	v := variable{t.place, t.val}
	p.read(v)
	return v
}

// brackets reads what follows "(": an expression or a tuple.
func (p *parser) brackets(at place) expr {
	items, comma := p.list(")")
	if len(items) == 1 && !comma {
		return items[0]
	}
	return listing{at, tuple, items}
}

// list reads expressions with commas between them; comma tells of one at the end.
func (p *parser) list(end string) (items []expr, comma bool) {
	for !p.takes(end) {
		if len(items) > 0 {
			p.want(",")
			if p.takes(end) {
				return items, true
			}
		}
		items = append(items, p.expression())
	}
	return items, false
}

func (p *parser) dict(at place) expr {
	d := dict{place: at}
	for !p.takes("}") {
		if len(d.keys) > 0 {
			p.want(",")
			if p.takes("}") {
				break
			}
		}
		key := p.wantKind(text, "a text as key")
		p.want(":")
		d.keys = append(d.keys, key.val)
		d.values = append(d.values, p.expression())
	}
	return d
}
