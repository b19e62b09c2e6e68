package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// clock stands still until it is put forward.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// changed is model name with another digest.
func changed(m fake.Model) fake.Model {
	m.Digest = strings.Repeat("ab", 32)
	return m
}

// night is a run of six samples and a judge on a server that does something
// before it answers the sample of each number, or the judge's first question
// where the number is 0.
func night(t *testing.T, events map[int]func(*fake.Server, *clock) fake.Reply) (*fake.Server, Config) {
	t.Helper()
	var s *fake.Server
	c := newClock()
	var once sync.Map
	s, cfg := play(t, 6, fake.Config{Script: func(r fake.Request) fake.Reply {
		number := -1
		switch {
		case isSample(r):
			fmt.Sscanf(r.Last(), "question %d?", &number)
		case r.Format != nil:
			number = 0
		}
		event := events[number]
		if _, again := once.LoadOrStore(number, true); again || event == nil {
			return fake.Answer{}
		}
		return event(s, c)
	}})
	cfg.Judge, cfg.now = "judge", c.now
	cfg.Benchmark.Samples[2].Demonstrations, cfg.Benchmark.Samples[5].Demonstrations = nil, nil // asked in data order
	return s, cfg
}

// mend makes the server what it was.
func mend(s *fake.Server) {
	s.SetVersion("0.17.4")
	s.SetModel(fake.Vision("eye"))
	s.SetModel(fake.Text("judge"))
}

type event = func(*fake.Server, *clock) fake.Reply

// after2 lets two minutes pass.
func after2(_ *fake.Server, c *clock) fake.Reply {
	c.forward(2 * time.Minute)
	return nil
}

// TestChangeUnderTheRunStopsIt changes the server or a model in the middle of a
// run. The run stops, what could be another model's is asked again when the old
// one is back, and the report is then that of an undisturbed run.
func TestChangeUnderTheRunStopsIt(t *testing.T) {
	for _, tt := range []struct {
		name      string
		events    map[int]event
		says      string
		responses string // ids of those that are taken back
		verdicts  int    // of the judge that are taken back
	}{
		{
			"server updated itself",
			map[int]event{2: after2, 3: func(s *fake.Server, _ *clock) fake.Reply { s.SetVersion("0.18.0"); return nil }, 4: after2},
			"the server changed under the run: Ollama was 0.17.4 and is now 0.18.0", "3 4", 0,
		},
		{
			"model was pulled again",
			map[int]event{2: after2, 4: func(s *fake.Server, c *clock) fake.Reply {
				s.SetModel(changed(fake.Vision("eye")))
				return after2(s, c)
			}},
			`model "eye:latest" changed under the run: its digest was 5abea7c2e268 and is now abababababab`, "3 4", 0,
		},
		{
			"changed while it was away",
			map[int]event{2: after2, 4: func(s *fake.Server, _ *clock) fake.Reply { s.SetVersion("0.18.0"); return fake.Cut() }},
			"is now 0.18.0", "3", 0,
		},
		{
			"changed in the last minute",
			map[int]event{6: func(s *fake.Server, _ *clock) fake.Reply { s.SetVersion("0.18.0"); return nil }},
			"is now 0.18.0", "1 2 3 4 5 6", 0,
		},
		{
			"judge changed before its turn",
			map[int]event{2: func(s *fake.Server, _ *clock) fake.Reply { s.SetModel(changed(fake.Text("judge"))); return nil }},
			`model "judge:latest" changed under the run`, "", 0,
		},
		{
			"judge changed in its turn",
			map[int]event{0: func(s *fake.Server, c *clock) fake.Reply {
				s.SetModel(changed(fake.Text("judge")))
				c.forward(2 * time.Minute)
				return fake.Answer{Text: "1"}
			}},
			`model "judge:latest" changed under the run`, "", 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, cfg := night(t, tt.events)
			_, err := Run(context.Background(), cfg)
			var failure *Failure
			if !errors.As(err, &failure) || failure.Kind != WrongModel || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "the work is kept in "+cfg.Out) {
				t.Fatalf("error %v, want one of kind %d that says %q", err, WrongModel, tt.says)
			}
			responses, verdicts := takenBack(t, cfg.Out)
			if strings.Join(responses, " ") != tt.responses || verdicts != tt.verdicts {
				t.Errorf("responses %q and %d verdicts are taken back, want %q and %d", responses, verdicts, tt.responses, tt.verdicts)
			}
			mend(s)
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			_, calm := night(t, nil)
			if _, err := Run(context.Background(), calm); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(readAll(t, calm.Out)["report.json"]), string(readAll(t, cfg.Out)["report.json"])); diff != "" {
				t.Errorf("the report (-undisturbed +mended):\n%s", diff)
			}
		})
	}
}

