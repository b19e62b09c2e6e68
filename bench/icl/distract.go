package icl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"lightbox/bench/card"
)

// strangers are the questions with answers of a benchmark, each once, which can
// be shown as demonstrations to problems that they do not belong to.
type strangers struct {
	all         []card.Sample
	bySpecialty map[string][]card.Sample
	bySubset    map[string][]card.Sample
	content     func(reference string) string
}

// strangersOf takes the demonstrations and queries of all samples.
func strangersOf(from Stock) strangers {
	s := strangers{bySpecialty: map[string][]card.Sample{}, bySubset: map[string][]card.Sample{}, content: from.Content}
	seen := map[string]bool{}
	for _, problem := range from.All {
		for _, x := range append(slices.Clone(problem.Demonstrations), asDemonstration(problem)) {
			key := strings.Join(append([]string{x.Group, x.Question, strings.Join(x.References, "\x01")}, x.Pictures...), "\x00")
			if len(x.References) == 0 || seen[key] {
				continue
			}
			seen[key] = true
			x.Inserted = true
			s.all = append(s.all, x)
			specialty := specialtyOf(problem)
			s.bySpecialty[specialty] = append(s.bySpecialty[specialty], x)
			s.bySubset[problem.Subset] = append(s.bySubset[problem.Subset], x)
		}
	}
	return s
}

// asDemonstration is a query as its benchmark shows demonstrations. Where they
// are a problem's own they are open questions, whatever the query is made into.
func asDemonstration(query card.Sample) card.Sample {
	if len(query.Demonstrations) > 0 {
		query.Prompt, query.Options, query.Key, query.Shown = "", nil, "", ""
	}
	query.Demonstrations = nil
	return query
}

// specialtyOf is the problem's medical specialty, "" where its tags name none.
// SMMILE spells it speciality.
func specialtyOf(s card.Sample) string {
	for _, tag := range s.Tags {
		for _, name := range []string{"speciality:", "specialty:"} {
			if value, ok := strings.CutPrefix(tag, name); ok {
				return value
			}
		}
	}
	return ""
}

// distract puts n demonstrations of other problems into those of a sample, at
// places that are drawn. None shows the query's picture. Where the specialty has
// too few of them, the others are of the subset, and elsewhere says so.
func (x strangers) distract(s card.Sample, n int, targeted bool, seed int) (distracted card.Sample, elsewhere bool, err error) {
	random := draw(seed, s.ID, "distract")
	pools := [][]card.Sample{x.all}
	if targeted {
		pools = [][]card.Sample{x.bySubset[s.Subset]}
		if specialty := specialtyOf(s); specialty != "" {
			pools = [][]card.Sample{x.bySpecialty[specialty], x.bySubset[s.Subset]}
		}
	}
	var drawn []card.Sample
	for i, pool := range pools {
		before := len(drawn)
		drawn = x.draw(random, pool, drawn, s, n)
		elsewhere = i > 0 && len(drawn) > before
	}
	if missing := n - len(drawn); missing > 0 {
		return s, false, fmt.Errorf("distracting sample %q: the benchmark has %d demonstrations too few of other problems that can be shown with it", s.ID, missing)
	}
	s.Demonstrations = slices.Clone(s.Demonstrations)
	for _, d := range drawn {
		s.Demonstrations = slices.Insert(s.Demonstrations, random.IntN(len(s.Demonstrations)+1), d)
	}
	return s, elsewhere, nil
}

// draw adds demonstrations out of a pool until there are n of them, or no more.
func (x strangers) draw(random *rand.Rand, pool, drawn []card.Sample, query card.Sample, n int) []card.Sample {
	for tried := map[int]bool{}; len(tried) < len(pool) && len(drawn) < n; {
		at := random.IntN(len(pool))
		if tried[at] {
			continue
		}
		tried[at] = true
		same := func(d card.Sample) bool { return d.ID == pool[at].ID }
		if x.foreign(pool[at], query) && !slices.ContainsFunc(drawn, same) {
			drawn = append(drawn, pool[at])
		}
	}
	return drawn
}

// foreign tells whether a demonstration is of another problem and does not show
// the query's picture, under whatever name.
func (x strangers) foreign(d, query card.Sample) bool {
	if d.Group == query.Group {
		return false
	}
	for _, p := range d.Pictures {
		content := x.content(p)
		if slices.ContainsFunc(query.Pictures, func(own string) bool { return own == p || x.content(own) == content }) {
			return false
		}
	}
	return true
}
