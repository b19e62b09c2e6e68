package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"lightbox/score"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"plain":  Plain,
	"metric": func(m score.Metric) string { return Plain(metricLabel(m)) },
}).Parse(pageText))

// page is what the template shows. Its strings are ready but for the escaping
// of HTML, which the template does.
type page struct {
	Report
	Name     string // benchmark and version
	Summary  string // how the asking went
	Tables   []scoreRows
	Folded   []scoreRows // of tags in each subset: too many to look at
	Unscored []unscoredRow
	Findings []finding
	List     sampleList
}

// scoreRows is one table of scores.
type scoreRows struct {
	Title, First string // First heads the column of names
	Rows         []scoreRow
}

type scoreRow struct {
	Name, Metric, Accuracy, Interval, Bounds, Rules string
	Bar                                             *bar // nil: no number
	Score
}

// bar are the places of a score's drawing, 0 to 100. At is the left edge of a
// mark 2 wide that stays inside.
type bar struct{ At, Low, Width, BoundLow, BoundWidth string }

type unscoredRow struct{ Name, Metric, Share, Bounds, Reasons string }

// HTML writes the report as one page that refers to nothing outside itself and
// runs no script. Text of models and data is escaped. Its list of samples is
// bounded; see the constants beside it.
func (r Report) HTML(w io.Writer) error {
	p := page{Report: r, Name: Plain(benchmarkLabel(r.Benchmark)), Summary: countsInWords(r.Counts)}
	scores := scoreRowsOf("Scores", "subset", r.scoredGroups())
	for i, row := range scores.Rows {
		scores.Rows[i].Rules = Plain(byCount(row.Score.Rules))
	}
	p.Tables = append(p.Tables, scores)
	for _, g := range r.Tags {
		rows := scoreRowsOf("By "+tagLabel(g), cmp.Or(g.Name, "tag"), g.Values)
		if g.Subset == "" {
			p.Tables = append(p.Tables, rows)
		} else {
			p.Folded = append(p.Folded, rows)
		}
	}
	for _, g := range r.Subsets {
		for _, s := range g.Scores {
			if s.Unscored > 0 {
				p.Unscored = append(p.Unscored, unscoredRow{
					Name: Plain(nameLabel(g.Name)), Metric: Plain(metricLabel(s.Metric)),
					Share:  fmt.Sprintf("%d of %d", s.Unscored, s.Scored+s.Unscored),
					Bounds: percentRange(s.BoundLow, s.BoundHigh), Reasons: Plain(byCount(s.Reasons)),
				})
			}
		}
	}
	for _, f := range r.Tables {
		p.Findings = append(p.Findings, f.finding())
	}
	p.List = r.sampleList()
	return pageTemplate.Execute(w, p)
}

func scoreRowsOf(title, first string, groups []Group) scoreRows {
	rows := scoreRows{Title: Plain(title), First: Plain(first)}
	for _, g := range groups {
		if len(g.Scores) == 0 {
			rows.Rows = append(rows.Rows, scoreRow{Name: Plain(nameLabel(g.Name)), Metric: dash, Accuracy: dash, Interval: dash, Bounds: dash})
		}
		for _, s := range g.Scores {
			rows.Rows = append(rows.Rows, scoreRow{
				Name: Plain(nameLabel(g.Name)), Metric: Plain(metricLabel(s.Metric)),
				Accuracy: percent(s.Accuracy), Interval: percentRange(s.Low, s.High), Bounds: boundsCell(s),
				Bar: barOf(s), Score: s,
			})
		}
	}
	return rows
}

// boundsCell is empty of numbers where the bounds would only repeat the accuracy.
func boundsCell(s Score) string {
	if s.Unscored == 0 {
		return dash
	}
	return percentRange(s.BoundLow, s.BoundHigh)
}

func barOf(s Score) *bar {
	if s.Accuracy == nil {
		return nil
	}
	place := func(fraction float64) string { return fmt.Sprintf("%.2f", 100*fraction) }
	return &bar{
		At:  place(*s.Accuracy * 0.98),
		Low: place(*s.Low), Width: place(*s.High - *s.Low),
		BoundLow: place(*s.BoundLow), BoundWidth: place(*s.BoundHigh - *s.BoundLow),
	}
}
