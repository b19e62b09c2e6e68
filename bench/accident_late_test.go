package bench

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
)

// isTiny tells the request that waits for an idle server.
func isTiny(r fake.Request) bool { return r.Last() == "." && r.Number("num_predict") == 1 }

// chatNames names requests to a model since the one of that number.
func chatNames(s *fake.Server, from int) []string {
	var names []string
	for _, r := range s.Chats()[from:] {
		switch {
		case isTiny(r):
			names = append(names, "tiny")
		case isSample(r):
			names = append(names, r.Last())
		default:
			names = append(names, "other")
		}
	}
	return names
}

// TestLateRequestIsWaitedFor has a server read a prompt long after its client
// gave it up, and demands that nothing but one request for one token stands
// behind it until then.
func TestLateRequestIsWaitedFor(t *testing.T) {
	for _, parallel := range []int{1, 3} {
		done := make(chan struct{})
		gaveUp := make(chan struct{})
		script := on(2, func(attempt int) fake.Reply {
			if attempt > 1 {
				return fake.Answer{Text: "yes"}
			}
			close(gaveUp)
			return fake.Prefill(done)
		})
		s, cfg := play(t, 6, fake.Config{Script: script})
		cfg.Timeout, cfg.Parallel = 2*time.Second, parallel
		var behind []string
		go func() {
			<-gaveUp
			for seen := 0; ; time.Sleep(time.Millisecond) {
				chats := s.Chats()
				for ; seen < len(chats); seen++ {
					if isTiny(chats[seen]) {
						time.Sleep(100 * time.Millisecond) // for others to come, if they would
						behind = chatNames(s, seen)
						close(done)
						return
					}
				}
			}
		}()
		if _, err := Run(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"tiny"}, behind); diff != "" {
			t.Errorf("parallel %d: behind the one that was given up (-want +got):\n%s", parallel, diff)
		}
		if parallel == 1 {
			if n := asked(s, 2); n != 2 {
				t.Errorf("asked %d times, want 2", n)
			}
		}
		for _, id := range []string{"1", "2", "3", "4", "5", "6"} {
			if line := lineOf(t, cfg.Out, id); line.Fault != nil {
				t.Errorf("parallel %d: sample %s: %+v", parallel, id, line.Fault)
			}
		}
		if tiny := s.Chats(); tiny[0].Number("num_ctx") != tiny[len(tiny)-1].Number("num_ctx") || len(s.Loads()) != 1 {
			t.Errorf("the model was loaded %d times, want once", len(s.Loads()))
		}
	}
}

// TestStuckServerEndsTheRun has a server answer nothing from the second sample
// on. Nothing is written off, and the same command goes on when it is well.
func TestStuckServerEndsTheRun(t *testing.T) {
	t.Parallel()
	var ill, begun atomic.Bool
	ill.Store(true)
	s, cfg := play(t, 4, fake.Config{Script: func(r fake.Request) fake.Reply {
		if ill.Load() && isSample(r) && r.Last() != "question 1?" {
			begun.Store(true)
		}
		if ill.Load() && begun.Load() {
			return fake.Silence()
		}
		return fake.Answer{}
	}})
	cfg.Timeout = time.Second
	_, err := Run(context.Background(), cfg)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != Unreachable || !strings.Contains(err.Error(), "answers none") {
		t.Fatalf("error %v, want that the server answers nothing", err)
	}
	if n := len(linesOf(t, cfg.Out)); n != 1 {
		t.Errorf("%d responses are kept, want the one that came", n)
	}
	ill.Store(false)
	before := len(s.Chats())
	if result, err := Run(context.Background(), cfg); err != nil || result.Unscored != 0 {
		t.Fatalf("going on: %d unscored, error %v", result.Unscored, err)
	}
	for _, name := range chatNames(s, before) {
		if name == "question 1?" {
			t.Error("what was answered is asked again")
		}
	}
}

