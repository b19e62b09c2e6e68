package card

import (
	"strings"
	"unicode"
)

// Strip takes blanks off both ends as Python's str.strip does, for which the
// separators U+001C to U+001F are blanks too.
func Strip(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
}
