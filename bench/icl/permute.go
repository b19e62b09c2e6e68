package icl

import (
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/card"
)

// mostOrders is how many orders of a problem SMMILE++ has: 24, which is all of
// four demonstrations (Rieff et al. 2025, section 3).
const mostOrders = 24

// Permute makes out of each problem one sample for every order of its
// demonstrations: all of them in lexicographic order where there are up to four
// demonstrations, else 24 different ones that are drawn, the first not that of
// the data. Their IDs end in _perm_1 and so on.
func Permute(samples []card.Sample, seed int) []card.Sample {
	var all []card.Sample
	for _, s := range samples {
		for i, order := range orders(len(s.Demonstrations), seed, s.ID) {
			x := s
			x.ID = fmt.Sprintf("%s_perm_%d", s.ID, i+1)
			x.Name = x.ID
			x.Group = s.ID
			x.Demonstrations = make([]card.Sample, len(order))
			for to, from := range order {
				d := s.Demonstrations[from]
				d.Group = s.ID
				d.ID = strings.Replace(d.ID, s.ID, x.ID, 1)
				x.Demonstrations[to] = d
			}
			all = append(all, x)
		}
	}
	return all
}

// orders are the orders of k demonstrations.
func orders(k, seed int, id string) [][]int {
	natural := make([]int, k)
	for i := range natural {
		natural[i] = i
	}
	if k <= 4 {
		return lexicographic(natural)
	}
	random := draw(seed, id, "permute")
	var drawn [][]int
	for len(drawn) < mostOrders {
		order := random.Perm(k)
		same := func(o []int) bool { return slices.Equal(o, order) }
		if slices.ContainsFunc(drawn, same) || len(drawn) == 0 && slices.Equal(order, natural) {
			continue
		}
		drawn = append(drawn, order)
	}
	return drawn
}

// lexicographic are all orders of items, those of the first items first.
func lexicographic(items []int) [][]int {
	if len(items) <= 1 {
		return [][]int{slices.Clone(items)}
	}
	var all [][]int
	for i, first := range items {
		rest := slices.Delete(slices.Clone(items), i, i+1)
		for _, tail := range lexicographic(rest) {
			all = append(all, append([]int{first}, tail...))
		}
	}
	return all
}
