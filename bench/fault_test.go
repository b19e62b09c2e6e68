package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// TestFaultsOfOneSample gives the second of four samples a fault of the machine
// or an oddity of the model, and demands that the one is unscored, the other
// scored, and that no other sample is touched.
func TestFaultsOfOneSample(t *testing.T) {
	wrongTypes := `{"model":"eye","message":{"role":"assistant","content":["a"]},"done":"yes"}`
	for _, tt := range []struct {
		name     string
		reply    func(attempt int) fake.Reply
		outcome  score.Outcome
		reason   infer.Reason
		attempts int
	}{
		{"picture refused is not retried", always(fake.PictureRefused()), score.Unscored, infer.ReasonPicture, 1},
		{"context refused is not retried", always(fake.ContextRefused(9000, 4096)), score.Unscored, infer.ReasonContextRefused, 1},
		{"dead runner is retried twice", always(fake.RunnerDied()), score.Unscored, infer.ReasonRunnerDied, 3},
		{"dead runner that comes back", until(3, fake.RunnerDied(), fake.Answer{Text: "yes"}), score.Correct, "", 3},
		{"busy server that recovers", until(6, fake.Busy(), fake.Answer{Text: "yes"}), score.Correct, "", 6},
		{"busy server that stays so", always(fake.Busy()), score.Unscored, infer.ReasonBusy, 8},
		{"repeating reply is scored", always(fake.Answer{Text: "yes", Broken: true}), score.Correct, "", 1},
		{"empty reply is no answer", always(fake.Answer{Empty: true}), score.NoAnswer, "", 1},
		{"thinking ate the budget", always(fake.Answer{Empty: true, Thinking: "hmm", Reason: "length", OutputTokens: 512}), score.NoAnswer, "", 1},
		{"length stop is scored", always(fake.Answer{Text: "yes", Reason: "length", OutputTokens: 512}), score.Correct, "", 1},
		{"length stop before its time", always(fake.Answer{Text: "yes", Reason: "length", OutputTokens: 17}), score.Unscored, infer.ReasonContextFull, 1},
		{"no room for a reply", always(fake.Answer{Empty: true, Reason: "length", OutputTokens: -1}), score.Unscored, infer.ReasonContextFull, 1},
		{"prompt as long as the window", always(fake.Answer{Text: "yes", PromptTokens: 1 << 20}), score.Unscored, infer.ReasonContextFull, 1},
		{"prompt shorter than what was sent", always(fake.Answer{Text: "yes", PromptTokens: 9}), score.Unscored, infer.ReasonContextFull, 1},
		{"no count of prompt tokens", always(fake.Answer{Text: "yes", PromptTokens: -1}), score.Correct, "", 1},
		{"cut in the middle", always(fake.Cut()), score.Unscored, infer.ReasonConnection, 3},
		{"cut at its end", always(fake.CutAtEnd()), score.Unscored, infer.ReasonConnection, 3},
		{"cut once", until(2, fake.Cut(), fake.Answer{Text: "no"}), score.Incorrect, "", 2},
		{"line of 9 MB, whole", always(fake.LongLine(9 << 20)), score.Incorrect, "", 1},
		{"line of 40 MB", always(fake.LongLine(40 << 20)), score.Unscored, infer.ReasonReply, 1},
		{"wrong types", always(fake.Plain(200, wrongTypes)), score.Unscored, infer.ReasonReply, 1},
		{"an empty object", always(fake.Plain(200, `{}`)), score.Unscored, infer.ReasonReply, 1},
		{"nothing", always(fake.Plain(200, ``)), score.Unscored, infer.ReasonReply, 1},
		{"error in a body with status 200", always(fake.Plain(200, `{"error":"an error was encountered while running the model: unexpected EOF"}`)), score.Unscored, infer.ReasonRunnerDied, 3},
		{"never answers", always(fake.Silence()), score.Unscored, infer.ReasonTimeout, 2},
		{"endless body", always(fake.EndlessBody()), score.Unscored, infer.ReasonReply, 1},
		{"endless headers", always(fake.EndlessHeaders()), score.Unscored, infer.ReasonReply, 1},
		{"a byte at a time", always(fake.Drip(10 * time.Millisecond)), score.Unscored, infer.ReasonTimeout, 2},
		{"headers a byte at a time", always(fake.DripHeaders(10 * time.Millisecond)), score.Unscored, infer.ReasonTimeout, 2},
		{"endless interim replies", always(fake.EndlessInterim()), score.Unscored, infer.ReasonReply, 1},
		{"endless trailers", always(fake.EndlessTrailer()), score.Unscored, infer.ReasonConnection, 3},
		{"values without end", always(fake.Filled(`{"logprobs":[{}`, ",{}", 31<<20, "]}")), score.Unscored, infer.ReasonReply, 1},
		{"a number of a megabyte", always(fake.Filled(`{"eval_count":1`, "0", 1<<20, "}")), score.Unscored, infer.ReasonReply, 1},
		{"length that lies", always(fake.Wire("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}")), score.Unscored, infer.ReasonConnection, 3},
		{"no HTTP", always(fake.Wire("HTTP/0.9 what?\r\n\r\n")), score.Unscored, infer.ReasonReply, 1},
		{"another protocol", always(fake.Wire("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")), score.Unscored, infer.ReasonReply, 1},
		{"compressed reply", always(fake.Compressed(1 << 30)), score.Unscored, infer.ReasonReply, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, cfg := play(t, 4, fake.Config{Script: on(2, tt.reply)})
			cfg.Timeout = time.Hour // what ends by itself does so on a busy machine too
			if tt.reason == infer.ReasonTimeout {
				cfg.Timeout = 4 * time.Second // of which the samples that are answered need next to nothing
			}
			result, err := Run(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			v := verdictOf(t, cfg.Out, "2", score.ExactMatch)
			if v.Outcome != tt.outcome || tt.reason != "" && v.Reason != string(tt.reason) {
				t.Errorf("verdict %s (%s: %s), want %s (%s)", v.Outcome, v.Reason, v.Explanation, tt.outcome, tt.reason)
			}
			if n := asked(s, 2); tt.attempts > 0 && n != tt.attempts {
				t.Errorf("asked %d times, want %d", n, tt.attempts)
			}
			for _, id := range []string{"1", "3", "4"} {
				if line := lineOf(t, cfg.Out, id); line.Fault != nil || line.Text == "" {
					t.Errorf("sample %s was touched: %+v", id, line.Fault)
				}
			}
			scored := 0
			for _, sc := range result.Report.Overall {
				scored += sc.Scored + sc.Unscored
			}
			if scored != 4 {
				t.Errorf("%d samples in the report, want 4", scored)
			}
		})
	}
}

