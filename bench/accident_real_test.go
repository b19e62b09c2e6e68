//go:build integration

package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/score"
)

// TestEqualAnswersOfThePhantomFinish asks the questions without demonstrations,
// to which the phantom answers alike. The probe is asked again and changes
// nothing in the record.
func TestEqualAnswersOfThePhantomFinish(t *testing.T) {
	run := func(long int) (string, int) {
		cfg := phantomConfig(t)
		cfg.longStreak = long
		cfg.Benchmark.Samples = subset(cfg.Benchmark.Samples, "without demonstrations")
		result := mustRun(t, cfg)
		if result.Unscored != 0 || len(cfg.Benchmark.Samples) != 40 {
			t.Errorf("%d of %d samples are unscored", result.Unscored, len(cfg.Benchmark.Samples))
		}
		return cfg.Out, ofKind(timings(t, cfg.Out), record.KindProbe)
	}
	plain, once := run(1 << 30)
	watched, probes := run(0)
	sameRecords(t, plain, watched)
	if probes <= once {
		t.Errorf("%d requests of the probe, want more than the %d of the start", probes, once)
	}
}

func subset(samples []card.Sample, name string) []card.Sample {
	var some []card.Sample
	for _, s := range samples {
		if s.Subset == name {
			some = append(some, s)
		}
	}
	return some
}

func timings(t *testing.T, dir string) []record.Timing {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run.Timings()
}

func ofKind(all []record.Timing, kind record.Kind) int {
	n := 0
	for _, line := range all {
		if line.Kind == kind {
			n++
		}
	}
	return n
}

// shortAndLong is a benchmark of three short questions with a long one among them.
func shortAndLong(long int) Benchmark {
	b := Benchmark{Name: "test", Digest: infer.DigestOf([]byte("test")), Primary: score.ExactMatch}
	for i, text := range []string{"a yes?", "b " + strings.Repeat("left right ", long), "c no?", "d no?"} {
		b.Samples = append(b.Samples, card.Sample{ID: fmt.Sprint(i + 1), Question: text, References: []string{"yes"}})
	}
	return b
}

// TestLateRequestOnARealServer gives a long prompt a quarter of the time that it
// takes to be read. The server reads on when it was given up, and the samples
// after it are in time all the same, each at its first request.
func TestLateRequestOnARealServer(t *testing.T) {
	cfg := phantomConfig(t)
	cfg.Judge, cfg.Benchmark = "", shortAndLong(900)
	mustRun(t, cfg)
	var reading time.Duration
	for _, line := range timings(t, cfg.Out) {
		if line.Kind == record.KindLoad {
			reading = line.Prefill.Duration()
		}
	}
	cfg.Out, cfg.Timeout = t.TempDir(), reading/4
	t.Logf("reading the long prompt takes %s", reading)
	mustRun(t, cfg)
	var order []string
	for _, line := range timings(t, cfg.Out) {
		if line.Kind == record.KindAsk || line.Kind == record.KindIdle {
			order = append(order, fmt.Sprintf("%s %s %v", line.Kind, line.ID, line.Fault == ""))
		}
	}
	want := []string{"ask 1 true", "ask 2 false", "idle  true", "ask 2 false", "idle  true", "ask 3 true", "ask 4 true"}
	if got := strings.Join(order, ", "); got != strings.Join(want, ", ") {
		t.Errorf("requests: %s\nwant: %s", got, strings.Join(want, ", "))
	}
}

// TestRunnerKilledWhileLoading kills the runner in the middle of a run, and the
// next one as soon as it is there. A server of 0.17 waits for it for as long as
// the request does, and loads again for the next request.
func TestRunnerKilledWhileLoading(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("finding runners needs /proc")
	}
	cfg := phantomConfig(t)
	cfg.Judge, cfg.Timeout = "", 5*time.Second
	cfg.Selection.Limit = 10
	mustRun(t, cfg)
	whole := cfg.Out
	cfg.Out = t.TempDir()
	cfg.Watch = func(e Event) {
		if e.Phase != "asking" || e.Done != 20 {
			return
		}
		old := runners(private.Host.String(), nil) // that of an earlier test's judge may be one
		kill(old)
		go func() {
			var loading []int
			for len(loading) == 0 && t.Context().Err() == nil {
				loading = runners(private.Host.String(), old)
			}
			kill(loading)
		}()
	}
	if result, err := Run(context.Background(), cfg); err != nil || result.Unscored != 0 {
		t.Fatalf("%d unscored, error %v", result.Unscored, err)
	}
	sameRecords(t, whole, cfg.Out)
	harmed := 0
	for _, line := range timings(t, cfg.Out) {
		if line.Kind == record.KindAsk && line.Fault != "" {
			harmed++
			t.Logf("%s %s, request %d: %s, %s", line.Kind, line.ID, line.Attempt, line.Elapsed.Duration(), line.Fault)
		}
	}
	if harmed == 0 {
		t.Error("no request failed: the runners were killed in vain")
	}
}

// runners are the processes that run models for the server at an address, but for
// those that are known.
func runners(address string, known []int) []int {
	var pids []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || slices.Contains(known, pid) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if !bytes.Contains(command, []byte("\x00runner\x00")) || !bytes.Contains(command, []byte("\x00--model\x00")) {
			continue // one without a model looks for graphics cards
		}
		environ, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if bytes.Contains(environ, []byte("OLLAMA_HOST="+address+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func kill(pids []int) {
	for _, pid := range pids {
		if p, err := os.FindProcess(pid); err == nil {
			p.Kill()
		}
	}
}
