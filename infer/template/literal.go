package template

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// number reads a whole number or one with a fraction. Behind a dot only whole
// numbers stand: x.0.1 is two items.
func (l *lexer) number() {
	digits := func(from int) int {
		n := from
		for n < len(l.rest) && '0' <= l.rest[n] && l.rest[n] <= '9' {
			n++
		}
		return n
	}
	n, k := digits(0), integer
	item := len(l.tokens) > 0 && l.tokens[len(l.tokens)-1].val == "."
	if !item {
		if end := digits(min(n+1, len(l.rest))); n < len(l.rest) && l.rest[n] == '.' && end > n+1 {
			n, k = end, float
		}
	}
	val := l.rest[:n]
	following, _ := utf8.DecodeRuneInString(l.rest[n:])
	if isNameRune(following) || k == integer && len(val) > 1 && val[0] == '0' {
		stop(l.at, val, "is no number of the form 1 or 1.5")
	}
	l.emit(k, val, n)
}

// text reads a quoted text.
func (l *lexer) text() {
	quote := l.rest[0]
	var b strings.Builder
	for i := 1; i < len(l.rest); {
		switch c := l.rest[i]; c {
		case quote:
			l.emit(text, b.String(), i+1)
			return
		case '\\':
			r, n := l.escape(i)
			b.WriteString(r)
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	stop(l.at, string(quote), "is not closed")
}

// simpleEscapes are those of one letter. A backslash before a line end is none.
var simpleEscapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", '\\': `\`, '\'': "'", '"': `"`,
}

// escape reads what begins with the backslash at i: its meaning, and its bytes.
func (l *lexer) escape(i int) (string, int) {
	if i+1 == len(l.rest) {
		stop(l.at, `\`, "ends the template")
	}
	c := l.rest[i+1]
	if s, ok := simpleEscapes[c]; ok {
		return s, 2
	}
	if digits := map[byte]int{'x': 2, 'u': 4}[c]; digits > 0 && len(l.rest) >= i+2+digits {
		n, err := strconv.ParseUint(l.rest[i+2:i+2+digits], 16, 32)
		if err == nil && utf8.ValidRune(rune(n)) {
			return string(rune(n)), 2 + digits
		}
	}
	_, size := utf8.DecodeRuneInString(l.rest[i+1:])
	stop(l.at, l.rest[i:i+1+size], `is unknown; want \n, \t, \r, \\, \', \", \xNN or \uNNNN`)
	return "", 0
}
