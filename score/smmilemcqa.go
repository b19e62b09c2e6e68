package score

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// SmmileReader is one of the four functions by which SMMILE's scripts read the
// letter of a multiple-choice reply (eth-medical-ai-lab/smmile at ab004d2,
// extract_mcqa_answer and extract_mcqa_answer_2). They guess: the format's
// example selects C, "the answer is a mass" selects A, "I see" selects I.
type SmmileReader byte

// The four readers, by the models that they read.
const (
	SmmileA SmmileReader = 'a' // Qwen2.5-VL, LLaVA, LLaVA-Med, Llama 3.3 without pictures
	SmmileB SmmileReader = 'b' // GPT-4o, Claude
	SmmileC SmmileReader = 'c' // MedGemma, Llama-3.2-Vision
	SmmileD SmmileReader = 'd' // MedVLM-R1
)

// Rule is the name of the rule that decides by the letter which s reads.
func (s SmmileReader) Rule() string { return "smmile-mcqa-" + string(rune(s)) }

// Letter is what s takes out of a reply, or "" where the scripts have
// EXTRACTION_FAILED. It can be longer than a letter, and none of the options.
// Options are in display order; only A and B look at them. The scripts call A on
// several texts in turn (Qwen: the new text, then the whole chat; LLaVA: the new
// text without options, with them, then the whole chat); that is the caller's.
func (s SmmileReader) Letter(reply string, options []Option) string {
	switch s {
	case SmmileA:
		turn, marked := lastTurn(reply)
		if !marked || turn == "" {
			options = nil
		}
		return guessLetter(turn, options)
	case SmmileB:
		return guessLetter(reply, options)
	case SmmileC:
		if at := strings.LastIndex(reply, "assistant"); at >= 0 {
			reply = reply[at+len("assistant"):]
		}
		if letter := firstLetter(taggedLetter, reply); letter != "" {
			return letter
		}
		return firstCue(cuesOfAll, reply)
	case SmmileD:
		if content, _, ok := tagContent(reply); ok && content != "" {
			return pythonUpper(firstRune(content))
		}
		return loneLetter(reply, 'J')
	}
	panic(fmt.Sprintf("no reader %q", byte(s)))
}

// lastTurn is what follows the last marker of the assistant's turn, up to the
// next marker of the user's; marked tells whether there is one.
func lastTurn(chat string) (turn string, marked bool) {
	from := -1
	for _, marker := range []string{"ASSISTANT", "Assistant", "assistant"} {
		for _, end := range []string{":", " "} {
			if at := strings.LastIndex(chat, marker+end); at >= 0 {
				from = max(from, at+len(marker+end))
			}
		}
	}
	if from < 0 {
		return chat, false
	}
	turn = trimBlanks(chat[from:])
	for _, end := range []string{":", " "} {
		for _, marker := range []string{"USER", "User", "user"} {
			if at := strings.Index(turn, marker+end); at >= 0 { // the first kind, not the first place
				return trimBlanks(turn[:at]), true
			}
		}
	}
	return turn, true
}

// guessLetter reads as A and B do, which differ in the text that they read.
func guessLetter(text string, options []Option) string {
	if content := openTagContent(text); content != "" {
		upper := pythonUpper(content)
		if at := strings.IndexFunc(upper, isCapital); at >= 0 {
			return upper[at : at+1]
		}
		return pythonUpper(firstRune(content))
	}
	text = trimBlanks(text)
	if letter := firstCue(cuesOfAB, text); letter != "" {
		return letter
	}
	if letter := cmp.Or(emphasizedLetter(text), loneLetter(text, 'Z')); letter != "" {
		return letter
	}
	folded := lower(text)
	for _, o := range options {
		option := lower(trimBlanks(o.Text))
		if option == folded || option != "" && strings.Contains(folded, option) {
			return o.Letter
		}
	}
	return ""
}

// tagContent is the trimmed content of the first <answer> up to the first
// </answer> behind it, and what stands behind the first <answer>.
func tagContent(text string) (content, rest string, ok bool) {
	_, rest, ok = strings.Cut(text, "<answer>")
	if !ok {
		return "", "", false
	}
	content, _, ok = strings.Cut(rest, "</answer>")
	return trimBlanks(content), rest, ok
}

// openTagContent is as tagContent, and where the tag is not closed what stands
// before the first empty line behind it.
func openTagContent(text string) string {
	content, rest, ok := tagContent(text)
	if !ok {
		content, _, _ = strings.Cut(rest, "\n\n")
	}
	return trimBlanks(content)
}

// taggedLetter is an answer tag that holds a letter. Ignoring case, Python's letters
// A to Z are also İ, ı, ſ and the Kelvin sign.
var taggedLetter = regexp.MustCompile(`(?i:<answer>)([A-Za-zİıſ\x{212a}])(?i:</answer>)`)

// optional is what may stand behind "the answer".
var optional = []string{"~is:", "~is", ":", ""}

