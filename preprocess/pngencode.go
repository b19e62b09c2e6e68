package preprocess

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"io"
	"slices"
	"sync"
)

// writePNG writes an *image.Gray or an opaque *image.RGBA from (0, 0). The file is
// the one that image/png writes at its best speed, byte for byte, so that digests of
// pictures stay; most of the time there goes into choosing filters, see filterRow.
func writePNG(m image.Image) ([]byte, error) {
	var pix []byte
	var stride, channels int
	colourType := byte(pngGrey)
	switch m := m.(type) {
	case *image.Gray:
		pix, stride, channels = m.Pix, m.Stride, 1
	case *image.RGBA:
		pix, stride, channels, colourType = m.Pix, m.Stride, 3, pngRGB
	default:
		return nil, fmt.Errorf("encoding a picture of type %T", m)
	}
	size := m.Bounds().Size()
	w := &pngWriter{[][]byte{[]byte(pngSignature)}}
	head := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	head = binary.BigEndian.AppendUint32(head, uint32(size.Y))
	w.chunk("IHDR", append(head, 8, colourType, 0, 0, 0))
	data := bufio.NewWriterSize(imageData{w}, 1<<15) // of a chunk
	if err := deflateRows(data, pix, stride, channels, size); err != nil {
		return nil, err
	}
	if err := data.Flush(); err != nil {
		return nil, err
	}
	w.chunk("IEND", nil)
	return slices.Concat(w.parts...), nil
}

// pngWriter collects a file in parts: a buffer that grows takes several times as
// much memory as the file.
type pngWriter struct{ parts [][]byte }

func (w *pngWriter) chunk(name string, body []byte) {
	part := make([]byte, 0, len(body)+chunkFrame)
	part = binary.BigEndian.AppendUint32(part, uint32(len(body)))
	part = append(append(part, name...), body...)
	w.parts = append(w.parts, binary.BigEndian.AppendUint32(part, crc32.ChecksumIEEE(part[4:])))
}

// imageData makes a chunk of each write.
type imageData struct{ *pngWriter }

func (d imageData) Write(b []byte) (int, error) {
	d.chunk("IDAT", b)
	return len(b), nil
}

// deflaters are for use again: each has tables of a megabyte.
var deflaters = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	if err != nil { // of a level that does not exist
		panic(err)
	}
	return z
}}

// deflateRows writes the rows, each with the filter that suits it.
func deflateRows(w io.Writer, pix []byte, stride, channels int, size image.Point) error {
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(w)
	f := newFilter(size.X*channels, channels)
	for y := range size.Y {
		row := pix[y*stride:]
		if to := f.next(); channels == 1 {
			copy(to, row)
		} else {
			copyColours(to, row[:4*size.X])
		}
		if _, err := z.Write(f.row()); err != nil {
			return err
		}
	}
	return z.Close()
}

// copyColours copies pixels without their alpha.
func copyColours(to, from []byte) {
	for len(from) >= 4 && len(to) >= 3 {
		to[0], to[1], to[2] = from[0], from[1], from[2]
		to, from = to[3:], from[4:]
	}
}
