package template

import (
	"slices"
)

// The functions below read expressions, loosest binding first, as Jinja2's
// parser does (jinja2/parser.py).

func (p *parser) expression() expr {
	defer p.deeper()()
	e := p.or()
	for p.is("if") {
		at := p.take().place
		c := choice{place: at, then: e, when: p.or()}
		if p.takes("else") {
			c.otherwise = p.expression()
		}
		e = c
	}
	return e
}

func (p *parser) or() expr {
	left := p.and()
	for p.is("or") {
		at := p.take().place
		left = binary{at, "or", left, p.and()}
	}
	return left
}

func (p *parser) and() expr {
	left := p.not()
	for p.is("and") {
		at := p.take().place
		left = binary{at, "and", left, p.not()}
	}
	return left
}

func (p *parser) not() expr {
	if !p.is("not") {
		return p.compare()
	}
	defer p.deeper()()
	at := p.take().place
	return unary{at, "not", p.not()}
}

func (p *parser) compare() expr {
	c := comparison{place: p.peek().place, first: p.sum()}
	for {
		op := p.peek().val
		switch {
		case p.is("==", "!=", "<", "<=", ">", ">=", "in"):
			p.take()
		case p.is("not") && p.tokens[1].kind == name && p.tokens[1].val == "in":
			p.take()
			p.take()
			op = "not in"
		case len(c.ops) == 0:
			return c.first
		default:
			return c
		}
		c.ops = append(c.ops, op)
		c.rest = append(c.rest, p.sum())
	}
}

// level reads operators that bind equally.
func (p *parser) level(next func() expr, ops ...string) expr {
	left := next()
	for p.peek().kind == operator && slices.Contains(ops, p.peek().val) {
		op := p.take()
		left = binary{op.place, op.val, left, next()}
	}
	return left
}

func (p *parser) sum() expr    { return p.level(p.concat, "+", "-") }
func (p *parser) concat() expr { return p.level(p.product, "~") }
func (p *parser) product() expr {
	return p.level(func() expr { return p.unary(true) }, "*", "/", "//", "%")
}

func (p *parser) unary(filters bool) expr {
	defer p.deeper()()
	var e expr
	if p.peek().kind == operator && (p.is("-") || p.is("+")) {
		op := p.take()
		e = unary{op.place, op.val, p.unary(false)}
	} else {
		e = p.primary()
	}
	e = p.postfix(e)
	if filters {
		e = p.filters(e)
	}
	if p.is("**") {
		stop(p.peek().place, "**", "is no operator of a prompt")
	}
	return e
}

// postfix reads attributes, items and calls.
func (p *parser) postfix(e expr) expr {
	for {
		at := p.peek().place
		switch {
		case p.takes("."):
			if p.peek().kind == integer {
				e = item{at, e, p.primary()}
			} else {
				e = attribute{at, e, p.wantKind(name, "a name").val}
			}
		case p.takes("["):
			e = p.subscript(at, e)
		case p.takes("("):
			e = p.call(at, e)
		default:
			return e
		}
	}
}

func (p *parser) subscript(at place, of expr) expr {
	var from, to expr
	if !p.is(":") {
		from = p.expression()
		if p.takes("]") {
			return item{at, of, from}
		}
	}
	p.want(":")
	if !p.is("]") {
		to = p.expression()
	}
	p.want("]")
	return span{at, of, from, to}
}

func (p *parser) call(at place, of expr) expr {
	if _, ok := of.(attribute); !ok {
		stop(at, "(", "only methods can be called")
	}
	args, keys := p.arguments()
	for _, key := range keys {
		if key != "" {
			stop(at, key, "methods take arguments without names here")
		}
	}
	return call{at, of, args}
}

// arguments reads those of a call, behind its bracket.
func (p *parser) arguments() (args []expr, keys []string) {
	for !p.takes(")") {
		if len(args) > 0 {
			p.want(",")
			if p.takes(")") {
				break
			}
		}
		key := ""
		if p.peek().kind == name && p.tokens[1].kind == operator && p.tokens[1].val == "=" {
			key = p.take().val
			p.take()
		} else if len(keys) > 0 && keys[len(keys)-1] != "" {
			p.unexpected("want an argument with a name")
		}
		args = append(args, p.expression())
		keys = append(keys, key)
	}
	return args, keys
}

// filters reads filters and tests.
func (p *parser) filters(e expr) expr {
	for {
		switch {
		case p.takes("|"):
			t := p.wantKind(name, "the name of a filter")
			f := filtered{place: t.place, of: e, name: t.val}
			if p.takes("(") {
				f.args, f.keys = p.arguments()
			}
			if _, ok := filters[f.name]; !ok {
				stop(t.place, t.val, "is no filter of a prompt; there are %s", names(filters))
			}
			e = f
		case p.is("is"):
			e = p.test(e)
		default:
			return e
		}
	}
}

// test reads "is", perhaps "not", the name of a test and its argument.
func (p *parser) test(of expr) expr {
	p.take()
	not := p.takes("not")
	t := p.wantKind(name, "the name of a test")
	if _, ok := tests[t.val]; !ok {
		stop(t.place, t.val, "is no test of a prompt; there are %s", names(tests))
	}
	x := tested{place: t.place, of: of, name: t.val, not: not}
	next := p.peek()
	switch {
	case p.takes("("):
		x.args, _ = p.arguments()
	case next.kind == text, next.kind == integer, next.kind == float, next.kind == operator && (next.val == "[" || next.val == "{"),
		next.kind == name && !slices.Contains([]string{"else", "or", "and", "is", "if", "in", "not"}, next.val):
		x.args = []expr{p.postfix(p.primary())}
	}
	if want := map[bool]int{true: 1}[compares[t.val]]; len(x.args) != want {
		stop(t.place, t.val, "takes %d arguments, %d are given", want, len(x.args))
	}
	if p.is("is", "if", "in", "not") {
		p.unexpected("a test stands in brackets there")
	}
	return x
}
