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
	if first, rest := firstTurn(text); rest != "" {
		if letter, stage, problem = c.statedIn(first); letter != "" || problem != "" {
			return letter, stage, problem
		}
	}
	return c.statedIn(text)
}

// statedIn is what a squeezed text of one turn states.
func (c choices) statedIn(text string) (letter, stage, problem string) {
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
	cued, back := c.cues(text)
	take(stageCue, cued)
	named := c.wholly(text)
	if letter == "" && len(named) > 1 {
		return "", "", fmt.Sprintf("the text is that of options %s and %s", named[0], named[1])
	}
	if len(named) == 0 || !slices.Contains(named, letter) {
		take(stageText, named)
	}
	if other := c.otherText(text, letter); letter != "" && stage != stageText && problem == "" && other != "" {
		problem = twoAnswers(letter, other)
	}
	if back && problem == "" {
		problem = "takes back that it is " + letter
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
	for len(all) > 1 && onlyMarks(all[0]) {
		all = all[1:]
	}
	for len(all) > 1 && onlyMarks(all[len(all)-1]) {
		all = all[:len(all)-1]
	}
	for _, line := range all {
		if letter := c.meant(bareLetter(line)); letter != "" && !slices.Contains(alone, letter) {
			alone = append(alone, letter)
		}
	}
	if len(alone) > 1 {
		return nil
	}
	if len(all) > 1 && (leadsAway(all[len(all)-2]) || c.goesOn(all[len(all)-2], all[len(all)-1])) {
		all = all[:len(all)-1]
	}
	var listed []string
	for i, line := range []string{all[0], all[len(all)-1]} {
		letter := c.meant(bareLetter(line))
		if i == 0 && len(all) > 1 && letter != "" && c.takenBack(letter, "\n"+strings.Join(all[1:min(len(all), 9)], "\n")) {
			return nil
		}
		if letter != "" {
			found = append(found, letter)
			continue
		}
		if letter = c.lettered(line); letter == "" {
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

// onlyMarks tells whether a line holds nothing but marks, as a fence does.
func onlyMarks(line string) bool {
	return strings.IndexFunc(line, func(r rune) bool { return isWord(r) }) < 0
}

// leadsAway tells whether a line leads to what is not the answer: "Incorrect:", "I
// would rule out the following:".
func leadsAway(line string) bool {
	line = line[max(0, len(line)-200):]
	leads := strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") || strings.Contains(line, "following")
	return leads && (denies(line) || away.MatchString(line))
}

// goesOn tells whether a line is a letter that goes on with a list which the line
// before it ends with: "Answer: A" before "B".
func (c choices) goesOn(before, line string) bool {
	letter, first := c.meant(bareLetter(line)), c.meant(bareLetter(before[strings.LastIndexAny(before, " :：")+1:]))
	return letter != "" && first != "" && first != letter && c.has(first)
}

var away = regexp.MustCompile(`\b(?:least|rule out|ruling out|ruled out|except|without|eliminate|rejected?)\b`)

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
// one does so clearly; back tells whether the text behind the last one takes it
// back.
func (c choices) cues(text string) (found []string, back bool) {
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
	last, claimed := -1, "" // behind the last cue that claims a letter
	cuesBefore(text, func(from, to int) {
		letter, sure := c.claim(text[to:])
		if sure {
			last, claimed = to, letter
		}
		take(letter, sure, from)
	})
	for _, f := range cuesBehind(text) {
		letter := c.meant(asciiUpper(text[f.letter : f.letter+1]))
		if !c.has(letter) {
			continue
		}
		take(letter, !strings.HasPrefix(text[f.to:], "?"), f.letter)
	}
	if !clear {
		return nil, false
	}
	return found, last >= 0 && c.takenBack(claimed, behindClaim(text[last:]))
}

// behindClaim is the text behind the letter or the sentence that a cue points at.
func behindClaim(text string) string {
	text = text[:beginningOf(text, maxTakeBack)]
	if letter, after := cutLetter(opened(strings.TrimLeft(text, openingMarks))); letter != "" && !beginsWord(after) {
		return after
	}
	at := strings.IndexAny(text, sentenceEnds)
	return text[max(at, 0):]
}

// claim is the letter of the one option that the squeezed text behind a cue
// names, or ""; sure tells whether the clause ends there. A letter that is not
// sure can be one of several, or a part of something else.
func (c choices) claim(text string) (letter string, sure bool) {
	text = text[:beginningOf(text, c.longest)]
	var named []string
	longest := 1
	text = strings.TrimLeft(text, openingMarks)
	bare := withoutArticle.ReplaceAllString(text, "")
	for i, t := range c.texts {
		for _, text := range []string{text, bare}[:1+min(1, len(text)-len(bare))] {
			if len(t) < longest || !begins(text, t) || !endsSentence(text[len(t):]) {
				continue
			}
			if len(t) > longest {
				longest, named = len(t), nil
			}
			named = append(named, c.letters[i])
			break
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

// withoutArticle stands before the text of an option.
var withoutArticle = regexp.MustCompile(`\A(?:an?|the) `)

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
	newSentence = regexp.MustCompile(`\A(?:(?:the|this|that|these|those|there|it|its|in|on|from|here|because|since|as|due|given|based|for|explanation|reason|reasoning|rationale|however|but|although|though|therefore|thus|so|according|which|while|hope|we|you|my|note|both|looking)[ ,:'’]|(?:a|an|i) \p{L}{2})`)
	reason      = regexp.MustCompile(`\A(?: (?:because|since|as|given that|based on|due to)\b| ?(?:因为|由于|项))`)
	nextLetter  = regexp.MustCompile(`\A(?:and |or |和|或)?[a-z](?:\z|[^a-z0-9_])`)
	contrast    = regexp.MustCompile(`\A,? ?\(?(?:not|rather than|instead of|over) (?:option |choice )?\(?[a-z]\b`)
	connector   = regexp.MustCompile(`\A[ ,;:.–—/&+)\]*"'-]*(?:(?:and|or|as well as|with|plus|also|possibly|maybe) ?)*`)
)

// endsClause tells whether a clause ends where the squeezed text behind an option's
// text begins.
func endsClause(text string) bool {
	text = strings.TrimLeft(text, closingMarks)
	r, _ := utf8.DecodeRuneInString(text)
	return text == "" || strings.ContainsRune(fullStops+commas+"\n(/&+", r) || reason.MatchString(text) || clauseAfter.MatchString(text)
}

// clauseAfter begins what explains an option's text.
var clauseAfter = regexp.MustCompile(`\A (?:\(|which|with|in|on|as|for|and|or|not|rather|instead|over|[-–—=])`)

// listGoesOn tells whether another option of a list follows behind one: on the same
// line behind a mark or a word such as "and", with its text, or on the next line,
// with its text or alone.
func (c choices) listGoesOn(letter, rest string) bool {
	line := strings.TrimLeft(rest, closingMarks+fullStops+commas+" ")
	if strings.HasPrefix(line, "\n") {
		line, _, _ = strings.Cut(line[1:], "\n")
		next := c.meant(bareLetter(line))
		if next == "" {
			next = c.lettered(line)
		}
		return next != "" && next != letter
	}
	next, behind := cutLetter(strings.TrimLeft(rest[len(connector.FindString(rest)):], openingMarks))
	_, more := c.ownText(next, behind)
	return more && next != letter
}

// endsClaim tells whether a clause ends behind a letter that a cue points at: at
// the end of the line, with the text of its option, or where a new sentence or a
// reason follows.
func (c choices) endsClaim(letter, after string) bool {
	if rest, ok := c.ownText(letter, after); ok {
		return endsClause(rest) && !c.listGoesOn(letter, rest)
	}
	after = strings.TrimLeft(after, closingMarks)
	r, size := utf8.DecodeRuneInString(after)
	switch {
	case r == '\n':
		return !c.listGoesOn(letter, after)
	case after == "", reason.MatchString(after), contrast.MatchString(after):
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
