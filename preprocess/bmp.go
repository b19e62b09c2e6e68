package preprocess

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"io"

	"golang.org/x/image/bmp"
)

// Sizes of a BMP's headers. The longer ones begin like bmpInfo, and hold the
// colour masks where a short one is followed by them.
const (
	bmpStart = 14
	bmpInfo  = 40
	bmpMasks = 52 // with the masks of three colours
	bmpAlpha = 56 // with that of alpha, too
	bmpV4    = 108
	bmpV5    = 124
)

// BMP compressions that are read.
const (
	bmpPlain  = 0
	bmpFields = 3 // plain, with masks that tell which bits are which colour
)

// bmpCompressions are those that are not read.
var bmpCompressions = map[uint32]string{
	1: "run-length coding of 8 bits", 2: "run-length coding of 4 bits", 4: "JPEG", 5: "PNG", 6: "masks with alpha",
}

// bmpFile is a BMP whose headers have been read.
type bmpFile struct {
	reworked
	data    []byte
	w, h    int
	topDown bool
	bits    int    // of a pixel
	alpha   bool   // the fourth byte of a pixel is its alpha
	palette []byte // blue, green, red and a spare byte of each colour
	start   int    // of the pixels
	size    int    // of the pixels as the file says, 0: it does not
}

func openBMP(data []byte) (*bmpFile, error) {
	if len(data) < bmpStart+bmpInfo {
		return nil, damaged("bmp", len(data), "the file ends in its header")
	}
	size := binary.LittleEndian.Uint32(data[14:])
	switch size {
	case bmpInfo, bmpMasks, bmpAlpha, bmpV4, bmpV5:
	default:
		return nil, unsupported("bmp", bmpStart, "a header of %d bytes", size)
	}
	if len(data) < bmpStart+int(size) {
		return nil, damaged("bmp", len(data), "the file ends in its header")
	}
	b := &bmpFile{data: data, bits: int(binary.LittleEndian.Uint16(data[28:])), size: int(binary.LittleEndian.Uint32(data[34:]))}
	w, h := int32(binary.LittleEndian.Uint32(data[18:])), int32(binary.LittleEndian.Uint32(data[22:]))
	b.w, b.h, b.topDown = int(w), int(h), h < 0
	if b.topDown {
		b.h = -b.h
	}
	if planes := binary.LittleEndian.Uint16(data[26:]); planes != 1 {
		return nil, damaged("bmp", 26, "%d planes", planes)
	}
	end := bmpStart + int(size)
	switch compression := binary.LittleEndian.Uint32(data[30:]); {
	case compression == bmpFields:
		var err error
		if end, err = b.readMasks(end); err != nil {
			return nil, err
		}
	case compression != bmpPlain:
		name := bmpCompressions[compression]
		if name == "" {
			name = "unknown coding"
		}
		return nil, unsupported("bmp", 30, "%s", name)
	}
	return b, b.readPalette(end)
}

// readMasks reads the masks of a picture, and gives the byte after them. Only the
// bytes of plain pictures are read.
func (b *bmpFile) readMasks(end int) (int, error) {
	if size := end - bmpStart; size == bmpInfo {
		end = bmpStart + bmpMasks
	}
	if len(b.data) < end {
		return 0, damaged("bmp", len(b.data), "the file ends in its header")
	}
	mask := func(i int) uint32 { return binary.LittleEndian.Uint32(b.data[bmpStart+bmpInfo+4*i:]) }
	if b.bits != 32 || mask(0) != 0xff0000 || mask(1) != 0xff00 || mask(2) != 0xff {
		return 0, unsupported("bmp", bmpStart+bmpInfo, "masks %#x, %#x, %#x of %d-bit pixels", mask(0), mask(1), mask(2), b.bits)
	}
	if end >= bmpStart+bmpAlpha && mask(3) != 0 {
		if mask(3) != 0xff000000 {
			return 0, unsupported("bmp", bmpStart+bmpInfo, "mask %#x of alpha", mask(3))
		}
		b.alpha = true
	}
	return end, nil
}

