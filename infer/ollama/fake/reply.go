package fake

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Reply is an [Answer] or a fault.
type Reply interface{ serve(*turn) }

// turn is one chat request being answered.
type turn struct {
	w        http.ResponseWriter
	ctx      context.Context
	server   *Server
	req      Request
	model    Model
	loadTime int64 // nanoseconds
}

// fault is a reply that is no answer.
type fault func(*turn)

func (f fault) serve(t *turn) { f(t) }

// Error is an error in the server's form.
func Error(status int, text string) Reply {
	return fault(func(t *turn) { fail(t.w, status, text) })
}

// Plain is a body as it is.
func Plain(status int, body string) Reply {
	return fault(func(t *turn) {
		t.w.WriteHeader(status)
		t.w.Write([]byte(body))
	})
}

// Busy is a full queue.
func Busy() Reply {
	return Error(http.StatusServiceUnavailable, "server busy, please try again.  maximum pending requests exceeded")
}

// RunnerDied is a crash of the process that runs the model.
func RunnerDied() Reply {
	return Error(http.StatusInternalServerError, "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details")
}

// PictureRefused is a picture that the server cannot read.
func PictureRefused() Reply {
	return Error(http.StatusInternalServerError, "Failed to create new sequence: failed to process inputs: image: unknown format")
}

// ContextRefused is a prompt that is too long, in the words of the server's
// generation.
func ContextRefused(prompt, window int) Reply {
	return fault(func(t *turn) { t.refuseContext(prompt, window) })
}

func (t *turn) refuseContext(prompt, window int) {
	text := "the input length exceeds the context length"
	if t.server.config.Newer {
		text = fmt.Sprintf(`{"error":{"code":400,"message":"request (%d tokens) exceeds the available context size (%d tokens), try increasing it",`+
			`"type":"exceed_context_size_error","n_prompt_tokens":%d,"n_ctx":%d}}`, prompt, window, prompt, window)
	}
	fail(t.w, http.StatusBadRequest, text)
}

// Silence never answers.
func Silence() Reply { return fault((*turn).wait) }

// Prefill is a server that reads a long prompt until the channel is closed,
// whether or not the client waits for it, and answers no other question before
// that.
func Prefill(until <-chan struct{}) Reply {
	return fault(func(t *turn) {
		t.server.mu.Lock()
		t.server.reading = until
		t.server.mu.Unlock()
		if t.server.idle(t.ctx) {
			Answer{}.serve(t)
		}
	})
}

// idle waits for the end of a [Prefill]. It is false where the client or the
// server is gone before.
func (s *Server) idle(ctx context.Context) bool {
	s.mu.Lock()
	reading := s.reading
	s.mu.Unlock()
	if reading == nil {
		return true
	}
	select {
	case <-reading:
		return true
	case <-ctx.Done():
	case <-s.done:
	}
	return false
}

// wait waits until the client or the server is gone.
func (t *turn) wait() {
	select {
	case <-t.ctx.Done():
	case <-t.server.done:
	}
}

const whole = `{"model":"fake","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"left lung"},"done":false}`

// Cut is a connection that breaks in the middle of a reply.
func Cut() Reply { return cut(len(whole) / 2) }

// CutAtEnd is a connection that breaks when all of the reply but its end came.
func CutAtEnd() Reply { return cut(len(whole)) }

func cut(n int) Reply {
	return fault(func(t *turn) {
		t.w.Write([]byte(whole[:n]))
		t.w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
}

// LongLine is a reply in one line of the given number of bytes.
func LongLine(bytes int) Reply {
	return fault(func(t *turn) {
		model := strings.Replace(whole, `"fake"`, strconv.Quote(t.req.Model), 1)
		t.write([]byte(strings.Replace(model, "left lung", strings.Repeat("a", bytes), 1)))
	})
}

func (t *turn) write(p []byte) bool {
	n, err := t.w.Write(p)
	t.server.written.Add(int64(n))
	return err == nil
}
