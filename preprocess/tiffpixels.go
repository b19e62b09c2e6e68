package preprocess

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
)

// How many bytes may follow the last row of a strip or a tile: what fills up a
// word of four, and of fax data a byte.
const (
	maxPadding    = 3
	maxFaxPadding = 1
)

func (t *tiffFile) pixels() (image.Image, []string, error) {
	if err := t.checkBlocks(); err != nil {
		return nil, nil, err
	}
	r := &raster{w: t.w, h: t.h, channels: t.channels, wide: t.bits == 16}
	r.pix = make([]byte, t.w*t.h*r.pixelBytes())
	u := &unpacker{file: t}
	line := make([]byte, t.rowBytes())
	for i := range t.offsets.count {
		if err := t.readBlock(u, i, line, r); err != nil {
			return nil, nil, err
		}
	}
	return t.finish(r)
}

// raster is the pixels of a TIFF in the making: grey or indices in one channel,
// else four, of one byte or of two with the most significant first.
type raster struct {
	pix      []byte
	w, h     int
	channels int
	wide     bool
}

func (r *raster) pixelBytes() int {
	if r.wide {
		return 2 * r.channels
	}
	return r.channels
}

// readBlock unpacks a strip or a tile row by row.
func (t *tiffFile) readBlock(u *unpacker, index int, line []byte, r *raster) error {
	at := t.offsets.at(index)
	broken := func(problem string, err error) error {
		return &Error{Kind: ErrDamaged, Format: "tiff", Offset: int64(at), Problem: fmt.Sprintf("strip or tile %d %s", index, problem), Err: err}
	}
	data, err := u.open(index)
	if err != nil {
		return broken("cannot be unpacked", err)
	}
	plane, place := index/(t.across*t.down), index%(t.across*t.down)
	target := t.target
	if t.planes > 1 {
		target = target[plane : plane+1]
	}
	x, y := place%t.across*t.blockW, place/t.across*t.blockH
	for i := range t.rows(place) {
		if _, err := io.ReadFull(data, line); err != nil {
			return broken("ends before its last row", err)
		}
		if t.predictor {
			t.sum(line)
		}
		if y+i < t.h {
			t.put(line, r, x, y+i, target)
		}
	}
	return u.rest(data, broken)
}

// rest reads to the end of a block: a checksum can stand there, and padding.
func (u *unpacker) rest(data io.Reader, broken func(string, error) error) error {
	var spare [maxPadding + 1]byte
	n, err := io.ReadFull(data, spare[:])
	most := min(maxPadding, u.file.rowBytes()-1)
	switch u.file.compression {
	case tiffGroup3, tiffGroup4:
		// The decoder has read the end mark now, which may be missing.
		n, err, most = u.packed.Len(), nil, maxFaxPadding
	default:
		if err == io.ErrUnexpectedEOF {
			_, err = data.Read(spare[:1]) // says again what ended the data
		}
	}
	if n > most {
		return broken("holds more than its rows", nil)
	}
	lzwEnd := u.file.compression == tiffLZW && err == io.ErrUnexpectedEOF // its end mark may be missing
	if err != nil && err != io.EOF && !lzwEnd {
		return broken("cannot be unpacked to its end", err)
	}
	return nil
}

// sum turns the differences of a row into samples.
func (t *tiffFile) sum(line []byte) {
	n := t.samplesOfRow()
	if t.bits == 8 {
		for i := n; i < len(line); i++ {
			line[i] += line[i-n]
		}
		return
	}
	for i := 2 * n; i+1 < len(line); i += 2 {
		t.order.PutUint16(line[i:], t.order.Uint16(line[i:])+t.order.Uint16(line[i-2*n:]))
	}
}

// put puts a row of a block into the picture, whose right edge can cut it. The
// target says to which channel a sample goes.
func (t *tiffFile) put(line []byte, r *raster, x, y int, target []int) {
	n := min(t.blockW, t.w-x)
	out := r.pix[(y*t.w+x)*r.pixelBytes():][:n*r.pixelBytes()]
	switch {
	case t.bits < 8:
		t.putBits(line, out)
	case t.bits == 8:
		for i, c := range target {
			if c >= 0 {
				for j := range n {
					out[j*r.channels+c] = line[j*len(target)+i]
				}
			}
		}
	default:
		for i, c := range target {
			if c >= 0 {
				for j := range n {
					v := t.order.Uint16(line[2*(j*len(target)+i):])
					binary.BigEndian.PutUint16(out[2*(j*r.channels+c):], v)
				}
			}
		}
	}
}

// putBits spreads samples of less than a byte; those of grey over the range of
// one.
func (t *tiffFile) putBits(line, out []byte) {
	scale := 1
	if t.meaning != tiffPalette {
		scale = 255 / (1<<t.bits - 1)
	}
	for i := range out {
		at := i * t.bits
		v := int(line[at/8]) >> (8 - t.bits - at%8) & (1<<t.bits - 1)
		out[i] = byte(v * scale)
	}
}

// finish makes a picture of the samples, and tells what that took.
func (t *tiffFile) finish(r *raster) (image.Image, []string, error) {
	var steps []string
	if t.pages > 1 {
		steps = append(steps, fmt.Sprintf("first page of %d", t.pages))
	}
	if t.left > 0 {
		steps = append(steps, fmt.Sprintf("left out samples: %d of %d", t.left, t.perPixel))
	}
	switch t.meaning {
	case whiteIsZero:
		r.invert()
		steps = append(steps, "inverted: white is zero")
	case tiffCMYK:
		r.mix()
		steps = append(steps, "cmyk to rgb")
	case tiffPalette:
		return r.paletted(t.fields[tagColours]), steps, nil
	}
	r.complete(t.samples)
	m := r.image()
	if r.wide {
		var step string
		m, step = window(m, t.window, t.meaning == whiteIsZero)
		steps = append(steps, step)
	}
	if t.alpha {
		onWhite(m)
		steps = append(steps, "composited on white")
	}
	return m, steps, nil
}

// image is the raster as a picture of samples.
func (r *raster) image() image.Image {
	area, stride := image.Rect(0, 0, r.w, r.h), r.w*r.pixelBytes()
	switch {
	case r.channels == 1 && r.wide:
		return &image.Gray16{Pix: r.pix, Stride: stride, Rect: area}
	case r.channels == 1:
		return &image.Gray{Pix: r.pix, Stride: stride, Rect: area}
	case r.wide:
		return &image.NRGBA64{Pix: r.pix, Stride: stride, Rect: area}
	}
	return &image.NRGBA{Pix: r.pix, Stride: stride, Rect: area}
}

// paletted is the raster as indices. A palette holds all reds, then all greens
// and blues, of 16 bits; some writers put 8-bit values there, as libtiff knows.
func (r *raster) paletted(palette field) *image.Paletted {
	n := palette.count / 3
	shift := 0
	for i := range palette.count {
		if palette.at(i) > 255 {
			shift = 8
		}
	}
	m := &image.Paletted{Pix: r.pix, Stride: r.w, Rect: image.Rect(0, 0, r.w, r.h)}
	for i := range n {
		m.Palette = append(m.Palette, color.NRGBA{
			byte(palette.at(i) >> shift), byte(palette.at(n+i) >> shift), byte(palette.at(2*n+i) >> shift), 255,
		})
	}
	fillPalette(m)
	return m
}
