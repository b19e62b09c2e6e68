package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/icl"
	"lightbox/score"
	"lightbox/score/analysis"
	"lightbox/score/report"
	"lightbox/score/stats"
)

// StudyReport is what the arms of a study show together.
type StudyReport struct {
	Study     string           `json:"study"`
	About     string           `json:"about,omitempty"`
	Benchmark report.Benchmark `json:"benchmark"`
	Title     string           `json:"title"`
	Metric    score.Metric     `json:"metric"`
	Reference string           `json:"reference"`
	Arms      []ArmScore       `json:"arms"`
	Answers   []Answered       `json:"answers"`
	Notes     []string         `json:"notes"`
}

// ArmScore is the score of an arm, or of a guess. Fractions run from 0 to 1 and
// are null where there is nothing to count.
type ArmScore struct {
	Name     string   `json:"name"`
	Dir      string   `json:"dir,omitempty"` // of the run; empty: a guess, which no model was asked for
	Scored   int      `json:"scored"`
	Unscored int      `json:"unscored"`
	Accuracy *float64 `json:"accuracy"`
	Low      *float64 `json:"low"` // 95 % Wilson interval, by problem
	High     *float64 `json:"high"`

	Against *Paired `json:"against_reference"` // null: the reference itself, a guess, or no common sample
}

// Paired is the difference of two arms on the samples that both have scored.
type Paired struct {
	Pairs      int     `json:"pairs"`
	Difference float64 `json:"difference"` // positive: more than the other
	Low        float64 `json:"low"`        // 95 % interval, by problem
	High       float64 `json:"high"`
	P          float64 `json:"p"` // two-sided, see stats.PairedP
}

// Answered is a question of a study with its answer in words.
type Answered struct {
	Question string     `json:"question"`
	Answer   string     `json:"answer"`
	Paired   *Paired    `json:"difference"` // of the comparison that the answer begins with; null: no common sample
	Compared []Compared `json:"compared"`   // all that the answer is made of
}

// Compared is an arm of a question beside another one.
type Compared struct {
	More   string  `json:"more"`
	Than   string  `json:"than"`
	Says   string  `json:"says"`       // in words, without figures
	Paired *Paired `json:"difference"` // null: no common sample

	weight int // see saysYes
}

// Report puts the arms together.
func (s Study) Report(results []ArmResult) StudyReport {
	reference := results[s.arm(s.Reference)]
	metric := primaryOf(reference.Report)
	r := StudyReport{
		Study: s.Name, About: s.About, Benchmark: reference.Report.Benchmark, Title: reference.Report.Title,
		Metric: metric, Reference: s.Reference, Arms: []ArmScore{}, Answers: []Answered{}, Notes: []string{},
	}
	for _, result := range results {
		arm := armScore(result, metric)
		if result.Arm.Name != s.Reference {
			arm.Against = paired(reference, result, metric)
		}
		r.Arms = append(r.Arms, arm)
	}
	r.Arms = append(r.Arms, guessed(reference.Report)...)
	for _, q := range s.Questions {
		r.Answers = append(r.Answers, s.answer(q, results, metric))
	}
	if reference.Report.Primary.Metric != metric {
		r.Notes = append(r.Notes, fmt.Sprintf("the primary metric (%s) was not computed: run with --judge", reference.Report.Primary.Metric))
	}
	r.Notes = append(r.Notes, leftOut(results, len(reference.Report.Samples))...)
	r.Notes = append(r.Notes, "differences are of the samples that both arms have scored, which can be fewer than n")
	return r
}

// leftOut says which arms show fewer samples than the reference, and why, or other
// distractors than they are to show.
func leftOut(results []ArmResult, all int) []string {
	var notes []string
	for _, a := range results {
		for _, n := range a.Report.Notes {
			if strings.HasSuffix(n.Text, fromTheSubset) {
				notes = append(notes, fmt.Sprintf("arm %q: %s", a.Arm.Name, n.Text))
			}
		}
		n := all - len(a.Report.Samples)
		switch {
		case a.Why != "":
			notes = append(notes, fmt.Sprintf("arm %q is left out: %s", a.Arm.Name, a.Why))
		case n > 0:
			notes = append(notes, fmt.Sprintf("arm %q leaves out %d of %d samples: %s", a.Arm.Name, n, all, a.Arm.lacking()))
		}
	}
	return notes
}

// lacking says what samples do not have that an arm leaves out.
func (a Arm) lacking() string {
	const relevant, other = "none of their demonstrations has the query's answer", "too few of other problems have another answer, and a picture that can be sent"
	orders := a.Order == icl.RelevantFirst || a.Order == icl.RelevantLast
	switch distracts := a.Distract != "" && a.Distract != icl.None; {
	case orders && distracts:
		return relevant + ", or " + other
	case distracts:
		return other
	}
	return relevant
}

// armScore counts an arm's verdicts.
func armScore(a ArmResult, metric score.Metric) ArmScore {
	s := ArmScore{Name: a.Arm.Name, Dir: a.Dir}
	correct := 0
	var tallies stats.Tallies
	for _, sample := range a.Report.Samples {
		v, ok := speaking(sample, metric)
		if !ok || v.Outcome == score.Unscored {
			s.Unscored++
			continue
		}
		right := v.Outcome == score.Correct
		tallies.Add(sample.Group, right)
		if right {
			correct++
		}
		s.Scored++
	}
	if value, ok := stats.Fraction(correct, s.Scored); ok {
		s.Accuracy = &value
	}
	if low, high, ok := stats.GroupedWilson(tallies.Groups, stats.Z95); ok {
		s.Low, s.High = &low, &high
	}
	return s
}

