package score

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Stages that cards name in a score pipeline.
const (
	RuleExactMatch = "exact-match"
	RuleRuleMatch  = "rule-match"
)

// stageRules are the stages, each a rule of its own too.
var stageRules = []Rule{
	{
		Name: RuleExactMatch, Metric: ExactMatch, stage: true,
		About:  "of multiple choice: the whole response is the letter of the key, in any case; of open questions: as smmile-em",
		decide: exactMatch,
	},
	{
		Name: RuleRuleMatch, Metric: MCQA, stage: true,
		About:  "the response begins with a capital letter and a full stop, and the letter is the key; other responses are no answer",
		decide: ruleMatch,
	},
}

// Pipeline is the rule that tries the named rules in order. The first that
// decides is named in the verdict: exact-match decides where it matches,
// rule-match where it finds a letter, other rules unless they say no answer. What
// none decides is incorrect if any rule found an answer in it, else no answer;
// lmms-eval gives 0 in both cases. Its verdicts count to metric. Choice tells that
// it is of multiple-choice questions; rules of the other kind are passed over, and
// it is an error where no other is left, or one is unknown.
func Pipeline(names []string, metric Metric, choice bool) (Rule, error) {
	if len(names) == 0 {
		return Rule{}, errors.New("building a score pipeline: it names no rule")
	}
	var stages []Rule
	var kept []string
	for _, name := range names {
		r, err := RuleNamed(name)
		if err != nil {
			return Rule{}, fmt.Errorf("building a score pipeline: %w", err)
		}
		if r.stage || r.Choice() == choice {
			stages, kept = append(stages, r), append(kept, name)
		}
	}
	name := strings.Join(kept, ", ")
	if len(stages) == 0 {
		return Rule{}, fmt.Errorf("building a score pipeline: %s decides on no %s question", strings.Join(names, ", "), kindNames[choice])
	}
	return Rule{Name: name, Metric: metric, About: "the first that decides of " + name, decide: inOrder(name, stages)}, nil
}

// kindNames are the kinds of questions, by whether they have options.
var kindNames = map[bool]string{true: "multiple-choice", false: "open"}

// inOrder decides by the first stage that does, and by name where none does.
func inOrder(name string, stages []Rule) func(Case) Verdict {
	return func(c Case) Verdict {
		undecided, mark := Verdict{Outcome: NoAnswer}, ""
		var why []string
		for _, stage := range stages {
			v := stage.decide(c)
			if v.Rule == "" {
				v.Rule = stage.Name
			}
			if strings.HasSuffix(v.Rule, thinkStripped) {
				mark = thinkStripped
			}
			switch {
			case v.Outcome == Incorrect && stage.Name == RuleExactMatch:
				undecided = v
			case v.Outcome != NoAnswer:
				return v
			case !slices.Contains(why, v.Explanation):
				why = append(why, v.Explanation)
			}
		}
		if undecided.Outcome == NoAnswer {
			undecided.Explanation = strings.Join(why, "; ")
		}
		undecided.Rule = name + mark
		return undecided
	}
}

func exactMatch(c Case) Verdict {
	if !c.choice() {
		v := ExactMatchVerdict(c.Response, c.References)
		v.Rule = strings.Replace(v.Rule, RuleSmmileEM, RuleExactMatch, 1)
		return v
	}
	key, unusable := c.usableKey()
	if unusable != nil {
		return *unusable
	}
	response := trimBlanks(c.Response)
	switch {
	case response == "":
		return Verdict{Outcome: NoAnswer, Explanation: "the response is empty"}
	case lower(response) == lower(key):
		return Verdict{Outcome: Correct, Answer: response, Explanation: "answers the key " + key}
	case isLetter(asciiUpper(response)):
		return Verdict{Outcome: Incorrect, Answer: response, Explanation: "the key is " + key}
	}
	return Verdict{Outcome: NoAnswer, Explanation: "the response is not a letter alone"}
}

// ruleMatch takes capital letters of any script, as Python's str.isupper does.
func ruleMatch(c Case) Verdict {
	if !c.choice() {
		return Verdict{Outcome: NoAnswer, Explanation: "an open question has no letters"}
	}
	key, unusable := c.usableKey()
	if unusable != nil {
		return *unusable
	}
	response := trimBlanks(c.Response)
	r, size := utf8.DecodeRuneInString(response)
	letter := response[:size]
	switch {
	case response == "":
		return Verdict{Outcome: NoAnswer, Explanation: "the response is empty"}
	case !isUpper(r) || !strings.HasPrefix(response[size:], "."):
		return Verdict{Outcome: NoAnswer, Explanation: "the response does not begin with a capital letter and a full stop"}
	case lower(letter) == lower(key):
		return Verdict{Outcome: Correct, Answer: letter, Explanation: "answers the key " + key}
	}
	return Verdict{Outcome: Incorrect, Answer: letter, Explanation: "the key is " + key}
}

// choice tells whether a case is of a multiple-choice question.
func (c Case) choice() bool { return len(c.Options) > 0 || c.Key != "" }

// usableKey is the letter of the right option in upper case, or the verdict where
// there is none.
func (c Case) usableKey() (key string, unusable *Verdict) {
	key = asciiUpper(trimBlanks(c.Key))
	if v, bad := keyFault(upperAll(c.letters()), key); bad {
		return "", &v
	}
	return key, nil
}
