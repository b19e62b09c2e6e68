package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/score"
)

func TestCalibration(t *testing.T) {
	sample := func(a, b, outside float64, answer string, outcome score.Outcome) Sample {
		return Sample{
			Letters: map[string]float64{"A": a, "B": b}, Outside: &outside,
			Verdicts: []score.Verdict{{Metric: score.MCQA, Outcome: outcome, Answer: answer}},
		}
	}
	samples := []Sample{
		sample(0.45, 0.05, 0.5, "A", score.Correct), // 90 % of the letters
		sample(0.90, 0.10, 0, "A", score.Incorrect),
		sample(0.25, 0.75, 0, "B", score.Correct),
		sample(0, 0, 1, "", score.NoAnswer),
		{Verdicts: []score.Verdict{{Metric: score.MCQA, Outcome: score.Correct, Answer: "A"}}},
	}
	table, ok := Run{Samples: samples}.Calibration()
	want := [][]any{{"70–80 %", 1, 0.75, 1.0}, {"90–100 %", 2, 0.9, 0.5}, {"all", 3, (0.9 + 0.9 + 0.75) / 3, 2.0 / 3}}
	if diff := cmp.Diff(want, table.Rows); diff != "" || !ok {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	// (1·|1-0.75| + 2·|0.5-0.9|) / 3, and outside (0.5+0+0+1)/4.
	for _, part := range []string{"calibration error 0.350", "37.5 % of the probability"} {
		if !strings.Contains(table.About, part) {
			t.Errorf("about %q lacks %q", table.About, part)
		}
	}
	if _, ok := (Run{Samples: samples[4:]}).Calibration(); ok {
		t.Error("a table of no probabilities")
	}
}
