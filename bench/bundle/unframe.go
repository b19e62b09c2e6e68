package bundle

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxFrame bounds a frame, packed and unpacked, and so what a bundle makes its
	// reader hold; ours are of segmentSize.
	maxFrame = 8 << 20
	ahead    = 3 // segments that are held
)

// unframer gives the stream that is in frames, and unpacks them ahead of who reads
// it. It leaves the frames' own checksums alone: the end mark's is over the same
// bytes, and what a file's digest finds is found in that file alone.
type unframer struct {
	ready chan segment // in the order of the stream; closed behind the last
	free  chan []byte  // to be used again
	stop  chan struct{}
	now   segment // is free again when it is read
	rest  []byte  // of now, not read yet
}

// segment is a part of the stream, and the error behind it.
type segment struct {
	plain []byte
	err   error
}

func newUnframer(r io.Reader) (*unframer, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxFrame), zstd.IgnoreChecksum(true))
	if err != nil {
		return nil, err
	}
	u := &unframer{ready: make(chan segment, ahead), free: make(chan []byte, ahead), stop: make(chan struct{})}
	for range ahead - 1 { // now is one more
		u.free <- nil
	}
	go u.run(bufio.NewReader(r), decoder)
	return u, nil
}

// run unpacks frames until there is an error or nobody wants them any more.
func (u *unframer) run(r *bufio.Reader, decoder *zstd.Decoder) {
	defer close(u.ready)
	defer decoder.Close()
	var frame []byte
	for {
		var s segment
		select {
		case s.plain = <-u.free:
		case <-u.stop:
			return
		}
		if frame, s.err = readFrame(r, frame[:0]); s.err == nil {
			s.plain, s.err = decoder.DecodeAll(frame, s.plain[:0])
		} else {
			s.plain = nil
		}
		u.ready <- s // has room for all that were free
		if s.err != nil {
			return
		}
	}
}

// Read gives bytes of the stream.
func (u *unframer) Read(p []byte) (int, error) {
	for len(u.rest) == 0 {
		if u.now.err != nil {
			return 0, u.now.err
		}
		u.free <- u.now.plain
		var open bool
		if u.now, open = <-u.ready; !open {
			u.now.err = io.ErrClosedPipe
		}
		u.rest = u.now.plain
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// close ends it; nothing is read ahead any more when it returns.
func (u *unframer) close() {
	close(u.stop)
	for range u.ready {
	}
}

// readFrame appends a whole frame (RFC 8878, 3.1.1). Its error is io.EOF where
// there is none any more.
func readFrame(r *bufio.Reader, frame []byte) ([]byte, error) {
	start, err := r.Peek(zstd.HeaderMaxSize)
	if len(start) == 0 {
		return frame, err
	}
	var h zstd.Header
	if err := h.Decode(start); err != nil {
		return frame, err
	}
	if h.Skippable {
		return frame, errors.New("a frame holds nothing of a bundle")
	}
	frame, err = grow(r, frame, h.HeaderSize)
	for last := false; err == nil && !last; {
		frame, last, err = readBlock(r, frame)
	}
	if err == nil && h.HasCheckSum {
		frame, err = grow(r, frame, 4)
	}
	return frame, err
}

// readBlock appends a block, and tells whether it is a frame's last.
func readBlock(r *bufio.Reader, frame []byte) (_ []byte, last bool, err error) {
	const header, repeated = 3, 1
	if frame, err = grow(r, frame, header); err != nil {
		return frame, false, err
	}
	b := frame[len(frame)-header:]
	bits := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	last, size := bits&1 != 0, bits>>3
	if bits>>1&3 == repeated {
		size = 1 // byte, that many times
	}
	if len(frame)+size > maxFrame {
		return frame, false, fmt.Errorf("a frame is larger than %d bytes", maxFrame)
	}
	frame, err = grow(r, frame, size)
	return frame, last, err
}

// grow appends n bytes of r.
func grow(r io.Reader, b []byte, n int) ([]byte, error) {
	b = append(b, make([]byte, n)...) // without a slice between
	_, err := io.ReadFull(r, b[len(b)-n:])
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}
