package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lightbox/score"
)

// Bounds of the page's list of samples, so that a browser opens it whatever the
// run was: its size stays below 20 MB.
const (
	allSamples = 2000     // samples that are shown whatever their outcome
	mostOfOne  = 500      // of more samples, this many of each outcome
	textBytes  = 6 << 20  // of all questions and responses together, as HTML
	mostText   = 20 << 10 // of one of them
	shortText  = 160      // characters that show without unfolding
	mostShown  = 12       // pictures of a sample whose sizes are listed
)

// sampleList is the page's list of samples.
type sampleList struct {
	Rows     []sampleRow
	Outcomes []outcomeCount // of the rows, where there are several
	Left     string         // says which samples are left out
}

// outcomeCount is an outcome by which the list can be narrowed.
type outcomeCount struct {
	Class, Label string
	Count        int
}

type sampleRow struct {
	ID, Subset, Tags string
	Outcome          string // of the metric that speaks for the sample
	Passages         []passage
	Beside           string        // pictures and what was out of the ordinary
	Verdicts         []verdictCell // by metric of the report
}

type verdictCell struct{ Metric, Class, Outcome, Answer, Explanation, Rule string }

// passage is a text that shows short and unfolds.
type passage struct{ Label, Short, Whole string } // Whole: "" where Short is all of it

// sampleList lists the samples in data order.
func (r Report) sampleList() sampleList {
	chosen, left := r.chosen()
	list := sampleList{Left: left}
	room := mostText
	if n := len(chosen); n > 0 {
		room = min(room, textBytes/(2*n))
	}
	counts := map[string]int{}
	for _, i := range chosen {
		row := r.sampleRowOf(&r.Samples[i], room)
		counts[row.Outcome]++
		list.Rows = append(list.Rows, row)
	}
	for _, o := range []score.Outcome{score.Correct, score.Incorrect, score.NoAnswer, score.Unscored} {
		if n := counts[string(o)]; n > 0 && n < len(list.Rows) {
			list.Outcomes = append(list.Outcomes, outcomeCount{string(o), outcomeLabel(o), n})
		}
	}
	return list
}

// chosen are the places of the samples that the page shows: all, or where these
// are too many the first ones of each outcome.
func (r Report) chosen() (places []int, left string) {
	counts := map[string]int{}
	for i := range r.Samples {
		if len(r.Samples) > allSamples {
			outcome := r.outcomeOf(&r.Samples[i])
			if counts[outcome]++; counts[outcome] > mostOfOne {
				continue
			}
		}
		places = append(places, i)
	}
	if len(places) < len(r.Samples) {
		left = fmt.Sprintf("%d of %d samples are shown, the first %d of each outcome; lightbox report --csv writes all of them.",
			len(places), len(r.Samples), mostOfOne)
	}
	return places, left
}

// outcomeOf is what the metric that comes first for a sample says of it.
func (r Report) outcomeOf(s *Sample) string {
	for _, m := range r.Metrics {
		if v, ok := verdictOf(s, m); ok {
			return outcomeClass(v.Outcome)
		}
	}
	return outcomeClass(score.Unscored)
}

// outcomeClass is an outcome as the page's style names it.
func outcomeClass(o score.Outcome) string {
	if slices.Contains([]score.Outcome{score.Correct, score.Incorrect, score.NoAnswer, score.Unscored}, o) {
		return string(o)
	}
	return "none"
}

// sampleRowOf is a sample with at most 2*room bytes of HTML for its texts.
func (r Report) sampleRowOf(s *Sample, room int) sampleRow {
	row := sampleRow{
		ID: Plain(shorten(s.ID, shortText)), Subset: Plain(shorten(nameLabel(s.Subset), shortText)),
		Tags: Plain(shorten(strings.Join(s.Tags, ", "), shortText)), Outcome: r.outcomeOf(s),
		Beside:   strings.Join(slices.DeleteFunc([]string{picturesInWords(s.Text.Pictures), remarks(s)}, func(t string) bool { return t == "" }), "; "),
		Verdicts: verdictCells(s, r.Metrics),
	}
	for _, p := range []struct {
		label, text string
		room        int
	}{{"asked", s.Text.Question, room}, {"thought", s.Text.Thinking, room / 2}, {"replied", s.Text.Response, room / 2}} {
		if p.text != "" {
			row.Passages = append(row.Passages, passageOf(p.label, p.text, p.room))
		}
	}
	return row
}

