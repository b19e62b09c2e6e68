package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/score"
	"lightbox/score/stats"
)

func value(f float64) *float64 { return &f }

// about compares fractions to four digits.
var about = cmp.Comparer(func(a, b *float64) bool {
	return a == nil && b == nil || a != nil && b != nil && math.Abs(*a-*b) < 5e-5
})

func TestUnscoredIsOutsideNWithBounds(t *testing.T) {
	r := Build(Input{
		Primary: score.ExactMatch, Pooled: true,
		Samples: samplesOf("s", map[score.Metric]string{score.ExactMatch: "+-+-+-t+t-r+t0t"}),
	})
	want := []Score{{
		Metric: score.ExactMatch, Of: "all", Scored: 10, Correct: 5, Incorrect: 4, NoAnswer: 1, Unscored: 5, Groups: 10,
		Reasons:  map[string]int{"timeout": 4, "runner died": 1},
		Rules:    map[string]int{"smmile-em": 10},
		Accuracy: value(0.5), Low: value(0.2366), High: value(0.7634),
		BoundLow: value(0.3333), BoundHigh: value(0.6667),
	}}
	if diff := cmp.Diff(want, r.Overall, about); diff != "" {
		t.Errorf("overall (-want +got):\n%s", diff)
	}
	const headline = "exact match 50.0 % of 10 scored (95 % interval 23.7–76.3 %; 5 unscored, bounds 33.3–66.7 %)"
	if r.Headline != headline {
		t.Errorf("headline %q, want %q", r.Headline, headline)
	}
	if r.Counts.Samples != 15 || r.Counts.Asked != 10 {
		t.Errorf("counts %+v, want 15 samples, 10 asked", r.Counts)
	}
}

// Four questions on each of five pictures, all four right or all four wrong, tell
// no more than five questions do.
func TestSamplesOfOneGroupAreOnePieceOfEvidence(t *testing.T) {
	samples := samplesOf("s", map[score.Metric]string{score.ExactMatch: "++++----++++----++++"})
	alone := Build(Input{Primary: score.ExactMatch, Pooled: true, Samples: samples})
	for i := range samples {
		samples[i].Group = fmt.Sprint("picture ", i/4)
	}
	r := Build(Input{Primary: score.ExactMatch, Pooled: true, Samples: samples})
	got := r.Overall[0]
	right, wrong := stats.Tally{Correct: 4, N: 4}, stats.Tally{N: 4}
	low, high, _ := stats.GroupedWilson([]stats.Tally{right, wrong, right, wrong, right}, stats.Z95)
	if got.Groups != 5 || got.Scored != 20 || math.Abs(*got.Low-low) > 1e-9 || math.Abs(*got.High-high) > 1e-9 {
		t.Errorf("%d samples of %d groups in [%v, %v], want 20 of 5 in [%v, %v]", got.Scored, got.Groups, *got.Low, *got.High, low, high)
	}
	const note = "20 samples belong to 5 groups (orders of one problem, or questions on one picture): the intervals take these for the evidence"
	if !slices.Contains(r.Notes, Note{Remark, note}) {
		t.Errorf("notes %q do not hold %q", r.Notes, note)
	}
	if one := alone.Overall[0]; one.Groups != 20 || len(alone.Notes) != 0 || !(*one.High-*one.Low < high-low) {
		t.Errorf("without groups: %+v, notes %q", one, alone.Notes)
	}
}

func TestBoundsEqualAccuracyWhenAllIsScored(t *testing.T) {
	for _, g := range Build(separate()).Subsets {
		for _, s := range g.Scores {
			if *s.BoundLow != *s.Accuracy || *s.BoundHigh != *s.Accuracy {
				t.Errorf("%s: bounds %v to %v, accuracy %v", s.Of, *s.BoundLow, *s.BoundHigh, *s.Accuracy)
			}
		}
	}
}

