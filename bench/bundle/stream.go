package bundle

import (
	"context"
	"errors"
	"io"
)

// checked is the file of a bundle: it computes the checksum of what is read, and
// keeps an error of reading apart from damage.
type checked struct {
	r    io.Reader
	mark endMark
	err  error
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.mark.add(p[:n])
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// onlyZeros passes zeros on and fails at another byte.
type onlyZeros struct{ r io.Reader }

var errNotZero = errors.New("there is more than a bundle holds")

func (z onlyZeros) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	for _, b := range p[:n] {
		if b != 0 {
			return n, errNotZero
		}
	}
	return n, err
}

// feed is the content of a file on its way to the sink; all that is read goes to
// the writer too.
type feed struct {
	r   io.Reader
	to  io.Writer
	err error // of the bundle
}

func (s *feed) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	if _, werr := s.to.Write(p[:n]); werr != nil {
		return n, werr
	}
	return n, err
}

// onlyReader hides what would go round the buffer.
type onlyReader struct{ io.Reader }

// counter is a writer that counts, tells how far it is, and fails when its
// context ends.
type counter struct {
	ctx         context.Context
	watch       Watch
	done, total int64
}

func (c *counter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	c.done += int64(len(p))
	if c.watch != nil && len(p) > 0 {
		c.watch(c.done, c.total)
	}
	return len(p), nil
}

// onlyWriter hides what would go round the buffer.
type onlyWriter struct{ io.Writer }
