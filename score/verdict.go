// Package score turns responses into verdicts. Every rule has a name that the
// report shows; a rule decides from text alone and never guesses.
package score

import "strings"

// Outcome is what a rule says of a response.
type Outcome string

// The outcomes. A no answer counts as incorrect and is shown apart; unscored
// stands outside n, with the bounds it puts on the score.
const (
	Correct   Outcome = "correct"
	Incorrect Outcome = "incorrect"
	NoAnswer  Outcome = "no_answer"
	Unscored  Outcome = "unscored"
)

// Metric names a score of a benchmark. A sample has at most one verdict a metric.
type Metric string

// The metrics that several benchmarks share. Rules made for one benchmark have
// metrics of their own, called as the rule is.
const (
	ExactMatch Metric = "exact_match"
	Judged     Metric = "judge"
	MCQA       Metric = "mcqa"
)

// Choice tells whether a metric is one of multiple-choice questions; the others
// are of open ones.
func (m Metric) Choice() bool {
	return m == MCQA || strings.HasPrefix(string(m), "scienceqa-") || strings.HasPrefix(string(m), "smmile-mcqa-")
}

// Verdict is one rule's decision about one sample.
type Verdict struct {
	Metric  Metric  `json:"metric"` // the score it counts to
	Rule    string  `json:"rule"`   // the rule that decided
	Outcome Outcome `json:"outcome"`
	Answer  string  `json:"answer,omitempty"` // what was taken out of the response

	// What the rule compared, where it compares texts.
	NormalizedAnswer    string `json:"normalized_answer,omitempty"`
	NormalizedReference string `json:"normalized_reference,omitempty"`

	Reason      string `json:"reason,omitempty"`      // of unscored
	Explanation string `json:"explanation,omitempty"` // what the decision came from, for people
}
