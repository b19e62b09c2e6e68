package score

import (
	"strings"
	"unicode"
)

// NormalizeSlake is the text that evalscope's SLAKE compares (normalize_answer of
// evalscope/benchmarks/slake/utils.py): lower case, texts in parentheses left
// out, ASCII and some full-width punctuation made blanks, number words made
// digits, the articles left out; what is then a word for X-ray, yes or no becomes
// "xray", "yes" or "no". Full-width letters and digits stay, and so do the
// quotation marks and dashes beyond ASCII.
func NormalizeSlake(s string) string {
	s = lower(trimBlanks(s))
	s = withoutAsides(s, "(", ")")
	s = withoutAsides(s, "（", "）")
	normalized := make([]byte, 0, len(s))
	for word := range strings.FieldsFuncSeq(s, isSlakeGap) {
		word = slakeWord(word)
		if word == "a" || word == "an" || word == "the" {
			continue
		}
		if len(normalized) > 0 {
			normalized = append(normalized, ' ')
		}
		normalized = append(normalized, word...)
	}
	if alias, ok := slakeAliases[string(normalized)]; ok {
		return alias
	}
	return string(normalized)
}

// withoutAsides is s with a blank for each text from an opening parenthesis to
// the next closing one. An opening one inside belongs to the text; one that is
// never closed stays.
func withoutAsides(s, opening, closing string) string {
	from := strings.Index(s, opening)
	if from < 0 || !strings.Contains(s[from:], closing) {
		return s
	}
	var kept strings.Builder
	for from >= 0 {
		length := strings.Index(s[from:], closing)
		if length < 0 {
			break
		}
		kept.WriteString(s[:from])
		kept.WriteByte(' ')
		s = s[from+length+len(closing):]
		from = strings.Index(s, opening)
	}
	kept.WriteString(s)
	return kept.String()
}

// asciiGaps are the ASCII characters between words: blanks and punctuation.
var asciiGaps = func() (gaps [unicode.MaxASCII + 1]bool) {
	for r := range rune(len(gaps)) {
		gaps[r] = isBlank(r) || strings.ContainsRune(asciiPunctuation, r)
	}
	return gaps
}()

// isSlakeGap says whether r separates words.
func isSlakeGap(r rune) bool {
	if r <= unicode.MaxASCII {
		return asciiGaps[r]
	}
	switch r {
	case '！', '？', '。', '＂', '＃', '＄', '％', '＆', '＇', '（', '）', '＊', '＋', '，', '－', '／', '：', '；', '＜',
		'＝', '＞', '＠', '［', '＼', '］', '＾', '＿', '｀', '｛', '｜', '｝', '～', '、', '《', '》', '【', '】':
		return true
	}
	return isBlank(r)
}

// slakeWord is a word with a number word made digits; the measure word 个 after a
// number is left out.
func slakeWord(word string) string {
	if number, ok := strings.CutSuffix(word, "个"); ok && (isDigits(number) || slakeNumbers[number] != "") {
		word = number
	}
	if digits := slakeNumbers[word]; digits != "" {
		return digits
	}
	return word
}

// isDigits says whether Python's str.isdigit holds for s.
func isDigits(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !isDigit(r) }) < 0
}

var slakeNumbers = map[string]string{
	"none": "0", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
	"six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"零": "0", "一": "1", "两": "2", "二": "2", "三": "3", "四": "4", "五": "5",
	"六": "6", "七": "7", "八": "8", "九": "9", "十": "10",
}

// slakeAliases are whole answers that stand for another.
var slakeAliases = map[string]string{
	"x ray": "xray", "x光": "xray", "x 光": "xray", "x射线": "xray", "x 射线": "xray",

	"yeah": "yes", "yep": "yes", "true": "yes",
	"是": "yes", "是的": "yes", "有": "yes", "包含": "yes", "存在": "yes", "可以": "yes", "能": "yes", "会": "yes",

	"nope": "no", "false": "no",
	"否": "no", "不是": "no", "没有": "no", "无": "no", "不包含": "no", "不存在": "no", "不可以": "no", "不能": "no",
	"不会": "no", "不正常": "no",
}
