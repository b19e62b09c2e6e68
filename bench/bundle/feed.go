package bundle

import (
	"hash"
	"io"
	"sync"
)

// feed is the content of a file on its way to the sink, hashed and counted.
type feed struct {
	r     io.Reader
	size  int64 // bytes
	hash  hash.Hash
	done  io.Writer // told of all that is read
	parts *parts    // for WriteTo
	err   error     // of the bundle
}

// parts are two buffers: one is used while the other is filled.
type parts [2][]byte

// partSize is how many bytes of a large file are written at a time, a multiple of
// any disk's block.
const partSize = 4 << 20

// grow makes the buffers large enough for a file of size bytes; most are small.
func (b *parts) grow(size int64) {
	n := copySize
	if size > copySize {
		n = partSize
	}
	if len(b[0]) < n {
		b[0], b[1] = make([]byte, n), make([]byte, n)
	}
}

// Read reads into p, and hashes what it read.
func (s *feed) Read(p []byte) (int, error) {
	n, err := s.read(p)
	s.hash.Write(p[:n])
	return n, err
}

func (s *feed) read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	if _, werr := s.done.Write(p[:n]); werr != nil {
		return n, werr
	}
	return n, err
}

// WriteTo writes all that is left. A part is hashed and written while the next one
// is read.
func (s *feed) WriteTo(w io.Writer) (n int64, err error) {
	s.parts.grow(s.size)
	var busy sync.WaitGroup
	defer busy.Wait()
	var failed error // of writing; read while nothing is written
	for i := 0; ; i++ {
		part := s.parts[i%2]
		k, end := s.fill(part)
		busy.Wait() // the other part is free again
		if failed != nil {
			return n, failed
		}
		if k > 0 {
			n += int64(k)
			busy.Go(func() { s.hash.Write(part[:k]) })
			busy.Go(func() { _, failed = w.Write(part[:k]) })
		}
		if end != nil {
			busy.Wait()
			if end != io.EOF {
				return n, end
			}
			return n, failed
		}
	}
}

// fill reads until p is full or there is an error.
func (s *feed) fill(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var k int
		k, err = s.read(p[n:])
		n += k
	}
	return n, err
}
