package bundle

import (
	"context"
	"errors"
	"io"
)

// checked is the file of a bundle: it computes the checksum of what is read, keeps
// an error of reading apart from damage, and fails when its context ends.
type checked struct {
	ctx  context.Context
	r    io.Reader
	mark endMark
	err  error
}

func (c *checked) Read(p []byte) (int, error) {
	if c.err = c.ctx.Err(); c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	c.mark.add(p[:n])
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// onlyZeros passes a few zeros on and fails at another byte.
type onlyZeros struct {
	r    io.Reader
	left int
}

// maxZeros is how many can stand behind a tar, more than any tar program puts there.
const maxZeros = 1 << 20

var errNotZero = errors.New("there is more than a bundle holds")

func (z *onlyZeros) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	if z.left -= n; z.left < 0 {
		return n, errNotZero
	}
	for _, b := range p[:n] {
		if b != 0 {
			return n, errNotZero
		}
	}
	return n, err
}

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
