package score

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// smmileCue is one of the expressions by which SMMILE's scripts find a letter: a
// word with what stands before and behind it, and the letter. In these a blank
// stands for itself, ~ for blanks and ~~ for blanks or none. They ignore case.
type smmileCue struct {
	before, orBefore string
	word             string   // of smmileWords
	behind           []string // in the order in which they are tried
	then             func(text string) bool

	ownWord bool // no other word goes over into it
	letter  bool // the letter stands first, and nothing behind
}

// smmileWords are the words of the cues: what stands around a letter of theirs that
// has no other form, and is looked for.
var smmileWords = map[byte][]struct{ before, behind string }{
	'w': {{"ans", "er"}},
	'p': {{"o", "tion"}},
	'h': {{"c", "oice"}, {"c", "ose"}, {"c", "oose"}},
	'l': {{"se", "ect"}},
}

// place is where a word stands.
type place struct{ from, to int }

// smmilePlaces are the places of the cues' words.
func smmilePlaces(text string) map[string][]place {
	all := map[string][]place{}
	for i := range len(text) {
		b := text[i] | 0x20
		if b != 'w' && b != 'p' && b != 'h' && b != 'l' {
			continue
		}
		for _, w := range smmileWords[b] {
			from, ok := readBack(text, i, w.before)
			if !ok {
				continue
			}
			if to, ok := readOn(text, i+1, w.behind); ok {
				word := w.before + string(rune(b)) + w.behind
				all[word] = append(all[word], place{from, to})
			}
		}
	}
	return all
}

// find is the upper-case letter of the first place where the cue matches, or "".
func (c smmileCue) find(text string, places []place) string {
	for _, p := range places {
		from, ok := readBack(text, p.from, c.before)
		if !ok && c.orBefore != "" {
			from, ok = readBack(text, p.from, c.orBefore)
		}
		if !ok {
			continue
		}
		if c.letter {
			before := strings.TrimRightFunc(text[:from], pyIsBlank)
			if r, size := utf8.DecodeLastRuneInString(before); pyIsLetter(r) {
				return pythonUpper(before[len(before)-size:])
			}
			continue
		}
		if r, _ := utf8.DecodeLastRuneInString(text[:from]); c.ownWord && from > 0 && pyWord(r) {
			continue
		}
		for _, behind := range c.behind {
			at, ok := readOn(text, p.to, behind+"~~")
			if !ok {
				continue
			}
			if r, size := utf8.DecodeRuneInString(text[at:]); pyIsLetter(r) && c.then(text[at+size:]) {
				return pythonUpper(text[at : at+size])
			}
		}
	}
	return ""
}

// readOn goes over a pattern from a place on.
func readOn(text string, at int, pattern string) (end int, ok bool) {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '~' {
			rest := strings.TrimLeftFunc(text[at:], pyIsBlank)
			if strings.HasPrefix(pattern[i:], "~~") {
				i++
			} else if len(rest) == len(text)-at {
				return 0, false
			}
			at = len(text) - len(rest)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 || !sameLetter(r, pattern[i]) {
			return 0, false
		}
		at += size
	}
	return at, true
}

// readBack goes over a pattern without blanks of any number, backwards.
func readBack(text string, at int, pattern string) (from int, ok bool) {
	for i := len(pattern) - 1; i >= 0; i-- {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if size == 0 || !sameLetter(r, pattern[i]) {
			return 0, false
		}
		at -= size
	}
	return at, true
}

// sameLetter compares a rune with a sign or small letter as Python does where it
// ignores case.
func sameLetter(r rune, b byte) bool {
	switch {
	case r < utf8.RuneSelf:
		return byte(r) == b || 'a' <= b && b <= 'z' && byte(r)|0x20 == b
	case b == 's':
		return r == 'ſ'
	case b == 'i':
		return r == 'İ' || r == 'ı'
	}
	return false
}

// pyIsBlank is Python's \s.
func pyIsBlank(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == ' ' || '\t' <= r && r <= '\r' || 0x1c <= r && r <= 0x1f
	}
	return r == 0x85 || unicode.Is(unicode.Z, r)
}

// pyIsLetter is a letter from A to Z where case is ignored.
func pyIsLetter(r rune) bool {
	return 'a' <= r|0x20 && r|0x20 <= 'z' || r == 'İ' || r == 'ı' || r == 'ſ' || r == '\u212a'
}

// What must follow a letter.
func thenStop(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && (r == '.' || pyIsBlank(r))
}

func thenStopOrEnd(text string) bool { return text == "" || thenStop(text) }

func thenNoWord(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == 0 || !pyWord(r)
}

func thenAnything(string) bool { return true }

// emphasizedLetter is the first letter between stars or underlines, or "".
func emphasizedLetter(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] != '*' && text[i] != '_' {
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i+1:])
		if end := i + 1 + size; pyIsLetter(r) && end < len(text) && (text[end] == '*' || text[end] == '_') {
			return pythonUpper(text[i+1 : end])
		}
	}
	return ""
}
