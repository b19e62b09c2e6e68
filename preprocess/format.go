package preprocess

import (
	"bytes"
	"fmt"
	"image"
	"slices"
	"strings"

	"lightbox/preprocess/dicom"
)

// header is what the start of a file says of its picture.
type header struct {
	format      string
	w, h        int  // pixels, as stored
	orientation int  // EXIF, 1 to 8
	deep        bool // samples of 16 bits, which need a window
	heavy       bool // costs more memory to decode than others

	stored image.Point // size of the source's own pixels, where w and h are not
	masked bool        // pixels applies the masks
}

// source is the size as stored.
func (h header) source() image.Point {
	if h.stored != (image.Point{}) {
		return h.stored
	}
	return image.Pt(h.w, h.h)
}

// upright is the size after turning.
func (h header) upright() image.Point {
	if h.orientation >= 5 {
		return image.Pt(h.h, h.w)
	}
	return image.Pt(h.w, h.h)
}

// check refuses sizes beyond the limits.
func (h header) check() error {
	limit := maxPixels
	if h.heavy {
		limit = maxHeavyPixels
	}
	switch {
	case h.w < 1 || h.h < 1:
		return damaged(h.format, -1, "no pixels: %dx%d", h.w, h.h)
	case h.w > maxSide || h.h > maxSide:
		return tooLarge(h.format, "%dx%d pixels, a side is above %d", h.w, h.h, maxSide)
	case int64(h.w)*int64(h.h) > int64(limit):
		return tooLarge(h.format, "%dx%d pixels, more than %d million", h.w, h.h, limit/1_000_000)
	}
	return nil
}

// file is a picture file of one format, its headers read.
type file interface {
	header() header

	// pixels checks and decodes the whole file. The picture is opaque, begins at
	// (0, 0) and is *image.Gray, *image.RGBA, *image.NRGBA, *image.YCbCr, or
	// *image.Paletted with 256 colours.
	pixels() (m image.Image, steps []string, err error)

	// passable tells whether every server reads the stored picture alike. It and
	// clean hold after pixels has succeeded.
	passable() bool

	// clean is a copy of the file without what decoding does not need.
	clean() []byte
}

// open recognises a file by its first bytes, reads its headers and holds them
// against the limits. This is the place to add a format.
func (r Recipe) open(data []byte) (file, error) {
	format := sniff(data)
	if len(data) > maxFileBytes {
		return nil, tooLarge(format, "%d bytes, more than %d", len(data), maxFileBytes)
	}
	var f file
	var err error
	switch format {
	case "png":
		f, err = openPNG(data, r.Window)
	case "jpeg":
		f, err = openJPEG(data)
	case "webp":
		f, err = openWebP(data)
	case "tiff":
		f, err = openTIFF(data, r.Window)
	case "bmp":
		f, err = openBMP(data)
	case "gif":
		f, err = openGIF(data)
	case formatDICOM:
		f, err = r.openDICOM(data)
	default:
		if len(data) == 0 {
			return nil, damaged(format, 0, "the file is empty")
		}
		return nil, unsupported(format, 0, "pictures of this format are not read")
	}
	if err != nil {
		return nil, err
	}
	return f, f.header().check()
}

// decode decodes the whole file. It is the one place where a panic of a decoder
// becomes an error.
func decode(f file) (m image.Image, steps []string, err error) {
	format := f.header().format
	defer func() {
		if p := recover(); p != nil {
			m, steps = nil, nil
			err = &Error{Kind: ErrDamaged, Format: format, Offset: -1, Problem: "the decoder gave up", Err: fmt.Errorf("panic: %v", p)}
		}
	}()
	m, steps, err = f.pixels()
	if err != nil {
		return nil, nil, err
	}
	if head := f.header(); m.Bounds() != image.Rect(0, 0, head.w, head.h) {
		return nil, nil, damaged(format, -1, "header says %dx%d, decoder %v", head.w, head.h, m.Bounds())
	}
	return m, steps, nil
}

// magic are the first bytes of formats, those that are read and those whose
// name makes a better message. A dot stands for any byte.
var magic = []struct{ format, head string }{
	{"png", pngSignature},
	{"jpeg", "\xff\xd8"},
	{"gif", "GIF8"},
	{"webp", "RIFF....WEBP"},
	{"tiff", "II*\x00"},
	{"tiff", "MM\x00*"},
	{"bigtiff", "II+\x00"},
	{"bmp", "BM"},
	{"avif", "....ftypavif"},
	{"heic", "....ftyphei"},
	{"heic", "....ftypmif1"},
	{"jpeg 2000", "\x00\x00\x00\x0cjP  "},
	{"jpeg 2000", "\xff\x4f\xff\x51"},
	{"jpeg xl", "\xff\x0a"},
	{"jpeg xl", "\x00\x00\x00\x0cJXL "},
	{"icon", "\x00\x00\x01\x00"},
	{"photoshop", "8BPS"},
	{"pdf", "%PDF"},
	{"nifti", "\x5c\x01\x00\x00"},
	{"gzip", "\x1f\x8b"},
	{"zip", "PK\x03\x04"},
	{"svg", "<svg"},
	{"xml", "<?xml"},
	{"html", "<!DOCTYPE"},
	{"html", "<html"},
	{"netpbm", "P5"},
	{"netpbm", "P6"},
}

// dicomAt is where DICOM files have their mark, behind a preamble.
const dicomAt = 128

const unknown = "unknown"

// pictureless tells whether a file is of a format that holds no picture, or of none
// that is known.
func pictureless(data []byte) bool {
	return slices.Contains([]string{unknown, "pdf", "xml", "html", "zip", "gzip"}, sniff(data))
}

// sniff names the format by content, "unknown" where nothing fits.
func sniff(data []byte) string {
	// The preamble of a DICOM file may be the head of another format.
	if len(data) > dicomAt && bytes.HasPrefix(data[dicomAt:], []byte("DICM")) {
		return formatDICOM
	}
	for _, m := range magic {
		if begins(data, m.head) {
			return m.format
		}
	}
	// A file can be cut within its signature.
	if len(data) > 0 && strings.HasPrefix(pngSignature, string(data)) {
		return "png"
	}
	if len(data) == 1 && data[0] == 0xff {
		return "jpeg"
	}
	if dicom.IsDICOM(data) {
		return formatDICOM
	}
	return unknown
}

func begins(data []byte, head string) bool {
	if len(data) < len(head) {
		return false
	}
	for i := range len(head) {
		if head[i] != '.' && head[i] != data[i] {
			return false
		}
	}
	return true
}
