package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// isProbe tells the start-up probe's requests about pictures.
func isProbe(r fake.Request) bool { return r.Last() == probeQuestion }

func probes(s *fake.Server, from int) int {
	n := 0
	for _, r := range s.Chats()[from:] {
		if isProbe(r) {
			n++
		}
	}
	return n
}

// says answers the samples with what text says, and everything else normally.
func says(text func(number int) string) fake.Script {
	return func(r fake.Request) fake.Reply {
		var number int
		if _, err := fmt.Sscanf(r.Last(), "question %d?", &number); err != nil || !isSample(r) {
			return fake.Answer{}
		}
		if answer := text(number); answer != "" {
			return fake.Answer{Text: answer}
		}
		return fake.Answer{Empty: true}
	}
}

// TestEqualAnswersBringTheProbeBack runs models whose answers are alike or not,
// counts how often the probe is asked again, and demands the same responses as
// without it.
func TestEqualAnswersBringTheProbeBack(t *testing.T) {
	unknown := says(func(int) string { return "unknown" })
	for _, tt := range []struct {
		name    string
		script  fake.Script
		change  func(*Config)
		again   int
		samples int
	}{
		{"equal", unknown, nil, 2, 45},
		{"nineteen equal", unknown, nil, 0, 19},
		{"twenty equal", unknown, nil, 1, 20},
		{"empty", says(func(int) string { return "" }), nil, 2, 40},
		{"empty or equal", says(func(n int) string { return []string{"", "unknown"}[n%2] }), nil, 2, 40},
		{"two in turn", says(func(n int) string { return []string{"yes", "no"}[n%2] }), nil, 0, 60},
		{"blanks around", says(func(n int) string { return strings.Repeat(" ", n%3) + "unknown" }), nil, 2, 40},
		{"four at a time", unknown, func(c *Config) { c.Parallel = 4 }, 2, 45},
		{"no probe", unknown, func(c *Config) { c.NoProbe = true }, 0, 45},
		{"one picture", unknown, func(c *Config) {
			for i := range c.Benchmark.Samples {
				c.Benchmark.Samples[i].Pictures, c.Benchmark.Samples[i].Demonstrations = []string{"0.png"}, nil
			}
		}, 0, 45},
		{"one in two without picture", unknown, func(c *Config) {
			for i := range c.Benchmark.Samples {
				c.Benchmark.Samples[i].Demonstrations = nil
				if i%2 == 0 {
					c.Benchmark.Samples[i].Pictures = nil
				}
			}
		}, 1, 45},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			run := func(long int) (*fake.Server, map[string]record.Response, string) {
				s, cfg := play(t, tt.samples, fake.Config{Script: tt.script})
				cfg.longStreak = long
				if tt.change != nil {
					tt.change(&cfg)
				}
				result, err := Run(context.Background(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				if result.Unscored != 0 {
					t.Errorf("%d unscored", result.Unscored)
				}
				lines := map[string]record.Response{}
				for _, line := range linesOf(t, cfg.Out) {
					lines[line.ID] = line
				}
				var text string
				if cfg.Parallel < 2 { // else lines stand as replies come
					text = string(readAll(t, cfg.Out)["responses.jsonl"])
				}
				return s, lines, text
			}
			plain, want, wantText := run(1 << 30)
			s, got, gotText := run(0)
			once := probes(plain, 0)
			if again := probes(s, 0) - once; again != tt.again*once {
				t.Errorf("%d requests of the probe after the start, want %d times %d", again, tt.again, once)
			}
			if diff := cmp.Diff(want, got); diff != "" || wantText != gotText {
				t.Errorf("responses differ from those without the probe:\n%s", diff)
			}
			if len(s.Loads()) != 1 {
				t.Errorf("the model was loaded %d times, want once", len(s.Loads()))
			}
		})
	}
}

// TestDegradedServerEndsTheRun has a server see no pictures from the 31st sample
// on. What was answered before is kept, the answers of the streak are taken
// back, and when the server is well the report is that of an undisturbed run.
func TestDegradedServerEndsTheRun(t *testing.T) {
	for _, parallel := range []int{1, 4} {
		whole := undisturbed(t, 60)
		var ill atomic.Bool
		var sampled atomic.Int32
		ill.Store(true)
		s, cfg := play(t, 60, fake.Config{Script: func(r fake.Request) fake.Reply {
			if isSample(r) {
				sampled.Add(1)
			}
			if ill.Load() && sampled.Load() > 30 && (isSample(r) || isProbe(r)) {
				return fake.Answer{Text: "GGGG", NoLogprobs: true}
			}
			return fake.Answer{}
		}})
		cfg.Parallel = parallel
		_, err := Run(context.Background(), cfg)
		var failure *Failure
		if !errors.As(err, &failure) || failure.Kind != WrongModel || !strings.Contains(err.Error(), "20 answers") || failure.Hint == "" {
			t.Fatalf("error %v, want that the model fails the probe now", err)
		}
		ill.Store(false)
		result, err := Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if result.Unscored != 0 || probes(s, 0) == 0 {
			t.Errorf("%d unscored after going on", result.Unscored)
		}
		if parallel > 1 { // the report says so
			continue
		}
		if diff := cmp.Diff(string(whole["report.json"]), string(readAll(t, cfg.Out)["report.json"])); diff != "" {
			t.Errorf("report after going on (-undisturbed +got):\n%s", diff)
		}
		for _, line := range latest(t, cfg.Out) {
			if line.Text == "GGGG" {
				t.Errorf("an answer of the degraded server stayed: %s", line.ID)
			}
		}
	}
}

// TestTakenBackAnswersAreUnscored looks at the record between the failure and
// going on.
func TestTakenBackAnswersAreUnscored(t *testing.T) {
	var sampled atomic.Int32
	_, cfg := play(t, 60, fake.Config{Script: func(r fake.Request) fake.Reply {
		if isSample(r) {
			sampled.Add(1)
		}
		if sampled.Load() > 30 && (isSample(r) || isProbe(r)) {
			return fake.Answer{Text: "GGGG", NoLogprobs: true}
		}
		return fake.Answer{}
	}})
	if _, err := Run(context.Background(), cfg); err == nil {
		t.Fatal("the run went on")
	}
	answered, back := 0, 0
	for id, line := range latest(t, cfg.Out) {
		switch {
		case line.Fault == nil && line.Text != "GGGG":
			answered++
		case line.Fault != nil && line.Fault.Reason == infer.ReasonDegraded && line.Fault.Retry:
			back++
			if v := verdictOf(t, cfg.Out, id, score.ExactMatch); v.Outcome != score.Unscored {
				t.Errorf("verdict on %s: %s, want unscored", id, v.Outcome)
			}
		default:
			t.Errorf("line of %s: %+v", id, line)
		}
	}
	if answered != 30 || back != longStreak {
		t.Errorf("%d answers kept and %d taken back, want 30 and %d", answered, back, longStreak)
	}
}

// undisturbed is the record of a run of so many questions on a server that does
// nothing wrong.
func undisturbed(t testing.TB, n int) map[string][]byte {
	t.Helper()
	_, cfg := play(t, n, fake.Config{})
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	return readAll(t, cfg.Out)
}

// latest are the last responses of a record, by sample.
func latest(t testing.TB, dir string) map[string]record.Response {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run.Latest()
}
