package ollama_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
)

func TestFaults(t *testing.T) {
	tests := []struct {
		name   string
		reply  fake.Reply
		reason infer.Reason
		status int
		retry  bool
	}{
		{"busy", fake.Busy(), infer.ReasonBusy, 503, true},
		{"runner died", fake.RunnerDied(), infer.ReasonRunnerDied, 500, true},
		{"picture", fake.PictureRefused(), infer.ReasonPicture, 500, false},
		{"context", fake.ContextRefused(5000, 4096), infer.ReasonContextRefused, 400, false},
		{"error in a reply", fake.Plain(200, `{"error":"an error was encountered while running the model: unexpected EOF"}`), infer.ReasonRunnerDied, 200, true},
		{"unknown error in a reply", fake.Plain(200, `{"error":"odd"}`), infer.ReasonServer, 200, false},
		{"unknown error", fake.Error(500, "odd"), infer.ReasonServer, 500, true},
		{"error without words", fake.Plain(500, ""), infer.ReasonServer, 500, true},
		{"error that is no JSON", fake.Plain(502, "<html>bad gateway</html>"), infer.ReasonServer, 502, true},
		{"busy without words", fake.Plain(503, ""), infer.ReasonBusy, 503, true},
		{"sign in", fake.Plain(401, `{"error":"unauthorized","signin_url":"https://example.org"}`), infer.ReasonServer, 401, false},
		{"cut", fake.Cut(), infer.ReasonConnection, 200, true},
		{"cut where only the end of the body is missing", fake.CutAtEnd(), infer.ReasonConnection, 200, true},
		{"empty", fake.Plain(200, ""), infer.ReasonReply, 200, false},
		{"half a reply, properly ended", fake.Plain(200, `{"message":{"role":"assistant","content":"le`), infer.ReasonConnection, 200, true},
		{"an empty object is no broken-off reply", fake.Plain(200, `{}`), infer.ReasonReply, 200, false},
		{"null", fake.Plain(200, `null`), infer.ReasonReply, 200, false},
		{"another role", fake.Plain(200, `{"message":{"role":"user","content":"x"},"done":true}`), infer.ReasonReply, 200, false},
		{"no JSON", fake.Plain(200, "hello"), infer.ReasonReply, 200, false},
		{"wrong type of text", fake.Plain(200, `{"message":{"role":"assistant","content":5},"done":true}`), infer.ReasonReply, 200, false},
		{"wrong type of count", fake.Plain(200, `{"message":{"role":"assistant","content":"x"},"done":true,"eval_count":"3"}`), infer.ReasonReply, 200, false},
		{"wrong type of done", fake.Plain(200, `{"message":{"role":"assistant","content":"x"},"done":"yes"}`), infer.ReasonReply, 200, false},
		{"negative count", fake.Plain(200, `{"message":{"role":"assistant","content":"x"},"done":true,"prompt_eval_count":-3}`), infer.ReasonReply, 200, false},
		{"two replies", fake.Plain(200, strings.Repeat(`{"message":{"role":"assistant","content":"x"},"done":true}`+"\n", 2)), infer.ReasonReply, 200, false},
		{"a load instead of a reply", fake.Answer{Reason: "load"}, infer.ReasonReply, 200, false},
		{"endless body", fake.EndlessBody(), infer.ReasonReply, 200, false},
		{"endless lines", fake.EndlessLines(), infer.ReasonReply, 200, false},
		{"one long line", fake.LongLine(40 << 20), infer.ReasonReply, 200, false},
		{"endless headers", fake.EndlessHeaders(), infer.ReasonReply, 0, false},
		{"compressed", fake.Compressed(1 << 30), infer.ReasonReply, 200, false},
		{"redirect", fake.Redirect("http://192.0.2.1/api/chat"), infer.ReasonRemote, 307, false},
		{"redirect to itself", fake.Redirect("/api/chat"), infer.ReasonRemote, 307, false},
		{"a page that was not modified", fake.Plain(304, ""), infer.ReasonRemote, 304, false},
		{"remote host", fake.Answer{RemoteHost: "https://ollama.com:443"}, infer.ReasonRemote, 0, false},
		{"remote model", fake.Answer{RemoteModel: "big"}, infer.ReasonRemote, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, c := start(t, script(tt.reply))
			r, err := c.Ask(context.Background(), "fake", question("Which side?", picture("a")))
			if err == nil {
				t.Fatalf("a reply: %+v", r)
			}
			f := faultOf(t, err)
			if f.Reason != tt.reason || f.Status != tt.status || f.Retry != tt.retry {
				t.Errorf("fault %q, status %d, retry %v (%v); want %q, %d, %v", f.Reason, f.Status, f.Retry, f, tt.reason, tt.status, tt.retry)
			}
			if n := s.ChatCount(); n != 1 {
				t.Errorf("%d requests were sent, want 1", n)
			}
			// What a socket and its buffers hold comes on top of the limit.
			if n := s.Written(); n > 48<<20 {
				t.Errorf("the server could write %d bytes", n)
			}
		})
	}
}

