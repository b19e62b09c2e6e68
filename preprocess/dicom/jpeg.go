package dicom

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
)

// jpegHead is what the segments before the first scan say.
type jpegHead struct {
	what  string // the kind of JPEG in words
	plain bool   // the standard library reads it: baseline or extended by Huffman codes, of 8 bits
	ycc   bool   // a marker says that the components are YCbCr: JFIF, or Adobe's
}

// readJPEGHead reads the segments up to the frame header (T.81, B.2.2).
func readJPEGHead(b []byte) jpegHead {
	h := jpegHead{what: "a JPEG without frame header"}
	for pos := 2; pos+9 <= len(b) && b[pos] == 0xff; {
		m := b[pos+1]
		if m == 0xff { // fills
			pos++
			continue
		}
		size := int(b[pos+2])<<8 | int(b[pos+3])
		if size < 2 || size > len(b)-pos-2 {
			break
		}
		body := b[pos+4 : pos+2+size]
		switch {
		case m == 0xe0 && bytes.HasPrefix(body, []byte("JFIF\x00")):
			h.ycc = true
		case m == 0xee && bytes.HasPrefix(body, []byte("Adobe")) && len(body) >= 12:
			h.ycc = body[11] == 1
		case (m == 0xc0 || m == 0xc1) && len(body) > 0:
			h.what = fmt.Sprintf("samples of %d bits", body[0])
			h.plain = body[0] == 8
			return h
		case m > 0xc1 && m <= 0xcf && m != 0xc4 && m != 0xc8 && m != 0xcc:
			h.what = fmt.Sprintf("a JPEG of process SOF%d", m-0xc0)
			return h
		case m == 0xda:
			return h
		}
		pos += 2 + size
	}
	return h
}

// decodeJPEG decodes a JPEG of 8 bits. Its components stay as they are, and the
// header says which colours they are, unless it says RGB of a JPEG that says
// YCbCr of itself: that is a common fault of writers.
func decodeJPEG(b []byte, head jpegHead, want Description) (Samples, error) {
	c, err := jpeg.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return Samples{}, jpegError(err)
	}
	if c.Width != want.Columns || c.Height != want.Rows {
		return Samples{}, damaged(-1, tagPixels, "header says %d×%d pixels, JPEG %d×%d", want.Columns, want.Rows, c.Width, c.Height)
	}
	// A block of 8×8 takes two codes of one bit at least.
	if blocks := ((c.Width + 7) / 8) * ((c.Height + 7) / 8); len(b) < blocks/4 {
		return Samples{}, damaged(-1, tagPixels, "%d bytes of JPEG cannot hold %d×%d pixels", len(b), c.Width, c.Height)
	}
	m, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		return Samples{}, jpegError(err)
	}
	s := Samples{Width: c.Width, Height: c.Height, Bits: 8}
	switch m := m.(type) {
	case *image.Gray:
		s.Channels = 1
		s.Values = greyValues(m)
	case *image.YCbCr:
		s.Channels = 3
		s.Values = componentValues(m)
		if head.ycc && want.Photometric == "RGB" {
			s.fromYCC()
		}
	case *image.RGBA: // the decoder found the components to be RGB
		s.Channels = 3
		s.Values = rgbValues(m)
	default:
		return Samples{}, unsupported(tagPixels, "JPEGs of four components are not read")
	}
	if err := s.check(want); err != nil {
		return Samples{}, err
	}
	s.adopt(want, false)
	return s, nil
}

// fromYCC turns YCbCr into RGB; the mark RGB tells that it was not expected.
func (s *Samples) fromYCC() {
	for i := 0; i+2 < len(s.Values); i += 3 {
		v := s.Values[i : i+3 : i+3]
		r, g, b := color.YCbCrToRGB(byte(v[0]), byte(v[1]), byte(v[2]))
		v[0], v[1], v[2] = int32(r), int32(g), int32(b)
	}
	s.RGB = true
}

func jpegError(err error) error {
	kind := ErrDamaged
	if u := jpeg.UnsupportedError(""); errors.As(err, &u) {
		kind = ErrUnsupported
	}
	return &Error{Kind: kind, Offset: -1, Tag: tagPixels, Problem: "decoding a JPEG failed", Err: err}
}

func greyValues(m *image.Gray) []int32 {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := make([]int32, 0, w*h)
	for y := range h {
		for _, v := range m.Pix[y*m.Stride : y*m.Stride+w] {
			out = append(out, int32(v))
		}
	}
	return out
}

func rgbValues(m *image.RGBA) []int32 {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := make([]int32, 0, 3*w*h)
	for y := range h {
		for x := range w {
			p := m.Pix[m.PixOffset(x, y):]
			out = append(out, int32(p[0]), int32(p[1]), int32(p[2]))
		}
	}
	return out
}
