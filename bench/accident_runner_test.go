package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
)

// TestKillerOfRunnersIsQuarantined has one sample kill every runner. It is asked
// three times, then once at the end of each later run, and never to measure the
// server's speed.
func TestKillerOfRunnersIsQuarantined(t *testing.T) {
	const killer = "question 1?"
	var healed atomic.Bool
	s, cfg := play(t, 6, fake.Config{Script: func(r fake.Request) fake.Reply {
		if r.Last() == killer && !healed.Load() {
			return fake.RunnerDied()
		}
		return fake.Answer{}
	}})
	demonstrations := cfg.Benchmark.Samples[2].Demonstrations // it is the longest
	cfg.Benchmark.Samples[0].Demonstrations = append(slices.Clone(demonstrations), demonstrations...)
	whole := cfg
	whole.Out = t.TempDir()
	run := func(cfg Config, unscored int) []string {
		before := len(s.Chats())
		result, err := Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if result.Unscored != unscored {
			t.Errorf("%d unscored, want %d", result.Unscored, unscored)
		}
		return chatNames(s, before)
	}

	first := run(cfg, 1)
	if n := count(first, killer); n != 3 {
		t.Errorf("asked %d times, want 3", n)
	}
	want := &record.Fault{Reason: infer.ReasonRunnerDied, Status: 500, Retry: true, Attempts: 3}
	checkFault(t, cfg.Out, "1", want)
	for later := range 2 {
		if later == 0 { // one more is left to do beside it
			removeResponse(t, cfg.Out, "4")
		}
		names := run(cfg, 1)
		if n := count(names, killer); n != 1 || names[len(names)-1] != killer {
			t.Errorf("later run %d asked %q %d times, want once and last: %q", later, killer, n, names)
		}
		for _, r := range s.Chats()[len(s.Chats())-len(names):] {
			if r.Last() == killer && r.Number("num_predict") == 1 {
				t.Error("it was sent to measure the speed")
			}
		}
		want.Attempts++
		checkFault(t, cfg.Out, "1", want)
	}
	healed.Store(true)
	run(cfg, 0)
	run(whole, 0)
	if diff := cmp.Diff(string(readAll(t, whole.Out)["report.json"]), string(readAll(t, cfg.Out)["report.json"])); diff != "" {
		t.Errorf("report after all that (-undisturbed +got):\n%s", diff)
	}
}

func count(names []string, name string) int {
	n := 0
	for _, other := range names {
		if other == name {
			n++
		}
	}
	return n
}

func checkFault(t *testing.T, dir, id string, want *record.Fault) {
	t.Helper()
	got := lineOf(t, dir, id).Fault
	if got != nil {
		plain := *got
		plain.Detail = ""
		got = &plain
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fault of %s (-want +got):\n%s", id, diff)
	}
}

// removeResponse gives a sample a passing fault in place of its response.
func removeResponse(t *testing.T, dir, id string) {
	t.Helper()
	run, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	line := run.Latest()[id]
	line.Text, line.Fault = "", &record.Fault{Reason: infer.ReasonBusy, Retry: true}
	if err := run.AppendResponse(line); err != nil {
		t.Fatal(err)
	}
}

// TestKillerSparesOthersUnderWay has a sample kill the runner while three others
// are under way, whose requests fail with it. From then on it is asked with
// nothing beside it, and only it is unscored.
func TestKillerSparesOthersUnderWay(t *testing.T) {
	const n = 12
	var crash sync.WaitGroup // the first requests of four samples
	crash.Add(4)
	var firsts, deaths, underWay, beside atomic.Int32
	_, cfg := play(t, n, fake.Config{Script: func(r fake.Request) fake.Reply {
		switch {
		case !isSample(r):
			return fake.Answer{}
		case firsts.Add(1) <= 4:
			crash.Done()
			crash.Wait()
			return fake.RunnerDied()
		case r.Last() == "question 1?":
			deaths.Add(1)
			beside.Add(underWay.Load())
			return fake.RunnerDied()
		}
		underWay.Add(1)
		defer underWay.Add(-1)
		time.Sleep(5 * time.Millisecond)
		return fake.Answer{}
	}})
	cfg.Parallel = 4
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		id := fmt.Sprint(i + 1)
		if line := lineOf(t, cfg.Out, id); (line.Fault != nil) != (id == "1") {
			t.Errorf("sample %s: %+v", id, line.Fault)
		}
	}
	if result.Unscored != 1 || deaths.Load() != 2 || beside.Load() != 0 {
		t.Errorf("%d unscored, %d further deaths with %d others under way; want 1, 2 and 0", result.Unscored, deaths.Load(), beside.Load())
	}
}
