package stats

import (
	"cmp"
	"slices"
	"strconv"
)

// Subset is the scored samples of a subset.
type Subset struct {
	Name, Category string
	Correct, N     int
}

// Mean is a mean as evalscope shows it, rounded to four decimals, of N samples.
type Mean struct {
	Name  string
	Value float64
	N     int
}

// EvalscopeMeans are the scores of a benchmark as evalscope reports them.
type EvalscopeMeans struct {
	Subsets    []Mean // in the order given
	Categories []Mean // by name
	Overall    Mean
}

// Evalscope rounds the scores of subsets to four decimals, weighs the rounded
// scores by their samples to those of categories, rounds again, and so once more
// to the overall score (evalscope/report/report.py). The overall score can differ
// from the exact one in the fourth decimal. Subsets without samples are left out,
// as those with impossible counts are; where none is left there are no means.
func Evalscope(subsets []Subset) (means EvalscopeMeans, ok bool) {
	byCategory := map[string][]Mean{}
	for _, s := range subsets {
		value, ok := Fraction(s.Correct, s.N)
		if !ok {
			continue
		}
		m := Mean{s.Name, round4(value), s.N}
		means.Subsets = append(means.Subsets, m)
		byCategory[s.Category] = append(byCategory[s.Category], m)
	}
	for category, own := range byCategory {
		means.Categories = append(means.Categories, weigh(category, own))
	}
	slices.SortFunc(means.Categories, func(a, b Mean) int { return cmp.Compare(a.Name, b.Name) })
	if len(means.Categories) == 0 {
		return EvalscopeMeans{}, false
	}
	means.Overall = weigh("", means.Categories)
	return means, true
}

// weigh is the rounded mean of means, by their samples.
func weigh(name string, parts []Mean) Mean {
	sum, n := 0.0, 0
	for _, m := range parts {
		sum += float64(m.Value * float64(m.N)) // rounded on its own, on every machine
		n += m.N
	}
	return Mean{name, round4(sum / float64(n)), n}
}

// round4 rounds to four decimals as Python's round does: by the exact value of
// the number, and halves to even.
func round4(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 4, 64), 64)
	return rounded
}
