package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbox/bench"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
)

func TestNextTime(t *testing.T) {
	const layout = "2006-01-02 15:04:05 MST"
	for _, tt := range []struct{ name, zone, now, text, want string }{
		{"tomorrow morning", "Europe/Berlin", "2026-06-01 23:00:00", "07:00", "2026-06-02 07:00:00 CEST"},
		{"later today", "Europe/Berlin", "2026-06-01 05:00:59", "07:00", "2026-06-01 07:00:00 CEST"},
		{"in a second", "Europe/Berlin", "2026-06-01 06:59:59", "07:00", "2026-06-01 07:00:00 CEST"},
		{"now is not next", "Europe/Berlin", "2026-06-01 07:00:00", "07:00", "2026-06-02 07:00:00 CEST"},
		{"a moment ago", "Europe/Berlin", "2026-06-01 07:00:01", "07:00", "2026-06-02 07:00:00 CEST"},
		{"midnight", "Europe/Berlin", "2026-12-31 12:00:00", "00:00", "2027-01-01 00:00:00 CET"},
		{"short night", "Europe/Berlin", "2026-03-28 23:00:00", "07:00", "2026-03-29 07:00:00 CEST"},
		{"long night", "Europe/Berlin", "2026-10-24 23:00:00", "07:00", "2026-10-25 07:00:00 CET"},
		{"time that is left out", "Europe/Berlin", "2026-03-28 23:00:00", "02:30", "2026-03-29 03:00:00 CEST"},
		{"time that comes twice", "Europe/Berlin", "2026-10-24 23:00:00", "02:30", "2026-10-25 02:30:00 CEST"},
		{"between the two", "Europe/Berlin", "2026-10-25 00:40:00 UTC", "02:30", "2026-10-25 02:30:00 CET"},
		{"midnight that is left out", "America/Havana", "2026-03-07 20:00:00", "00:30", "2026-03-08 01:00:00 CDT"},
		{"half an hour left out", "Australia/Lord_Howe", "2026-10-03 20:00:00", "02:15", "2026-10-04 02:30:00 +11"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			zone, err := time.LoadLocation(tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			now, err := time.ParseInLocation("2006-01-02 15:04:05", tt.now, zone)
			if err != nil {
				if now, err = time.Parse(layout, tt.now); err != nil {
					t.Fatal(err)
				}
				now = now.In(zone)
			}
			got, err := nextTime(tt.text, now)
			if err != nil {
				t.Fatal(err)
			}
			if s := got.Format(layout); s != tt.want {
				t.Errorf("next %s after %s is %s, want %s", tt.text, now.Format(layout), s, tt.want)
			}
		})
	}
	for _, text := range []string{"", "7:00", "24:00", "07:60", "0700", "07:00:00", "soon"} {
		if _, err := nextTime(text, time.Now()); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// handClock is a clock that is put forward by hand.
type handClock struct {
	mu      sync.Mutex
	at      time.Time
	changed chan time.Time // closed and replaced when it is put forward
}

func (c *handClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) wait(time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

func (c *handClock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
	close(c.changed)
	c.changed = make(chan time.Time)
}

// said is what a command writes, from several goroutines.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// TestNoSampleIsAskedAfterTheTime lets it become seven while the second of four
// samples is asked.
func TestNoSampleIsAskedAfterTheTime(t *testing.T) {
	seven := time.Date(2026, 6, 2, 7, 0, 0, 0, time.UTC)
	clock := &handClock{at: seven.Add(-8 * time.Hour), changed: make(chan time.Time)}
	var out, err said
	s := fake.Start(fake.Config{Models: []fake.Model{fake.Vision("eye")}, Script: func(r fake.Request) fake.Reply {
		if r.Last() == "question 2?" && r.Number("num_predict") > 1 {
			clock.set(seven)
			for !strings.Contains(err.String(), "stopping after the sample under way") {
				time.Sleep(time.Millisecond)
			}
		}
		return nil
	}})
	defer s.Close()
	host, herr := ollama.ParseHost(s.Addr())
	if herr != nil {
		t.Fatal(herr)
	}
	cfg := bench.Config{Host: host, Model: "eye", Out: t.TempDir(), Benchmark: textQuestions(t, 4)}
	run := func(until *alarm) int {
		t := terminal{out: &out, err: &err}
		return t.report(t.evaluate(context.Background(), cfg, false, until))
	}
	if code := run(&alarm{at: seven, now: clock.now, wait: clock.wait}); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	for _, want := range []string{"lightbox: error: it is 07:00: stopped as --until says; the work is kept in", "lightbox: hint: the same command goes on from here"} {
		if !strings.Contains(err.String(), want) {
			t.Errorf("it did not say %q:\n%s", want, err.String())
		}
	}
	if got := lastAsked(s); got != "question 2?" {
		t.Errorf("the last sample asked is %q, want the second", got)
	}
	if code := run(&alarm{}); code != exitDone {
		t.Errorf("exit code %d after going on, want %d", code, exitDone)
	}
	if !strings.Contains(out.String(), "4 samples, 4 asked") {
		t.Errorf("the report does not count four samples:\n%s", out.String())
	}
}

// lastAsked is the last question that was asked with more than one token of
// reply, as samples are.
func lastAsked(s *fake.Server) string {
	last := ""
	for _, r := range s.Chats() {
		if strings.HasPrefix(r.Last(), "question ") && r.Number("num_predict") > 1 {
			last = r.Last()
		}
	}
	return last
}

// textQuestions is a benchmark of n questions without pictures.
func textQuestions(t *testing.T, n int) bench.Benchmark {
	t.Helper()
	dir := t.TempDir()
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"question": "question %d?", "answer": "yes"}`+"\n", i+1)
	}
	path := dir + "/cases.jsonl"
	writeFile(t, path, lines.String(), 0o600)
	b, err := bench.OwnQuestions(bench.Own{Path: path, Data: dir})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
