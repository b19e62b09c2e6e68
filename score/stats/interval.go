// Package stats gives numbers about counts: fractions, intervals, and the
// bounds that missing verdicts leave. Values are fractions from 0 to 1. Where
// there is nothing to count there is no number: every function then says so
// with ok false, and none returns NaN.
package stats

import "math"

// Z95 is the standard normal quantile of a two-sided 95 % interval.
const Z95 = 1.959963984540054

// Fraction is correct of n. It has no value where n is 0 or correct lies
// outside 0 to n.
func Fraction(correct, n int) (value float64, ok bool) {
	if n <= 0 || correct < 0 || correct > n {
		return 0, false
	}
	return float64(correct) / float64(n), true
}

// Wilson is the score interval for correct of n (E. B. Wilson, JASA 22, 1927),
// without continuity correction; z is the normal quantile, [Z95] for 95 %. It
// has no value where Fraction has none or z is not a positive number.
func Wilson(correct, n int, z float64) (low, high float64, ok bool) {
	p, ok := Fraction(correct, n)
	if !ok || !(z > 0) || math.IsInf(z, 1) {
		return 0, 0, false
	}
	low, high = wilson(p, float64(n), z)
	return low, high, true
}

// wilson is the interval of a fraction of size samples.
func wilson(p, size, z float64) (low, high float64) {
	// The conversions keep every product rounded on its own: fused with a sum,
	// as some processors do, the last digit would depend on the machine.
	zz := float64(z * z)
	centre := p + zz/(2*size)
	spread := z * math.Sqrt(float64(p*(1-p))/size+zz/float64(4*float64(size*size)))
	scale := 1 + zz/size
	low = max(0, (centre-float64(spread))/scale)
	high = min(1, (centre+float64(spread))/scale)
	if p == 0 {
		low = 0
	}
	if p == 1 {
		high = 1
	}
	return low, high
}

// Tally counts the samples of a group, and the correct ones of them.
type Tally struct{ Correct, N int }

// Tallies counts samples by the group that they belong to. Its zero value is
// ready to use.
type Tallies struct {
	Groups []Tally // in the order in which they first appear
	at     map[string]int
}

// Add counts a sample. One whose group is "" is a group of its own.
func (t *Tallies) Add(group string, correct bool) {
	i, known := t.at[group]
	if !known || group == "" {
		i = len(t.Groups)
		t.Groups = append(t.Groups, Tally{})
		if t.at == nil {
			t.at = map[string]int{}
		}
		t.at[group] = i
	}
	t.Groups[i].N++
	if correct {
		t.Groups[i].Correct++
	}
}

// GroupedWilson is the score interval of all samples of groups whose samples are
// no separate evidence, such as orders of one problem. In the place of their
// number stands the one that as many independent samples with the groups'
// variance would have (Korn and Graubard, Survey Methodology 24, 1998): at most
// that of the samples, at least 1, and that of the groups where all samples are
// alike. Where every group has one sample it is [Wilson].
func GroupedWilson(groups []Tally, z float64) (low, high float64, ok bool) {
	var all Tally
	for _, g := range groups {
		all.Correct += g.Correct
		all.N += g.N
	}
	p, ok := Fraction(all.Correct, all.N)
	if !ok || len(groups) == all.N {
		return Wilson(all.Correct, all.N, z)
	}
	if !(z > 0) || math.IsInf(z, 1) {
		return 0, 0, false
	}
	squares := 0.0
	for _, g := range groups {
		squares += math.Pow(float64(g.Correct)-p*float64(g.N), 2)
	}
	many, n := float64(len(groups)), float64(all.N)
	size := many
	if p > 0 && p < 1 && many > 1 {
		variance := many / (many - 1) * squares / (n * n)
		size = max(1, min(n, p*(1-p)/variance)) // a variance of 0 gives n
	}
	low, high = wilson(p, size, z)
	return low, high, true
}

// Bounds are the least and the greatest fraction of correct samples that could
// come out if the unscored samples had verdicts: all of them incorrect, all of
// them correct. They have no value where there are no samples or a count is
// impossible.
func Bounds(correct, scored, unscored int) (low, high float64, ok bool) {
	if scored < 0 || unscored < 0 || correct < 0 || correct > scored || scored+unscored == 0 {
		return 0, 0, false
	}
	all := float64(scored + unscored)
	return float64(correct) / all, float64(correct+unscored) / all, true
}
