package bench

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source"
)

// sayTheSame reads the sheet through its new card, and holds the samples against
// those of the sheet itself.
func sayTheSame(text []byte, sheet string, o source.Options, own []card.Sample) error {
	c, err := card.ParseCard("the new card", text)
	if err != nil {
		return err
	}
	s := c.Subsets[0]
	table, err := source.OpenTable(sheet, source.TableOptions{Picture: s.Mapping.Media.From, Encoding: o.Encoding})
	if err != nil {
		return err
	}
	defer table.Close()
	samples, err := s.Samples(card.Rows{Columns: table.Columns, All: table.Rows, Texts: true}, &card.Labels{})
	if err != nil {
		return rowFaults(table, err)
	}
	if len(samples) != len(own) {
		return fmt.Errorf("a card would have %d questions, and the sheet has %d", len(samples), len(own))
	}
	var differences []error
	for i, x := range own {
		if what := difference(x, samples[i]); what != "" && len(differences) < maxDifferences {
			row, _, _ := strings.Cut(x.ID, "-")
			differences = append(differences, fmt.Errorf("row %s: a card would have other %s", row, what))
		}
	}
	return errors.Join(differences...)
}

// maxDifferences is how many rows are named that a card cannot have.
const maxDifferences = 20

// difference is what a sheet's sample and its card's do not have alike.
func difference(own, mapped card.Sample) string {
	wanted := own.Tags
	if own.Subset != "" {
		wanted = append(slices.Clone(wanted), "subset:"+own.Subset)
	}
	switch {
	case promptText(own) != mapped.Prompt:
		return "words for the prompt"
	case own.Question != mapped.Question:
		return "words for the question"
	case !slices.EqualFunc(own.Pictures, mapped.Pictures, samePath):
		return "pictures"
	case !slices.Equal(own.Options, mapped.Options), own.Key != mapped.Key:
		return "options"
	case !slices.Equal(own.References, mapped.References):
		return "reference answers"
	case !slices.Equal(sortedSet(wanted), sortedSet(mapped.Tags)):
		return "tags"
	}
	return ""
}

// samePath tells whether a path of a sheet is that of a card, which can have
// found it in a folder of pictures.
func samePath(own, mapped string) bool {
	mapped = path.Clean(mapped)
	return own == mapped || mapped == path.Join("images", own)
}

func sortedSet(tags []string) []string { return slices.Compact(slices.Sorted(slices.Values(tags))) }
