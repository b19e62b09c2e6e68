package scienceqa

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lightbox/bench/card"
)

// The benchmark as commands and people call it.
const (
	Name    = "scienceqa"
	Version = "1" // of what is asked: prompts, selection, order
	Title   = "school science with choices, half of it with pictures"
	DataID  = "derek-thomas/ScienceQA"
	Licence = "CC BY-NC-SA 4.0 (authors' repository), CC BY-SA 4.0 (dataset card)"
	Source  = "Lu et al. 2022, arXiv:2209.09513; asked as lmms-eval does"
	Size    = "4241 questions, 2017 of them with a picture (test)"
)

// Counts describe a split.
type Counts struct {
	Questions int                       `json:"questions"`
	Pictures  int                       `json:"pictures"` // different ones
	Subsets   map[string]int            `json:"subsets"`
	Choices   map[int]int               `json:"choices"` // number of choices → questions
	Keys      map[string]int            `json:"keys"`    // letter of the right choice → questions
	Tags      map[string]map[string]int `json:"tags"`    // tag → value → questions
}

// Count counts all that the samples hold.
func Count(samples []card.Sample) Counts {
	c := Counts{Subsets: map[string]int{SubsetImage: 0, SubsetText: 0}, Choices: map[int]int{}, Keys: map[string]int{}, Tags: map[string]map[string]int{}}
	pictures := map[string]bool{}
	for _, s := range samples {
		c.Questions++
		c.Subsets[s.Subset]++
		c.Choices[len(s.Options)]++
		c.Keys[s.Key]++
		for _, p := range s.Pictures {
			pictures[p] = true
		}
		for _, tag := range s.Tags {
			name, value, _ := strings.Cut(tag, ":")
			if c.Tags[name] == nil {
				c.Tags[name] = map[string]int{}
			}
			c.Tags[name][value]++
		}
	}
	c.Pictures = len(pictures)
	return c
}

// Published are counts of a split as it was published. What was not published is
// nil.
type Published struct {
	Questions int            `json:"questions"`
	Subsets   map[string]int `json:"subsets"`
	Choices   map[int]int    `json:"choices,omitempty"`
	Keys      map[string]int `json:"keys,omitempty"`
}

// PublishedSplits are the splits that were published.
var PublishedSplits = map[string]Published{
	"train":      {Questions: 12726, Subsets: map[string]int{SubsetImage: 6218, SubsetText: 6508}},
	"validation": {Questions: 4241, Subsets: map[string]int{SubsetImage: 2097, SubsetText: 2144}},
	"test": {
		Questions: 4241, Subsets: map[string]int{SubsetImage: 2017, SubsetText: 2224},
		Choices: map[int]int{2: 2228, 3: 971, 4: 1004, 5: 38},
		Keys:    map[string]int{"A": 1700, "B": 1689, "C": 583, "D": 261, "E": 8},
	},
}

// Differences says what of counts is not as published, in a line each.
func (p Published) Differences(got Counts) []string {
	var all []string
	if got.Questions != p.Questions {
		all = append(all, fmt.Sprintf("questions: %d, published %d", got.Questions, p.Questions))
	}
	all = append(all, differences("subset", got.Subsets, p.Subsets)...)
	all = append(all, differences("choices", got.Choices, p.Choices)...)
	return append(all, differences("key", got.Keys, p.Keys)...)
}

// differences compares counts by key; what was not published differs in nothing.
func differences[K int | string](what string, got, published map[K]int) []string {
	if published == nil {
		return nil
	}
	keys := maps.Clone(published)
	maps.Copy(keys, got)
	var all []string
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if got[k] != published[k] {
			all = append(all, fmt.Sprintf("%s %v: %d, published %d", what, k, got[k], published[k]))
		}
	}
	return all
}