func TestReplyWithoutAnErrorIsRead(t *testing.T) {
	for _, none := range []string{`null`, `""`} {
		_, c := start(t, script(fake.Plain(200, `{"error":`+none+`,"message":{"role":"assistant","content":"left"},"done":true}`)))
		if r, err := c.Ask(context.Background(), "fake", question("?")); err != nil || r.Text != "left" {
			t.Errorf("error %s: %+v, %v", none, r, err)
		}
	}
}

func TestLongReplyIsRead(t *testing.T) {
	_, c := start(t, script(fake.LongLine(9<<20)))
	r, err := c.Ask(context.Background(), "fake", question("Which side?"))
	if err != nil || len(r.Text) != 9<<20 {
		t.Errorf("%d bytes of text, %v", len(r.Text), err)
	}
}

func TestFaultsOfOtherCalls(t *testing.T) {
	// A server that is not an Ollama answers every page in some other way.
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
		"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n",
		"SSH-2.0-OpenSSH_9.2\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{",
		"",
	} {
		t.Run(answer, func(t *testing.T) {
			c := clientOf(t, rawServer(t, answer))
			ctx := context.Background()
			for name, call := range map[string]func() error{
				"version": func() error { _, err := c.Version(ctx); return err },
				"cloud":   func() error { _, err := c.Cloud(ctx); return err },
				"list":    func() error { _, err := c.List(ctx); return err },
				"loaded":  func() error { _, err := c.Loaded(ctx); return err },
				"facts":   func() error { _, err := c.Facts(ctx, "m"); return err },
				"ask":     func() error { _, err := c.Ask(ctx, "m", question("?")); return err },
				"render":  func() error { _, _, err := c.Render(ctx, "m", question("?")); return err },
				"create":  func() error { return c.Create(ctx, ollama.Definition{Name: "m"}) },
			} {
				if f := faultOf(t, call()); f.Reason == "" {
					t.Errorf("%s: fault %+v", name, f)
				}
			}
		})
	}
}

// rawServer answers every connection with the same bytes.
func rawServer(t *testing.T, answer string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 64<<10))
			fmt.Fprint(conn, answer)
			conn.Close()
		}
	}()
	return l.Addr().String()
}

func clientOf(t *testing.T, addr string) *ollama.Client {
	h, err := ollama.ParseHost(addr)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ollama.New(ollama.Config{Host: h})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, err = clientOf(t, l.Addr().String()).Version(context.Background())
	if f := faultOf(t, err); f.Reason != infer.ReasonConnection || !f.Retry || !strings.Contains(f.Detail, "refused") {
		t.Errorf("fault %+v", f)
	}
}

func TestTimeoutAndCancelAreToldApart(t *testing.T) {
	for name, reply := range map[string]fake.Reply{"silence": fake.Silence(), "a drip": fake.Drip(time.Millisecond)} {
		t.Run("timeout of "+name, func(t *testing.T) {
			_, c := start(t, script(reply), 50*time.Millisecond)
			_, err := c.Ask(context.Background(), "fake", question("?"))
			if f := faultOf(t, err); f.Reason != infer.ReasonTimeout || f.Retry {
				t.Errorf("fault %+v", f)
			}
		})
		t.Run("the caller's deadline during "+name, func(t *testing.T) {
			_, c := start(t, script(reply))
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			if _, err := c.Ask(ctx, "fake", question("?")); err != context.DeadlineExceeded {
				t.Errorf("error %v, want context.DeadlineExceeded", err)
			}
		})
		t.Run("the caller cancels during "+name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			_, c := start(t, fake.Config{Script: func(fake.Request) fake.Reply {
				cancel()
				return reply
			}})
			if _, err := c.Ask(ctx, "fake", question("?")); err != context.Canceled {
				t.Errorf("error %v, want context.Canceled", err)
			}
		})
	}
}

func TestContextCounts(t *testing.T) {
	s, c := start(t, fake.Config{Newer: true})
	p := question(strings.Repeat("word ", 3000))
	p.Options.NumCtx = 2048
	_, err := c.Ask(context.Background(), "fake", p)
	f := faultOf(t, err)
	counts, ok := f.Err.(*ollama.ContextError)
	if f.Reason != infer.ReasonContextRefused || !ok || counts.Prompt <= 3000 || counts.Window != 2048 {
		t.Errorf("fault %v with %v beneath", f, f.Err)
	}
	if s.ChatCount() != 1 {
		t.Errorf("%d requests", s.ChatCount())
	}
}

func TestHeadersAreLimited(t *testing.T) {
	_, c := start(t, script(fake.EndlessHeaders()))
	_, err := c.Ask(context.Background(), "fake", question("?"))
	if f := faultOf(t, err); !strings.Contains(f.Detail, "exceeded 65536 bytes") {
		t.Errorf("fault %v", f)
	}
}
