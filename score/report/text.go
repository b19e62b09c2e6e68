package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lightbox/score"
)

// Text writes the report for a terminal: the headline, the scores by subset,
// what is unscored and why, the scores by tag where subsets are pooled, notes
// and provenance. Text of models and data cannot steer the terminal.
func (r Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Plain(r.Headline))
	name := benchmarkLabel(r.Benchmark)
	if name != "" && r.Title != "" {
		name += ": "
	}
	if name += r.Title; name != "" {
		fmt.Fprintf(&b, "%s\n", Plain(name))
	}
	section(&b, "scores", scoreTable("subset", r.scoredGroups(), r.Metrics))
	fmt.Fprintf(&b, "  %s\n  %s.\n", ofScored, countsInWords(r.Counts))
	section(&b, "unscored", unscoredTable(r.Subsets))
	if len(r.Overall) > 0 { // else every subset has tables of its own: for the page, not for a terminal
		for _, g := range r.Tags {
			section(&b, "by "+tagLabel(g), scoreTable(cmp.Or(g.Name, "tag"), g.Values, r.Metrics))
		}
	}
	for _, f := range r.Tables {
		section(&b, f.Name, f.Text())
	}
	notes := &table{right: []bool{false, false}}
	for _, n := range r.Notes {
		notes.add(string(n.Level)+":", n.Text)
	}
	section(&b, "notes", notes.String())
	for _, s := range r.Provenance {
		rows := &table{right: []bool{false, false}}
		for _, row := range s.Rows {
			rows.add(row[0], row[1])
		}
		section(&b, s.Name, rows.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// section writes a name over a body, and nothing where there is no body.
func section(b *strings.Builder, name, body string) {
	if body != "" {
		fmt.Fprintf(b, "\n%s\n%s", Plain(name), body)
	}
}

// ofScored says what the n of a table of scores is.
const ofScored = "n is the number of scored samples; a no answer counts as incorrect."

// scoreTable is the table of scores as text, "" where there are no groups.
func scoreTable(name string, groups []Group, metrics []score.Metric) string {
	if len(groups) == 0 {
		return ""
	}
	t, legend := scoresOf(name, groups, metrics)
	if legend != "" {
		return t.String() + "  " + legend + "\n"
	}
	return t.String()
}

// scoresOf is a table with a row for every group: n, each metric with its 95 %
// interval, no answers, unscored. Counts that differ between metrics stand side
// by side in the order of the metrics; the legend says so where there are any.
func scoresOf(name string, groups []Group, metrics []score.Metric) (t *table, legend string) {
	metrics = shown(metrics, groups)
	header := []string{name, "n"}
	var labels []string
	for _, m := range metrics {
		labels = append(labels, metricLabel(m))
		header = append(header, metricLabel(m)+" [95 %]")
	}
	header = append(header, "no answer", "unscored")
	t = &table{right: make([]bool, len(header))}
	for i := 1; i < len(header); i++ {
		t.right[i] = true
	}
	t.add(header...)
	for _, g := range groups {
		row := []string{nameLabel(g.Name), counts(g, metrics, func(s Score) int { return s.Scored })}
		for _, m := range metrics {
			row = append(row, scoreCell(g, m))
		}
		row = append(row, counts(g, metrics, func(s Score) int { return s.NoAnswer }),
			counts(g, metrics, func(s Score) int { return s.Unscored }))
		if strings.Contains(row[1]+row[len(row)-2]+row[len(row)-1], "/") {
			legend = "a/b stands for " + Plain(strings.Join(labels, "/"))
		}
		t.add(row...)
	}
	return t, legend
}

// shown are the metrics that a group has.
func shown(metrics []score.Metric, groups []Group) []score.Metric {
	var found []score.Metric
	for _, m := range metrics {
		if slices.ContainsFunc(groups, func(g Group) bool { _, ok := scoreOf(g.Scores, m); return ok }) {
			found = append(found, m)
		}
	}
	return found
}

func scoreCell(g Group, m score.Metric) string {
	s, ok := scoreOf(g.Scores, m)
	if !ok || s.Accuracy == nil {
		return dash
	}
	return fmt.Sprintf("%s [%s, %s]", percent(s.Accuracy), percentValue(s.Low), percentValue(s.High))
}

// counts is a count of every metric of the group: one number where the metrics
// that it has agree, else all of them with "/" between.
func counts(g Group, metrics []score.Metric, of func(Score) int) string {
	var all, had []string
	for _, m := range metrics {
		number := dash
		if s, ok := scoreOf(g.Scores, m); ok {
			number = strconv.Itoa(of(s))
			had = append(had, number)
		}
		all = append(all, number)
	}
	switch len(slices.Compact(had)) {
	case 0:
		return dash
	case 1:
		return had[0]
	}
	return strings.Join(all, "/")
}

// unscoredTable has a row for every subset and metric with unscored samples.
func unscoredTable(groups []Group) string {
	t := &table{right: []bool{false, false, true, false, false}}
	t.add("subset", "metric", "unscored", "score between", "reasons")
	for _, g := range groups {
		for _, s := range g.Scores {
			if s.Unscored > 0 {
				t.add(nameLabel(g.Name), metricLabel(s.Metric), fmt.Sprintf("%d of %d", s.Unscored, s.Scored+s.Unscored),
					percentRange(s.BoundLow, s.BoundHigh), byCount(s.Reasons))
			}
		}
	}
	if len(t.rows) == 1 {
		return ""
	}
	return t.String()
}