// speaking is the verdict that speaks for a sample: of the metric, else, where
// its kind of question has other ones, its first.
func speaking(s report.Sample, metric score.Metric) (score.Verdict, bool) {
	for _, v := range s.Verdicts {
		if v.Metric == metric {
			return v, true
		}
	}
	if len(s.Verdicts) > 0 && s.Verdicts[0].Metric.Choice() != metric.Choice() {
		return s.Verdicts[0], true
	}
	return score.Verdict{}, false
}

// paired compares b with a on the samples that both have scored.
func paired(a, b ArmResult, metric score.Metric) *Paired {
	first := map[string]score.Verdict{}
	for _, s := range a.Report.Samples {
		if v, ok := speaking(s, metric); ok && v.Outcome != score.Unscored {
			first[s.ID] = v
		}
	}
	var pairs []stats.Pair
	for _, s := range b.Report.Samples {
		v, ok := speaking(s, metric)
		was, both := first[s.ID]
		if ok && both && v.Outcome != score.Unscored {
			pairs = append(pairs, stats.Pair{Group: s.Group, A: was.Outcome == score.Correct, B: v.Outcome == score.Correct})
		}
	}
	difference, low, high, ok := stats.Difference(pairs)
	if !ok {
		return nil
	}
	return &Paired{len(pairs), difference, low, high, stats.PairedP(pairs)}
}

// guessed are the baselines of the reference arm.
func guessed(r report.Report) []ArmScore {
	var all []ArmScore
	for _, t := range r.Tables {
		if t.Name != "baselines" || len(t.Rows) == 0 {
			continue
		}
		row := t.Rows[len(t.Rows)-1]
		if len(t.Rows) > 1 && row[0] != analysis.AllSubsets {
			continue // of one subset, where arms are of all
		}
		n, _ := row[1].(int)
		for _, guess := range []struct {
			name string
			at   int
		}{{"majority (a guess)", 2}, {"random (a guess)", 4}} {
			if value, ok := row[guess.at].(float64); ok {
				all = append(all, ArmScore{Name: guess.name, Scored: n, Accuracy: &value})
			}
		}
	}
	return all
}

// beyondGuesses tells whether the whole interval of an arm's score lies above what
// guesses score.
func beyondGuesses(a ArmResult, metric score.Metric) bool {
	arm := armScore(a, metric)
	for _, guess := range guessed(a.Report) {
		if arm.Low == nil || *arm.Low <= *guess.Accuracy {
			return false
		}
	}
	return true
}

// significant is the p below which a difference is taken as one.
const significant = 0.05

// What comparisons say, in the order of their weight for an answer.
const (
	saysNothing = iota
	saysNo
	saysYes
)

// answer puts together what the comparisons of a question say, those first that say
// yes.
func (s Study) answer(q Question, results []ArmResult, metric score.Metric) Answered {
	more := results[s.arm(q.More)]
	beyond := beyondGuesses(more, metric)
	var all []Compared
	for _, name := range q.others() {
		than := results[s.arm(name)]
		c := Compared{More: q.More, Than: name, Paired: paired(than, more, metric)}
		if c.weight, c.Says = q.says(c.Paired, beyond); more.Why != "" || than.Why != "" {
			c.weight, c.Says = saysNothing, "cannot be told: the arm is left out"
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Compared) int { return cmp.Compare(b.weight, a.weight) })
	return Answered{Question: q.Ask, Answer: inWords(all), Paired: all[0].Paired, Compared: all}
}

// inWords writes comparisons with their figures, those that say the same behind one
// another.
func inWords(all []Compared) string {
	var parts, figures []string
	for i, c := range all {
		figures = append(figures, c.figures())
		if i+1 == len(all) || all[i+1].Says != c.Says {
			parts, figures = append(parts, c.Says+" ("+strings.Join(figures, "; ")+")"), nil
		}
	}
	return strings.Join(parts, "; ")
}

// figures are those of a comparison.
func (c Compared) figures() string {
	text := c.More + " against " + c.Than
	if p := c.Paired; p != nil {
		text += fmt.Sprintf(": %s points on %d samples, p %s", p.points(), p.Pairs, probability(p.P))
	}
	return text
}

// says is what a difference means: yes or no only where its interval leaves out zero
// and p is small too, since with few samples either can mislead. Beyond tells that
// the arm More scores more than guesses do.
func (q Question) says(p *Paired, beyond bool) (weight int, words string) {
	switch {
	case p == nil:
		return saysNothing, "cannot be told: no sample is scored in both arms"
	case p.Low <= 0 && p.High >= 0:
		return saysNothing, "cannot be told: the interval of the difference holds zero"
	case p.P >= significant:
		return saysNothing, "cannot be told: too few samples differ"
	case p.Difference > 0 && q.Guess != "" && !beyond:
		return saysYes, q.Guess
	case p.Difference > 0:
		return saysYes, q.Yes
	}
	return saysNo, q.No
}
