package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lightbox/score"
	"lightbox/score/stats"
)

// counter makes scores of groups of samples.
type counter struct {
	metrics []score.Metric                   // in the order shown, primary first
	has     map[string]map[score.Metric]bool // by subset: a sample of it has a verdict of the metric
}

func newCounter(in Input) counter {
	c := counter{has: map[string]map[score.Metric]bool{}}
	for _, s := range in.Samples {
		if c.has[s.Subset] == nil {
			c.has[s.Subset] = map[score.Metric]bool{}
		}
		for _, v := range s.Verdicts {
			c.has[s.Subset][v.Metric] = true
			if !slices.Contains(c.metrics, v.Metric) {
				c.metrics = append(c.metrics, v.Metric)
			}
		}
	}
	known := []score.Metric{in.Primary, score.ExactMatch, score.Judged, score.MCQA}
	rank := func(m score.Metric) int {
		if at := slices.Index(known, m); at >= 0 {
			return at
		}
		return len(known)
	}
	slices.SortFunc(c.metrics, func(a, b score.Metric) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	return c
}

// group counts every metric that a sample's subset has.
func (c counter) group(name, of string, samples []*Sample) Group {
	g := Group{Name: name, Samples: len(samples), Scores: []Score{}}
	for _, m := range c.metrics {
		if s, ok := c.score(m, of, samples); ok {
			g.Scores = append(g.Scores, s)
		}
	}
	return g
}

// score counts one metric. It is not ok where no sample's subset has the metric.
func (c counter) score(m score.Metric, of string, samples []*Sample) (Score, bool) {
	s := Score{Metric: m, Of: of, Reasons: map[string]int{}, Rules: map[string]int{}}
	var tallies stats.Tallies
	for _, sample := range samples {
		if !c.has[sample.Subset][m] || !askedFor(sample, m) {
			continue
		}
		if outcome := s.count(sample); outcome != score.Unscored {
			tallies.Add(sample.Group, outcome == score.Correct)
		}
	}
	s.Scored, s.Groups = s.Correct+s.Incorrect+s.NoAnswer, len(tallies.Groups)
	if value, ok := stats.Fraction(s.Correct, s.Scored); ok {
		s.Accuracy = &value
	}
	if low, high, ok := stats.GroupedWilson(tallies.Groups, stats.Z95); ok {
		s.Low, s.High = &low, &high
	}
	if low, high, ok := stats.Bounds(s.Correct, s.Scored, s.Unscored); ok {
		s.BoundLow, s.BoundHigh = &low, &high
	}
	return s, s.Scored+s.Unscored > 0
}

// askedFor tells whether a sample's kind of question has a metric: multiple choice
// has its own, open questions the others. A sample without verdicts could be
// either.
func askedFor(s *Sample, m score.Metric) bool {
	if len(s.Verdicts) == 0 {
		return true
	}
	choice := slices.ContainsFunc(s.Verdicts, func(v score.Verdict) bool { return v.Metric.Choice() })
	return choice == m.Choice()
}

// count adds a sample's verdict, and says what it counts as. What is not a verdict
// that can be counted is unscored: a sample is in every sum that its subset is in.
func (s *Score) count(sample *Sample) score.Outcome {
	v, ok := verdictOf(sample, s.Metric)
	switch v.Outcome {
	case score.Correct:
		s.Correct++
	case score.Incorrect:
		s.Incorrect++
	case score.NoAnswer:
		s.NoAnswer++
	default:
		s.Unscored++
		s.Reasons[unscoredReason(sample, v, ok)]++
		return score.Unscored
	}
	s.Rules[v.Rule]++
	return v.Outcome
}

// unscoredReason is why v is not counted; ok says that there is a verdict.
func unscoredReason(sample *Sample, v score.Verdict, ok bool) string {
	switch {
	case !ok && !sample.Asked:
		return "not asked"
	case !ok:
		return "no verdict"
	case v.Outcome != score.Unscored:
		return fmt.Sprintf("unknown outcome %q", v.Outcome)
	}
	return cmp.Or(v.Reason, "no reason given")
}

// verdictOf is the sample's first verdict of a metric.
func verdictOf(s *Sample, m score.Metric) (score.Verdict, bool) {
	at := slices.IndexFunc(s.Verdicts, func(v score.Verdict) bool { return v.Metric == m })
	if at < 0 {
		return score.Verdict{}, false
	}
	return s.Verdicts[at], true
}

// tagGroups counts the samples by tag, in the order in which names and values
// first appear. A tag is "name:value"; one without a colon is a value of the
// name "".
func (c counter) tagGroups(subset string, samples []*Sample) []TagGroup {
	var groups []TagGroup
	for _, b := range groupBy(samples, func(s *Sample) []string { return s.Tags }) {
		name, value, found := strings.Cut(b.name, ":")
		if !found {
			name, value = "", b.name
		}
		at := slices.IndexFunc(groups, func(g TagGroup) bool { return g.Name == name })
		if at < 0 {
			at = len(groups)
			groups = append(groups, TagGroup{Subset: subset, Name: name})
		}
		groups[at].Values = append(groups[at].Values, c.group(value, b.name, b.samples))
	}
	return groups
}

// bucket is the samples under one name.
type bucket struct {
	name    string
	samples []*Sample
}

// groupBy puts samples into buckets by their names, in the order in which names
// first appear. A name that a sample has twice counts once.
func groupBy(samples []*Sample, names func(*Sample) []string) []bucket {
	var buckets []bucket
	at := map[string]int{}
	for _, s := range samples {
		for _, name := range names(s) {
			i, ok := at[name]
			if !ok {
				i = len(buckets)
				at[name] = i
				buckets = append(buckets, bucket{name: name})
			}
			b := &buckets[i]
			if n := len(b.samples); n == 0 || b.samples[n-1] != s {
				b.samples = append(b.samples, s)
			}
		}
	}
	return buckets
}
