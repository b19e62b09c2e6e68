package ollama_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"lightbox/infer"
	"lightbox/infer/ollama/fake"
)

const (
	reply = `{"model":"fake","message":{"role":"assistant","content":"left"},"done":true,"done_reason":"stop"`
	ok    = "HTTP/1.1 200 OK\r\n"
)

// mostAllocated is what one reply may cost in all, in bytes: the buffer of 32 MB
// that a reply grows into takes 160 MB of it. Without a bound on values some of
// the replies below take gigabytes.
const mostAllocated = 400 << 20

// allocated is the bytes that do takes of the heap, garbage included.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileReplies are replies that no Ollama gives. Each is a fault with a
// reason, at a bounded price.
func TestHostileReplies(t *testing.T) {
	for _, tt := range []struct {
		name   string
		reply  fake.Reply
		reason infer.Reason
		retry  bool
	}{
		{"values without end", fake.Filled(reply+`,"logprobs":[{}`, ",{}", 31<<20, "]}"), infer.ReasonReply, false},
		{"messages without end", fake.Filled(reply+`,"message":{"tool_calls":[{}`, ",{}", 31<<20, "]}}"), infer.ReasonReply, false},
		{"keys without end", fake.Filled(reply+`,"_debug_info":{"a":1`, `,"b":[]`, 31<<20, "}}"), infer.ReasonReply, false},
		{"nesting without end", fake.Filled("", "[", 31<<20, ""), infer.ReasonReply, false},
		{"a number of a megabyte", fake.Filled(reply+`,"eval_count":1`, "0", 1<<20, "}"), infer.ReasonReply, false},
		{"a number beyond every float", fake.Filled(reply+`,"logprobs":[{"token":"a","logprob":1e`, "9", 30, "}]}"), infer.ReasonReply, false},
		{"an error of 40 MB", fake.Filled(`{"error":"`, "a", 40<<20, `"}`), infer.ReasonReply, false},
		{"a bomb of 1 GB", fake.Compressed(1 << 30), infer.ReasonReply, false},
		{"interim replies without end", fake.EndlessInterim(), infer.ReasonReply, false},
		{"trailers without end", fake.EndlessTrailer(), infer.ReasonConnection, true},
		{"another protocol", fake.Wire("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n" + reply + "}"), infer.ReasonReply, false},
		{"a body longer than it says", fake.Wire(ok + "Content-Length: 20\r\n\r\n" + reply + "}"), infer.ReasonConnection, true},
		{"a body shorter than it says", fake.Wire(ok + "Content-Length: 999999999\r\n\r\n" + reply + "}"), infer.ReasonConnection, true},
		{"two lengths", fake.Wire(ok + "Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}"), infer.ReasonReply, false},
		{"a negative length", fake.Wire(ok + "Content-Length: -1\r\n\r\n{}"), infer.ReasonReply, false},
		{"a length beyond all numbers", fake.Wire(ok + "Content-Length: 99999999999999999999\r\n\r\n{}"), infer.ReasonReply, false},
		{"a chunk beyond all numbers", fake.Wire(ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n{}"), infer.ReasonConnection, true},
		{"a compressed transfer", fake.Wire(ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), infer.ReasonReply, false},
		{"HTTP/1.0 cut off", fake.Wire("HTTP/1.0 200 OK\r\n\r\n" + reply), infer.ReasonConnection, true},
		{"HTTP/1.0 and something else", fake.Wire("HTTP/1.0 200 OK\r\n\r\n\x00\xff junk"), infer.ReasonReply, false},
		{"no HTTP", fake.Wire("\x16\x03\x01\x02\x00\x01"), infer.ReasonReply, false},
		{"HTTP/2 without being asked", fake.Wire("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), infer.ReasonReply, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, c := start(t, script(tt.reply))
			var err error
			cost := allocated(func() { _, err = c.Ask(context.Background(), "fake", question("Which side?", picture("a"))) })
			f := faultOf(t, err)
			if f.Reason != tt.reason || f.Retry != tt.retry {
				t.Errorf("fault %q, retry %v (%v); want %q, %v", f.Reason, f.Retry, f, tt.reason, tt.retry)
			}
			if len(f.Detail) > 1000 {
				t.Errorf("a detail of %d bytes", len(f.Detail))
			}
			if cost > mostAllocated {
				t.Errorf("%d MB were allocated", cost>>20)
			}
			if n := s.Written(); n > 48<<20 {
				t.Errorf("the server could write %d MB", n>>20)
			}
		})
	}
}

// TestHonestOldServersAreRead is HTTP/1.0 without a length, which is whole.
func TestHonestOldServersAreRead(t *testing.T) {
	_, c := start(t, script(fake.Wire("HTTP/1.0 200 OK\r\n\r\n"+reply+"}")))
	if r, err := c.Ask(context.Background(), "fake", question("Which side?")); err != nil || r.Text != "left" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestHeadersThatDripEndWithTheAttempt has a server that sends a byte at a time
// and never comes to its status or its body.
func TestHeadersThatDripEndWithTheAttempt(t *testing.T) {
	_, c := start(t, script(fake.DripHeaders(time.Millisecond)), 50*time.Millisecond)
	_, err := c.Ask(context.Background(), "fake", question("?"))
	if f := faultOf(t, err); f.Reason != infer.ReasonTimeout {
		t.Errorf("fault %+v", f)
	}
}

// TestHostileFacts fills each reply that comes before the first question.
func TestHostileFacts(t *testing.T) {
	honest := map[string]string{
		"/api/tags": `{"models":[{"name":"m:latest","digest":"ab"}]}`,
		"show":      `{"capabilities":["vision"],"model_info":{}}`,
		"verbose":   `{"model_info":{}}`,
	}
	for _, tt := range []struct {
		name, path, begin, unit, end string
		fails                        bool // a vocabulary that cannot be read is as none
	}{
		{"models", "/api/tags", `{"models":[{}`, ",{}", "]}", true},
		{"metadata", "show", `{"model_info":{"a":[0`, ",0", "]}}", true},
		{"messages", "show", `{"messages":[{}`, ",{}", "]}", true},
		{"tokens", "verbose", `{"model_info":{"tokenizer.ggml.tokens":[""`, `,""`, "]}}", false},
		{"merges", "verbose", `{"model_info":{"tokenizer.ggml.merges":[[]`, `,[]`, "]}}", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := clientOf(t, serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				what := r.URL.Path
				if what == "/api/show" {
					what = "show"
					if strings.Contains(string(body), `"verbose":true`) {
						what = "verbose"
					}
				}
				if what != tt.path {
					fmt.Fprint(w, honest[what])
					return
				}
				io.WriteString(w, tt.begin)
				chunk := strings.Repeat(tt.unit, 64<<10/len(tt.unit))
				for range 31 << 4 { // 31 MB, less than all that is read
					if _, err := io.WriteString(w, chunk); err != nil {
						return
					}
				}
				io.WriteString(w, tt.end)
			}))
			var err error
			cost := allocated(func() { _, err = c.Facts(context.Background(), "m") })
			if (err != nil) != tt.fails {
				t.Errorf("error %v", err)
			}
			if err != nil && faultOf(t, err).Reason != infer.ReasonReply {
				t.Errorf("error %v", err)
			}
			if cost > mostAllocated {
				t.Errorf("%d MB were allocated", cost>>20)
			}
		})
	}
}

// TestALargeVocabularyIsRead is as large as that of gemma3.
func TestALargeVocabularyIsRead(t *testing.T) {
	const n = 262144
	m := fake.Vision("m")
	m.Tokens, m.TokenTypes = make([]string, n), make([]int, n)
	var merges []string
	for i := range n {
		m.Tokens[i], m.TokenTypes[i] = fmt.Sprintf("<%d>", i), 1+i%3
		merges = append(merges, "a b,", "c d")
	}
	m.Info = map[string]any{"tokenizer.ggml.merges": merges, "tokenizer.ggml.scores": make([]float64, n)}
	_, c := start(t, fake.Config{Models: []fake.Model{m}})
	f, err := c.Facts(context.Background(), "m")
	if err != nil || f.ControlSource != "model" || len(f.ControlTokens) != n/3 {
		t.Errorf("%d control tokens (%s), %v", len(f.ControlTokens), f.ControlSource, err)
	}
}

func serveHTTP(t *testing.T, handler http.HandlerFunc) string {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}
