package score

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// choices are the options of a question as their letters and texts are looked
// for in a response.
type choices struct {
	letters []string // upper case; none: every letter is an option
	texts   []string // as [choices.fold] makes them, "": cannot be told by its text
	longest int      // bytes of the longest text
}

func newChoices(options []Option) choices {
	var c choices
	for _, o := range options {
		c.letters = append(c.letters, asciiUpper(trimBlanks(o.Letter)))
		c.texts = append(c.texts, fold(o.Text))
		c.longest = max(c.longest, len(c.texts[len(c.texts)-1]))
	}
	return c
}

func (c choices) has(letter string) bool { return isOption(letter, c.letters) }

// text is that of a letter's option, "" where it has none.
func (c choices) text(letter string) string {
	if at := slices.Index(c.letters, letter); at >= 0 {
		return c.texts[at]
	}
	return ""
}

// named are the letters of the options that have exactly this text.
func (c choices) named(text string) []string {
	var all []string
	for i, t := range c.texts {
		if t != "" && t == text {
			all = append(all, c.letters[i])
		}
	}
	return all
}

// meant is a letter, or where it is no option's but the text of one, as O is among
// the blood groups, that one's.
func (c choices) meant(letter string) string {
	if letter == "" || c.has(letter) {
		return letter
	}
	if named := c.named(strings.ToLower(letter)); len(named) == 1 {
		return named[0]
	}
	return letter
}

// wholly are the letters of the options whose text a squeezed text is.
func (c choices) wholly(text string) []string {
	text = strings.TrimLeft(text, openingMarks+" \n")
	text = strings.TrimRight(text, closingMarks+fullStops+",;: \n")
	if len(text) > c.longest {
		return nil
	}
	return c.named(fold(text))
}

// Marks that stand around a letter or a text and say nothing.
const (
	openingMarks = "*_\"'`“‘([{（【$"
	closingMarks = "*_\"'`”’)]}）】$"
	fullStops    = ".!…。！"
	commas       = ",;:-–—，；：、"
)

// squeeze is text in lower case, its lines without blanks around them and with
// single blanks in them, empty lines left out. Letters beyond ASCII do not
// become ASCII letters: the Kelvin sign is no k. Wide letters do, as Chinese is
// typed with them, and characters without width are left out.
func squeeze(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case 'Ａ' <= r && r <= 'Ｚ':
			return r - 'Ａ' + 'a'
		case 'ａ' <= r && r <= 'ｚ':
			return r - 'ａ' + 'a'
		case r == '\u200b' || r == '\u2060' || r == '\ufeff':
			return -1
		}
		if lower := unicode.ToLower(r); r < utf8.RuneSelf || lower >= utf8.RuneSelf {
			return lower
		}
		return r
	}, s)
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		words := strings.FieldsFunc(line, isBlank)
		if len(words) > 0 && b.Len() > 0 {
			b.WriteByte('\n')
		}
		for i, w := range words {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
	}
	return b.String()
}

// fold is a text as it is compared with others: squeezed into one line, without
// marks around it and stops at its end. Signs inside stay, as they do at its
// beginning: "<5" is not "5", and "-5" neither.
func fold(s string) string {
	s = strings.ReplaceAll(squeeze(s), "\n", " ")
	s = strings.TrimLeft(s, openingMarks+" ")
	return strings.TrimRight(s, closingMarks+fullStops+",;: ")
}

// readChoice is the letter of the option that a short text chooses and nothing
// else, or "".
func (c choices) readChoice(text string) string {
	text = strings.ReplaceAll(squeeze(text), "\n", " ")
	named := c.named(fold(text))
	if letter := c.meant(bareLetter(text)); letter != "" {
		if c.has(letter) && len(named) > 0 && !slices.Contains(named, letter) {
			return "" // the text of one option is the letter of another
		}
		return letter
	}
	if letter := c.lettered(text); letter != "" && len(named) == 0 {
		return letter
	}
	if len(named) == 1 {
		return named[0]
	}
	return ""
}

// opened is a squeezed text without the marks and words that lead to a letter.
func opened(text string) string {
	for {
		rest := trimMarks(text)
		for _, lead := range []string{`\boxed`, `\text`, `\mathrm`, `\textbf`, "option ", "choice ", "letter ", "选项"} {
			if rest != "" && rest[0] == lead[0] {
				rest = strings.TrimPrefix(rest, lead)
			}
		}
		if len(rest) == len(text) {
			return text
		}
		text = rest
	}
}

// trimMarks is a text without opening marks before it.
func trimMarks(text string) string {
	for i, r := range text {
		switch {
		case 'a' <= r && r <= 'z', r == '\\': // most are
			return text[i:]
		case !strings.ContainsRune(openingMarks, r):
			return text[i:]
		}
	}
	return ""
}

// bareLetter is the letter that a squeezed text consists of, but for marks and a
// stop, else "".
func bareLetter(text string) string {
	text = strings.TrimRight(opened(text), closingMarks+fullStops+":： ")
	if len(text) == 1 && isLetter(asciiUpper(text)) {
		return asciiUpper(text)
	}
	return ""
}

// lettered is the letter that a squeezed line begins with, where its option's
// own text and the end of a sentence follow, else "".
func (c choices) lettered(line string) string {
	letter, after := cutLetter(opened(line))
	if letter == "" {
		return ""
	}
	if rest, ok := c.ownText(letter, after); ok && endsSentence(rest) {
		return letter
	}
	return ""
}

// cutLetter splits the letter off a squeezed text that begins with one.
func cutLetter(text string) (letter, after string) {
	if text == "" || !isLetter(asciiUpper(text[:1])) {
		return "", ""
	}
	return asciiUpper(text[:1]), text[1:]
}

// ownText tells whether the text behind a letter begins, after some marks, with
// that of the letter's option and with no longer one of another, and gives what
// follows.
func (c choices) ownText(letter, after string) (rest string, ok bool) {
	own := c.text(letter)
	for range 8 {
		r, size := utf8.DecodeRuneInString(after)
		if own == "" || size == 0 || !strings.ContainsRune(openingMarks+closingMarks+fullStops+commas+" ", r) {
			return "", false
		}
		after = after[size:]
		if begins(after, own) {
			for _, other := range c.texts {
				if len(other) > len(own) && begins(after, other) {
					return "", false
				}
			}
			return after[len(own):], true
		}
	}
	return "", false
}

// begins tells whether a text begins with another one, at whose end a word ends.
func begins(text, with string) bool {
	if with == "" || !strings.HasPrefix(text, with) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[len(with):])
	last, _ := utf8.DecodeLastRuneInString(with)
	return len(text) == len(with) || !(isWord(next) && isWord(last)) || unicode.Is(unicode.Han, last)
}

// isWord says whether r belongs to a word or number.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_'
}

// endsSentence tells whether a sentence or line ends where the squeezed text
// begins.
func endsSentence(text string) bool {
	text = strings.TrimLeft(text, closingMarks)
	if text == "" || text[0] == '\n' {
		return true
	}
	r, size := utf8.DecodeRuneInString(text)
	if !strings.ContainsRune(fullStops, r) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[size:], closingMarks))
	return len(text) == size || r >= utf8.RuneSelf || next == utf8.RuneError || next == ' ' || next == '\n'
}
