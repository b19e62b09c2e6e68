package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Pair is one sample scored twice, such as by two models or under two settings.
type Pair struct {
	Group string // samples of one group are drawn together
	A, B  bool   // correct
}

// Resamples is how often [Difference] draws.
const Resamples = 10_000

// Difference is how much larger the fraction of correct samples is under B than
// under A, with the 95 % percentile interval of a bootstrap that draws whole
// groups with replacement (Efron and Tibshirani 1993, chapters 8 and 13). The
// draws are always the same. There is no value without pairs.
func Difference(pairs []Pair) (difference, low, high float64, ok bool) {
	sums, sizes := byGroup(pairs)
	if len(pairs) == 0 {
		return 0, 0, 0, false
	}
	total := 0
	for _, s := range sums {
		total += s
	}
	random := rand.New(rand.NewPCG(42, uint64(len(pairs))))
	drawn := make([]float64, Resamples)
	for i := range drawn {
		sum, n := 0, 0
		for range sums {
			at := random.IntN(len(sums))
			sum += sums[at]
			n += sizes[at]
		}
		drawn[i] = float64(sum) / float64(n)
	}
	slices.Sort(drawn)
	return float64(total) / float64(len(pairs)), drawn[Resamples*25/1000], drawn[Resamples*975/1000-1], true
}

// byGroup adds up the differences of each group, in the order in which groups
// first appear. A pair without a group is one of its own.
func byGroup(pairs []Pair) (sums, sizes []int) {
	at := map[string]int{}
	for _, p := range pairs {
		i, known := at[p.Group]
		if !known || p.Group == "" {
			i = len(sums)
			at[p.Group] = i
			sums, sizes = append(sums, 0), append(sizes, 0)
		}
		sizes[i]++
		switch {
		case p.B && !p.A:
			sums[i]++
		case p.A && !p.B:
			sums[i]--
		}
	}
	return sums, sizes
}

// McNemar is the exact two-sided probability of a split at least as uneven as
// that of the samples on which A and B differ, were both equally good (McNemar,
// Psychometrika 12, 1947, with the binomial distribution). It is 1 where they
// never differ.
func McNemar(pairs []Pair) float64 {
	onlyA, onlyB := 0, 0
	for _, p := range pairs {
		switch {
		case p.A && !p.B:
			onlyA++
		case p.B && !p.A:
			onlyB++
		}
	}
	n := onlyA + onlyB
	sum := 0.0
	for i := range min(onlyA, onlyB) + 1 {
		sum += math.Exp(logChoose(n, i) - float64(n)*math.Ln2)
	}
	return min(1, 2*sum)
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	gamma := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return gamma(n) - gamma(k) - gamma(n-k)
}