// takenBack are the ids of samples whose last response was taken back, in order,
// and how many verdicts of the judge were.
func takenBack(t *testing.T, dir string) (ids []string, verdicts int) {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range run.Latest() {
		if line.Fault == nil || line.Fault.Reason != infer.ReasonChanged {
			continue
		}
		ids = append(ids, line.ID)
		if v := verdictOf(t, dir, line.ID, score.ExactMatch); v.Reason != string(infer.ReasonChanged) {
			t.Errorf("sample %s was taken back, but its verdict is %+v", line.ID, v)
		}
	}
	for _, v := range run.Verdicts() {
		if v.Metric == score.Judged && v.Reason == string(infer.ReasonChanged) {
			verdicts++
		}
	}
	slices.Sort(ids)
	return ids, verdicts
}

// TestLooksAreRare counts the looks of a run whose clock stands still, and of one
// in which three minutes pass.
func TestLooksAreRare(t *testing.T) {
	looks := func(events map[int]event) int {
		s, cfg := night(t, events)
		if _, err := Run(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range s.Requests() {
			if r.Path == "/api/version" {
				n++
			}
		}
		return n
	}
	still := looks(nil)
	if still != 4 { // connecting, the end of asking, the start and the end of judging
		t.Errorf("%d looks, want 4", still)
	}
	minute := func(_ *fake.Server, c *clock) fake.Reply { c.forward(time.Minute); return nil }
	if n := looks(map[int]event{1: minute, 2: minute, 5: minute}); n != still+3 {
		t.Errorf("%d looks in three minutes, want %d", n, still+3)
	}
}

// TestOneLookAtATime holds a look and asks for another.
func TestOneLookAtATime(t *testing.T) {
	s := &sentry{now: newClock().now, looking: true}
	if err := s.look(context.Background(), true); err != nil { // would use its client, which is nil
		t.Error(err)
	}
}

// TestFinishedRunLeavesTheServerAlone asks for a finished run again.
func TestFinishedRunLeavesTheServerAlone(t *testing.T) {
	s, cfg := night(t, nil)
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	chats := s.ChatCount()
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if n := s.ChatCount() - chats; n != 0 {
		t.Errorf("%d requests, want none", n)
	}
}

// TestMemoryIsSaid runs models that lie in memory in several ways.
func TestMemoryIsSaid(t *testing.T) {
	sized := func(size, onCPU int64) fake.Model {
		m := fake.Vision("eye")
		m.Size, m.OnCPU = size, onCPU
		return m
	}
	grow := func(to int64) map[int]event {
		return map[int]event{2: after2, 3: func(s *fake.Server, c *clock) fake.Reply { s.SetModel(sized(to, 0)); return after2(s, c) }, 5: after2}
	}
	for _, tt := range []struct {
		name   string
		model  fake.Model
		events map[int]event
		want   []Event
		kept   []int64 // sizes in the record
	}{
		{"on the GPU", sized(4e9, 0), nil, nil, []int64{4e9}},
		{"on the CPU", sized(4e9, 4e9), nil, []Event{{Note: "model eye:latest runs on the CPU (4.0 GB)"}}, []int64{4e9}},
		{"on both", sized(4e9, 1e9), nil, []Event{{Warning: "only 3.0 GB of the 4.0 GB of model eye:latest are in the GPU's memory: the rest runs on the CPU, which is slow"}}, []int64{4e9}},
		{"grows a little", sized(4e9, 0), grow(47e8), nil, []int64{4e9, 47e8}},
		{"grows", sized(4e9, 0), grow(48e8), []Event{{Warning: "the server's memory for model eye:latest has grown from 4.0 GB to 4.8 GB: if it runs out, start the server again and give the same command"}}, []int64{4e9, 48e8}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, cfg := night(t, tt.events)
			s.SetModel(tt.model)
			var got []Event
			cfg.Watch = func(e Event) {
				if e.Note+e.Warning != "" {
					got = append(got, e)
				}
			}
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
			run, err := record.Read(cfg.Out)
			if err != nil {
				t.Fatal(err)
			}
			var kept []int64
			for _, line := range run.Timings() {
				if line.Kind == record.KindMemory && line.Model == "eye:latest" {
					kept = append(kept, line.Size)
				}
			}
			if diff := cmp.Diff(tt.kept, kept); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			for name, text := range readAll(t, cfg.Out) {
				if bytes.Contains(text, []byte("4000000000")) || bytes.Contains(text, []byte("4.0 GB")) {
					t.Errorf("%s holds the size, which varies between equal runs", name)
				}
			}
		})
	}
}
