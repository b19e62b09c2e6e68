package report

import (
	"encoding/json"
	"io"
	"slices"

	"lightbox/score"
)

// Format is the version of the JSON form. A change that readers of the JSON
// could notice, beyond a new name, raises it.
const Format = 1

// Report is the contract of report.json. Names and meanings are stable. The texts
// of samples are not in it: the record's responses.jsonl holds them.
type Report struct {
	Format    int       `json:"format"`
	Title     string    `json:"title"`
	Benchmark Benchmark `json:"benchmark"`
	Headline  string    `json:"headline"`           // the primary result in words
	Progress  *Progress `json:"progress,omitempty"` // only of a run that is not finished
	Primary   Primary   `json:"primary"`
	Counts    Counts    `json:"counts"`

	Metrics []score.Metric `json:"metrics"` // those with verdicts, primary first; the order of every list of scores

	Overall []Score    `json:"overall"` // one a metric, primary first; empty where subsets are not pooled
	Subsets []Group    `json:"subsets"` // in data order
	Tags    []TagGroup `json:"tags"`    // in data order
	Tables  []Table    `json:"tables"`  // findings that are more than scores of groups

	Notes      []Note    `json:"notes"`
	Provenance []Section `json:"provenance"`
	Samples    []Sample  `json:"samples"`
}

// Primary is the metric that the benchmark names as its first.
type Primary struct {
	Metric   score.Metric `json:"metric"`
	Computed bool         `json:"computed"` // a sample has a verdict of it
}

// Counts are of samples, whatever the metric.
type Counts struct {
	Samples          int `json:"samples"`
	Asked            int `json:"asked"`
	LengthStops      int `json:"length_stops"`
	RepetitionAborts int `json:"repetition_aborts"`
	JudgeSkipped     int `json:"judge_skipped"` // exact match said correct, so the judge was not asked
}

// Group is the samples of a subset, or those of it with a tag.
type Group struct {
	Name    string  `json:"name"`
	Samples int     `json:"samples"`
	Scores  []Score `json:"scores"` // one a metric, primary first
}

// TagGroup is the values of one tag name. Where subsets are not pooled there is
// one for every subset.
type TagGroup struct {
	Subset string  `json:"subset,omitempty"` // "": across subsets
	Name   string  `json:"name"`             // "": tags that are bare words
	Values []Group `json:"values"`
}

// Score is one metric over a group of samples. Fractions run from 0 to 1 and
// are null where there is nothing to count.
type Score struct {
	Metric score.Metric `json:"metric"`
	Of     string       `json:"of"` // the subset, "name:value" of a tag, or "all"

	Scored    int            `json:"scored"` // n: correct + incorrect + no answer
	Correct   int            `json:"correct"`
	Incorrect int            `json:"incorrect"` // without the no answers
	NoAnswer  int            `json:"no_answer"`
	Unscored  int            `json:"unscored"`         // outside n
	Reasons   map[string]int `json:"unscored_reasons"` // adds up to unscored
	Rules     map[string]int `json:"rules"`            // which rule decided the scored ones; adds up to scored

	Accuracy  *float64 `json:"accuracy"` // correct/scored
	Groups    int      `json:"groups"`   // that the scored samples belong to: orders of one problem, questions on one picture
	Low       *float64 `json:"low"`      // 95 % Wilson interval of accuracy, by group
	High      *float64 `json:"high"`
	BoundLow  *float64 `json:"bound_low"`  // correct/(scored+unscored)
	BoundHigh *float64 `json:"bound_high"` // (correct+unscored)/(scored+unscored)
}

// scoredGroups are the rows of a table of scores: the subsets, and all of them
// together where that has a meaning and is not the same.
func (r Report) scoredGroups() []Group {
	if len(r.Overall) == 0 || len(r.Subsets) < 2 {
		return r.Subsets
	}
	all := Group{Name: "all subsets", Samples: r.Counts.Samples, Scores: r.Overall}
	return append(slices.Clone(r.Subsets), all)
}

// JSON writes the report as indented JSON with a newline at the end.
func (r Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