func TestNothingScored(t *testing.T) {
	r := Build(Input{Pooled: true, Samples: samplesOf("s", map[score.Metric]string{score.MCQA: "tt"})})
	want := Score{
		Metric: score.MCQA, Of: "all", Unscored: 2, Reasons: map[string]int{"timeout": 2}, Rules: map[string]int{},
		BoundLow: value(0), BoundHigh: value(1),
	}
	if diff := cmp.Diff([]Score{want}, r.Overall, about); diff != "" {
		t.Errorf("overall (-want +got):\n%s", diff)
	}
	if want := "multiple choice has no score (0 scored, 2 unscored)"; r.Headline != want {
		t.Errorf("headline %q, want %q", r.Headline, want)
	}
}

// TestNoSampleLeavesTheCount holds that what cannot be counted is unscored.
func TestNoSampleLeavesTheCount(t *testing.T) {
	samples := samplesOf("a", map[score.Metric]string{score.ExactMatch: "++  -", score.Judged: "+    "})
	samples[2].Asked = false
	samples[4].Verdicts[0].Outcome = "maybe"
	samples = append(samples, samplesOf("b", map[score.Metric]string{score.ExactMatch: "-"})...)
	r := Build(Input{Primary: score.ExactMatch, Pooled: true, Samples: samples})
	em, judge := r.Overall[0], r.Overall[1]
	if diff := cmp.Diff(map[string]int{"no verdict": 1, "not asked": 1, `unknown outcome "maybe"`: 1}, em.Reasons); diff != "" || em.Scored != 3 {
		t.Errorf("exact match of %d (-want +got):\n%s", em.Scored, diff)
	}
	// Subset b has no judge at all, so only the samples of a lack its verdict.
	if diff := cmp.Diff(map[string]int{"no verdict": 3, "not asked": 1}, judge.Reasons); diff != "" || judge.Scored != 1 {
		t.Errorf("judge of %d (-want +got):\n%s", judge.Scored, diff)
	}
	if len(r.Subsets[1].Scores) != 1 {
		t.Errorf("subset b has scores %+v, want exact match only", r.Subsets[1].Scores)
	}
	r = Build(Input{Primary: score.Judged, Pooled: true, Samples: samples})
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, "subset b (1 sample) has no verdict of the primary metric (LLM judge)") {
		t.Errorf("notes %+v, want a warning about subset b", r.Notes)
	}
}

func TestFirstOfTwoVerdictsCountsWithWarning(t *testing.T) {
	samples := samplesOf("a", map[score.Metric]string{score.ExactMatch: "+"})
	second := samples[0].Verdicts[0]
	second.Outcome = score.Incorrect
	samples[0].Verdicts = append(samples[0].Verdicts, second)
	r := Build(Input{Pooled: true, Samples: samples})
	if s := r.Overall[0]; s.Correct != 1 || s.Scored != 1 {
		t.Errorf("score %+v, want 1 correct of 1", s)
	}
	if len(r.Notes) != 1 || r.Notes[0].Level != Warning {
		t.Errorf("notes %+v, want a warning", r.Notes)
	}
}

