package analysis

import (
	"cmp"

	"lightbox/score"
	"lightbox/score/report"
	"lightbox/score/stats"
)

// Baselines are what guesses score that see no picture. Of samples with
// demonstrations: the most frequent answer shown, of equally frequent ones the
// first (Rieff et al. 2025; its inference_baselines.py), and the expectation of a
// draw among the answers shown, or among the options. Of samples without: the
// most frequent reference answer of the subset, which a model cannot know, and a
// draw among the options. Answers are compared as exact match does.
func (r Run) Baselines() (report.Table, bool) {
	t := report.Table{
		Name:  "baselines",
		About: "What guesses score that see no picture: the most frequent answer among the demonstrations (of equally frequent ones the first), or where none are shown among the reference answers of the subset; and the expectation of a draw among the answers shown, or among the options.",
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
		t.Rows = append(t.Rows, all.row("all subsets"))
	}
	return t, len(t.Rows) > 0
}

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
	ofReferences = "reference answers"
	ofBoth       = "either"
)

func (g *guesses) add(other guesses) {
	if other.n == 0 {
		return
	}
	if g.n > 0 && g.of != other.of {
		other.of = ofBoth
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
	var references []string
	for _, s := range samples {
		if s.scored(r.Primary) {
			references = append(references, score.Normalize(s.References[0]))
		}
	}
	frequent := MostFrequent(references)
	var g guesses
	for _, s := range samples {
		if !s.scored(r.Primary) {
			continue
		}
		own := guesses{n: 1, of: ofReferences}
		if v, _ := s.speaking(r.Primary); v.Outcome == score.Correct {
			own.right = 1
		}
		reference := score.Normalize(s.References[0])
		guess := frequent
		if len(s.Answers) > 0 {
			own.of, guess = ofShown, score.Normalize(MostFrequent(s.Answers))
		}
		if guess == reference {
			own.majority = 1
		}
		own.random, own.drawn = s.chance(reference)
		g.add(own)
	}
	return g
}

// scored tells whether a sample has a verdict that counts and a reference.
func (s Sample) scored(primary score.Metric) bool {
	v, ok := s.speaking(primary)
	return ok && v.Outcome != score.Unscored && len(s.References) > 0
}

// chance is the share of right answers among the options, else among the answers
// shown; drawn is 0 where there is nothing to draw among.
func (s Sample) chance(reference string) (share float64, drawn int) {
	pool := s.Answers
	if len(s.Options) > 0 {
		if s.Key != "" {
			return 1 / float64(len(s.Options)), 1
		}
		return 0, 0
	}
	if len(pool) == 0 {
		return 0, 0
	}
	equal := 0
	for _, answer := range pool {
		if score.Normalize(answer) == reference {
			equal++
		}
	}
	return float64(equal) / float64(len(pool)), 1
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
