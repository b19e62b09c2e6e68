package smmile

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"lightbox/bench/card"
)

// Problems makes a sample out of each problem in the rows, in rising order of
// their ids. A sample's ID and Name are the problem's id; its Group is the
// problem that an order of demonstrations is of. Equal orders keep the order of
// the rows. Errors about rows are [*PanelError], joined.
func Problems(rows []map[string]any) ([]card.Sample, error) {
	panels, err := readPanels(rows)
	if err != nil {
		return nil, err
	}
	byID := map[string][]panel{}
	for _, p := range panels {
		byID[p.problem] = append(byID[p.problem], p)
	}
	var ids []string
	var bad []*PanelError
	for id, own := range byID {
		ids = append(ids, id)
		slices.SortStableFunc(own, func(a, b panel) int { return cmp.Compare(a.order, b.order) })
		if twice := sameTwice(own); twice != nil {
			bad = append(bad, twice)
		}
	}
	if len(bad) > 0 {
		return nil, firstErrors(bad)
	}
	slices.SortFunc(ids, compareIDs)
	samples := make([]card.Sample, len(ids))
	for i, id := range ids {
		samples[i] = sampleOf(byID[id])
	}
	return samples, nil
}

// firstErrors joins the first errors, by row.
func firstErrors(bad []*PanelError) error {
	slices.SortFunc(bad, func(a, b *PanelError) int { return cmp.Compare(a.Row, b.Row) })
	var all []error
	for _, e := range bad[:min(len(bad), maxErrors)] {
		all = append(all, e)
	}
	return errors.Join(all...)
}

// sameTwice finds a panel that stands twice in a problem: the files were read
// twice, and every demonstration would be shown twice.
func sameTwice(own []panel) *PanelError {
	for i, p := range own[1:] {
		before := own[i]
		if p.order == before.order && p.question == before.question && p.answer == before.answer && p.picture == before.picture {
			return &PanelError{max(p.row, before.row), columnOrder, fmt.Errorf("is %d, and the whole panel is the same as in row %d", p.order, min(p.row, before.row)+1)}
		}
	}
	return nil
}

func sampleOf(own []panel) card.Sample {
	last := len(own) - 1
	query := own[last]
	base, _ := baseOf(query.problem)
	s := query.sample(query.problem, base)
	s.Tags = query.tags
	for i, d := range own[:last] {
		s.Demonstrations = append(s.Demonstrations, d.sample(fmt.Sprintf("%s/%d", d.problem, i+1), base))
	}
	return s
}

func (p panel) sample(id, group string) card.Sample {
	return card.Sample{
		ID: id, Name: id, Group: group, Subset: Subset, Split: Split,
		Question: p.question, References: []string{p.answer}, Pictures: []string{p.picture},
	}
}

// Subset is the only subset.
const Subset = "all"

// Split is the only split of the published data. The brief of the benchmark
// calls it test.
const Split = "train"

// permuted is an id of SMMILE++.
var permuted = regexp.MustCompile(`^(.+)_perm_(\d{1,9})$`)

// baseOf is the problem of SMMILE that a problem is an order of, and the number
// of that order; 0 where it is itself one.
func baseOf(id string) (base string, number int) {
	m := permuted.FindStringSubmatch(id)
	if m == nil {
		return id, 0
	}
	number, _ = strconv.Atoi(m[2]) // nine digits are a number
	return m[1], number
}

// compareIDs orders ids, and the orders of one problem by their numbers.
func compareIDs(a, b string) int {
	baseA, numberA := baseOf(a)
	baseB, numberB := baseOf(b)
	return cmp.Or(cmp.Compare(baseA, baseB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
}

// Shown are the tags of a sample that depend on the demonstrations which it
// shows: their number, and whether the first and the last have exactly the
// answer of the query.
func Shown(s card.Sample) []string {
	match := func(at int) string {
		if at >= 0 && at < len(s.Demonstrations) && s.Demonstrations[at].References[0] == s.References[0] {
			return "yes"
		}
		return "no"
	}
	k := len(s.Demonstrations)
	return []string{fmt.Sprintf("demonstrations:%d", k), "first_match:" + match(0), "last_match:" + match(k-1)}
}
