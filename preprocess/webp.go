package preprocess

import (
	"encoding/binary"
	"image"
)

// webpHead is the length of "RIFF", the size of what follows, and "WEBP".
const webpHead = 12

// webpFile is a WebP whose chunks have been listed (RFC 9649).
type webpFile struct {
	reworked
	canvas   image.Point
	turn     int // EXIF orientation
	animated bool
	at       image.Point // of the frame on the canvas
	picture  webpPicture
}

// webpPicture is a still picture or a frame.
type webpPicture struct {
	lossless bool
	data     []byte // VP8 or VP8L
	alpha    []byte // ALPH, nil: opaque
	size     image.Point
	first    int // bytes of its first partition
}

// openWebP lists the chunks and reads the headers of the picture.
func openWebP(data []byte) (*webpFile, error) {
	end := 8 + int(binary.LittleEndian.Uint32(data[4:]))
	if end > len(data) {
		return nil, damaged("webp", len(data), "%d bytes where the header says %d", len(data), end)
	}
	if end < webpHead {
		return nil, damaged("webp", 4, "a size of %d bytes", end-8)
	}
	w := &webpFile{turn: 1}
	frames := 0
	err := eachChunk(data[:end], webpHead, func(name string, body []byte, at int) error {
		switch name {
		case "VP8X":
			return w.readExtended(body, at)
		case "EXIF":
			w.turn = orientation(body)
		case "ANMF":
			if frames++; frames > maxFrames {
				return tooLarge("webp", "more than %d frames", maxFrames)
			}
			if frames == 1 {
				return w.readFrame(data[:end], body, at)
			}
		default:
			if !w.animated {
				return w.picture.read(name, body, at)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w, w.checkSizes()
}

// eachChunk calls f with the name, the body and its place, of each chunk from the
// byte at to the end of data.
func eachChunk(data []byte, at int, f func(name string, body []byte, at int) error) error {
	for at < len(data) {
		if len(data)-at < 8 {
			return damaged("webp", len(data), "the file ends in a chunk")
		}
		name, n := string(data[at:at+4]), int(binary.LittleEndian.Uint32(data[at+4:]))
		at += 8
		if n+n%2 > len(data)-at {
			return damaged("webp", at, "chunk %q ends behind the file", name)
		}
		if err := f(name, data[at:at+n:at+n], at); err != nil {
			return err
		}
		at += n + n%2
	}
	return nil
}

// readExtended reads the header of files that are more than a plain picture.
func (w *webpFile) readExtended(body []byte, at int) error {
	if len(body) != 10 || w.canvas != (image.Point{}) {
		return damaged("webp", at, "chunk VP8X of the wrong form")
	}
	w.animated = body[0]&2 != 0
	w.canvas = image.Pt(1+threeBytes(body[4:]), 1+threeBytes(body[7:]))
	return nil
}

func threeBytes(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// readFrame reads the first frame of an animation.
func (w *webpFile) readFrame(data, body []byte, at int) error {
	if !w.animated || len(body) < 16 {
		return damaged("webp", at, "a frame out of place")
	}
	w.at = image.Pt(2*threeBytes(body), 2*threeBytes(body[3:]))
	if err := eachChunk(data[:at+len(body)], at+16, w.picture.read); err != nil {
		return err
	}
	if size := image.Pt(1+threeBytes(body[6:]), 1+threeBytes(body[9:])); size != w.picture.size {
		return damaged("webp", at, "a frame of %s that holds a picture of %s", by(size), by(w.picture.size))
	}
	return nil
}

// checkSizes demands a picture that fills the canvas, or a frame that is on it.
func (w *webpFile) checkSizes() error {
	p := w.picture
	switch {
	case p.data == nil:
		return damaged("webp", -1, "no picture data")
	case w.canvas == image.Point{}:
		w.canvas = p.size
	case !w.animated && p.size != w.canvas:
		return damaged("webp", -1, "a picture of %s on a canvas of %s", by(p.size), by(w.canvas))
	case w.at.X+p.size.X > w.canvas.X || w.at.Y+p.size.Y > w.canvas.Y:
		return damaged("webp", -1, "a frame of %s at %s on a canvas of %s", by(p.size), by(w.at), by(w.canvas))
	}
	return nil
}

// read takes a chunk of a picture.
func (p *webpPicture) read(name string, body []byte, at int) error {
	switch name {
	case "ALPH":
		if p.data != nil || p.alpha != nil || len(body) == 0 {
			return damaged("webp", at, "chunk ALPH out of place")
		}
		p.alpha = body
	case "VP8 ", "VP8L":
		if p.data != nil {
			return damaged("webp", at, "a second picture")
		}
		if p.data = body; name == "VP8L" {
			return p.readLossless(at)
		}
		return p.readLossy(at)
	}
	return nil
}

// readLossy reads the header of VP8 data (RFC 6386, section 9.1).
func (p *webpPicture) readLossy(at int) error {
	const head = 10
	if len(p.data) < head {
		return damaged("webp", at, "chunk VP8 ends in its header")
	}
	tag := threeBytes(p.data)
	if tag&1 != 0 || threeBytes(p.data[3:]) != 0x2a019d {
		return damaged("webp", at, "no key frame where one should be")
	}
	if version := tag >> 1 & 7; version > 3 || tag>>4&1 == 0 {
		return unsupported("webp", at, "a frame of version %d, shown: %d", version, tag>>4&1)
	}
	p.first = tag >> 5
	if p.first > len(p.data)-head {
		return damaged("webp", at, "the first partition ends behind its chunk")
	}
	side := func(i int) int { return int(binary.LittleEndian.Uint16(p.data[i:])) & 0x3fff }
	p.size = image.Pt(side(6), side(8))
	return nil
}

// readLossless reads the header of VP8L data (RFC 9649, section 3.4).
func (p *webpPicture) readLossless(at int) error {
	if len(p.data) < 5 || p.data[0] != 0x2f || p.alpha != nil {
		return damaged("webp", at, "chunk VP8L of the wrong form")
	}
	b := binary.LittleEndian.Uint32(p.data[1:])
	if version := b >> 29; version != 0 {
		return unsupported("webp", at, "lossless coding of version %d", version)
	}
	p.lossless = true
	p.size = image.Pt(1+int(b&0x3fff), 1+int(b>>14&0x3fff))
	return nil
}

// transparent tells whether pixels can be other than opaque. Of lossless data a
// bit says so; the alpha of others is not shown.
func (p *webpPicture) transparent() bool {
	return p.alpha != nil || p.lossless && p.data[4]&0x10 != 0
}

func (w *webpFile) header() header {
	return header{
		format: "webp", w: w.canvas.X, h: w.canvas.Y, orientation: w.turn,
		heavy: w.picture.lossless || w.picture.alpha != nil,
	}
}
