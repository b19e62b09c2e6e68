package bench

import (
	"slices"
	"strings"

	"lightbox/score"
	"lightbox/score/analysis"
	"lightbox/score/report"
	"lightbox/score/stats"
)

// evalscopeTable is what evalscope reports of SLAKE: scores of its own rule,
// rounded at every step. ok is false where nothing is scored.
func evalscopeTable(samples []analysis.Sample) (t report.Table, ok bool) {
	var subsets []stats.Subset
	for _, s := range samples {
		at := slices.IndexFunc(s.Verdicts, func(v score.Verdict) bool { return v.Metric == score.RuleSlakeEvalscope && v.Outcome != score.Unscored })
		if at < 0 {
			continue
		}
		i := slices.IndexFunc(subsets, func(x stats.Subset) bool { return x.Name == s.Subset })
		if i < 0 {
			language, _, _ := strings.Cut(s.Subset, "_")
			i = len(subsets)
			subsets = append(subsets, stats.Subset{Name: s.Subset, Category: language})
		}
		subsets[i].N++
		if s.Verdicts[at].Outcome == score.Correct {
			subsets[i].Correct++
		}
	}
	means, ok := stats.Evalscope(subsets)
	if !ok {
		return report.Table{}, false
	}
	t = report.Table{
		Name:    "as evalscope reports",
		About:   "Scores of slake-evalscope, rounded to four decimals by subset, again by language, and again over all, as evalscope does: the last can differ from the exact mean.",
		Columns: []report.Column{{Name: "part", Kind: report.Words}, {Name: "n", Kind: report.Count}, {Name: "score", Kind: report.Number}},
	}
	add := func(name string, m stats.Mean) { t.Rows = append(t.Rows, []any{name, m.N, m.Value}) }
	for _, m := range means.Subsets {
		add(m.Name, m)
	}
	for _, m := range means.Categories {
		add("language "+m.Name, m)
	}
	add("overall", means.Overall)
	return t, true
}