func TestHeadline(t *testing.T) {
	em := map[score.Metric]string{score.ExactMatch: "+-"}
	many := Input{}
	for _, subset := range strings.Split("abcdefgh", "") {
		many.Samples = append(many.Samples, samplesOf(subset, em)...)
	}
	for _, tt := range []struct {
		name string
		in   Input
		want string
	}{
		{"no samples", Input{}, "no sample has a verdict"},
		{"no samples, primary known", Input{Primary: score.Judged}, "primary metric (LLM judge) was not computed: run with --judge"},
		{
			"judge not run",
			Input{Primary: score.Judged, Pooled: true, Samples: samplesOf("a", em)},
			"primary metric (LLM judge) was not computed: run with --judge; exact match 50.0 % of 2 scored (95 % interval 9.5–90.5 %)",
		},
		{
			"other primary missing",
			Input{Primary: score.MCQA, Pooled: true, Samples: samplesOf("a", em)},
			"primary metric (multiple choice) was not computed; exact match 50.0 % of 2 scored (95 % interval 9.5–90.5 %)",
		},
		{
			"one subset",
			Input{Primary: score.ExactMatch, Samples: samplesOf("a", em)},
			"exact match: a 50.0 % of 2 scored (95 % interval 9.5–90.5 %)",
		},
		{
			"two subsets",
			Input{Samples: append(samplesOf("a", em), samplesOf("b", map[score.Metric]string{score.ExactMatch: "+t"})...)},
			"exact match: a 50.0 % of 2 scored, b 100.0 % of 1 scored (1 unscored, bounds 50.0–100.0 %)",
		},
		{
			"halfway",
			Input{Pooled: true, Samples: samplesOf("a", em), Progress: &Progress{Samples: 2, Of: 9}},
			"2 of 9 samples so far: exact match 50.0 % of 2 scored (95 % interval 9.5–90.5 %)",
		},
		{"nothing yet", Input{Primary: score.Judged, Progress: &Progress{Of: 9}}, "0 of 9 samples so far"},
		{
			"judge to come",
			Input{Primary: score.Judged, Pooled: true, Samples: samplesOf("a", em), Progress: &Progress{Samples: 2, Of: 2, ToJudge: 2}},
			"2 of 2 samples so far, 0 of 2 judged: primary metric (LLM judge) is not computed yet; exact match 50.0 % of 2 scored (95 % interval 9.5–90.5 %)",
		},
		{"many subsets", many, "exact match in 8 subsets, see the table; one figure across them has no meaning"},
	} {
		if got := Build(tt.in).Headline; got != tt.want {
			t.Errorf("%s: headline %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTags(t *testing.T) {
	line := map[score.Metric]string{score.ExactMatch: "+-+"}
	samples := append(samplesOf("a", line, []string{"site:chest", "rare"}, []string{"site:head", "site:head"}),
		samplesOf("b", line, []string{"site:chest"})...)
	type row struct {
		Subset, Name, Value, Of string
		Samples, Correct        int
	}
	rows := func(r Report) (rows []row) {
		for _, g := range r.Tags {
			for _, v := range g.Values {
				rows = append(rows, row{g.Subset, g.Name, v.Name, v.Scores[0].Of, v.Samples, v.Scores[0].Correct})
			}
		}
		return rows
	}
	pooled := []row{{"", "site", "chest", "site:chest", 5, 4}, {"", "site", "head", "site:head", 1, 0}, {"", "", "rare", "rare", 2, 2}}
	if diff := cmp.Diff(pooled, rows(Build(Input{Pooled: true, Samples: samples}))); diff != "" {
		t.Errorf("pooled (-want +got):\n%s", diff)
	}
	separate := []row{
		{"a", "site", "chest", "site:chest", 2, 2},
		{"a", "site", "head", "site:head", 1, 0},
		{"a", "", "rare", "rare", 2, 2},
		{"b", "site", "chest", "site:chest", 3, 2},
	}
	if diff := cmp.Diff(separate, rows(Build(Input{Samples: samples}))); diff != "" {
		t.Errorf("not pooled (-want +got):\n%s", diff)
	}
}

func TestPercentNeverRoundsToAll(t *testing.T) {
	for fraction, want := range map[float64]string{
		1: "100.0", 4240.0 / 4241: ">99.9", 0: "0.0", 1.0 / 4241: "<0.1", 0.975: "97.5", 1.0 / 3: "33.3",
	} {
		if got := percentValue(&fraction); got != want {
			t.Errorf("percentValue(%v) = %q, want %q", fraction, got, want)
		}
	}
	if got := percent(nil); got != "–" {
		t.Errorf("percent(nil) = %q, want a dash", got)
	}
}
