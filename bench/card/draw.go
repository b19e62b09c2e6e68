package card

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Draw picks n demonstrations for a query out of a pool, such as the samples of
// a train split, by chance. Only samples qualify that are in the query's
// language, have a reference answer, and share neither the ID nor the group nor
// a picture with the query. Where fewer than n qualify, all are given.
//
// The same pool, query ID and seed give the same demonstrations in the same
// order on every machine, and those of n are the first of those of n+1.
func Draw(pool []Sample, query Sample, n int, seed int64) []Sample {
	h := fnv.New64a()
	h.Write([]byte(query.ID))
	random := rand.NewPCG(uint64(seed), h.Sum64())
	var drawn []Sample
	// A shuffle of the pool that stops when enough is drawn: moved holds the
	// places that differ from the pool's.
	moved := map[int]int{}
	at := func(i int) int {
		if j, ok := moved[i]; ok {
			return j
		}
		return i
	}
	for i := 0; i < len(pool) && len(drawn) < n; i++ {
		j := i + int(random.Uint64()%uint64(len(pool)-i))
		chosen := at(j)
		moved[j] = at(i)
		if canShow(pool[chosen], query) {
			drawn = append(drawn, pool[chosen])
		}
	}
	return drawn
}

// canShow tells whether a sample can be a demonstration for a query.
func canShow(s, query Sample) bool {
	switch {
	case s.Language != query.Language, s.ID == query.ID, len(s.References) == 0:
		return false
	case s.Group != "" && s.Group == query.Group:
		return false
	}
	return !slices.ContainsFunc(s.Pictures, func(p string) bool { return slices.Contains(query.Pictures, p) })
}
