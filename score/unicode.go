package score

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The official scorers are written in Python, whose string methods know Unicode.
// What is here, and isBlank and trimBlanks, are those methods.

// lower is s in lower case as Python's str.lower makes it. [strings.ToLower] maps
// rune by rune, so that it loses the dot of "İ" and the final sigma.
func lower(s string) string {
	if !strings.Contains(s, "İ") && !strings.Contains(s, "Σ") {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && endsWord(s[:i], s[i+len("Σ"):]):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// endsWord says whether what stands between the texts ends a word, in the sense of
// Final_Sigma (Unicode, section 3.13): a letter with case is before and none after
// it, characters that cases ignore left out.
func endsWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, caseIgnores))
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, caseIgnores))
	return isCased(last) && !isCased(next)
}

func isCased(r rune) bool {
	return isUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.Is(unicode.Other_Lowercase, r)
}

// caseIgnores says whether r is Case_Ignorable.
func caseIgnores(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r)
}

// isDigit says whether Python's str.isdigit holds for r: decimal digits of any
// script, and the characters that are digits by Numeric_Type alone, such as ² and
// ①.
func isDigit(r rune) bool {
	return '0' <= r && r <= '9' || r > unicode.MaxASCII && unicode.In(r, unicode.Nd, digitsByType)
}

// digitsByType are the characters of Numeric_Type=Digit (Unicode 15).
var digitsByType = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00b2, 0x00b3, 1},
		{0x00b9, 0x00b9, 1},
		{0x1369, 0x1371, 1},
		{0x19da, 0x19da, 1},
		{0x2070, 0x2070, 1},
		{0x2074, 0x2079, 1},
		{0x2080, 0x2089, 1},
		{0x2460, 0x2468, 1},
		{0x2474, 0x247c, 1},
		{0x2488, 0x2490, 1},
		{0x24ea, 0x24ea, 1},
		{0x24f5, 0x24fd, 1},
		{0x24ff, 0x24ff, 1},
		{0x2776, 0x277e, 1},
		{0x2780, 0x2788, 1},
		{0x278a, 0x2792, 1},
	},
	R32: []unicode.Range32{
		{0x10a40, 0x10a43, 1}, {0x10e60, 0x10e68, 1}, {0x11052, 0x1105a, 1}, {0x1f100, 0x1f10a, 1},
	},
	LatinOffset: 2,
}

// isUpper says whether Python's str.isupper holds for r alone: capital letters,
// and what else Unicode calls upper case, such as Ⅷ and Ⓐ.
func isUpper(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) }
