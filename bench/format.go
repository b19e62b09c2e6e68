package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/smmile"
	"lightbox/infer"
	"lightbox/score"
)

// Formats of questions.
const (
	FormatOpen    = "open"
	FormatMCQA    = "mcqa"
	FormatLogprob = "mcqa-logprob" // the letters' probabilities as the first token decide
)

// mostLogprobs is how many tokens Ollama gives probabilities of.
const mostLogprobs = 20

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
	b.About = joined(b.About, strings.Join(smmile.ChoiceNotes(samples), "; "))
	return b, nil
}

// letterPrompt asks for a letter and nothing else.
const letterPrompt = "Answer with the letter of the best option and nothing else."

// ByLogprobs is a benchmark of multiple-choice questions that the probabilities
// of the letters as the first token decide. Questions that are asked in words of
// their own keep them: they must ask for the letter alone.
func ByLogprobs(b Benchmark) Benchmark {
	samples := slices.Clone(b.Samples)
	for i, s := range samples {
		if len(s.Options) == 0 {
			continue // is refused where it is asked
		}
		if s.Prompt == "" || b.Format == FormatMCQA {
			var text strings.Builder
			fmt.Fprintf(&text, "%s\n", s.Question)
			for _, o := range s.Options {
				fmt.Fprintf(&text, "%s. %s\n", o.Letter, o.Text)
			}
			samples[i].Prompt, samples[i].Wording, samples[i].Shown = text.String()+letterPrompt, letterPrompt, s.Key
		}
	}
	b.Samples, b.Format = samples, FormatLogprob
	b.Choice = rulesNamed(score.RuleLogprob)
	b.Primary = b.Choice[0].Metric
	return b
}

// lettersOf are the probabilities of the options' letters among the likeliest
// first tokens, and what is left for all other tokens.
func lettersOf(first infer.TokenLogprobs, options []card.Option) (letters map[string]float64, outside *float64) {
	letters = map[string]float64{}
	left := 1.0
	for _, token := range first.Top {
		letter := score.LetterOf(token.Token)
		if letter == "" || !slices.ContainsFunc(options, func(o card.Option) bool { return o.Letter == letter }) {
			continue
		}
		p := math.Exp(token.Logprob)
		letters[letter] += p
		left -= p
	}
	left = max(left, 0)
	return letters, &left
}
