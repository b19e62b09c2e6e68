package smmile

import (
	"fmt"
	"strings"

	"lightbox/bench/card"
)

// Counts describe a data set.
type Counts struct {
	Problems       int                       `json:"problems"`
	Panels         int                       `json:"panels"`
	Demonstrations map[int]int               `json:"demonstrations"` // number of demonstrations → problems
	Tags           map[string]map[string]int `json:"tags"`           // tag → value → problems
	NoPicture      []string                  `json:"no_picture"`     // panels whose picture is null
	Repeated       int                       `json:"repeated"`       // panels after the first with the same picture, question and answer, in a problem
}

// TagNames are the names of the tags of samples, in the order in which to show
// them.
func TagNames() []string {
	var names []string
	for _, f := range flags {
		names = append(names, f[1])
	}
	return append(names, "first_match", "last_match")
}

// Count counts all that the samples hold, with the tags of [Shown].
func Count(samples []card.Sample) Counts {
	c := Counts{NoPicture: []string{}, Demonstrations: map[int]int{}, Tags: map[string]map[string]int{}}
	for _, s := range samples {
		c.Problems++
		c.Demonstrations[len(s.Demonstrations)]++
		for _, tag := range append(Shown(s), s.Tags...) {
			name, value, _ := strings.Cut(tag, ":")
			if name == "demonstrations" {
				continue
			}
			if c.Tags[name] == nil {
				c.Tags[name] = map[string]int{}
			}
			c.Tags[name][value]++
		}
		c.panels(s)
	}
	return c
}

func (c *Counts) panels(s card.Sample) {
	seen := map[[3]string]bool{}
	for i, p := range append(s.Demonstrations[:len(s.Demonstrations):len(s.Demonstrations)], s) {
		c.Panels++
		if p.Pictures[0] == NoPicture {
			c.NoPicture = append(c.NoPicture, fmt.Sprintf("%s/%d", s.ID, i+1))
		}
		key := [3]string{p.Pictures[0], p.Question, p.References[0]}
		if seen[key] {
			c.Repeated++
		}
		seen[key] = true
	}
}