// remarks says what was out of the ordinary about asking a sample.
func remarks(s *Sample) string {
	var all []string
	if !s.Asked {
		all = append(all, "not asked")
	}
	if s.LengthStop {
		all = append(all, "stopped by length")
	}
	if s.Repetition {
		all = append(all, "stopped for repeating")
	}
	if n := s.Text.Shown; n > 0 {
		all = append(all, "after "+plural(n, "demonstration", "demonstrations"))
	}
	return strings.Join(all, ", ")
}

func verdictCells(s *Sample, metrics []score.Metric) []verdictCell {
	var cells []verdictCell
	for _, m := range metrics {
		cell := verdictCell{Metric: Plain(metricLabel(m)), Class: "none", Outcome: dash}
		if v, ok := verdictOf(s, m); ok {
			cell.Outcome, cell.Class = Plain(outcomeLabel(v.Outcome)), outcomeClass(v.Outcome)
			if v.Reason != "" {
				cell.Outcome += ": " + Plain(shorten(v.Reason, shortText))
			}
			cell.Answer = Plain(shorten(v.Answer, shortText))
			cell.Explanation = Plain(shorten(v.Explanation, shortText))
			cell.Rule = Plain(v.Rule)
		}
		cells = append(cells, cell)
	}
	return cells
}

// picturesInWords lists the sizes of pictures, and what they were made from.
// Equal ones in a row stand once.
func picturesInWords(pictures []Picture) string {
	var parts []string
	for i := 0; i < len(pictures); {
		p, n := pictures[i], 1
		for i+n < len(pictures) && pictures[i+n] == p {
			n++
		}
		i += n
		text := fmt.Sprintf("%d×%d", p.Width, p.Height)
		if p.SourceWidth > 0 && (p.SourceWidth != p.Width || p.SourceHeight != p.Height) {
			text += fmt.Sprintf(" from %d×%d", p.SourceWidth, p.SourceHeight)
		}
		if n > 1 {
			text = fmt.Sprintf("%d of %s", n, text)
		}
		parts = append(parts, text)
	}
	if over := len(parts) - mostShown; over > 0 {
		parts = append(parts[:mostShown], fmt.Sprintf("%d more", over))
	}
	if len(parts) == 0 {
		return ""
	}
	return plural(len(pictures), "picture", "pictures") + ", " + strings.Join(parts, ", ") + " px"
}

// passageOf cuts a text to room bytes of HTML. It shows on one line; the whole
// keeps its lines.
func passageOf(label, text string, room int) passage {
	flat := strings.Join(strings.Fields(text), " ")
	p := passage{Label: label, Short: Plain(shorten(flat, shortText))}
	if utf8.RuneCountInString(flat) <= shortText && !strings.Contains(strings.TrimSpace(text), "\n") {
		return p
	}
	p.Whole = clip(text, room)
	return p
}

// clip is the beginning of a text that takes at most room bytes of HTML, safe to
// show with its lines.
func clip(text string, room int) string {
	var b strings.Builder
	used := 0
	for line := range strings.Lines(text) {
		end := ""
		if cut, ok := strings.CutSuffix(line, "\n"); ok {
			line, end = strings.TrimSuffix(cut, "\r"), "\n"
		}
		for _, r := range line {
			shown := Plain(string(r))
			cost := len(shown)
			if strings.ContainsRune(`<>&"'+`, r) {
				cost = len("&#34;")
			}
			if used += cost; used > room {
				return b.String() + "… (the record has all of it)"
			}
			b.WriteString(shown)
		}
		b.WriteString(end)
		used += len(end)
	}
	return b.String()
}
