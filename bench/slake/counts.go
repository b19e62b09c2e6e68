package slake

import (
	"strings"
	"unicode/utf8"

	"lightbox/bench/card"
)

// Counts describe a split.
type Counts struct {
	Questions int                       `json:"questions"`
	Pictures  int                       `json:"pictures"` // different ones, by name
	Prompts   Lengths                   `json:"prompts"`
	Subsets   map[string]Lengths        `json:"subsets"` // of the prompts of each
	Tags      map[string]map[string]int `json:"tags"`    // tag → value → questions
}

// Lengths are those of prompts in characters (Unicode code points).
type Lengths struct {
	N    int     `json:"n"` // prompts
	Mean float64 `json:"mean"`
	Min  int     `json:"min"`
	Max  int     `json:"max"`

	sum int
}

// add counts a prompt.
func (l Lengths) add(prompt string) Lengths {
	n := utf8.RuneCountInString(prompt)
	if l.N == 0 || n < l.Min {
		l.Min = n
	}
	l.Max = max(l.Max, n)
	l.N++
	l.sum += n
	l.Mean = float64(l.sum) / float64(l.N)
	return l
}

// TagNames are the names of the tags of samples, in the order in which to show
// them.
func TagNames() []string { return append([]string{"language", "answer_type"}, kinds...) }

// Count counts all that the samples hold.
func Count(samples []card.Sample) Counts {
	c := Counts{Subsets: map[string]Lengths{}, Tags: map[string]map[string]int{}}
	pictures := map[string]bool{}
	for _, s := range samples {
		c.Questions++
		pictures[s.Group] = true
		c.Prompts = c.Prompts.add(s.Prompt)
		c.Subsets[s.Subset] = c.Subsets[s.Subset].add(s.Prompt)
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
