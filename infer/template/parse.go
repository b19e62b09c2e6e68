package template

import (
	"fmt"
	"slices"
	"strings"
)

// parser reads tokens. What is wrong with them ends it by stop.
type parser struct {
	tokens []token
	depth  int
	vars   []variable        // names that the template reads and does not set itself
	own    []map[string]bool // names that are set, by scope
}

func (p *parser) peek() token { return p.tokens[0] }

func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != eof {
		p.tokens = p.tokens[1:]
	}
	return t
}

// is tells whether the next token is an operator or keyword.
func (p *parser) is(vals ...string) bool {
	t := p.peek()
	return (t.kind == operator || t.kind == name) && slices.Contains(vals, t.val)
}

// takes takes the next token if it is an operator or keyword.
func (p *parser) takes(val string) bool {
	if !p.is(val) {
		return false
	}
	p.take()
	return true
}

func (p *parser) want(val string) token {
	if !p.is(val) {
		p.unexpected(fmt.Sprintf("want %q", val))
	}
	return p.take()
}

func (p *parser) wantKind(k kind, what string) token {
	if p.peek().kind != k {
		p.unexpected("want " + what)
	}
	return p.take()
}

func (p *parser) unexpected(want string) {
	t := p.peek()
	if t.kind == eof {
		stop(t.place, "", "the template ends here; %s", want)
	}
	stop(t.place, t.val, "is not expected here; %s", want)
}

// deeper counts how deep the template is nested; the result ends that.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		stop(p.peek().place, p.peek().val, "is nested more than %d deep", maxDepth)
	}
	return func() { p.depth-- }
}

// body reads up to a block with one of the names, which it takes; none: up to
// the end of the template.
func (p *parser) body(ends ...string) (nodes []node, end token) {
	defer p.deeper()()
	for {
		t := p.take()
		switch t.kind {
		case eof:
			if len(ends) > 0 {
				stop(t.place, "", "the template ends here; want {%% %s %%}", strings.Join(ends, " %} or {% "))
			}
			return nodes, t
		case data:
			nodes = append(nodes, t.val)
		case varBegin:
			e := p.expression()
			p.wantKind(varEnd, "}}")
			nodes = append(nodes, output{e})
		case blockBegin:
			tag := p.wantKind(name, "the name of a block")
			if slices.Contains(ends, tag.val) {
				return nodes, tag
			}
			nodes = append(nodes, p.block(tag))
		}
	}
}

// block reads a block of which the name is taken.
func (p *parser) block(tag token) node {
	switch tag.val {
	case "if":
		return p.branch()
	case "for":
		return p.loop(tag)
	case "set":
		target := p.target()
		p.want("=")
		value := p.expression()
		p.endBlock()
		p.own[len(p.own)-1][target] = true
		return assignment{target, value}
	case "elif", "else", "endif", "endfor":
		stop(tag.place, tag.val, "belongs to no open block")
	}
	stop(tag.place, tag.val, "is no block of a prompt; there are if, for and set")
	return nil
}

func (p *parser) endBlock() { p.wantKind(blockEnd, "%}") }

func (p *parser) branch() node {
	var b branch
	when := p.or()
	for {
		p.endBlock()
		body, end := p.body("elif", "else", "endif")
		b.arms = append(b.arms, arm{when, body})
		switch end.val {
		case "elif":
			when = p.or()
			continue
		case "else":
			p.endBlock()
			body, _ = p.body("endif")
			b.arms = append(b.arms, arm{nil, body})
		}
		p.endBlock()
		return b
	}
}

func (p *parser) loop(tag token) node {
	f := forLoop{place: tag.place, targets: []string{p.target()}}
	if p.takes(",") {
		f.targets = append(f.targets, p.target())
	}
	p.want("in")
	f.items = p.or()
	p.scope(f.targets...)
	if p.takes("if") {
		f.when = p.expression()
	}
	p.own[len(p.own)-1][loopName] = true
	p.endBlock()
	body, end := p.body("else", "endfor")
	f.body = body
	p.own = p.own[:len(p.own)-1]
	if end.val == "else" {
		p.endBlock()
		p.scope()
		f.otherwise, _ = p.body("endfor")
		p.own = p.own[:len(p.own)-1]
	}
	p.endBlock()
	return f
}

// scope begins a scope in which names are set.
func (p *parser) scope(names ...string) {
	own := map[string]bool{}
	for _, n := range names {
		own[n] = true
	}
	p.own = append(p.own, own)
}

// loopName is the name under which a loop tells where it is.
const loopName = "loop"

// keywords cannot be names of values.
var keywords = []string{"and", "or", "not", "in", "is", "if", "else", "true", "True", "false", "False", "none", "None"}

// target reads a name that gets a value.
func (p *parser) target() string {
	t := p.wantKind(name, "a name")
	if slices.Contains(keywords, t.val) || t.val == loopName {
		stop(t.place, t.val, "cannot be given a value")
	}
	return t.val
}

// read notes a name that is read.
func (p *parser) read(v variable) {
	set := func(own map[string]bool) bool { return own[v.name] }
	if !slices.ContainsFunc(p.own, set) {
		p.vars = append(p.vars, v)
	}
}
