package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
	"lightbox/score/report"
)

// eventful is a finished run with a judge, faults, a length stop, escaped text,
// a sample that sets the window, and notes.
func eventful(t *testing.T) Config {
	t.Helper()
	_, cfg := play(t, 9, fake.Config{CloudEnabled: true, Script: func(r fake.Request) fake.Reply {
		switch {
		case isSample(r) && r.Last() == "question 2?":
			return fake.PictureRefused()
		case isSample(r) && r.Last() == "question 4?":
			return fake.Answer{Text: "yes", Reason: "length", OutputTokens: 512}
		case isSample(r) && r.Last() == "question 5?":
			return fake.Answer{Text: "bad \xff byte", Broken: true}
		}
		return fake.Answer{}
	}})
	cfg.Judge, cfg.EscapeControl, cfg.Parallel = "judge", true, 2
	cfg.Benchmark.About = "the questions are made up"
	for i := range cfg.Benchmark.Samples {
		cfg.Benchmark.Samples[i].Subset = []string{"one", "two"}[i%2]
		cfg.Benchmark.Samples[i].Tags = []string{"site:chest"}
	}
	cfg.Benchmark.Samples[6].Question = "question 7 <end_of_turn>?"
	for range 30 {
		cfg.Benchmark.Samples[8].Demonstrations = append(cfg.Benchmark.Samples[8].Demonstrations, cfg.Benchmark.Samples[0])
	}
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestReportComesFromTheRecord compares the report of a finished run's directory
// with what the run wrote.
func TestReportComesFromTheRecord(t *testing.T) {
	cfg := eventful(t)
	r, err := ReportOf(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	whole := readAll(t, cfg.Out)
	for name, write := range map[string]func(io.Writer) error{"report.json": r.JSON, "report.html": r.HTML} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(whole[name]), b.String()); diff != "" {
			t.Errorf("%s (-of the run +of its directory):\n%s", name, diff)
		}
	}
	said := ""
	for _, n := range r.Notes {
		said += n.Text + "\n"
	}
	for _, want := range []string{"made up", "is needed for sample 9 alone", "not ruled out", "zero-width", "under way at once"} {
		if !strings.Contains(said, want) {
			t.Errorf("the notes do not say %q:\n%s", want, said)
		}
	}
	if bytes.Contains(whole["report.json"], []byte("question 1?")) {
		t.Error("report.json holds the text of a question")
	}
	for _, want := range []string{"question 1?", "40×32", "after 2 demonstrations"} {
		if !bytes.Contains(whole["report.html"], []byte(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestReportOfAnUnfinishedRun cuts the journals as a run that is under way has
// them, and demands that the report says how far it is.
func TestReportOfAnUnfinishedRun(t *testing.T) {
	cfg := eventful(t)
	whole := readAll(t, cfg.Out)
	responses := bytes.SplitAfter(whole["responses.jsonl"], []byte("\n"))
	verdicts := inOrderOf(t, responses, bytes.SplitAfter(whole["verdicts.jsonl"], []byte("\n")))
	for _, tt := range []struct {
		name                string
		responses, verdicts int
		torn                bool
		headline            string
	}{
		{"nothing", 0, 0, false, "0 of 9 samples so far"},
		{"some", 4, 4, false, "4 of 9 samples so far: primary metric (LLM judge) is not computed yet; exact match"},
		{"verdict to come", 5, 4, false, "4 of 9 samples so far: primary metric"},
		{"line half written", 4, 4, true, "4 of 9 samples so far: primary metric"},
		{"judging to come", 9, 9, false, "9 of 9 samples so far, 0 of 9 judged: primary metric (LLM judge) is not computed yet"},
		{"judging", 9, 12, false, "9 of 9 samples so far, 3 of 9 judged: LLM judge"},
		{"all", 9, 18, false, "LLM judge "},
	} {
		dir := t.TempDir()
		lines := bytes.Join(responses[:tt.responses], nil)
		if tt.torn {
			lines = append(lines, responses[tt.responses][:40]...)
		}
		for name, text := range map[string][]byte{
			"manifest.json": whole["manifest.json"], "responses.jsonl": lines, "verdicts.jsonl": bytes.Join(verdicts[:tt.verdicts], nil),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := ReportOf(dir)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if !strings.HasPrefix(r.Headline, tt.headline) {
			t.Errorf("%s: headline %q, want %q", tt.name, r.Headline, tt.headline)
		}
		if tt.name == "judging" {
			unscored := 0
			for _, s := range r.Overall {
				unscored += s.Reasons[reasonNotJudged]
			}
			if unscored != 6 {
				t.Errorf("%d samples are not judged yet, want 6", unscored)
			}
		}
	}
}

// TestReportOfNoRun is refused with what the user can do.
func TestReportOfNoRun(t *testing.T) {
	cfg := eventful(t)
	path := filepath.Join(cfg.Out, "responses.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte("question 1?"), []byte("question 8?"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ dir, hint string }{
		"missing": {filepath.Join(t.TempDir(), "nowhere"), "where the record is"},
		"empty":   {t.TempDir(), "where the record is"},
		"a file":  {path, "where the record is"},
		"damaged": {cfg.Out, "delete line"},
	} {
		_, err := ReportOf(tt.dir)
		var failure *Failure
		if !errors.As(err, &failure) || failure.Kind != WrongData || !strings.Contains(failure.Hint, tt.hint) {
			t.Errorf("%s: error %v, want one of kind %d that hints %q", name, err, WrongData, tt.hint)
		}
	}
}

// TestLastResponseDecides has a sample fail in two ways in turn: the verdict that
// counts is the one about its last response.
func TestLastResponseDecides(t *testing.T) {
	run, err := record.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if err := run.WriteManifest(record.Manifest{Benchmark: record.Benchmark{Samples: 1, Primary: score.ExactMatch, Pooled: true}}); err != nil {
		t.Fatal(err)
	}
	for i, reason := range []infer.Reason{infer.ReasonTimeout, infer.ReasonBusy, infer.ReasonTimeout} {
		line := record.Response{ID: "1", At: 1, Fault: &record.Fault{Reason: reason, Retry: true}}
		if err := run.AppendResponse(line); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			break // the first verdict stands for the third response too
		}
		v := record.Verdict{ID: "1", Of: line.Subject(), Verdict: notAsked(score.ExactMatch, *line.Fault)}
		if err := run.AppendVerdict(v); err != nil {
			t.Fatal(err)
		}
	}
	want := []report.Score{{Metric: score.ExactMatch, Of: "all", Unscored: 1, Reasons: map[string]int{"timeout": 1}, Rules: map[string]int{}}}
	got := reportOf(run).Overall
	for i := range got {
		got[i].BoundLow, got[i].BoundHigh = nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("overall (-want +got):\n%s", diff)
	}
}

// inOrderOf puts the verdicts of rules, which come first, in the order of the
// responses: of several that are under way at once either can be written first.
func inOrderOf(t *testing.T, responses, verdicts [][]byte) [][]byte {
	t.Helper()
	id := func(line []byte) string {
		var v struct{ ID string }
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		return v.ID
	}
	place := map[string]int{}
	for i, line := range responses[:len(responses)-1] { // the last one is empty
		place[id(line)] = i
	}
	ruled := verdicts[:len(place)]
	slices.SortFunc(ruled, func(a, b []byte) int { return place[id(a)] - place[id(b)] })
	return verdicts
}

func TestOpenRule(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"slake", "slake-evalscope"}, "slake"},
		{[]string{"mcqa", "smmile-em"}, "smmile-em"},
		{[]string{"exact-match, slake"}, "exact-match, slake"},
		{[]string{"exact-match, rule-match", "mcqa"}, "exact-match, rule-match"},
		{[]string{"mcqa", "of another version"}, ""},
		{nil, ""},
	} {
		if got := openRule(tt.names).Name; got != tt.want {
			t.Errorf("%v: %q, want %q", tt.names, got, tt.want)
		}
	}
}