// TestStopEndsWaiting stops a run while it waits for a server that answers
// nothing, and while it waits for one that is gone.
func TestStopEndsWaiting(t *testing.T) {
	for _, gone := range []bool{false, true} {
		stop := make(chan struct{})
		var s *fake.Server
		s, cfg := play(t, 3, fake.Config{Script: func(r fake.Request) fake.Reply {
			switch {
			case isTiny(r):
				close(stop)
				return fake.Silence()
			case !isSample(r):
				return fake.Answer{}
			case gone:
				s.Close()
				close(stop)
				return fake.Cut()
			}
			return fake.Silence()
		}})
		cfg.Stop, cfg.Timeout = stop, time.Second
		cfg.pause = func(ctx context.Context, _ time.Duration) error { // as long as it takes to stop
			<-stop
			return ctx.Err()
		}
		_, err := Run(context.Background(), cfg)
		var failure *Failure
		if !errors.As(err, &failure) || failure.Kind != Interrupted {
			t.Errorf("server gone %v: error %v, want that it was interrupted", gone, err)
		}
		if n := len(linesOf(t, cfg.Out)); n != 0 {
			t.Errorf("server gone %v: %d samples are written off", gone, n)
		}
	}
}

// linesOf are all responses of a record.
func linesOf(t testing.TB, dir string) []record.Response {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run.Responses()
}

// reply is one of so many tokens that took so many seconds.
func reply(prompt, output int, prefill, generate float64) infer.Response {
	d := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return infer.Response{
		PromptTokens: prompt, OutputTokens: output,
		Timing: infer.Timing{Total: d(prefill + generate), Prefill: d(prefill / 2), Generate: d(generate)},
	}
}

func TestPace(t *testing.T) {
	start := []infer.Response{reply(100, 16, 2, 3.2), reply(1000, 1, 50, 0)} // 0.05 s a token of prompt, 0.2 of reply
	loading := reply(100, 16, 2, 3.2)
	loading.Timing.Load, loading.Timing.Total = 40*time.Second, 45200*time.Millisecond
	slower := reply(100, 100, 20, 50) // 0.2 and 0.5
	for _, tt := range []struct {
		name    string
		start   []infer.Response
		samples []infer.Response
		misses  int
		prompt  int
		reply   int
		want    time.Duration
	}{
		{"nothing known", nil, nil, 0, 100, 100, loadLimit},
		{"never under a minute", []infer.Response{reply(100, 16, 0.01, 0.01)}, nil, 0, 10, 10, time.Minute},
		{"long prompt", start, nil, 0, 1000, 100, 700 * time.Second},
		{"short prompt", start, nil, 0, 100, 100, 250 * time.Second},
		{"reply not measured", []infer.Response{reply(1000, 1, 50, 0)}, nil, 0, 0, 100, 500 * time.Second},
		{"loading again", []infer.Response{loading}, nil, 0, 0, 100, 280 * time.Second},
		{"server turns slower", start, []infer.Response{slower}, 0, 1000, 100, 2500 * time.Second},
		{"slow reply is forgotten", start, append([]infer.Response{slower}, many(remembered, reply(100, 100, 1, 1))...), 0, 1000, 100, 700 * time.Second},
		{"quick replies from a cache", start, many(remembered, reply(1000, 100, 0.01, 1)), 0, 1000, 100, 700 * time.Second},
		{"one missed", start, nil, 1, 1000, 100, 1400 * time.Second},
		{"many missed", start, nil, 40, 1000, 100, 11200 * time.Second},
		{"counts missing", []infer.Response{reply(0, 0, 9, 9)}, nil, 0, 1000, 100, loadLimit},
		{"without bound", start, []infer.Response{reply(1, 2, 1e6, 1e6)}, 3, 1 << 40, 1 << 40, mostLimit},
		{"clock of the server runs back", []infer.Response{reply(100, 16, -50, -3)}, nil, 0, 100, 100, loadLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p pace
			for _, r := range tt.start {
				p.observe(r, false)
			}
			for _, r := range tt.samples {
				p.observe(r, true)
			}
			for range tt.misses {
				p.miss()
			}
			if got := p.limit(tt.prompt, tt.reply); got.Round(time.Millisecond) != tt.want {
				t.Errorf("limit %s, want %s", got, tt.want)
			}
		})
	}
}

func many(n int, r infer.Response) []infer.Response {
	all := make([]infer.Response, n)
	for i := range all {
		all[i] = r
	}
	return all
}

// TestReplyEndsTheExtension gives a request that missed its deadline more time,
// until a reply comes.
func TestReplyEndsTheExtension(t *testing.T) {
	var p pace
	p.observe(reply(100, 16, 0.1, 0.1), false)
	p.miss()
	if got := p.limit(10, 10); got != 2*leastLimit {
		t.Errorf("limit %s after a miss, want %s", got, 2*leastLimit)
	}
	p.observe(reply(100, 16, 0.1, 0.1), true)
	if got := p.limit(10, 10); got != leastLimit {
		t.Errorf("limit %s after a reply, want %s", got, leastLimit)
	}
}
