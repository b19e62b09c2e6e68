package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lightbox/bench/card"
)

// controls finds text of a data set that a server or tokenizer would read as an
// instruction: Ollama's picture tags ("[img-0]" can move a picture to another
// question) and the model's own control tokens ("</s>").
type controls struct {
	byFirst map[byte][]string // longest first
}

// pictureTag begins every tag that Ollama replaces by a picture.
const pictureTag = "[img"

func newControls(tokens []string) controls {
	c := controls{map[byte][]string{}}
	for _, t := range append([]string{pictureTag}, tokens...) {
		if utf8.RuneCountInString(t) > 1 { // a single character is plain text to any reader
			c.byFirst[t[0]] = append(c.byFirst[t[0]], t)
		}
	}
	for _, list := range c.byFirst {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return c
}

// at is the control text that begins at byte i of text, or "".
func (c controls) at(text string, i int) string {
	for _, t := range c.byFirst[text[i]] {
		if strings.HasPrefix(text[i:], t) {
			return t
		}
	}
	return ""
}

// find is the first control text in any of the texts, or "".
func (c controls) find(texts ...string) string {
	for _, text := range texts {
		for i := range len(text) {
			if t := c.at(text, i); t != "" {
				return t
			}
		}
	}
	return ""
}

// zeroWidth is put into control text to break it; it shows nowhere.
const zeroWidth = "\u200b"

// escape puts a zero-width space after the first character of every control
// text and tells how often it did. What it returns holds none.
func (c controls) escape(text string) (string, int) {
	var b strings.Builder
	n := 0
	for i := 0; i < len(text); {
		if c.at(text, i) == "" {
			b.WriteByte(text[i])
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		b.WriteString(text[i : i+size])
		b.WriteString(zeroWidth)
		i += size
		n++
	}
	return b.String(), n
}

// sampleTexts are all texts of a sample's data that reach a model. What a benchmark
// says in its own words may hold control tokens: some tell the model to put its
// answer into tags.
func sampleTexts(s card.Sample) []string {
	var texts []string
	for _, d := range s.Demonstrations {
		texts = append(texts, cmp.Or(d.Prompt, d.Question), d.Reply())
	}
	if s.Prompt != "" {
		return append(texts, strings.TrimSuffix(s.Prompt, s.Wording))
	}
	texts = append(texts, s.Question)
	for _, o := range s.Options {
		texts = append(texts, o.Text)
	}
	return texts
}

// guard returns the sample as it can be sent: unchanged where its texts hold no
// control text, escaped where that is allowed, else with the reason why not.
// escaped counts the places that were changed.
func (c controls) guard(s card.Sample, mayEscape bool) (safe card.Sample, escaped int, refusal string) {
	found := c.find(sampleTexts(s)...)
	if found == "" {
		return s, 0, ""
	}
	if !mayEscape {
		return s, 0, fmt.Sprintf("the text holds %q, which the model reads as a control token", found)
	}
	fix := func(text string) string {
		safe, n := c.escape(text)
		escaped += n
		return safe
	}
	s.Demonstrations = slices.Clone(s.Demonstrations)
	for i, d := range s.Demonstrations {
		d.Shown = fix(d.Reply())
		d.Prompt = fix(cmp.Or(d.Prompt, d.Question))
		s.Demonstrations[i] = d
	}
	if s.Prompt != "" {
		s.Prompt = fix(strings.TrimSuffix(s.Prompt, s.Wording)) + s.Wording
		return s, escaped, ""
	}
	s.Question = fix(s.Question)
	s.Options = slices.Clone(s.Options)
	for i := range s.Options {
		s.Options[i].Text = fix(s.Options[i].Text)
	}
	return s, escaped, ""
}
