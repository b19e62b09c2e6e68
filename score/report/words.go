package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"lightbox/score"
)

// dash stands where there is no number.
const dash = "–"

// headline says the primary result in one sentence, after how far the run is
// where it is not finished.
func headline(r Report) string {
	switch {
	case r.Progress == nil:
		return result(r)
	case len(r.Metrics) == 0:
		return progressInWords(*r.Progress)
	}
	return progressInWords(*r.Progress) + ": " + result(r)
}

// progressInWords says how many samples there are of how many.
func progressInWords(p Progress) string {
	text := fmt.Sprintf("%d of %d samples so far", p.Samples, p.Of)
	if p.Samples == p.Of && p.Judged < p.ToJudge {
		text += fmt.Sprintf(", %d of %d judged", p.Judged, p.ToJudge)
	}
	return text
}

// result says the primary result.
func result(r Report) string {
	metric := r.Primary.Metric
	missing := missingPrimary(r)
	if len(r.Metrics) == 0 {
		return cmp.Or(missing, "no sample has a verdict")
	}
	if metric == "" || missing != "" {
		metric = r.Metrics[0]
	}
	text := resultInWords(r, metric)
	if at := slices.IndexFunc(r.Metrics, score.Metric.Choice); at >= 0 && !metric.Choice() {
		text += "; " + resultInWords(r, r.Metrics[at])
	}
	if missing != "" {
		return missing + "; " + text
	}
	return text
}

// missingPrimary says that the primary metric has no verdicts, or "".
func missingPrimary(r Report) string {
	metric := r.Primary.Metric
	switch {
	case metric == "" || r.Primary.Computed:
		return ""
	case metric == score.Judged && r.Progress != nil && r.Progress.ToJudge > 0:
		return fmt.Sprintf("primary metric (%s) is not computed yet", metricLabel(metric))
	case metric == score.Judged:
		return fmt.Sprintf("primary metric (%s) was not computed: run with --judge", metricLabel(metric))
	}
	return fmt.Sprintf("primary metric (%s) was not computed", metricLabel(metric))
}

// resultInWords is the overall figure of a metric, or its figures by subset
// where an overall one has no meaning.
func resultInWords(r Report, metric score.Metric) string {
	if s, ok := scoreOf(r.Overall, metric); ok {
		return metricLabel(metric) + " " + figure(s, true)
	}
	const most = 6 // subsets in a sentence
	var parts []string
	for _, g := range r.Subsets {
		if s, ok := scoreOf(g.Scores, metric); ok {
			parts = append(parts, nameLabel(g.Name)+" "+figure(s, len(r.Subsets) == 1))
		}
	}
	if len(parts) > most {
		return fmt.Sprintf("%s in %d subsets, see the table; one figure across them has no meaning", metricLabel(metric), len(parts))
	}
	return metricLabel(metric) + ": " + strings.Join(parts, ", ")
}

// figure is an accuracy with its n, its interval where asked for, and the bounds
// where samples are unscored.
func figure(s Score, interval bool) string {
	if s.Accuracy == nil {
		return fmt.Sprintf("has no score (0 scored, %d unscored)", s.Unscored)
	}
	var beside []string
	if interval {
		beside = append(beside, "95 % interval "+percentRange(s.Low, s.High))
	}
	if s.Unscored > 0 {
		beside = append(beside, fmt.Sprintf("%d unscored, bounds %s", s.Unscored, percentRange(s.BoundLow, s.BoundHigh)))
	}
	text := fmt.Sprintf("%s of %d scored", percent(s.Accuracy), s.Scored)
	if len(beside) > 0 {
		text += " (" + strings.Join(beside, "; ") + ")"
	}
	return text
}

func scoreOf(scores []Score, m score.Metric) (Score, bool) {
	at := slices.IndexFunc(scores, func(s Score) bool { return s.Metric == m })
	if at < 0 {
		return Score{}, false
	}
	return scores[at], true
}

// percentValue is a fraction in percent with one decimal. Only a whole is 100.0,
// and only nothing is 0.0.
func percentValue(fraction *float64) string {
	if fraction == nil {
		return dash
	}
	text := fmt.Sprintf("%.1f", 100**fraction)
	switch {
	case text == "100.0" && *fraction < 1:
		return ">99.9"
	case text == "0.0" && *fraction > 0:
		return "<0.1"
	}
	return text
}

func percent(fraction *float64) string {
	if fraction == nil {
		return dash
	}
	return percentValue(fraction) + " %"
}

func percentRange(low, high *float64) string {
	if low == nil || high == nil {
		return dash
	}
	return percentValue(low) + "–" + percentValue(high) + " %"
}

// byCount lists counts by name, the largest first.
func byCount(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	return strings.Join(names, ", ")
}

// countsInWords says how the asking went.
func countsInWords(c Counts) string {
	text := fmt.Sprintf("%s, %d asked; %s, %s", plural(c.Samples, "sample", "samples"), c.Asked,
		plural(c.LengthStops, "length stop", "length stops"),
		plural(c.RepetitionAborts, "repetition abort", "repetition aborts"))
	if c.JudgeSkipped > 0 {
		text += "; " + plural(c.JudgeSkipped, "response", "responses") + " not judged because exact match says correct"
	}
	return text
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func metricLabel(m score.Metric) string {
	switch m {
	case score.ExactMatch:
		return "exact match"
	case score.Judged:
		return "LLM judge"
	case score.MCQA:
		return "multiple choice"
	}
	return string(m)
}

func outcomeLabel(o score.Outcome) string {
	return strings.ReplaceAll(string(o), "_", " ")
}

func nameLabel(name string) string { return cmp.Or(name, "(none)") }

// tagLabel names what a group of tags divides the samples by.
func tagLabel(g TagGroup) string {
	name := cmp.Or(g.Name, "tag")
	if g.Subset != "" {
		return name + " in " + g.Subset
	}
	return name
}

// benchmarkLabel is the benchmark's name and version.
func benchmarkLabel(b Benchmark) string {
	return strings.TrimSpace(b.Name + " " + b.Version)
}

// Plain is text that cannot steer what shows it: control characters, line
// separators and invisible format characters, bidirectional overrides among
// them, are escaped. The joiners that Persian and Indic text need stay.
func Plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\u200c', r == '\u200d':
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			fmt.Fprintf(&b, `\u%04x`, r)
		default: // an invalid byte has become U+FFFD
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shorten cuts text after n characters.
func shorten(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
