//go:build integration

package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lightbox/bench/card"
	"lightbox/bench/phantom"
	"lightbox/bench/record"
	"lightbox/bench/source/parquet/parquettest"
	"lightbox/score"
)

// phantomAsSMMILE writes the phantom's problems with demonstrations in the
// layout of SMMILE, and gives its folder.
func phantomAsSMMILE(t *testing.T) string {
	t.Helper()
	columns := []parquettest.Column{{Path: "problem_id"}, {Path: "order"}, {Path: "image.bytes"}, {Path: "image.path"}, {Path: "question"}, {Path: "answer"}, {Path: "flag_image_type"}}
	for _, line := range jsonLines(t, "phantom/problems.jsonl") {
		var p struct {
			Problem                 string `json:"problem_id"`
			Order                   *int64
			Question, Answer, Image string
		}
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		if p.Order == nil || p.Problem[:3] != "icl" {
			continue
		}
		picture, err := os.ReadFile(filepath.Join("phantom", p.Image))
		if err != nil {
			t.Fatal(err)
		}
		for i, cell := range []any{p.Problem, *p.Order, picture, filepath.Base(p.Image), p.Question, p.Answer, "X-Ray"} {
			columns[i].Cells = append(columns[i].Cells, cell)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data", "train-00000-of-00001.parquet"), parquettest.File(columns, 50), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSMMILEOnARealServer: in SMMILE's layout the phantom's problems give the
// phantom's figures, and the prompts that the phantom has.
func TestSMMILEOnARealServer(t *testing.T) {
	dir := phantomAsSMMILE(t)
	tests := []struct {
		shots, subset string
		least, most   int
	}{
		{"icl", phantom.InContext, 38, 40},
		{"0", phantom.WithoutDemos, 0, 0},
	}
	reference := phantomConfig(t)
	mustRun(t, reference)
	want, err := record.Read(reference.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.shots, func(t *testing.T) {
			cfg := phantomConfig(t)
			b, err := SMMILE("smmile", dir, "test")
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			cfg.Benchmark = b
			if cfg.Shots, err = card.ParseShots(tt.shots); err != nil {
				t.Fatal(err)
			}
			result := mustRun(t, cfg)
			if result.Unscored != 0 {
				t.Errorf("%d samples are unscored", result.Unscored)
			}
			for _, s := range result.Report.Subsets[0].Scores {
				if s.Scored != 40 || s.Correct < tt.least || s.Correct > tt.most {
					t.Errorf("%s: %d of %d correct, want %d to %d of 40", s.Metric, s.Correct, s.Scored, tt.least, tt.most)
				}
			}
			got, err := record.Read(cfg.Out)
			if err != nil {
				t.Fatal(err)
			}
			suffix := map[string]string{"icl": "", "0": "/0-shot"}[tt.shots]
			for id, line := range got.Latest() {
				twin := want.Latest()[id+suffix]
				if twin.Subset != tt.subset || line.Text != twin.Text || line.PromptTokens != twin.PromptTokens {
					t.Errorf("%s: %q in %d tokens, the phantom's %q in %d", id, line.Text, line.PromptTokens, twin.Text, twin.PromptTokens)
				}
			}
		})
	}
}

// TestFamilyReachesTheModel: a system text takes tokens of the prompt, and the
// samples are scored all the same.
func TestFamilyReachesTheModel(t *testing.T) {
	tokens := map[string]int{}
	for _, name := range []string{"none", "medgemma"} {
		cfg := phantomConfig(t)
		b, err := SMMILE("smmile", phantomAsSMMILE(t), "")
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		cfg.Benchmark, cfg.Family, cfg.Judge, cfg.Selection.Limit = b, family(t, name), "", 2
		result := mustRun(t, cfg)
		for _, s := range result.Report.Subsets[0].Scores {
			if s.Metric == score.ExactMatch && s.Scored != 2 {
				t.Errorf("%s: %d scored", name, s.Scored)
			}
		}
		run, err := record.Read(cfg.Out)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range run.Latest() {
			tokens[name] += line.PromptTokens
		}
	}
	if tokens["medgemma"] <= tokens["none"] {
		t.Errorf("prompt tokens %v: the system text is not among them", tokens)
	}
}
