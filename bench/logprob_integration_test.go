//go:build integration

package bench

import (
	"testing"

	"lightbox/bench/card"
	"lightbox/bench/phantom"
	"lightbox/bench/record"
	"lightbox/score"
)

// TestLogprobsOfThePhantom: a real server gives the probabilities of the letters,
// those of letters and of all else add up, and the report has its calibration.
func TestLogprobsOfThePhantom(t *testing.T) {
	cfg := phantomConfig(t)
	cfg.Benchmark = ByLogprobs(cfg.Benchmark)
	cfg.Selection = card.Selection{Subsets: []string{phantom.ZeroShotMCQA}, Limit: 20}
	cfg.NumPredict, cfg.Judge = 1, ""
	result := mustRun(t, cfg)
	run, err := record.Read(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	answered := 0
	for _, line := range run.Responses() {
		if line.Outside == nil {
			t.Fatalf("sample %s has no probabilities", line.ID)
		}
		sum := *line.Outside
		for _, p := range line.Letters {
			sum += p
		}
		if sum < 0.999 || sum > 1.001 {
			t.Errorf("sample %s: probabilities add up to %v", line.ID, sum)
		}
		if len(line.Letters) > 0 {
			answered++
		}
	}
	if answered == 0 {
		t.Error("no letter is among the likeliest tokens of any sample")
	}
	found := false
	for _, table := range result.Report.Tables {
		found = found || table.Name == "calibration"
	}
	if !found || result.Report.Counts.LengthStops != 0 || result.Report.Primary.Metric != score.MCQA {
		t.Errorf("report: calibration %t, %+v, %+v", found, result.Report.Counts, result.Report.Primary)
	}
}
