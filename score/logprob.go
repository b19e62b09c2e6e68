package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// RuleLogprob decides by the probabilities that a model gives to the letters of
// the options as the first token of its reply.
const RuleLogprob = "mcqa-logprob"

// logprobRules is the one rule that reads probabilities and no text.
var logprobRules = []Rule{{
	Name: RuleLogprob, Metric: MCQA,
	About:  "the letter that the model gives most probability to as its first token is the key; needs a run with --format mcqa-logprob",
	decide: likeliestLetter,
}}

// likeliestLetter takes the letter with the largest probability. Two with the
// same are no answer.
func likeliestLetter(c Case) Verdict {
	letters, key := upperAll(c.letters()), asciiUpper(trimBlanks(c.Key))
	if v, bad := keyFault(letters, key); bad {
		return v
	}
	best, most := "", 0.0
	tie := false
	for _, letter := range slices.Sorted(maps.Keys(c.Letters)) {
		switch p := c.Letters[letter]; {
		case p > most:
			best, most, tie = letter, p, false
		case p == most:
			tie = true
		}
	}
	switch {
	case best == "":
		return Verdict{Outcome: NoAnswer, Explanation: "no option's letter is among the likeliest first tokens"}
	case tie:
		return Verdict{Outcome: NoAnswer, Explanation: "two letters are equally likely"}
	}
	v := chosen(best, letters, key)
	v.Explanation += fmt.Sprintf("; %s has probability %.3f", best, most)
	return v
}

// LetterOf is the letter that a token is, without the blanks that tokenizers put
// before it, or "".
func LetterOf(token string) string {
	letter := strings.TrimLeft(trimBlanks(token), "▁Ġ")
	if isLetter(letter) {
		return letter
	}
	return ""
}
