package report

import (
	"cmp"
	"fmt"
	"slices"

	"lightbox/score"
)

// ofAll is what an overall score is of.
const ofAll = "all"

// Build counts the verdicts of the samples.
func Build(in Input) Report {
	c := newCounter(in)
	r := Report{
		Format:     Format,
		Title:      in.Title,
		Benchmark:  in.Benchmark,
		Progress:   in.Progress,
		Primary:    Primary{Metric: in.Primary, Computed: slices.Contains(c.metrics, in.Primary)},
		Counts:     countsOf(in.Samples),
		Metrics:    append([]score.Metric{}, c.metrics...),
		Overall:    []Score{},
		Subsets:    []Group{},
		Tags:       []TagGroup{},
		Tables:     append([]Table{}, in.Tables...),
		Notes:      append([]Note{}, in.Notes...),
		Provenance: append([]Section{}, in.Provenance...),
		Samples:    append([]Sample{}, in.Samples...),
	}
	for i, s := range r.Provenance {
		r.Provenance[i].Rows = append([][2]string{}, s.Rows...)
	}
	all := make([]*Sample, len(in.Samples))
	for i := range r.Samples {
		all[i] = &r.Samples[i]
		all[i].Verdicts = append([]score.Verdict{}, all[i].Verdicts...)
	}
	subsets := groupBy(all, func(s *Sample) []string { return []string{s.Subset} })
	for _, b := range subsets {
		r.Subsets = append(r.Subsets, c.group(b.name, b.name, b.samples))
		if !in.Pooled {
			r.Tags = append(r.Tags, c.tagGroups(b.name, b.samples)...)
		}
	}
	if in.Pooled {
		r.Overall = c.group(ofAll, ofAll, all).Scores
		r.Tags = append(r.Tags, c.tagGroups("", all)...)
	}
	r.Notes = append(r.Notes, c.notes(r)...)
	r.Headline = headline(r)
	if in.Caveat != "" {
		r.Headline += "; " + in.Caveat
	}
	return r
}

func countsOf(samples []Sample) Counts {
	c := Counts{Samples: len(samples)}
	for _, s := range samples {
		if s.Asked {
			c.Asked++
		}
		if s.LengthStop {
			c.LengthStops++
		}
		if s.Repetition {
			c.RepetitionAborts++
		}
		if v, ok := verdictOf(&s, score.Judged); ok && score.JudgeSkipped(v) {
			c.JudgeSkipped++
		}
	}
	return c
}

// groupNote says that samples are not all evidence of their own.
func groupNote(r Report) (Note, bool) {
	scored, groups := len(r.Samples), map[string]bool{}
	for _, s := range r.Samples {
		key := cmp.Or(s.Group, "\x00"+s.ID)
		if len(r.Overall) == 0 { // no figure counts samples of several subsets
			key = s.Subset + "\x00" + key
		}
		groups[key] = true
	}
	if len(groups) == scored {
		return Note{}, false
	}
	return Note{Remark, fmt.Sprintf("%s to %s (orders of one problem, or questions on one picture): the intervals take these for the evidence",
		plural(scored, "sample belongs", "samples belong"), plural(len(groups), "group", "groups"))}, true
}

// notes are warnings about what the verdicts lack, and how to read the intervals.
func (c counter) notes(r Report) []Note {
	var notes []Note
	if r.Progress != nil && r.Progress.Samples < r.Progress.Of {
		notes = append(notes, Note{Warning, "the samples so far are no random part of all: they are asked in an order that suits the server"})
	}
	doubled := 0
	for _, s := range r.Samples {
		seen := map[score.Metric]bool{}
		for _, v := range s.Verdicts {
			if seen[v.Metric] {
				doubled++
				break
			}
			seen[v.Metric] = true
		}
	}
	if doubled > 0 {
		notes = append(notes, Note{Warning, fmt.Sprintf("%s more than one verdict of a metric; the first counts",
			plural(doubled, "sample has", "samples have"))})
	}
	if note, ok := groupNote(r); ok {
		notes = append(notes, note)
	}
	for _, g := range r.Subsets {
		choice := !slices.ContainsFunc(g.Scores, func(s Score) bool { return !s.Metric.Choice() }) // has metrics of its own
		if r.Primary.Computed && !choice && !c.has[g.Name][r.Primary.Metric] {
			notes = append(notes, Note{Warning, fmt.Sprintf("subset %s (%s) has no verdict of the primary metric (%s)",
				nameLabel(g.Name), plural(g.Samples, "sample", "samples"), metricLabel(r.Primary.Metric))})
		}
	}
	return notes
}