var (
	// cuesOfAll are those of C, and in the middle of those of A and B. The first
	// that is found anywhere decides.
	cuesOfAll = []smmileCue{
		{before: "**", word: "answer", behind: []string{":**"}, then: thenStopOrEnd},
		{before: "**", word: "answer", behind: []string{"**:"}, then: thenStopOrEnd},
		{before: "*", word: "answer", behind: []string{"*:"}, then: thenStopOrEnd},
		{word: "answer", behind: []string{":"}, then: thenStopOrEnd},
		{before: "the correct ", word: "answer", behind: []string{" is"}, then: thenStopOrEnd},
		{before: "the ", word: "answer", behind: optional, then: thenStopOrEnd},
		{before: "the correct ", word: "answer", behind: optional, then: thenStopOrEnd},
		{word: "answer", behind: []string{"~~is"}, then: thenStopOrEnd},
		{before: "is the ", word: "answer", orBefore: "is the correct ", letter: true},
		{word: "option", behind: []string{""}, then: thenNoWord},
		{word: "choice", behind: []string{""}, then: thenNoWord},
		{word: "select", behind: []string{""}, then: thenNoWord},
	}

	// cuesOfAB lack those of the scripts that an earlier one always forestalls:
	// "best answer is", and "choice", "option", "select" once more.
	cuesOfAB = append(append([]smmileCue{
		{word: "answer", behind: []string{" is:", " is"}, then: thenStop},
		{word: "answer", behind: []string{":", ""}, then: thenStop, ownWord: true},
	}, cuesOfAll...),
		smmileCue{word: "chose", behind: []string{""}, then: thenStop},
		smmileCue{word: "choose", behind: []string{""}, then: thenStop},
		smmileCue{before: "final ", word: "answer", behind: []string{":", ""}, then: thenAnything},
	)
)

// firstCue is the upper-case letter of the first cue that is found, or "".
func firstCue(cues []smmileCue, text string) string {
	places := smmilePlaces(text)
	for _, c := range cues {
		if letter := c.find(text, places[c.word]); letter != "" {
			return letter
		}
	}
	return ""
}

// firstLetter is what the group of the first match holds, in upper case.
func firstLetter(re *regexp.Regexp, text string) string {
	m := re.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return pythonUpper(m[1])
}

func isCapital(r rune) bool { return 'A' <= r && r <= 'Z' }

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// pythonUpper is Python's str.upper: "ß" becomes "SS".
func pythonUpper(s string) string { return cases.Upper(language.Und).String(s) }

// smmileMCQARules are the rules that decide by SMMILE's readers.
func smmileMCQARules() []Rule {
	all := make([]Rule, 0, 4)
	for _, r := range []struct {
		reader SmmileReader
		of     string
	}{
		{SmmileA, "Qwen, LLaVA and LLaVA-Med"},
		{SmmileB, "GPT-4o and Claude"},
		{SmmileC, "MedGemma and Llama-3.2-Vision"},
		{SmmileD, "MedVLM-R1"},
	} {
		about := "the letter that SMMILE's script for " + r.of + " reads is the key; it guesses where none is stated"
		if r.reader == SmmileD {
			about += ", and the key is the first option that contains the answer"
		}
		all = append(all, Rule{Name: r.reader.Rule(), Metric: Metric(r.reader.Rule()), About: about, decide: r.reader.verdict})
	}
	return all
}

// FirstContaining is the letter of the first option line that holds a text, "" where
// none does. MedVLM-R1's script looks for keys in this way (inference_medr1.py), and
// finds another than the answer's own where an earlier line holds it too: "Yes"
// stands in "Yes - Panel B".
func FirstContaining(text string, options []Option) string {
	for _, o := range options {
		if strings.Contains(o.Letter+") "+o.Text, text) {
			return o.Letter
		}
	}
	return ""
}

// Key is the letter that the script of s takes for the right one, where key is that
// of the answer's own option. Where no options are given it is the key: published
// result files hold that of the script.
func (s SmmileReader) Key(key string, options []Option) string {
	if s != SmmileD {
		return key
	}
	for _, o := range options {
		if asciiUpper(o.Letter) == key {
			return cmp.Or(asciiUpper(FirstContaining(o.Text, options)), key)
		}
	}
	return key
}

// verdict compares the letter that s reads with the script's key. A letter of no
// option is incorrect, as in the scripts.
func (s SmmileReader) verdict(c Case) Verdict {
	letters, key := upperAll(c.letters()), asciiUpper(trimBlanks(c.Key))
	if v, bad := keyFault(letters, key); bad {
		return v
	}
	letter := s.Letter(c.Response, c.Options)
	if letter == "" {
		return Verdict{Outcome: NoAnswer, Explanation: "SMMILE's script has EXTRACTION_FAILED"}
	}
	own := s.Key(key, c.Options)
	v := chosen(letter, letters, own)
	if own != key {
		v.Explanation += "; that of SMMILE's script, where " + key + " is the answer's option"
	}
	return v
}
