package card

import (
	"fmt"
	"slices"
	"strings"
)

// Selection says which samples of a benchmark are asked. Its zero value is all.
type Selection struct {
	IDs     []string // each an ID, a Name, or a row number; empty: all
	Subsets []string // empty: all
	Limit   int      // samples of each subset, the first in data order; 0: all
}

// String is the selection in words, "" where it is all. Ids can be personal, so
// only their number stands in it.
func (s Selection) String() string {
	var parts []string
	if len(s.IDs) > 0 {
		parts = append(parts, fmt.Sprintf("%d ids", len(s.IDs)))
	}
	if len(s.Subsets) > 0 {
		parts = append(parts, "subsets "+strings.Join(s.Subsets, ", "))
	}
	if s.Limit > 0 {
		parts = append(parts, fmt.Sprintf("first %d of each subset", s.Limit))
	}
	return strings.Join(parts, "; ")
}

// Select picks samples, in the order of the data. An id stands for the sample
// with that ID; where there is none for all samples of that Name; and where
// there is none for the sample of that row, whose number its ID begins with.
// An id or subset that is nowhere is an error that names the nearest, and so is
// a selection of nothing.
func Select(samples []Sample, s Selection) ([]Sample, error) {
	if s.Limit < 0 {
		return nil, fmt.Errorf("selecting samples: limit %d is negative", s.Limit)
	}
	chosen, err := inSubsets(samples, s.Subsets)
	if err != nil {
		return nil, err
	}
	if chosen, err = withIDs(chosen, s.IDs); err != nil {
		return nil, err
	}
	if s.Limit > 0 {
		taken := map[string]int{}
		chosen = slices.DeleteFunc(chosen, func(x Sample) bool {
			taken[x.Subset]++
			return taken[x.Subset] > s.Limit
		})
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("selecting samples: none of %d is left", len(samples))
	}
	return chosen, nil
}

// inSubsets copies the samples of the named subsets.
func inSubsets(samples []Sample, subsets []string) ([]Sample, error) {
	if len(subsets) == 0 {
		return slices.Clone(samples), nil
	}
	var known []string
	var chosen []Sample
	for _, x := range samples {
		if !slices.Contains(known, x.Subset) {
			known = append(known, x.Subset)
		}
		if slices.Contains(subsets, x.Subset) {
			chosen = append(chosen, x)
		}
	}
	for _, subset := range subsets {
		if !slices.Contains(known, subset) {
			return nil, fmt.Errorf("selecting subset %q: no sample is in it%s", subset, didYouMean(subset, known))
		}
	}
	return chosen, nil
}

// withIDs keeps the samples that an id stands for.
func withIDs(samples []Sample, ids []string) ([]Sample, error) {
	if len(ids) == 0 {
		return samples, nil
	}
	index := indexOf(samples)
	keep := make([]bool, len(samples))
	for _, id := range ids {
		matches := index.find(id)
		if len(matches) == 0 {
			return nil, fmt.Errorf("selecting sample %q: no such sample%s", id, didYouMean(id, index.words()))
		}
		for _, i := range matches {
			keep[i] = true
		}
	}
	var chosen []Sample
	for i, x := range samples {
		if keep[i] {
			chosen = append(chosen, x)
		}
	}
	return chosen, nil
}

// index finds the positions of samples by ID, Name and row.
type index struct{ id, name, row map[string][]int }

func indexOf(samples []Sample) index {
	x := index{map[string][]int{}, map[string][]int{}, map[string][]int{}}
	for i, s := range samples {
		x.id[s.ID] = append(x.id[s.ID], i)
		if s.Name != "" {
			x.name[s.Name] = append(x.name[s.Name], i)
		}
		if row, ok := rowOf(s.ID); ok {
			x.row[row] = append(x.row[row], i)
		}
	}
	return x
}

// rowOf is the row number that an ID of own data, "12-1a2b3c4d", begins with.
func rowOf(id string) (string, bool) {
	row, digest, ok := strings.Cut(id, "-")
	digits := func(s, of string) bool { return s != "" && strings.Trim(s, of) == "" }
	return row, ok && len(digest) == 8 && digits(row, "0123456789") && digits(digest, "0123456789abcdef")
}

func (x index) find(id string) []int {
	for _, by := range []map[string][]int{x.id, x.name, x.row} {
		if found := by[id]; len(found) > 0 {
			return found
		}
	}
	return nil
}

// words are all IDs and Names, sorted.
func (x index) words() []string {
	var all []string
	for _, by := range []map[string][]int{x.id, x.name} {
		for word := range by {
			all = append(all, word)
		}
	}
	slices.Sort(all)
	return all
}

func didYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Nearest is the known word that takes the fewest changes of a letter to get
// to from word, letter case aside, the first of several. It is empty where none
// is near: as many changes as a third of the longer word's letters.
func Nearest(word string, known []string) string {
	nearest, least := "", max(len(word), 1)
	for _, k := range known {
		limit := min(least, (max(len(word), len(k))+1)/3+1)
		if d := distance(strings.ToLower(word), strings.ToLower(k), limit); d < limit {
			nearest, least = k, d
		}
	}
	return nearest
}

// distance is the number of letters to insert, delete, replace, or swap with
// their neighbour to get from a to b, or limit where it is no less.
func distance(a, b string, limit int) int {
	if diff := len(a) - len(b); diff >= limit || -diff >= limit {
		return limit
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return min(last[len(b)], limit)
}
