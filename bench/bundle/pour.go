package bundle

import (
	"io"
	"sync"
)

// partSize is how many bytes are written at a time, a multiple of any disk's block.
const partSize = 1 << 20

// parts are two buffers: one is written while the other is filled.
type parts [2][]byte

// pour writes all that r gives, each part while the next one is read.
func (b *parts) pour(w io.Writer, r io.Reader) error {
	if b[0] == nil {
		b[0], b[1] = make([]byte, partSize), make([]byte, partSize)
	}
	var writing sync.WaitGroup
	var failed error // of writing; read when nothing is being written
	for i := 0; ; i++ {
		part := b[i%2]
		n, err := io.ReadFull(r, part)
		writing.Wait() // the other part is free again
		if failed != nil {
			return failed
		}
		if n > 0 {
			writing.Go(func() { _, failed = w.Write(part[:n]) })
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			writing.Wait()
			return failed
		default:
			writing.Wait()
			return err
		}
	}
}
