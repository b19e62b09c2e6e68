package analysis

import (
	"fmt"
	"slices"
	"strings"

	"lightbox/score"
	"lightbox/score/report"
)

// Consistency is how much the answers to one problem change when its
// demonstrations come in another order. It counts the groups of which several
// samples ask the same question, of the same picture, with the same demonstrations;
// a pair is two samples of one group. Samples that were sent the very same are one.
// Groups with an unscored sample are left out and counted.
func (r Run) Consistency() (report.Table, bool) {
	t := report.Table{
		Name:  "consistency",
		About: "Problems that were asked with their demonstrations in several orders. A pair is two orders of one problem; answers are compared as exact match does. Accuracy is the mean of the problems'; with the worst order of each it is that of always right, with the best what never right leaves.",
		Columns: []report.Column{
			{Name: "problems", Kind: report.Count},
			{Name: "orders", Kind: report.Count},
			{Name: "always the same answer", Kind: report.Fraction},
			{Name: "pairs that agree", Kind: report.Fraction},
			{Name: "answers a problem", Kind: report.Number},
			{Name: "accuracy", Kind: report.Fraction},
			{Name: "right in some orders only", Kind: report.Fraction},
			{Name: "always right", Kind: report.Fraction},
			{Name: "never right", Kind: report.Fraction},
		},
	}
	var c orders
	unscored := 0
	for _, group := range r.reordered() {
		if allScored(group, r.Primary) {
			c.count(group, r.Primary)
		} else {
			unscored++
		}
	}
	if c.problems == 0 {
		return t, false
	}
	if unscored > 0 {
		t.About += fmt.Sprintf(" %d problems with an unscored order are left out.", unscored)
	}
	n := float64(c.problems)
	t.Rows = [][]any{{
		c.problems, c.orders, float64(c.same) / n, float64(c.agree) / float64(c.pairs), float64(c.answers) / n,
		c.accuracy / n, float64(c.problems-c.always-c.never) / n, float64(c.always) / n, float64(c.never) / n,
	}}
	return t, true
}

// orders counts over problems.
type orders struct {
	problems, orders, same, answers, pairs, agree, always, never int

	accuracy float64 // sum of the problems'
}

// reordered are the groups that show the same demonstrations in several orders.
func (r Run) reordered() [][]Sample {
	by := map[string][]Sample{}
	var names []string
	for _, s := range r.Samples {
		if s.Group == "" || len(s.Answers) < 2 {
			continue
		}
		key := strings.Join([]string{s.Group, s.Subset, s.Question}, "\x00")
		if by[key] == nil {
			names = append(names, key)
		}
		by[key] = append(by[key], s)
	}
	var all [][]Sample
	for _, name := range names {
		if group := differently(by[name]); len(group) > 1 && sameShown(group) {
			all = append(all, group)
		}
	}
	return all
}

// differently are the samples but for those that were sent what one before was.
func differently(group []Sample) []Sample {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(group), func(s Sample) bool {
		again := s.Prompt != "" && seen[s.Prompt]
		seen[s.Prompt] = true
		return again
	})
}

// sameShown tells whether samples show the same answers, in any order, and those that
// were sent the same pictures, the same one with the question.
func sameShown(group []Sample) bool {
	answers := func(s Sample) []string { return slices.Sorted(slices.Values(s.Answers)) }
	pictures := func(s Sample) []string {
		if len(s.Pictures) == 0 {
			return nil
		}
		return append(slices.Sorted(slices.Values(s.Pictures)), s.Pictures[len(s.Pictures)-1])
	}
	first := group[max(slices.IndexFunc(group, func(s Sample) bool { return s.Prompt != "" }), 0)]
	return !slices.ContainsFunc(group, func(s Sample) bool {
		return !slices.Equal(answers(s), answers(first)) || s.Prompt != "" && !slices.Equal(pictures(s), pictures(first))
	})
}

func allScored(group []Sample, primary score.Metric) bool {
	return !slices.ContainsFunc(group, func(s Sample) bool { return !s.scored(primary) })
}

// count adds a problem.
func (c *orders) count(group []Sample, primary score.Metric) {
	counts := map[string]int{}
	right := 0
	for _, s := range group {
		v, _ := s.speaking(primary)
		counts[score.Normalize(s.answer(v))]++
		if v.Outcome == score.Correct {
			right++
		}
	}
	c.problems++
	c.orders += len(group)
	c.accuracy += float64(right) / float64(len(group))
	c.answers += len(counts)
	c.pairs += len(group) * (len(group) - 1) / 2
	for _, n := range counts {
		c.agree += n * (n - 1) / 2
	}
	if len(counts) == 1 {
		c.same++
	}
	switch right {
	case len(group):
		c.always++
	case 0:
		c.never++
	}
}
