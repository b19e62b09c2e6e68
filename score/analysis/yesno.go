package analysis

import (
	"cmp"
	"strings"

	"lightbox/score"
	"lightbox/score/report"
	"lightbox/score/stats"
)

// sides counts yes-or-no questions by what is right, and the right answers.
type sides struct{ yes, no, yesRight, noRight int }

// YesNo is how a model does on each side of the questions whose reference answers
// are all yes or all no. Yes is positive: sensitivity is the share of right answers where
// yes is right, specificity that where no is. An answer that is neither, or none
// at all, counts as wrong on its side; unscored samples are left out.
func (r Run) YesNo() (report.Table, bool) {
	t := report.Table{
		Name:  "yes or no",
		About: "Of questions whose reference answers are all yes or all no; yes is positive. No answer counts as wrong on its side. Balanced accuracy is the mean of sensitivity and specificity; always giving the more frequent answer scores the majority.",
		Columns: []report.Column{
			{Name: "subset", Kind: report.Words},
			{Name: "n", Kind: report.Count},
			{Name: "yes", Kind: report.Count},
			{Name: "no", Kind: report.Count},
			{Name: "sensitivity", Kind: report.Fraction},
			{Name: "specificity", Kind: report.Fraction},
			{Name: "balanced accuracy", Kind: report.Fraction},
			{Name: "majority", Kind: report.Fraction},
		},
	}
	names, by := bySubset(r.Samples)
	var all sides
	for _, name := range names {
		var own sides
		for _, s := range by[name] {
			own.count(s, r.Primary)
			all.count(s, r.Primary)
		}
		if own.yes+own.no > 0 {
			t.Rows = append(t.Rows, own.row(cmp.Or(name, "(none)")))
		}
	}
	if len(t.Rows) > 1 && r.Pooled {
		t.Rows = append(t.Rows, all.row("all subsets"))
	}
	return t, len(t.Rows) > 0
}

// count adds a sample that is a scored yes-or-no question.
func (c *sides) count(s Sample, primary score.Metric) {
	v, ok := s.speaking(primary)
	if !ok || v.Outcome == score.Unscored || s.keyed() {
		return
	}
	right := 0
	if v.Outcome == score.Correct {
		right = 1
	}
	switch score.Polarity(s.References) {
	case "yes":
		c.yes++
		c.yesRight += right
	case "no":
		c.no++
		c.noRight += right
	}
}

// keyed tells whether the reference answer is the letter of the right option, such
// as the 14th, and no text.
func (s Sample) keyed() bool {
	return s.Key != "" && len(s.References) == 1 && strings.EqualFold(strings.TrimSpace(s.References[0]), s.Key)
}

func (c sides) row(name string) []any {
	sensitivity, hasYes := stats.Fraction(c.yesRight, c.yes)
	specificity, hasNo := stats.Fraction(c.noRight, c.no)
	majority, _ := stats.Fraction(max(c.yes, c.no), c.yes+c.no)
	row := []any{name, c.yes + c.no, c.yes, c.no, nil, nil, nil, majority}
	if hasYes {
		row[4] = sensitivity
	}
	if hasNo {
		row[5] = specificity
	}
	if hasYes && hasNo {
		row[6] = (sensitivity + specificity) / 2
	}
	return row
}
