package analysis

import (
	"cmp"
	"slices"

	"lightbox/score"
	"lightbox/score/report"
	"lightbox/score/stats"
)

// Baselines are what guesses score that see no picture. Of samples with
// demonstrations: the most frequent answer shown, of equally frequent ones the
// first (Rieff et al. 2025; its inference_baselines.py), and the expectation of a
// draw among the answers shown, or among the options. Of samples without: the
// most frequent reference answer of the subset, and a draw among all of them, which
// a model cannot know. Of
// multiple choice a guess is a letter, and the key alone is right; of open
// questions the rule decides that speaks for them without a judge.
func (r Run) Baselines() (report.Table, bool) {
	t := report.Table{
		Name:  "baselines",
		About: "What guesses score that see no picture: the most frequent answer or letter among the demonstrations (of equally frequent ones the first), or where none are shown the most frequent reference answer or right letter of the subset; and the expectation of a draw among the answers shown, or among the options, or where there are neither among the subset's reference answers. The rule decides on them, not the judge.",
		Columns: []report.Column{
			{Name: "subset", Kind: report.Words},
			{Name: "n", Kind: report.Count},
			{Name: "majority", Kind: report.Fraction},
			{Name: "majority of", Kind: report.Words},
			{Name: "random", Kind: report.Fraction},
			{Name: "model", Kind: report.Fraction},
		},
	}
	names, by := bySubset(r.Samples)
	var all guesses
	for _, name := range names {
		own := r.guess(by[name])
		all.add(own)
		if own.n > 0 {
			t.Rows = append(t.Rows, own.row(cmp.Or(name, "(none)")))
		}
	}
	if len(t.Rows) > 1 && r.Pooled {
		t.Rows = append(t.Rows, all.row(AllSubsets))
	}
	return t, len(t.Rows) > 0
}

// AllSubsets names the row of [Run.Baselines] that is of several subsets together.
const AllSubsets = "all subsets"

// guesses are the expected numbers of right answers.
type guesses struct {
	n, majority, right int
	random             float64
	drawn              int // samples with something to draw among
	of                 string
}

// The pools that a majority is of.
const (
	ofShown      = "answers shown"
	ofLetters    = "letters shown"
	ofReferences = "reference answers"
	ofKeys       = "right letters"
	ofSeveral    = "several"
)

func (g *guesses) add(other guesses) {
	if other.n == 0 {
		return
	}
	if g.n > 0 && g.of != other.of {
		other.of = ofSeveral
	}
	g.of = other.of
	g.n += other.n
	g.majority += other.majority
	g.right += other.right
	g.random += other.random
	g.drawn += other.drawn
}

func (g guesses) row(name string) []any {
	majority, _ := stats.Fraction(g.majority, g.n)
	model, _ := stats.Fraction(g.right, g.n)
	row := []any{name, g.n, majority, g.of, nil, model}
	if g.drawn == g.n {
		row[4] = g.random / float64(g.n)
	}
	return row
}

// guess counts what guesses score of the samples of a subset.
func (r Run) guess(samples []Sample) guesses {
	var references, forms, keys []string
	for _, s := range samples {
		switch {
		case !s.scored(r.Primary):
		case s.Key != "":
			keys = append(keys, s.Key)
		default:
			references = append(references, s.References[0])
			forms = append(forms, s.form())
		}
	}
	pool := frequencies(forms)
	reference, key := "", MostFrequent(keys)
	if len(forms) > 0 {
		reference = references[slices.Index(forms, MostFrequent(forms))]
	}
	var g guesses
	for _, s := range samples {
		if !s.scored(r.Primary) {
			continue
		}
		own := guesses{n: 1}
		if v, _ := s.speaking(r.Primary); v.Outcome == score.Correct {
			own.right = 1
		}
		var right bool
		if right, own.of = r.majority(s, reference, key); right {
			own.majority = 1
		}
		own.random, own.drawn = r.chance(s, pool)
		g.add(own)
	}
	return g
}

// majority tells whether the most frequent answer that a sample shows is right,
// or, where it shows none, the reference or key that is most frequent elsewhere.
func (r Run) majority(s Sample, reference, key string) (right bool, of string) {
	if s.Key == "" {
		if len(s.Answers) > 0 {
			return r.right(MostFrequent(s.Answers), s), ofShown
		}
		return r.right(reference, s), ofReferences
	}
	if len(s.AnswerLetters) > 0 {
		return MostFrequent(s.AnswerLetters) == s.Key, ofLetters
	}
	var letters []string
	for _, answer := range s.Answers {
		if at := slices.IndexFunc(s.Options, func(o score.Option) bool { return o.Text == answer }); at >= 0 {
			letters = append(letters, s.Options[at].Letter)
		}
	}
	if len(letters) > 0 {
		return MostFrequent(letters) == s.Key, ofShown
	}
	return key == s.Key, ofKeys
}

// right tells whether a guess at an open question is, by the rule.
func (r Run) right(guess string, s Sample) bool {
	if r.Rule.Name == "" {
		return score.ExactMatchVerdict(guess, s.References).Outcome == score.Correct
	}
	return r.Rule.Verdict(score.Case{Response: guess, References: s.References}).Outcome == score.Correct
}

// form is the reference answer as a rule compares it.
func (s Sample) form() string {
	for _, v := range s.Verdicts {
		if v.NormalizedReference != "" {
			return v.NormalizedReference
		}
	}
	return score.Normalize(s.References[0])
}

// scored tells whether a sample has a verdict that counts and a reference.
func (s Sample) scored(primary score.Metric) bool {
	v, ok := s.speaking(primary)
	return ok && v.Outcome != score.Unscored && len(s.References) > 0
}

// chance is the share of right answers among the options, else among the answers
// shown, else in the pool of the subset's reference answers; drawn is 0 where there
// is nothing to draw among.
func (r Run) chance(s Sample, pool map[string]float64) (share float64, drawn int) {
	switch {
	case len(s.Options) > 0 && s.Key != "":
		return 1 / float64(len(s.Options)), 1
	case len(s.Options) > 0 || s.Key != "":
		return 0, 0
	case len(s.Answers) == 0:
		return pool[s.form()], 1
	}
	right := 0
	for _, answer := range s.Answers {
		if r.right(answer, s) {
			right++
		}
	}
	return float64(right) / float64(len(s.Answers)), 1
}

// frequencies are the shares of each text among all.
func frequencies(texts []string) map[string]float64 {
	shares := map[string]float64{}
	for _, t := range texts {
		shares[t] += 1 / float64(len(texts))
	}
	return shares
}

// MostFrequent is the text that is there most often, of several the first.
func MostFrequent(texts []string) string {
	counts := map[string]int{}
	for _, t := range texts {
		counts[t]++
	}
	best := ""
	for _, t := range texts {
		if counts[t] > counts[best] {
			best = t
		}
	}
	return best
}
