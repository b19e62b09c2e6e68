package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// stream is the content of a page as it is decompressed. Memory grows with what
// is read, not with what is claimed.
type stream struct {
	r    *bufio.Reader
	size int // bytes that the page claims
	left int // of these, still to come
	buf  []byte
}

// firstRead is how many bytes are read at first of what may be much.
const firstRead = 64 << 10

// take is the next n bytes. They stand until more is taken.
func (s *stream) take(n int) ([]byte, error) {
	if n < 0 || n > s.left {
		return nil, errShort
	}
	s.buf = s.buf[:0]
	for len(s.buf) < n {
		read := len(s.buf)
		end := min(n, max(cap(s.buf), 2*read, firstRead))
		s.buf = slices.Grow(s.buf, end-read)
		got, err := s.r.Read(s.buf[read:end])
		s.buf, s.left = s.buf[:read+got], s.left-got
		if err != nil && len(s.buf) < n { // the last bytes can come with the end
			return nil, s.fault(err)
		}
	}
	return s.buf, nil
}

// rest is all that is still to come.
func (s *stream) rest() ([]byte, error) { return s.take(s.left) }

// part is bytes with their length before them.
func (s *stream) part() ([]byte, error) {
	b, err := s.take(4)
	if err != nil {
		return nil, err
	}
	return s.take(int(binary.LittleEndian.Uint32(b)))
}

// ReadByte makes numbers of variable length readable.
func (s *stream) ReadByte() (byte, error) {
	if s.left == 0 {
		return 0, errShort
	}
	b, err := s.r.ReadByte()
	if err != nil {
		return 0, s.fault(err)
	}
	s.left--
	return b, nil
}

// uvarint is a number of variable length.
func (s *stream) uvarint() (uint64, error) { return binary.ReadUvarint(s) }

// varint is a signed number in zigzag form.
func (s *stream) varint() (int64, error) { return binary.ReadVarint(s) }

// finish goes to the end, which must be where the page claims it.
func (s *stream) finish() error {
	got, err := s.r.Discard(s.left)
	s.left -= got
	if err != nil {
		return s.fault(err)
	}
	if _, err := s.r.ReadByte(); err == nil {
		return fmt.Errorf("more than the %d bytes that are claimed", s.size)
	} else if err != io.EOF {
		return s.fault(err)
	}
	return nil
}

// fault says what is wrong where bytes could not be read.
func (s *stream) fault(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%d bytes where %d are claimed", s.size-s.left, s.size)
	}
	return fmt.Errorf("decompressing: %w", err)
}
