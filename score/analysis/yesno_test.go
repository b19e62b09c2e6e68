package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/score"
)

// answered is a sample of a subset with a reference answer and an outcome.
func answered(subset, reference string, outcome score.Outcome) Sample {
	return Sample{
		Subset: subset, References: []string{reference},
		Verdicts: []score.Verdict{{Metric: score.ExactMatch, Outcome: outcome}},
	}
}

func TestYesNo(t *testing.T) {
	samples := []Sample{
		answered("a", "Yes", score.Correct), answered("a", "yes.", score.NoAnswer), answered("a", "Yes", score.Incorrect), answered("a", "Yes", score.Correct),
		answered("a", "No", score.Correct), answered("a", "no", score.Unscored), answered("a", "Lung", score.Correct),
		answered("b", "没有", score.Incorrect), answered("b", "不是", score.Correct),
		answered("c", "Liver", score.Correct),
		{Subset: "c"},
	}
	table, ok := Run{Samples: samples, Primary: score.ExactMatch, Pooled: true}.YesNo()
	third := 2.0
	third /= 3
	want := [][]any{
		{"a", 5, 4, 1, 0.5, 1.0, 0.75, 0.8},
		{"b", 2, 0, 2, nil, 0.5, nil, 1.0},
		{"all subsets", 7, 4, 3, 0.5, third, (0.5 + third) / 2, 4.0 / 7},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" || !ok {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if _, ok := (Run{Samples: samples[6:7], Primary: score.ExactMatch, Pooled: true}).YesNo(); ok {
		t.Error("a table without yes-or-no questions")
	}
}

// TestAllReferencesSayYesOrNo: one that says neither, or the other, leaves the
// question out, wherever it stands; a letter that is the key is no word.
func TestAllReferencesSayYesOrNo(t *testing.T) {
	samples := []Sample{answered("a", "Y", score.Correct), answered("a", "No", score.Correct), answered("a", "No", score.Correct), answered("a", "n", score.Correct)}
	samples[0].References = append(samples[0].References, "Yes")
	samples[1].References = append(samples[1].References, "normal")
	samples[2].References = append(samples[2].References, "yes")
	samples[3].Key = "N"
	table, _ := Run{Samples: samples, Primary: score.ExactMatch}.YesNo()
	if diff := cmp.Diff([][]any{{"a", 1, 1, 0, 1.0, nil, nil, 1.0}}, table.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestTheJudgeSpeaksWhereItIsPrimary(t *testing.T) {
	s := answered("a", "yes", score.Incorrect)
	s.Verdicts = append(s.Verdicts, score.Verdict{Metric: score.Judged, Outcome: score.Correct})
	table, _ := Run{Samples: []Sample{s}, Primary: score.Judged, Pooled: true}.YesNo()
	if got := table.Rows[0][4]; got != 1.0 {
		t.Errorf("sensitivity %v, want that of the judge, 1", got)
	}
	table, _ = Run{Samples: []Sample{s}, Primary: score.ExactMatch, Pooled: true}.YesNo()
	if got := table.Rows[0][4]; got != 0.0 {
		t.Errorf("sensitivity %v, want that of exact match, 0", got)
	}
}
