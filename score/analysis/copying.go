package analysis

import (
	"fmt"
	"slices"
	"strings"

	"lightbox/score"
	"lightbox/score/report"
	"lightbox/score/stats"
)

// mostPlaces is how many places of demonstrations have a row of their own.
const mostPlaces = 24

// copies counts at one place: samples that show a demonstration there, responses
// that equal its answer, and those of them that are right.
type copies struct{ shown, equal, right int }

// row is the counts as a row of the table.
func (c copies) row(name string) []any {
	share, _ := stats.Fraction(c.equal, c.shown)
	return []any{name, c.shown, c.equal, share, c.right, c.equal - c.right}
}

// Copying is how often a response equals the answer of a demonstration, after the
// normalisation of exact match, by the place of the demonstration. A response
// that equals several counts at each. Of multiple choice it is the chosen option's
// text that is compared, or where demonstrations are answered by letters the letter.
// Unscored samples are left out.
// Those that were put in to distract have a row of their own beside their places.
func (r Run) Copying() (report.Table, bool) {
	t := report.Table{
		Name:  "copying",
		About: "How often the response equals the answer of a demonstration, by its place; right and wrong are those of the copies that are correct and not.",
		Columns: []report.Column{
			{Name: "place", Kind: report.Words},
			{Name: "n", Kind: report.Count},
			{Name: "equal", Kind: report.Count},
			{Name: "share", Kind: report.Fraction},
			{Name: "right", Kind: report.Count},
			{Name: "wrong", Kind: report.Count},
		},
	}
	var places [mostPlaces]copies
	var anywhere, last, put copies
	for _, s := range r.Samples {
		v, ok := s.speaking(r.Primary)
		if !ok || v.Outcome == score.Unscored || len(s.Answers) == 0 {
			continue
		}
		right := v.Outcome == score.Correct
		equals := s.equals(v)
		found, distracted := false, false
		for i := range s.Answers {
			equal := equals(i)
			found = found || equal
			distracted = distracted || equal && slices.Contains(s.Inserted, i)
			if i < mostPlaces {
				places[i].count(equal, right)
			}
			if i == len(s.Answers)-1 {
				last.count(equal, right)
			}
		}
		anywhere.count(found, right)
		if len(s.Inserted) > 0 {
			put.count(distracted, right)
		}
	}
	if anywhere.shown == 0 {
		return t, false
	}
	t.Rows = append(t.Rows, anywhere.row("any"), last.row("the last"))
	if put.shown > 0 {
		t.Rows = append(t.Rows, put.row("any put in to distract"))
	}
	for i, c := range places {
		if c.shown > 0 {
			t.Rows = append(t.Rows, c.row(fmt.Sprint(i+1)))
		}
	}
	return t, true
}

func (c *copies) count(equal, right bool) {
	c.shown++
	if equal {
		c.equal++
		if right {
			c.right++
		}
	}
}

// equals tells whether the response says what the demonstration at a place, from 0,
// is answered with.
func (s Sample) equals(v score.Verdict) func(place int) bool {
	if s.AnswerLetters != nil {
		letter := s.letter(v)
		return func(place int) bool { return letter != "" && s.AnswerLetters[place] == letter }
	}
	response := score.Normalize(s.answer(v))
	return func(place int) bool { return response != "" && score.Normalize(s.Answers[place]) == response }
}

// letter is that of the option that a sample's response says, "" where no verdict
// took one out of it.
func (s Sample) letter(v score.Verdict) string {
	for _, v := range append([]score.Verdict{v}, s.Verdicts...) {
		for _, o := range s.Options {
			if strings.EqualFold(o.Letter, v.Answer) {
				return o.Letter
			}
		}
	}
	return ""
}

// answer is what a sample's response says: of multiple choice the text of the option
// that the verdict, or another one, took; else what one took out of the response, else
// all of it. A judge takes nothing out.
func (s Sample) answer(v score.Verdict) string {
	if letter := s.letter(v); letter != "" {
		at := slices.IndexFunc(s.Options, func(o score.Option) bool { return o.Letter == letter })
		return s.Options[at].Text
	}
	for _, v := range append([]score.Verdict{v}, s.Verdicts...) {
		if v.Answer != "" && len(s.Options) == 0 {
			return v.Answer
		}
	}
	return s.Response
}
