package template

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is.
type kind int

const (
	eof kind = iota
	data
	varBegin
	varEnd
	blockBegin
	blockEnd
	name
	text
	integer
	float
	operator
)

// token is a piece of a template.
type token struct {
	kind  kind
	val   string // of a text: what it stands for; of others: as written
	place place
}

// lexer cuts a template into tokens.
type lexer struct {
	rest   string
	at     place
	tokens []token
	trim   bool     // the data that follows loses its leading blanks
	open   []string // closing brackets that are awaited
}

// lex cuts a template into tokens, the last of which is eof.
func lex(source string) []token {
	l := &lexer{rest: source, at: place{1, 1}}
	for l.rest != "" {
		l.data()
	}
	l.emit(eof, "", 0)
	return l.tokens
}

// take removes n bytes.
func (l *lexer) take(n int) string {
	taken := l.rest[:n]
	l.rest = l.rest[n:]
	if lines := strings.Count(taken, "\n"); lines > 0 {
		l.at.line += lines
		l.at.column = 1
		taken = taken[strings.LastIndexByte(taken, '\n')+1:]
	}
	l.at.column += utf8.RuneCountInString(taken)
	return taken
}

// emit adds a token of the next n bytes.
func (l *lexer) emit(k kind, val string, n int) {
	l.tokens = append(l.tokens, token{k, val, l.at})
	l.take(n)
}

// data reads up to the next delimiter, and what that begins.
func (l *lexer) data() {
	at := strings.IndexByte(l.rest, '{')
	for at >= 0 && !slices.Contains([]string{"{{", "{%", "{#"}, l.rest[at:min(at+2, len(l.rest))]) {
		next := strings.IndexByte(l.rest[at+1:], '{')
		if next < 0 {
			at = next
			break
		}
		at += 1 + next
	}
	if at < 0 {
		l.plain(len(l.rest), false)
		return
	}
	trim := strings.HasPrefix(l.rest[at+2:], "-")
	l.plain(at, trim)
	width := 2
	if trim || strings.HasPrefix(l.rest[2:], "+") {
		width++
	}
	switch l.rest[1] {
	case '#':
		l.comment(width)
	case '{':
		l.emit(varBegin, l.rest[:2], width)
		l.expression(varEnd, "}}")
	case '%':
		l.emit(blockBegin, l.rest[:2], width)
		l.expression(blockEnd, "%}")
	}
}

// plain emits n bytes of data; trim removes the blanks at its end.
func (l *lexer) plain(n int, trim bool) {
	val := l.rest[:n]
	if l.trim {
		val = strings.TrimLeftFunc(val, isBlank)
	}
	if trim {
		val = strings.TrimRightFunc(val, isBlank)
	}
	l.trim = false
	if val == "" {
		l.take(n)
		return
	}
	l.emit(data, val, n)
}

func (l *lexer) comment(width int) {
	begin := l.at
	end := strings.Index(l.rest[width:], "#}")
	if end < 0 {
		stop(begin, "{#", "is not closed")
	}
	l.trim = end > 0 && l.rest[width+end-1] == '-'
	l.take(width + end + 2)
}

// expression reads what stands between delimiters.
func (l *lexer) expression(end kind, closing string) {
	begin := l.at
	for {
		l.take(len(l.rest) - len(strings.TrimLeftFunc(l.rest, isBlank)))
		if l.rest == "" {
			stop(begin, "", "want %s behind it", closing)
		}
		if len(l.open) == 0 && l.close(end, closing) {
			return
		}
		l.token()
	}
}

// close reads a closing delimiter.
func (l *lexer) close(end kind, closing string) bool {
	trim := strings.HasPrefix(l.rest, "-"+closing)
	plus := end == blockEnd && strings.HasPrefix(l.rest, "+"+closing)
	if !trim && !plus && !strings.HasPrefix(l.rest, closing) {
		return false
	}
	l.trim = trim
	width := len(closing)
	if trim || plus {
		width++
	}
	l.emit(end, closing, width)
	return true
}

// operators, longer ones first.
var operators = []string{
	"//", "**", "==", "!=", ">=", "<=",
	"+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",",
}

var closes = map[string]string{"(": ")", "[": "]", "{": "}"}

// token reads a token of an expression.
func (l *lexer) token() {
	r, _ := utf8.DecodeRuneInString(l.rest)
	switch {
	case r == '"' || r == '\'':
		l.text()
		return
	case '0' <= r && r <= '9':
		l.number()
		return
	case isNameRune(r):
		n := strings.IndexFunc(l.rest, func(r rune) bool { return !isNameRune(r) })
		if n < 0 {
			n = len(l.rest)
		}
		l.emit(name, l.rest[:n], n)
		return
	}
	for _, o := range operators {
		if strings.HasPrefix(l.rest, o) {
			l.bracket(o)
			l.emit(operator, o, len(o))
			return
		}
	}
	stop(l.at, string(r), "is no part of an expression")
}

// bracket keeps the balance of brackets: }} does not end an expression in which
// a dict is open.
func (l *lexer) bracket(o string) {
	if c, ok := closes[o]; ok {
		if l.open = append(l.open, c); len(l.open) > maxDepth {
			stop(l.at, o, "is nested more than %d deep", maxDepth)
		}
		return
	}
	if o != ")" && o != "]" && o != "}" {
		return
	}
	if len(l.open) == 0 || l.open[len(l.open)-1] != o {
		stop(l.at, o, "closes nothing")
	}
	l.open = l.open[:len(l.open)-1]
}

func isNameRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isBlank tells the characters that Python's str.isspace tells.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}
