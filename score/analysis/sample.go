package analysis

import (
	"slices"

	"lightbox/score"
	"lightbox/score/report"
)

// Sample is what became of one sample, with what it showed the model.
type Sample struct {
	ID         string
	Group      string // the problem it belongs to
	Subset     string
	Tags       []string
	Response   string
	References []string       // acceptable answers
	Options    []score.Option // in the order in which they were shown; empty: open question
	Key        string         // letter of the right option
	Answers    []string       // of the demonstrations, in the order in which they were shown
	Inserted   []int          // places of those that were put in to distract, from 0
	Question   string         // as it was asked
	Pictures   []string       // digests of all that were sent, the query's last
	Prompt     string         // digest of all that was sent; empty: not known

	// AnswerLetters are the letters in whose form all demonstrations are answered, each
	// at the place of its answer; nil: they are answered by texts.
	AnswerLetters []string

	Verdicts []score.Verdict

	// Of multiple choice by probabilities: those of the letters as the first token,
	// and what is left for all other tokens; nil: not asked for.
	Letters map[string]float64
	Outside *float64
}

// verdict is the sample's verdict of a metric.
func (s Sample) verdict(m score.Metric) (score.Verdict, bool) {
	at := slices.IndexFunc(s.Verdicts, func(v score.Verdict) bool { return v.Metric == m })
	if at < 0 {
		return score.Verdict{}, false
	}
	return s.Verdicts[at], true
}

// Run is what findings are made from.
type Run struct {
	Samples []Sample
	Primary score.Metric // that speaks for open questions
	Pooled  bool         // one figure over all subsets has a meaning
	Rule    score.Rule   // that decides on guesses at open questions; zero: exact match
}

// Tables are all findings, those that say nothing left out.
func (r Run) Tables() []report.Table {
	var all []report.Table
	for _, find := range []func() (report.Table, bool){r.Baselines, r.Copying, r.Consistency, r.YesNo, r.Calibration} {
		if t, ok := find(); ok {
			all = append(all, t)
		}
	}
	return all
}

// speaking is the verdict that speaks for a sample: of the primary metric, else
// its first.
func (s Sample) speaking(primary score.Metric) (score.Verdict, bool) {
	if v, ok := s.verdict(primary); ok {
		return v, true
	}
	if len(s.Verdicts) == 0 {
		return score.Verdict{}, false
	}
	return s.Verdicts[0], true
}

// bySubset divides samples by their subsets, in the order in which they first
// appear.
func bySubset(samples []Sample) (names []string, by map[string][]Sample) {
	by = map[string][]Sample{}
	for _, s := range samples {
		if by[s.Subset] == nil {
			names = append(names, s.Subset)
		}
		by[s.Subset] = append(by[s.Subset], s)
	}
	return names, by
}
