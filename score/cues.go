package score

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Replies can be of many megabytes. What is here finds in them, in one pass, the
// few places where an expression can match, and asks it only there.

// answerTags are where each <answer> and </answer> begins and ends, in any case.
func answerTags(text string) (all [][]int) {
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			return all
		}
		at += next
		name := at + 1
		if strings.HasPrefix(text[name:], "/") {
			name++
		}
		if end, ok := readOn(text, name, "answer>"); ok {
			all = append(all, []int{at, end})
		}
	}
}

// cue is where a cue begins and ends, and where the letter in it stands.
type cue struct{ from, to, letter int }

// cueBefore are the cues in front of what they point at, in squeezed text, but for
// \boxed.
var cueBefore = regexp.MustCompile(
	`\A(?:(?:ans\.?|(?:answer(?: (?:to|for) (?:the|this|your) question)?|(?:correct|best|right|final|chosen) (?:option|choice|letter|selection))|答案|(?:正确|最佳)的?选项)` +
		`["'*_` + "`" + `]*\s?(?:is\b|would be\b|should be\b|must be\b|:|：|应?该?[是为选])[\s:：*_]*` +
		`|i (?:would |will |have )?(?:choose|chose|chosen|select|selected|pick|picked) ` +
		`|选择?[:：]? ?)`)

// cuesBefore calls do with where each cue begins and ends.
func cuesBefore(text string, do func(from, to int)) {
	for i := 0; i < len(text); {
		if !mayBegin(text, i) {
			i++
			continue
		}
		n := cueLength(text[i:])
		if n == 0 {
			i++
			continue
		}
		do(i, i+n)
		i += n
	}
}

// mayBegin tells whether a cue can begin at a byte of a text.
func mayBegin(text string, i int) bool {
	switch text[i] {
	case '\\', 0xe7, 0xe6, 0xe9:
		return hasPrefix(text[i:], `\boxed`, "答案", "正确", "最佳", "选")
	case 'a', 'c', 'b', 'r', 'f', 'i':
		return (i == 0 || !asciiWord(text[i-1])) && hasPrefix(text[i:], "ans", "correct ", "best ", "right ", "final ", "chosen ",
			"i c", "i s", "i p", "i w", "i h")
	}
	return false
}

