package icl

import (
	"fmt"
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
}

// strangersOf takes the demonstrations and queries of all samples.
func strangersOf(all []card.Sample, wanted bool) strangers {
	s := strangers{bySpecialty: map[string][]card.Sample{}, bySubset: map[string][]card.Sample{}}
	if !wanted {
		return s
	}
	seen := map[string]bool{}
	for _, problem := range all {
		for _, x := range append(slices.Clone(problem.Demonstrations), problem) {
			key := strings.Join(append([]string{x.Group, x.Question, strings.Join(x.References, "\x01")}, x.Pictures...), "\x00")
			if len(x.References) == 0 || seen[key] {
				continue
			}
			seen[key] = true
			x.Demonstrations = nil
			x.Inserted = true
			s.all = append(s.all, x)
			specialty := specialtyOf(problem)
			s.bySpecialty[specialty] = append(s.bySpecialty[specialty], x)
			s.bySubset[problem.Subset] = append(s.bySubset[problem.Subset], x)
		}
	}
	return s
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
// places that are drawn. None shows the query's picture.
func (x strangers) distract(s card.Sample, n int, targeted bool, seed int) (card.Sample, error) {
	pool := x.all
	if targeted {
		pool = x.bySubset[s.Subset]
		if specialty := specialtyOf(s); specialty != "" {
			pool = x.bySpecialty[specialty]
		}
	}
	random := draw(seed, s.ID, "distract")
	demonstrations := slices.Clone(s.Demonstrations)
	taken := map[int]bool{}
	for len(taken) < len(pool) && n > 0 {
		at := random.IntN(len(pool))
		if taken[at] {
			continue
		}
		taken[at] = true
		if !foreign(pool[at], s) {
			continue
		}
		demonstrations = slices.Insert(demonstrations, random.IntN(len(demonstrations)+1), pool[at])
		n--
	}
	if n > 0 {
		return s, fmt.Errorf("distracting sample %q: the benchmark has %d demonstrations too few of other problems that can be shown with it", s.ID, n)
	}
	s.Demonstrations = demonstrations
	return s, nil
}

// foreign tells whether a demonstration is of another problem and does not show
// the query's picture.
func foreign(d, query card.Sample) bool {
	if d.Group == query.Group {
		return false
	}
	return !slices.ContainsFunc(d.Pictures, func(p string) bool { return slices.Contains(query.Pictures, p) })
}
