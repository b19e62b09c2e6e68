package bench

import (
	"fmt"
	"io"
	"strings"

	"lightbox/score/report"
)

// points is a difference in percent points with its interval.
func (p Paired) points() string {
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", 100*p.Difference, 100*p.Low, 100*p.High)
}

// table is the arms as a table of the report.
func (r StudyReport) table() report.Table {
	t := report.Table{
		Name:  r.Study,
		About: "Differences are to " + r.Reference + ", in percent points with 95 % intervals; p is McNemar's, exact. Orders of one problem, and other samples of one group, count as one piece of evidence in all intervals and in p.",
		Columns: []report.Column{
			{Name: "arm", Kind: report.Words},
			{Name: "n", Kind: report.Count},
			{Name: "unscored", Kind: report.Count},
			{Name: string(r.Metric), Kind: report.Fraction},
			{Name: "95 %", Kind: report.Words},
			{Name: "difference", Kind: report.Words},
			{Name: "p", Kind: report.Words},
		},
	}
	for _, a := range r.Arms {
		row := []any{a.Name, a.Scored, a.Unscored, nil, nil, nil, nil}
		if a.Accuracy != nil {
			row[3] = *a.Accuracy
		}
		if a.Low != nil {
			row[4] = fmt.Sprintf("%.1f–%.1f %%", 100**a.Low, 100**a.High)
		}
		if a.Against != nil {
			row[5], row[6] = a.Against.points(), probability(a.Against.P)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// probability is p in words.
func probability(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// Text writes the report for a terminal.
func (r StudyReport) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s %s: %s\n\n", r.Study, r.About, r.Benchmark.Name, r.Benchmark.Version, r.Title)
	b.WriteString(r.table().Text())
	b.WriteString("\n")
	for _, a := range r.Answers {
		fmt.Fprintf(&b, "%s\n  %s\n", a.Question, a.Answer)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes the report for a page that renders Markdown.
func (r StudyReport) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.table().Markdown())
	for _, a := range r.Answers {
		fmt.Fprintf(&b, "\n- %s %s", a.Question, a.Answer)
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}
