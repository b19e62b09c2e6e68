package icl

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"lightbox/bench/card"
)

// ErrNoSpecialty says that distractors cannot be of the same specialty.
var ErrNoSpecialty = errors.New("the data name no specialty")

// drawn says where distractors came from.
type drawn int

const (
	asAsked     drawn = iota
	fromSubset        // some are of the subset, and were to be of the specialty
	fromNowhere       // there are too few that do not give the query's answer and can be sent
)

// strangers are the questions with answers of a benchmark, each once, which can
// be shown as demonstrations to problems that they do not belong to.
type strangers struct {
	all         []card.Sample
	bySpecialty map[string][]card.Sample
	bySubset    map[string][]card.Sample
	content     func(reference string) string
	broken      func(reference string) bool
}

// strangersOf takes the demonstrations and queries of all samples.
func strangersOf(from Stock) strangers {
	s := strangers{bySpecialty: map[string][]card.Sample{}, bySubset: map[string][]card.Sample{}, content: from.Content, broken: from.Broken}
	if s.broken == nil {
		s.broken = func(string) bool { return false }
	}
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

func hasSpecialty(s card.Sample) bool { return specialtyOf(s) != "" }

// distract puts n demonstrations of other problems into those of a sample, at
// places that are drawn. None shows the query's picture, gives its answer, or has a
// picture that cannot be sent. Where the specialty has too few of them, or the sample
// has none, the others are of the subset. The error says that the benchmark has too
// few whatever they answer.
func (x strangers) distract(s card.Sample, n int, targeted bool, seed int) (card.Sample, drawn, error) {
	random := draw(seed, s.ID, "distract")
	pools := [][]card.Sample{x.all}
	if targeted {
		pools = [][]card.Sample{x.bySpecialty[specialtyOf(s)], x.bySubset[s.Subset]}
		if !hasSpecialty(s) {
			pools[0] = nil
		}
	}
	how := asAsked
	var found []card.Sample
	for i, pool := range pools {
		before := len(found)
		found = x.draw(random, pool, found, s, n)
		if i > 0 && len(found) > before {
			how = fromSubset
		}
	}
	if len(found) < n {
		if missing := n - x.foreigners(slices.Concat(pools...), s); missing > 0 {
			return s, how, fmt.Errorf("distracting sample %q: the benchmark has %d demonstrations too few of other problems that can be shown with it", s.ID, missing)
		}
		return s, fromNowhere, nil
	}
	s.Demonstrations = slices.Clone(s.Demonstrations)
	for _, d := range found {
		s.Demonstrations = slices.Insert(s.Demonstrations, random.IntN(len(s.Demonstrations)+1), d)
	}
	return s, how, nil
}

// draw adds demonstrations out of a pool until there are n of them, or no more.
func (x strangers) draw(random *rand.Rand, pool, found []card.Sample, query card.Sample, n int) []card.Sample {
	for tried := map[int]bool{}; len(tried) < len(pool) && len(found) < n; {
		at := random.IntN(len(pool))
		if tried[at] {
			continue
		}
		tried[at] = true
		same := func(d card.Sample) bool { return d.ID == pool[at].ID }
		if x.distracting(pool[at], query) && !slices.ContainsFunc(found, same) {
			found = append(found, pool[at])
		}
	}
	return found
}

// distracting tells whether a demonstration is foreign to the query, gives another
// answer, and can be sent.
func (x strangers) distracting(d, query card.Sample) bool {
	return x.foreign(d, query) && !answers(d, query) && !slices.ContainsFunc(d.Pictures, x.broken)
}

// answers tells whether any answer of a demonstration is one of the query's.
func answers(d, query card.Sample) bool {
	return slices.ContainsFunc(d.References, func(r string) bool {
		return Relevant(card.Sample{References: []string{r}}, query)
	})
}

// foreigners counts the demonstrations of a pool that are foreign to the query, each
// once.
func (x strangers) foreigners(pool []card.Sample, query card.Sample) int {
	ids := map[string]bool{}
	for _, d := range pool {
		if x.foreign(d, query) {
			ids[d.ID] = true
		}
	}
	return len(ids)
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
