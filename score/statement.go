package score

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// stated is the letter that a response without an answer tag states, and the
// first of the stages that read it; or the problem that two say different
// letters. All is empty where nothing is stated.
func (c choices) stated(response string) (letter, stage, problem string) {
	text := squeeze(response)
	take := func(by string, found []string) {
		for _, l := range found {
			switch {
			case letter == "":
				letter, stage = l, by
			case l != letter && problem == "":
				problem = twoAnswers(letter, l)
			}
		}
	}
	take(stageLetter, c.lines(text))
	take(stageCue, c.cues(text))
	named := c.wholly(text)
	if letter == "" && len(named) > 1 {
		return "", "", fmt.Sprintf("the text is that of options %s and %s", named[0], named[1])
	}
	if len(named) == 0 || !slices.Contains(named, letter) {
		take(stageText, named)
	}
	if problem != "" {
		return "", "", problem
	}
	return letter, stage, ""
}

// lines are the letters that the first and the last line of a squeezed text
// state. Letters alone on several lines, or followed by their options' texts in
// several places, are a list and state nothing.
func (c choices) lines(text string) []string {
	var alone, found []string
	all := strings.Split(text, "\n")
	for _, line := range all {
		if letter := c.meant(bareLetter(line)); letter != "" && !slices.Contains(alone, letter) {
			alone = append(alone, letter)
		}
	}
	if len(alone) > 1 {
		return nil
	}
	var listed []string
	for _, line := range []string{all[0], all[len(all)-1]} {
		if letter := c.meant(bareLetter(line)); letter != "" {
			found = append(found, letter)
			continue
		}
		letter := c.lettered(line)
		if letter == "" {
			continue
		}
		if listed == nil {
			listed = append(c.listed(text), alone...)
		}
		if !slices.ContainsFunc(listed, func(l string) bool { return l != letter }) {
			found = append(found, letter)
		}
	}
	return found
}

// listed are the letters behind which a squeezed text has their options' texts,
// and those that a line begins with, whatever follows.
func (c choices) listed(text string) []string {
	found := []string{}
	for _, at := range listItems(text) {
		letter, after := cutLetter(text[at:])
		_, ok := c.ownText(letter, after)
		if !ok && c.has(letter) {
			ok = at == 0 || text[at-1] == '\n'
		}
		if ok && !slices.Contains(found, letter) {
			found = append(found, letter)
		}
	}
	return found
}

// cues are the letters that the cues of a squeezed text point at, if at least
// one does so clearly.
func (c choices) cues(text string) []string {
	var found []string
	clear := false
	take := func(letter string, sure bool, at int) {
		example := letter == "X" && !c.has("X")
		known := slices.Contains(found, letter)
		if letter == "" || example || known && (clear || !sure) || denied(text[:at]) {
			return
		}
		clear = clear || sure
		if !known {
			found = append(found, letter)
		}
	}
	cuesBefore(text, func(from, to int) {
		letter, sure := c.claim(text[to:])
		take(letter, sure, from)
	})
	for _, f := range cuesBehind(text) {
		take(c.meant(asciiUpper(text[f.letter:f.letter+1])), !strings.HasPrefix(text[f.to:], "?"), f.letter)
	}
	if !clear {
		return nil
	}
	return found
}

// claim is the letter of the one option that the squeezed text behind a cue
// names, or ""; sure tells whether the clause ends there. A letter that is not
// sure can be one of several, or a part of something else.
func (c choices) claim(text string) (letter string, sure bool) {
	text = text[:beginningOf(text, c.longest)]
	var named []string
	longest := 1
	text = strings.TrimLeft(text, openingMarks)
	for i, t := range c.texts {
		if len(t) >= longest && begins(text, t) && endsSentence(text[len(t):]) {
			if len(t) > longest {
				longest, named = len(t), nil
			}
			named = append(named, c.letters[i])
		}
	}
	letter, after := cutLetter(opened(text))
	next, _ := utf8.DecodeRuneInString(after)
	letter = c.meant(letter)
	switch sure = letter != "" && c.endsClaim(letter, after); {
	case sure && len(named) > 0 && !slices.Contains(named, letter): // both are meant, or one
		return letter, false
	case sure:
		return letter, true
	case len(named) == 1:
		return named[0], true
	case isWord(next), article.MatchString(text) && !several.MatchString(text):
		return "", false
	}
	return letter, false
}

// article is a letter that is a word where several does not match.
var (
	article = regexp.MustCompile(`\A(?:a|i) \pL`)
	several = regexp.MustCompile(`\A[a-z] (?:and|or) `)
)

// beginningOf is where to cut a text that is looked at from many places: behind
// room for an option's text and some marks.
func beginningOf(text string, longest int) int {
	at := min(len(text), longest+200)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

var (
	// newSentence is how a sentence begins that explains an answer. Any other word
	// behind a letter and a full stop can belong to it, as in "E. coli".
	newSentence = regexp.MustCompile(`\A(?:(?:the|this|that|these|those|there|it|its|in|on|from|here|because|since|as|due|given|based|for|explanation|reason|reasoning|rationale|however|therefore|thus|so|according|which|while|hope|we|you|my|note|both|looking)[ ,:'’]|(?:a|an|i) \p{L}{2})`)
	reason      = regexp.MustCompile(`\A(?: (?:because|since|as|given that|based on|due to)\b| ?(?:因为|由于|项))`)
	nextLetter  = regexp.MustCompile(`\A(?:and |or |和|或)?[a-z](?:\z|[^\p{L}\p{N}_])`)
)

// endsClaim tells whether a clause ends behind a letter that a cue points at: at
// the end of the line, with the text of its option, or where a new sentence or a
// reason follows.
func (c choices) endsClaim(letter, after string) bool {
	if rest, ok := c.ownText(letter, after); ok {
		rest = strings.TrimLeft(rest, closingMarks+fullStops+commas+" ")
		next, behind := cutLetter(strings.TrimPrefix(strings.TrimPrefix(rest, "and "), "or "))
		_, more := c.ownText(next, behind)
		return next == "" || !more
	}
	after = strings.TrimLeft(after, closingMarks)
	r, size := utf8.DecodeRuneInString(after)
	switch {
	case after == "", r == '\n', reason.MatchString(after):
		return true
	case !strings.ContainsRune(fullStops+commas, r):
		return false
	}
	rest := strings.TrimLeft(after[size:], closingMarks+fullStops+" ")
	switch {
	case rest == "", rest[0] == '\n':
		return true
	case r >= utf8.RuneSelf:
		return !nextLetter.MatchString(rest)
	}
	return newSentence.MatchString(rest)
}

// denied tells whether the clause that a cue stands in denies it, from what
// stands before the cue.
func denied(before string) bool {
	const room = 100
	from := max(0, len(before)-room)
	for from < len(before) && !utf8.RuneStart(before[from]) {
		from++
	}
	clause := before[from:]
	if at := strings.LastIndexAny(clause, ".!?,;:\n。，；！？："); at >= 0 {
		clause = clause[at:]
	}
	return denies(clause)
}
