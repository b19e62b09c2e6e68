package ollama

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// maxHeader is how many bytes of headers a reply may have.
const maxHeader = 64 << 10

// size bounds what a reply may take. A decoder makes up to 300 bytes of memory out
// of a value of two ("{},"), so that bytes alone bound nothing; commas and opening
// brackets, those in texts too, stand for values.
type size struct {
	bytes  int64
	values int
}

var (
	maxReply = size{32 << 20, 1 << 18}
	maxVocab = size{64 << 20, 1 << 22} // gemma3's vocabulary is 15 MB and 1.3 million values
	maxError = size{1 << 20, 1 << 16}  // of a reply with an error's status
)

// Errors of the transport itself.
var (
	errElsewhere = errors.New("the request is for another address")
	errSigned    = errors.New("the request is signed")
	errRedirect  = errors.New("the server sends the request elsewhere")
	errEncoded   = errors.New("the reply is compressed")
	errTooLarge  = errors.New("the reply is too large")
)

// sealed is the one way out of lightbox to a model server. It dials host and
// nothing else.
type sealed struct {
	host Host
	base *http.Transport
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu        sync.Mutex
	contacted []string
}

func newSealed(host Host, timeout time.Duration) *sealed {
	s := &sealed{host: host, dial: (&net.Dialer{Timeout: timeout}).DialContext}
	s.base = &http.Transport{
		Proxy:                  nil, // not even from the environment
		DialContext:            s.dialHost,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    64, // no more connections than requests at a time
		IdleConnTimeout:        90 * time.Second,
	}
	return s
}

// dialHost dials the address of the host. A URL that names another one is an
// error, so that a mistake elsewhere cannot become a connection.
func (s *sealed) dialHost(ctx context.Context, network, address string) (net.Conn, error) {
	if address != s.host.String() {
		return nil, errElsewhere
	}
	s.mu.Lock()
	if !slices.Contains(s.contacted, address) {
		s.contacted = append(s.contacted, address)
	}
	s.mu.Unlock()
	return s.dial(ctx, network, address)
}

// RoundTrip sends the request and notes in the exchange of its context how the
// reply ends.
func (s *sealed) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") != "" {
		return nil, errSigned
	}
	resp, err := s.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	x := exchangeOf(req.Context())
	x.status = resp.StatusCode
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" {
		err = fmt.Errorf("%w: %q", errEncoded, encoding)
	}
	switch class := resp.StatusCode / 100; {
	case class == 3:
		err = errRedirect
	case class < 2: // another protocol is to follow
		err = errReply
	case class > 3:
		x.limit = size{min(x.limit.bytes, maxError.bytes), min(x.limit.values, maxError.values)}
	}
	if err != nil {
		resp.Body.Close()
		return nil, err
	}
	resp.Body = &body{ReadCloser: resp.Body, x: x}
	return resp, nil
}

// exchange is what is known of one reply apart from its content.
type exchange struct {
	limit  size
	status int   // HTTP status, 0: no reply came
	read   size  // of the body
	end    error // io.EOF: the body ended as it should; nil: it was not read to its end
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{limit: maxReply}
}

// complete tells whether a reply came that is no error, to its end.
func (x *exchange) complete() bool {
	return x.status != 0 && x.status < http.StatusBadRequest && x.end == io.EOF
}

// cut tells whether the connection ended before the body did.
func (x *exchange) cut() bool {
	return x.end != nil && x.end != io.EOF && !errors.Is(x.end, errTooLarge)
}

// body notes what passes through it, and stops at the limit.
type body struct {
	io.ReadCloser
	x *exchange
}

func (b *body) Read(p []byte) (int, error) {
	read, limit := &b.x.read, b.x.limit
	if read.bytes >= limit.bytes {
		b.x.end = fmt.Errorf("%w: over %d bytes", errTooLarge, limit.bytes)
		return 0, b.x.end
	}
	p = p[:min(int64(len(p)), limit.bytes-read.bytes)]
	n, err := b.ReadCloser.Read(p)
	read.bytes += int64(n)
	for _, mark := range []string{",", "[", "{"} {
		read.values += bytes.Count(p[:n], []byte(mark))
	}
	if read.values > limit.values {
		err = fmt.Errorf("%w: over %d values", errTooLarge, limit.values)
	}
	if err != nil {
		b.x.end = err
	}
	return n, err
}
