package fake

import (
	"compress/gzip"
	"net"
	"net/http"
	"strings"
	"time"
)

// Drip is a reply that comes one byte at a time and never ends.
func Drip(pause time.Duration) Reply {
	return fault(func(t *turn) {
		ticker := time.NewTicker(pause)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if !t.write([]byte(" ")) {
					return
				}
				t.w.(http.Flusher).Flush()
			case <-t.ctx.Done():
				return
			case <-t.server.done:
				return
			}
		}
	})
}

// DripHeaders is a reply whose headers come one byte at a time and never end.
func DripHeaders(pause time.Duration) Reply {
	return raw(func(t *turn, conn net.Conn) {
		conn.Write([]byte("HTTP/1.1 200 OK\r\nX-Filler: "))
		for {
			select {
			case <-time.After(pause):
				if _, err := conn.Write([]byte("a")); err != nil {
					return
				}
			case <-t.server.done:
				return
			}
		}
	})
}

// EndlessBody is a reply of one line without end.
func EndlessBody() Reply { return endless(strings.Repeat("a", 64<<10)) }

// EndlessLines is a reply of empty lines without end.
func EndlessLines() Reply { return endless(strings.Repeat("{}\n", 20<<10)) }

func endless(chunk string) Reply {
	return fault(func(t *turn) {
		for t.ctx.Err() == nil && t.write([]byte(chunk)) {
		}
	})
}

// EndlessHeaders is a reply whose headers have no end.
func EndlessHeaders() Reply {
	return raw(func(t *turn, conn net.Conn) {
		conn.Write([]byte("HTTP/1.1 200 OK\r\n"))
		t.flood(conn, "X-Filler: "+strings.Repeat("a", 4000)+"\r\n")
	})
}

// Redirect sends the client elsewhere.
func Redirect(url string) Reply {
	return fault(func(t *turn) {
		t.w.Header().Set("Location", url)
		t.w.WriteHeader(http.StatusTemporaryRedirect)
	})
}

// Compressed is a compressed body, which holds as many bytes once it is unpacked.
func Compressed(bytes int) Reply {
	return fault(func(t *turn) {
		t.w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(t.w)
		defer z.Close()
		blanks := []byte(strings.Repeat(" ", 64<<10))
		for ; bytes > 0; bytes -= len(blanks) {
			if _, err := z.Write(blanks); err != nil {
				return
			}
		}
	})
}

// EndlessInterim is interim replies (RFC 9110, 15.2) without end.
func EndlessInterim() Reply {
	return raw(func(t *turn, conn net.Conn) {
		t.flood(conn, strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 100))
	})
}

// EndlessTrailer is a reply with trailing headers that have no end.
func EndlessTrailer() Reply {
	return raw(func(t *turn, conn net.Conn) {
		conn.Write([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Filler\r\n\r\n2\r\n{}\r\n0\r\n"))
		t.flood(conn, "X-Filler: "+strings.Repeat("a", 4000)+"\r\n")
	})
}

// Filled is a body of at least that many bytes: a unit over and over, between a
// beginning and an end.
func Filled(begin, unit string, bytes int, end string) Reply {
	return fault(func(t *turn) {
		chunk := strings.Repeat(unit, 1+(64<<10)/len(unit))
		ok := t.write([]byte(begin))
		for ; ok && bytes > 0; bytes -= len(chunk) {
			ok = t.write([]byte(chunk))
		}
		t.write([]byte(end))
	})
}

// Wire is these bytes on the connection, which is closed behind them.
func Wire(text string) Reply {
	return raw(func(_ *turn, conn net.Conn) { conn.Write([]byte(text)) })
}

// raw is a reply that does not keep to HTTP.
func raw(do func(*turn, net.Conn)) Reply {
	return fault(func(t *turn) {
		conn, _, err := t.w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		do(t, conn)
	})
}

// flood writes 256 MB, so that a client without a limit ends too.
func (t *turn) flood(conn net.Conn, chunk string) {
	for left := 256 << 20; left > 0; left -= len(chunk) {
		n, err := conn.Write([]byte(chunk))
		t.server.written.Add(int64(n))
		if err != nil {
			return
		}
	}
}
