package score

import (
	"fmt"
	"slices"
	"strings"
)

// Case is what a rule decides from.
type Case struct {
	Response   string
	References []string // acceptable answers
	Question   string
	Options    []Option // in display order; empty: open question, or not known
	Key        string   // letter of the right option

	// Letters are the probabilities of the options' letters as the first token of
	// the reply, where they were asked for.
	Letters map[string]float64
}

// Option is one choice of a multiple-choice question.
type Option struct{ Letter, Text string }

// Rule decides from text alone, always the same way.
type Rule struct {
	Name   string
	Metric Metric // that its verdicts count to
	About  string // what it does and where it is from, in a sentence

	decide func(Case) Verdict
	stage  bool // of pipelines, for both kinds of questions
}

// Verdict is the rule's decision, under its metric and name. A rule of several
// stages names in the verdict the one that decided.
func (r Rule) Verdict(c Case) Verdict {
	v := r.decide(c)
	if v.Reason == ReasonReference && r.Choice() {
		v.Answer = r.read(c)
	}
	v.Metric = r.Metric
	if v.Rule == "" {
		v.Rule = r.Name
	}
	return v
}

// read is the letter that the rule reads where the data name no right one.
func (r Rule) read(c Case) string {
	c.Key = "A"
	if len(c.Options) > 0 {
		c.Key = c.Options[0].Letter
	}
	return r.decide(c).Answer
}

// Choice tells whether the rule is one of multiple-choice questions.
func (r Rule) Choice() bool { return r.Metric.Choice() }

// rules are all rules by name.
var rules = slices.Concat(
	[]Rule{
		{
			Name: RuleSmmileEM, Metric: ExactMatch,
			About:  "equal after lower-casing and removal of punctuation and surplus blanks, as SMMILE's exact match",
			decide: func(c Case) Verdict { return ExactMatchVerdict(c.Response, c.References) },
		},
		{
			Name: RuleMCQA, Metric: MCQA,
			About:  "the chosen letter is the key; what cannot be read is no answer, and nothing is guessed",
			decide: MCQAVerdict,
		},
	},
	smmileMCQARules(),
	logprobRules,
	slakeRules,
	scienceQARules,
	stageRules,
)

func (c Case) letters() []string {
	all := make([]string, len(c.Options))
	for i, o := range c.Options {
		all[i] = o.Letter
	}
	return all
}

// Rules are all rules, in the order in which they are shown.
func Rules() []Rule { return slices.Clone(rules) }

// RuleNamed is the rule of a name.
func RuleNamed(name string) (Rule, error) {
	for _, r := range rules {
		if r.Name == name {
			return r, nil
		}
	}
	return Rule{}, fmt.Errorf("unknown rule %q: want one of %s", name, strings.Join(RuleNames(), ", "))
}

// RuleNames are the names of all rules.
func RuleNames() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.Name
	}
	return names
}
