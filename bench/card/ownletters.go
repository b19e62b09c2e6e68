package card

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ownLetter finds the letter that an option's text brings along: "B) mass", "(B)
// mass", "B、肿块", "B. mass" or "B: mass".
var ownLetter = regexp.MustCompile(`^\s*(?:\(([A-Za-z])\)|([A-Za-z])[)）、]|([A-Za-z])[.．:：])`)

// CheckOwnLetters refuses options whose texts all bring letters of their own
// along that are not those of their places: a reply "A" to "B) mass" and "A) cyst"
// could mean either. Letters with a full stop are such only where they are the
// first of the alphabet, in another order: "E. coli" and "S. aureus" are names.
func CheckOwnLetters(texts []string) error {
	letters := make([]string, len(texts))
	sure := true
	for i, text := range texts {
		found := ownLetter.FindStringSubmatch(text)
		if found == nil {
			return nil
		}
		sure = sure && found[3] == ""
		letters[i] = strings.ToUpper(found[1] + found[2] + found[3])
	}
	inOrder := slices.Sorted(slices.Values(letters))
	for i := range letters {
		if !sure && inOrder[i] != place(i) {
			return nil
		}
	}
	for i, letter := range letters {
		if letter != place(i) {
			return fmt.Errorf("has %q in the place of option %s: texts that carry letters of their own must stand in the order of these, from A on", texts[i], place(i))
		}
	}
	return nil
}

// CheckLetterTexts refuses options of which one is a single letter, and that the
// letter of another one: a reply of this letter could mean either.
func CheckLetterTexts(options []Option) error {
	for _, o := range options {
		text := strings.ToUpper(strings.TrimSpace(o.Text))
		for _, other := range options {
			if other.Letter == text && other != o {
				return fmt.Errorf("has the text %q as option %s, and %q as option %s: the letter %s could mean either", o.Text, o.Letter, other.Text, other.Letter, text)
			}
		}
	}
	return nil
}

// place is the letter of a place from 0.
func place(n int) string { return string(rune('A' + n)) }