func hasPrefix(text string, heads ...string) bool {
	for _, p := range heads {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// asciiWord says whether b is of a word as \b of regular expressions has it.
func asciiWord(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}

// cueLength is the length of the cue that a text begins with, 0 if there is none.
// The expression sees no more than it needs: words of 24 bytes at most, any number
// of marks, and a few more words; what may follow without end is asked of all.
func cueLength(text string) int {
	if strings.HasPrefix(text, `\boxed`) {
		return len(`\boxed`)
	}
	const head, tail = 64, 32
	end := min(len(text), head)
	for end < len(text) && strings.IndexByte("\"'*_`", text[end]) >= 0 {
		end++
	}
	end = min(len(text), end+tail)
	at := cueBefore.FindStringIndex(text[:end])
	if at != nil && at[1] > end-utf8.UTFMax && end < len(text) {
		at = cueBefore.FindStringIndex(text)
	}
	if at == nil {
		return 0
	}
	return at[1]
}

// isRight is what stands behind a letter that is the answer, in squeezed text, with
// the end of the clause. "Right" alone can be a side.
var isRight = regexp.MustCompile(`\A is (?:the (?:correct |right |best )?(?:answer|option|choice)|correct)(?:\z|["'*_)\].!,;:\n。，；]| because\b| since\b| as\b| given\b| here\b| based on\b| due to\b)`)

// cuesBehind are the letters that a cue stands behind: "b is correct" where a clause
// begins, or behind a word such as "option".
func cuesBehind(text string) (all []cue) {
	end := 0
	for at := 0; ; at++ {
		next := strings.Index(text[at:], " is ")
		if next < 0 {
			return all
		}
		at += next
		right := isRight.FindStringIndex(text[at:min(len(text), at+50)])
		if right == nil {
			continue
		}
		from, letter := leads(text[:at])
		if letter >= 0 && from >= end {
			end = at + right[1]
			all = append(all, cue{from, end, letter})
		}
	}
}

// leads is where the clause begins whose only word, but for marks, is the letter
// that a text ends with; letter is -1 where it ends with none.
func leads(text string) (from, letter int) {
	letter = len(strings.TrimRight(text, "*_\"')]`")) - 1
	if letter < 0 || text[letter] < 'a' || text[letter] > 'z' {
		return 0, -1
	}
	before := strings.TrimRight(text[:letter], "*_\"'([`")
	if before == "" {
		return 0, letter
	}
	blank := strings.TrimSuffix(before, " ")
	if r, size := utf8.DecodeLastRuneInString(blank); size > 0 && strings.ContainsRune(".!,;:\n。！，；：", r) {
		return len(blank) - size, letter
	}
	for _, word := range []string{"option", "choice", "letter", "so", "thus", "hence", "therefore"} {
		if rest, ok := strings.CutSuffix(before, word+" "); ok && (rest == "" || !asciiWord(rest[len(rest)-1])) {
			return len(rest), letter
		}
	}
	return 0, -1
}

// denials are words of a clause that is no statement, and denyingSigns what makes
// one of a clause in Chinese.
var (
	denials = map[string]bool{
		"not": true, "cannot": true, "no": true, "never": true, "neither": true, "nor": true, "if": true, "whether": true, "unless": true,
		"unlikely": true, "doubt": true, "may": true, "might": true, "could": true, "wrong": true, "incorrect": true, "other": true,
		"another": true, "previous": true, "false": true, "mistake": true, "refuse": true, "assume": true, "assuming": true, "suppose": true,
		"alternative": true, "example": true, "tempting": true, "common": true, "distractor": true, "student": true, "students": true, "claims": true,
		"claimed": true, "said": true, "second": true, "imagine": true, "exclude": true, "excluded": true, "opposite": true,
	}
	denyingSigns = []string{"不", "非", "未", "若", "如果", "可能", "排除", "错误"}
)

// denies tells whether a squeezed clause is no statement.
func denies(clause string) bool {
	for i := 0; i < len(clause); i++ {
		from := i
		for i < len(clause) && asciiWord(clause[i]) {
			i++
		}
		if i > from && (denials[clause[from:i]] || clause[i-1] == 'n' && isNot(clause[i:])) {
			return true
		}
	}
	if strings.Contains(clause, "one would") {
		return true
	}
	return slices.ContainsFunc(denyingSigns, func(s string) bool { return strings.Contains(clause, s) })
}

// isNot tells whether a text goes on with the rest of "n't", and a word ends there.
func isNot(text string) bool {
	for _, rest := range []string{"'t", "’t"} {
		if after, ok := strings.CutPrefix(text, rest); ok && (after == "" || !asciiWord(after[0])) {
			return true
		}
	}
	return false
}

// listItems are the letters that begin an item of a list: no word before them, and
// a mark behind.
func listItems(text string) (letters []int) {
	end := 0
	for i := 0; i < len(text); i++ {
		if text[i] < 'a' || text[i] > 'z' {
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i+1:])
		if size == 0 || !strings.ContainsRune(".):*-）．：、", r) {
			continue
		}
		before, width := utf8.DecodeLastRuneInString(text[:i])
		if i == 0 || i-width >= end && !isWord(before) {
			letters = append(letters, i)
			end = i + 1 + size
		}
	}
	return letters
}

// loneLetter is the first capital letter up to last that is a word alone, or "".
func loneLetter(text string, last byte) string {
	for i := range len(text) {
		if text[i] < 'A' || text[i] > last {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		if (i == 0 || !pyWord(before)) && (i+1 == len(text) || !pyWord(after)) {
			return text[i : i+1]
		}
	}
	return ""
}

// pyWord is Python's \w.
func pyWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }
