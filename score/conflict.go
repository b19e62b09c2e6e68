package score

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Replies that state an option can take it back, or state another one in words. A
// careful reader takes no answer from them, and neither does the rule.

// firstTurn is a squeezed text up to where a model goes on with a question that it
// was not asked, and the rest is "" where it does not.
func firstTurn(text string) (first, rest string) {
	for at := strings.IndexByte(text, '\n'); at >= 0; {
		line := text[at+1:]
		if hasPrefix(line, nextTurns...) {
			return text[:at], line
		}
		next := strings.IndexByte(line, '\n')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return text, ""
}

// nextTurns begin a line with which another turn of a dialogue begins.
var nextTurns = []string{
	"question:", "next question", "new question", "q:", "user:", "human:", "problem:", "### question", "### instruction", "### user", "### human",
	"<|user|>", "<|im_start|>user", "问题：", "问题:", "用户：", "用户:",
}

// otherText is the letter of an option whose text stands as a sentence or line of
// its own in a squeezed text, alone or behind words such as "it is"; "" where there
// is none. Texts of several options that stand alone are a list, and say nothing.
func (c choices) otherText(text, letter string) string {
	var found, led []string
	for from := 0; from <= len(text); {
		end := strings.IndexAny(text[from:], sentenceEnds)
		if end < 0 {
			end = len(text) - from
		}
		if sentence := text[from : from+end]; len(sentence) <= c.longest+maxLead {
			said := sentence[len(statement.FindString(sentence)):]
			for _, l := range c.wholly(said) {
				switch {
				case len(said) < len(sentence):
					led = append(led, l)
				case !slices.Contains(found, l):
					found = append(found, l)
				}
			}
		}
		_, size := utf8.DecodeRuneInString(text[from+end:])
		from += end + max(size, 1)
	}
	if len(found) > 1 {
		found = nil
	}
	for _, l := range append(led, found...) {
		if l != letter && c.text(l) != c.text(letter) {
			return l
		}
	}
	return ""
}

const sentenceEnds = ".!?\n。！？"

// maxLead is more than [statement] is long.
const maxLead = 64

// statement leads to the text of an option.
var statement = regexp.MustCompile(`\A ?(?:so |thus |therefore |hence )?,? ?(?:it|this|(?:the|my) (?:diagnosis|finding|answer|final answer|correct answer)) is (?:an? |the )?`)

// turns are words behind which a text can take back what it has said.
var turns = regexp.MustCompile(`(?:\A|[.!?\n,;:(…。，；] ?)(?:and |but |or )?(?:wait|no|actually|correction|sorry|hmm+|on second thoughts?|in fact|but|however|oops|also|or|instead|rather|alternatively|could also be|i meant|i mean|although|though|yet|不对|等等|但是?|然而|更正)(?:[ ,.:!…，：。]|\z)`)

// thisIsWrong says of what stands before it that it is no answer.
var thisIsWrong = regexp.MustCompile(`\A[ .!,;:)*"'\n]*(?:but |however,? |actually,? )?(?:this|that|it|which)(?: answer| choice| option)?(?: is| was| would be| looks| seems)(?: [\p{L}']+){0,3}? (?:wrong|incorrect|false|mistaken|mistake|not (?:right|correct|true))\b`)

// Room behind a statement in which it is looked for what takes it back.
const (
	maxTakeBack = 600 // bytes behind the statement
	maxTurn     = 120 // bytes behind a word such as "however"
)

// takenBack tells whether the squeezed text behind the statement of a letter says
// that it is wrong, or turns to another one.
func (c choices) takenBack(letter, after string) bool {
	after = after[:beginningOf(after, maxTakeBack)]
	if thisIsWrong.MatchString(after) {
		return true
	}
	for _, at := range turns.FindAllStringIndex(after, -1) {
		rest := after[at[1]:]
		if c.turnsAway(letter, rest[:beginningOf(rest, maxTurn-200)]) {
			return true
		}
	}
	return false
}

// turnsAway tells whether a text that begins behind a word such as "however" states
// another letter, or denies the one that was stated.
func (c choices) turnsAway(letter, text string) bool {
	for i := range len(text) {
		if text[i] < 'a' || text[i] > 'z' || i > 0 && isWordAt(text[:i]) {
			continue
		}
		other, after := cutLetter(text[i:])
		if !c.has(other) || !standsAlone(other, after) {
			continue
		}
		refused := strings.HasSuffix(text[:i], "not ") || refuses(after)
		if (other == letter) == refused {
			return true
		}
	}
	return false
}

func beginsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isWord(r)
}

func isWordAt(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return isWord(r) || r == '\'' || r == '’' || r == '-'
}

// predicate is what can follow a letter that stands for an option.
var predicate = regexp.MustCompile(`\A (?:is|fits|would|seems|looks|could|may|might|appears|can|was|should|must)\b`)

// standsAlone tells whether a letter stands for an option and is no word, by what
// follows it.
func standsAlone(letter, after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	switch {
	case after == "" || strings.ContainsRune(fullStops+commas+closingMarks+"?\n/", r) && r != '\'' && r != '’' && r != '-':
		return true
	case letter == "I":
		return false
	}
	return predicate.MatchString(after)
}

// refuses tells whether a clause that begins behind a letter says that it is none.
func refuses(after string) bool {
	clause := after[:min(len(after), 80)]
	if at := strings.IndexAny(clause, ".!?;\n。"); at >= 0 {
		clause = clause[:at]
	}
	return denies(clause) || refusal.MatchString(clause)
}

var refusal = regexp.MustCompile(`\b(?:less|unlikely|excluded|ruled out|false|normal|absent)\b`)
