package bench

import (
	"strings"

	"lightbox/bench/smmile"
)

// Formats of questions.
const (
	FormatOpen = "open"
	FormatMCQA = "mcqa"
)

// AsMultipleChoice is a benchmark, SMMILE or SMMILE++ with its problems made into
// multiple-choice questions, as its scripts do it for a family of models.
func AsMultipleChoice(b Benchmark, f smmile.Family) (Benchmark, error) {
	samples, err := smmile.MultipleChoice(b.Samples, f)
	if err != nil {
		return b, &Failure{Kind: WrongData, Err: err}
	}
	b.Samples, b.Format = samples, FormatMCQA
	b.Choice = rulesNamed(f.ChoiceRules()...)
	b.Primary = b.Choice[0].Metric
	b.About = joined(b.About, strings.Join(smmile.ChoiceNotes(samples, f), "; "))
	return b, nil
}