// until gives one reply before the attempt of that number, and another from it on.
func until(attempt int, before, after fake.Reply) func(int) fake.Reply {
	return func(n int) fake.Reply {
		if n < attempt {
			return before
		}
		return after
	}
}

// TestFaultsKeepMemoryBounded lets every sample of a run end in a reply that would
// take all memory, and measures what was allocated at once.
func TestFaultsKeepMemoryBounded(t *testing.T) {
	replies := []fake.Reply{
		fake.EndlessBody(), fake.EndlessLines(), fake.EndlessHeaders(), fake.Compressed(1 << 30),
		fake.Filled(`{"logprobs":[{}`, ",{}", 31<<20, "]}"), fake.Filled(`{"error":"`, "a", 31<<20, `"}`),
	}
	_, cfg := play(t, len(replies), fake.Config{Script: func(r fake.Request) fake.Reply {
		for i, reply := range replies {
			if isSample(r) && r.Last() == fmt.Sprintf("question %d?", i+1) {
				return reply
			}
		}
		return fake.Answer{}
	}})
	var peak uint64
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	_, err := Run(context.Background(), cfg)
	close(done)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	if peak > 300<<20 {
		t.Errorf("%d MB of heap in use", peak>>20)
	}
}

// TestFaultsOfTheRun are those after which no further sample is asked.
func TestFaultsOfTheRun(t *testing.T) {
	blind := func(r fake.Request) fake.Reply { return fake.Answer{Text: "a picture", NoLogprobs: true} }
	onlyFirst := func(r fake.Request) fake.Reply {
		for _, m := range r.Messages {
			for _, p := range m.Images {
				return fake.Answer{Text: "saw " + p.Digest, NoLogprobs: true}
			}
		}
		return fake.Answer{}
	}
	truncates := func(r fake.Request) fake.Reply {
		if len(r.Last()) > 2000 {
			return fake.Plain(200, `{"model":"eye","message":{"role":"assistant","content":"yes"},"done":true,"done_reason":"stop","prompt_eval_count":2048,"eval_count":2}`)
		}
		return fake.Answer{}
	}
	refusesOtherwise := func(r fake.Request) fake.Reply {
		if len(r.Last()) > 2000 {
			return fake.Error(500, "something else")
		}
		return fake.Answer{}
	}
	remote := on(2, always(fake.Answer{RemoteHost: "https://elsewhere", RemoteModel: "up"}))
	for _, tt := range []struct {
		name   string
		script fake.Script
		kind   Kind
		says   string
	}{
		{"model that does not see", blind, WrongModel, "does not see"},
		{"model that sees one of two", onlyFirst, WrongModel, "second"},
		{"server that truncates", truncates, WrongModel, "cut a text"},
		{"server that refuses for another reason", refusesOtherwise, WrongModel, "too long"},
		{"reply from elsewhere", remote, NotLocal, "elsewhere"},
		{"reply of another's model", on(2, always(fake.Answer{RemoteModel: "up"})), NotLocal, "up"},
		{"redirect", on(2, always(fake.Redirect("http://127.0.0.1:9/"))), NotLocal, "elsewhere"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, cfg := play(t, 4, fake.Config{Script: tt.script})
			_, err := Run(context.Background(), cfg)
			var failure *Failure
			if !errors.As(err, &failure) || failure.Kind != tt.kind || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one of kind %d that says %q", err, tt.kind, tt.says)
			}
		})
	}
}

