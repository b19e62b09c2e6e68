package stats

import "math"

// Pair is one sample scored twice, such as by two models or under two settings.
type Pair struct {
	Group string // samples of one group, such as orders of one problem, are no separate evidence
	A, B  bool   // correct
}

// Difference is how much larger the fraction of correct samples is under B than
// under A, with a 95 % interval: that of Bonett and Price (Statistics in Medicine
// 31, 2012), which adds one pair in favour of each side and so has a width even
// where all pairs agree. Of groups with several pairs it is the variance of the
// groups' sums that counts (Cochran 1977, chapter 6), and what is added are two
// groups of mean size. There is no value without pairs.
func Difference(pairs []Pair) (difference, low, high float64, ok bool) {
	if len(pairs) == 0 {
		return 0, 0, 0, false
	}
	sums, sizes := byGroup(pairs)
	n, total := float64(len(pairs)), 0
	for _, s := range sums {
		total += s
	}
	mean := n / float64(len(sums))
	all := n + 2*mean
	centre := float64(total) / all
	squares := math.Pow(mean-centre*mean, 2) + math.Pow(-mean-centre*mean, 2)
	for i, s := range sums {
		squares += math.Pow(float64(s)-centre*float64(sizes[i]), 2)
	}
	half := Z95 * math.Sqrt(squares) / all
	return float64(total) / n, max(-1, centre-half), min(1, centre+half), true
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

// mostSteps bounds the work of an exact distribution.
const mostSteps = 1 << 24

// PairedP is the two-sided probability of a difference at least as large, were A
// and B equally good: of all ways to swap A and B within whole groups, the share
// that differs as much (Fisher 1935, section 21). Where no group has several
// pairs that is McNemar's test with the binomial distribution. It is exact, but
// for more than some hundred groups of several pairs, where the normal
// distribution takes its place. It is 1 where A and B never differ.
func PairedP(pairs []Pair) float64 {
	sums, _ := byGroup(pairs)
	total, reach, squares, groups, single := 0, 0, 0, 0, true
	for _, s := range sums {
		total += s
		squares += s * s
		s = max(s, -s)
		reach += s
		single = single && s <= 1
		if s > 0 {
			groups++
		}
	}
	total = max(total, -total)
	switch {
	case groups == 0:
		return 1
	case single:
		return binomial(groups, (groups-total)/2)
	case groups*(2*reach+1) > mostSteps:
		return math.Erfc(float64(total) / math.Sqrt(2*float64(squares)))
	}
	return flipped(sums, reach, total)
}

// flipped is the probability that sums with signs drawn by chance come to total
// or more on either side; reach is the most that they can come to.
func flipped(sums []int, reach, total int) float64 {
	chance := make([]float64, 2*reach+1) // of each sum, from -reach
	chance[reach] = 1
	for _, s := range sums {
		if s == 0 {
			continue
		}
		next := make([]float64, len(chance))
		for i, p := range chance {
			if p > 0 {
				next[i+s] += p / 2
				next[i-s] += p / 2
			}
		}
		chance = next
	}
	sum := 0.0
	for i, p := range chance {
		if at := i - reach; at >= total || at <= -total {
			sum += p
		}
	}
	return min(1, sum)
}

// binomial is twice the probability of up to k heads in n throws, at most 1.
func binomial(n, k int) float64 {
	sum := 0.0
	for i := range k + 1 {
		sum += math.Exp(logChoose(n, i) - float64(n)*math.Ln2)
	}
	return min(1, 2*sum)
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	gamma := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return gamma(n) - gamma(k) - gamma(n-k)
}
