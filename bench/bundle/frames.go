package bundle

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

const (
	segmentSize = 1 << 20 // bytes of a zstd frame before it is compressed
	maxWorkers  = 4       // bounds memory: two segments each
)

// frames is a writer that compresses a stream in segments, side by side. Each
// becomes a zstd frame; those that do not compress are stored.
type frames struct {
	encoder *zstd.Encoder
	segment []byte
	pending chan *frame   // in the order of the stream
	free    chan *frame   // to be used again
	done    chan struct{} // closed when all is written or writing failed
	err     error         // of writing; read after done is closed
}

// frame is one segment on its way.
type frame struct {
	plain, packed []byte
	ready         chan struct{}
}

func newFrames(w io.Writer) (*frames, error) {
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(workers),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(segmentSize))
	if err != nil {
		return nil, err
	}
	f := &frames{
		encoder: encoder, pending: make(chan *frame, workers+1), free: make(chan *frame, workers+1),
		done: make(chan struct{}), segment: make([]byte, 0, segmentSize),
	}
	for range workers + 1 {
		f.free <- &frame{plain: make([]byte, 0, segmentSize)}
	}
	go f.write(w)
	return f, nil
}

// Write takes bytes of the stream.
func (f *frames) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), segmentSize-len(f.segment))
		f.segment, p = append(f.segment, p[:k]...), p[k:]
		if len(f.segment) == segmentSize {
			if err := f.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// flush sends the segment off.
func (f *frames) flush() error {
	var fr *frame
	select {
	case fr = <-f.free:
	case <-f.done:
		return f.err
	}
	fr.plain, f.segment = f.segment, fr.plain[:0]
	fr.ready = make(chan struct{})
	go func() {
		fr.packed = f.encoder.EncodeAll(fr.plain, fr.packed[:0])
		close(fr.ready)
	}()
	f.pending <- fr // has room for all that were free
	return nil
}

// Close writes what is left, and the end mark. No other call may be under way.
func (f *frames) Close() error {
	var err error
	if len(f.segment) > 0 {
		err = f.flush()
	}
	close(f.pending)
	<-f.done
	if err == nil {
		err = f.err
	}
	return err
}

// write writes frames in order, until it fails or all are written.
func (f *frames) write(w io.Writer) {
	defer close(f.done)
	var mark endMark
	for fr := range f.pending {
		<-fr.ready
		if _, f.err = w.Write(fr.packed); f.err != nil {
			return
		}
		mark.add(fr.packed)
		f.free <- fr
	}
	_, f.err = w.Write(mark.bytes())
}

// endMark is what stands behind the frames: their length and checksum.
type endMark struct {
	length int64
	crc    uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (m *endMark) add(p []byte) {
	m.length += int64(len(p))
	m.crc = crc32.Update(m.crc, castagnoli, p)
}

// A skippable frame (RFC 8878, 3.1.2): magic number, size, and what decoders pass
// over.
const (
	markMagic = 0x184D2A5B
	markText  = "lightbox"
	markBody  = len(markText) + 8 + 4
	markSize  = 8 + markBody
)

func (m *endMark) bytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, markMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(markBody))
	b = append(b, markText...)
	b = binary.LittleEndian.AppendUint64(b, uint64(m.length))
	return binary.LittleEndian.AppendUint32(b, m.crc)
}

// readMark reads the end mark of a file of size bytes; ok is false where there is
// none that fits the file.
func readMark(r io.ReaderAt, size int64) (m endMark, ok bool, err error) {
	if size < int64(markSize) {
		return m, false, nil
	}
	b := make([]byte, markSize)
	if _, err := r.ReadAt(b, size-int64(markSize)); err != nil && err != io.EOF {
		return m, false, fmt.Errorf("reading a bundle's end: %w", err)
	}
	m.length = size - int64(markSize)
	m.crc = binary.LittleEndian.Uint32(b[markSize-4:])
	return m, string(b) == string(m.bytes()), nil
}
