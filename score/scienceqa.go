package score

import (
	"strings"
	"unicode/utf8"
)

// The rules of ScienceQA.
const (
	RuleScienceQALmms     = "scienceqa-lmms"
	RuleScienceQAOfficial = "scienceqa-official"
	RuleScienceQALlava    = "scienceqa-llava"
)

// scienceQARules are three published rules, no two of which agree.
var scienceQARules = []Rule{
	{
		Name: RuleScienceQALmms, Metric: RuleScienceQALmms,
		About:  "exact-match, then rule-match: the key alone in any case, or a capital letter and a full stop at the beginning (lmms-eval, tasks/scienceqa)",
		decide: scienceQALmms,
	},
	{
		Name: RuleScienceQAOfficial, Metric: RuleScienceQAOfficial,
		About:  `the letter of the only "The answer is X."; what the official code fills by a random choice is no answer (lupantech/ScienceQA, models/run_gpt3.py)`,
		decide: scienceQAOfficial,
	},
	{
		Name: RuleScienceQALlava, Metric: RuleScienceQALlava,
		About:  `a letter alone, or at the beginning before ". ", else of the only "The answer is X." (LLaVA, eval_science_qa.py)`,
		decide: scienceQALlava,
	},
}

var lmmsStages = inOrder(RuleScienceQALmms, stageRules)

func scienceQALmms(c Case) Verdict {
	if !c.choice() {
		return Verdict{Outcome: Unscored, Reason: ReasonReference}
	}
	v := lmmsStages(c)
	if v.Rule != RuleScienceQALmms {
		v.Rule = RuleScienceQALmms + " (" + v.Rule + ")"
	}
	return v
}

// scienceQALetters are all that the official code and LLaVA's know.
const scienceQALetters = "ABCDE"

// scienceQAOfficial reads as get_gpt3_result and get_pred_idx do. That GPT-3 was
// asked to stop at the end of a line is no part of the rule.
func scienceQAOfficial(c Case) Verdict {
	key, letters, unusable := c.scienceQA()
	if unusable != nil {
		return *unusable
	}
	response := trimBlanks(c.Response)
	v := letterVerdict(answerSentence(response), letters, key, response)
	if v.Outcome == NoAnswer || v.Answer != "" && !strings.Contains(letters, v.Answer) {
		v.Outcome = NoAnswer
		v.Explanation += "; the official code guesses"
	}
	return v
}

// scienceQALlava reads as eval_science_qa.py does, blanks at the ends and all.
func scienceQALlava(c Case) Verdict {
	key, letters, unusable := c.scienceQA()
	if unusable != nil {
		return *unusable
	}
	letter := answerSentence(c.Response)
	first, rest := c.Response, ""
	if c.Response != "" {
		first, rest = c.Response[:1], c.Response[1:]
	}
	if strings.Contains(scienceQALetters, first) && (rest == "" || strings.HasPrefix(rest, ". ")) {
		letter = first
	}
	return letterVerdict(letter, letters, key, c.Response)
}

// scienceQA is the key of a case and the letters that its options have in the
// official code, or the verdict where the key is none of them.
func (c Case) scienceQA() (key, letters string, unusable *Verdict) {
	key, unusable = c.usableKey()
	letters = scienceQALetters
	if n := len(c.Options); n > 0 && n < len(letters) {
		letters = letters[:n]
	}
	if unusable == nil && !strings.Contains(letters, key) {
		unusable = &Verdict{Outcome: Unscored, Reason: ReasonReference, Explanation: "the rule knows the letters " + letters + ", the key is " + key}
	}
	return key, letters, unusable
}

// letterVerdict compares the letter that was read, "" where there is none, with
// the key.
func letterVerdict(letter, letters, key, response string) Verdict {
	switch {
	case trimBlanks(response) == "":
		return Verdict{Outcome: NoAnswer, Explanation: "the response is empty"}
	case letter == "":
		return Verdict{Outcome: NoAnswer, Explanation: `no letter is read: "The answer is X." is not there exactly once`}
	case letter == key:
		return Verdict{Outcome: Correct, Answer: letter, Explanation: "answers the key " + key}
	case !strings.Contains(letters, letter):
		return Verdict{Outcome: Incorrect, Answer: letter, Explanation: letter + " is no option"}
	}
	return Verdict{Outcome: Incorrect, Answer: letter, Explanation: "the key is " + key}
}

// answerSentence is the capital letter of the only "The answer is X" and a further
// character that is no line feed, "" where there is none or more than one.
// Sentences do not overlap: the further character begins no other one.
func answerSentence(response string) string {
	const cue = "The answer is "
	found := ""
	for {
		at := strings.Index(response, cue)
		if at < 0 {
			return found
		}
		response = response[at+len(cue):]
		if len(response) < 2 || response[0] < 'A' || response[0] > 'Z' || response[1] == '\n' {
			continue
		}
		if found != "" {
			return ""
		}
		found = response[:1]
		_, size := utf8.DecodeRuneInString(response[1:])
		response = response[1+size:]
	}
}
