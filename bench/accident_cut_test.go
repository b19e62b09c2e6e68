package bench

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// TestCutAtEveryByte cuts the journal of responses at each of its bytes, as a
// crash can, and opens the record: what opening leaves is the lines that were
// whole. It then runs again from a cut at the start, in the middle, and at the
// end of each line: the record is that of an undisturbed run, and only what was
// lost is asked. A run sees of a cut what opening leaves of it, so that these
// stand for all.
func TestCutAtEveryByte(t *testing.T) {
	t.Parallel()
	s, cfg := play(t, 6, fake.Config{})
	cfg.Judge = "judge"
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	whole := readAll(t, cfg.Out)
	const name = "responses.jsonl"
	text := whole[name]
	kept := 0 // bytes of lines that are whole
	starts := map[int]bool{}
	dir := t.TempDir()
	for at := range len(text) + 1 {
		if at > 0 && text[at-1] == '\n' {
			kept = at
		}
		starts[kept] = true
		lay(t, dir, map[string][]byte{"manifest.json": whole["manifest.json"], name: text[:at]})
		run, err := record.Open(dir)
		if err != nil {
			t.Fatalf("cut at byte %d: %v", at, err)
		}
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, text[:kept]) {
			t.Fatalf("cut at byte %d: %d bytes are left, want %d; error %v", at, len(got), kept, err)
		}
	}
	if len(starts) != 7 {
		t.Fatalf("%d lines, want 6", len(starts)-1)
	}
	for start := range starts {
		rest := bytes.IndexByte(text[start:], '\n') // -1: nothing is lost
		for _, at := range []int{start, start + max(rest, 0)/2, start + max(rest, 0)} {
			again := cfg
			again.Out = t.TempDir()
			lay(t, again.Out, whole)
			lay(t, again.Out, map[string][]byte{name: text[:at], "verdicts.jsonl": nil})
			before := len(s.Chats())
			if _, err := Run(context.Background(), again); err != nil {
				t.Fatalf("cut at byte %d: %v", at, err)
			}
			if diff := cmp.Diff(whole, readAll(t, again.Out)); diff != "" {
				t.Fatalf("cut at byte %d: the record differs:\n%s", at, diff)
			}
			samples := 0
			for _, r := range s.Chats()[before:] {
				if isSample(r) {
					samples++
				}
			}
			if lost := bytes.Count(text[start:], []byte("\n")); samples != lost {
				t.Errorf("cut at byte %d: %d samples were asked, want the %d that were lost", at, samples, lost)
			}
		}
	}
}

// lay writes files into a directory.
func lay(t testing.TB, dir string, files map[string][]byte) {
	t.Helper()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestVerdictIsThatOfTheResponseThatCounts has a sample answered, taken back, and
// answered with the same words.
func TestVerdictIsThatOfTheResponseThatCounts(t *testing.T) {
	_, cfg := play(t, 3, fake.Config{})
	cfg.Judge = "judge"
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	want := string(readAll(t, cfg.Out)["report.json"])
	run, err := record.Open(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	line := run.Latest()["2"]
	line.Text, line.Fault = "", &record.Fault{Reason: infer.ReasonDegraded, Retry: true}
	unscored := score.Verdict{Metric: score.ExactMatch, Rule: ruleNone, Outcome: score.Unscored, Reason: string(infer.ReasonDegraded)}
	if err := run.AppendResponse(line); err != nil {
		t.Fatal(err)
	}
	if err := run.AppendVerdict(record.Verdict{ID: "2", Of: line.Subject(), Verdict: unscored}); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(readAll(t, cfg.Out)["report.json"])); diff != "" {
		t.Errorf("report (-before +after):\n%s", diff)
	}
}