// readPalette reads the palette, which ends the headers, and where the pixels are.
func (b *bmpFile) readPalette(end int) error {
	colours := 0
	switch b.bits {
	case 1, 2, 4, 8:
		if colours = int(binary.LittleEndian.Uint32(b.data[46:])); colours == 0 {
			colours = 1 << b.bits
		}
		if colours > 1<<b.bits {
			return damaged("bmp", 46, "%d colours of %d bits", colours, b.bits)
		}
	case 24, 32:
	default:
		return unsupported("bmp", 28, "%d-bit pixels", b.bits)
	}
	b.start = int(binary.LittleEndian.Uint32(b.data[10:]))
	if b.start > len(b.data) {
		return damaged("bmp", len(b.data), "the file ends before its pixels")
	}
	if b.start < end+4*colours {
		return damaged("bmp", 10, "pixels at byte %d, within the headers", b.start)
	}
	b.palette = b.data[end : end+4*colours]
	return nil
}

func (b *bmpFile) header() header {
	return header{format: "bmp", w: b.w, h: b.h, orientation: 1}
}

func (b *bmpFile) pixels() (image.Image, []string, error) {
	row := (b.w*b.bits + 31) / 32 * 4
	need := row * b.h
	if have := len(b.data) - b.start; have < need {
		return nil, nil, damaged("bmp", len(b.data), "%d bytes of pixels where %d should be", have, need)
	}
	size := b.size
	if size == 0 {
		size = len(b.data) - b.start
	}
	// Some writers count padding; less than a row of it cannot be a row.
	if size < need || size >= need+row {
		return nil, nil, damaged("bmp", 34, "%d bytes of pixels where %d should be", size, need)
	}
	m, err := bmp.Decode(io.MultiReader(bytes.NewReader(b.plainHeader()), bytes.NewReader(b.data[b.start:b.start+need])))
	if err != nil {
		return nil, nil, bmpError(err)
	}
	if p, ok := m.(*image.Paletted); ok {
		fillPalette(p)
		return p, nil, nil
	}
	if !b.alpha {
		return m, nil, nil
	}
	n := m.(*image.NRGBA)
	if emptyAlpha(n) {
		makeOpaque(n)
		return n, []string{"ignored an empty alpha channel"}, nil
	}
	onWhite(n)
	return n, []string{"composited on white"}, nil
}

// plainHeader is the picture's headers as the decoder takes them: it wants the
// pixels right behind, and takes the fourth byte of a pixel for alpha wherever a
// header is longer than bmpInfo.
func (b *bmpFile) plainHeader() []byte {
	size := bmpInfo
	if b.alpha {
		size = bmpV4
	}
	h := b.h
	if b.topDown {
		h = -h
	}
	out := make([]byte, bmpStart+size, bmpStart+size+len(b.palette))
	copy(out, "BM")
	le := binary.LittleEndian
	le.PutUint32(out[10:], uint32(len(out)+len(b.palette)))
	le.PutUint32(out[14:], uint32(size))
	le.PutUint32(out[18:], uint32(b.w))
	le.PutUint32(out[22:], uint32(int32(h)))
	le.PutUint16(out[26:], 1)
	le.PutUint16(out[28:], uint16(b.bits))
	le.PutUint32(out[46:], uint32(len(b.palette)/4))
	return append(out, b.palette...)
}

// emptyAlpha tells whether alpha is zero everywhere, as programs write it that
// know no alpha; browsers show such a BMP opaque.
func emptyAlpha(m *image.NRGBA) bool {
	for i := 3; i < len(m.Pix); i += 4 {
		if m.Pix[i] != 0 {
			return false
		}
	}
	return true
}

// bmpError sorts the decoder's errors by kind.
func bmpError(err error) error {
	kind := ErrDamaged
	if errors.Is(err, bmp.ErrUnsupported) {
		kind = ErrUnsupported
	}
	return &Error{Kind: kind, Format: "bmp", Offset: -1, Problem: "decoding failed", Err: err}
}