// TestOneSeenPictureIsEnoughForSinglePictures runs a model that ignores second
// pictures on samples that have none.
func TestOneSeenPictureIsEnoughForSinglePictures(t *testing.T) {
	_, cfg := play(t, 2, fake.Config{Script: func(r fake.Request) fake.Reply {
		for _, m := range r.Messages {
			for _, p := range m.Images {
				return fake.Answer{Text: "saw " + p.Digest, NoLogprobs: true}
			}
		}
		return fake.Answer{}
	}})
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Error(err)
	}
}

// TestServerThatStaysAwayEndsTheRun closes the server under the second sample.
// What was answered is kept, the rest is not written off, and the same run goes
// on when a server is back.
func TestServerThatStaysAwayEndsTheRun(t *testing.T) {
	var s *fake.Server
	s, cfg := play(t, 4, fake.Config{Script: func(r fake.Request) fake.Reply {
		if isSample(r) && r.Last() == "question 2?" {
			s.Close()
			return fake.Cut()
		}
		return fake.Answer{}
	}})
	_, err := Run(context.Background(), cfg)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != Unreachable {
		t.Fatalf("error %v, want that the server is gone", err)
	}
	if line := lineOf(t, cfg.Out, "1"); line.Fault != nil {
		t.Errorf("what was answered is not kept: %+v", line.Fault)
	}
	back := fake.Start(fake.Config{Models: []fake.Model{fake.Vision("eye"), fake.Text("judge")}, Address: cfg.Host.String()})
	t.Cleanup(back.Close)
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Report.Overall[0]; got.Scored != 4 || got.Unscored != 0 {
		t.Errorf("%d scored and %d unscored after going on, want 4 and 0", got.Scored, got.Unscored)
	}
}
