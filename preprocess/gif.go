package preprocess

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
)

// gifHead is the length of a GIF's signature and screen descriptor.
const gifHead = 13

// What begins the blocks of a GIF (GIF89a, appendix A).
const (
	gifExtension = 0x21
	gifFrame     = 0x2c
	gifTrailer   = 0x3b
)

// gifFile is a GIF that was walked through from block to block.
type gifFile struct {
	reworked
	data   []byte
	w, h   int
	pos    int // next byte to read
	frames int
	first  image.Rectangle // of the first frame, on the canvas
	packed int             // bytes of the first frame's data
}

// openGIF walks through the blocks to the trailer, so that a file that was cut is
// not taken for one with fewer frames.
func openGIF(data []byte) (*gifFile, error) {
	if len(data) < gifHead {
		return nil, damaged("gif", len(data), "the file ends in its header")
	}
	if version := data[4]; version != '7' && version != '9' || data[5] != 'a' {
		return nil, damaged("gif", 0, "version %q", data[:6])
	}
	g := &gifFile{data: data, pos: gifHead}
	g.w, g.h = int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:]))
	g.skipColours(data[10])
	for {
		if g.pos >= len(data) {
			return nil, damaged("gif", len(data), "the file ends before its trailer")
		}
		g.pos++
		switch kind := data[g.pos-1]; kind {
		case gifExtension:
			g.pos++ // its label
			if _, err := g.subBlocks(); err != nil {
				return nil, err
			}
		case gifFrame:
			if err := g.readFrame(); err != nil {
				return nil, err
			}
		case gifTrailer:
			if g.frames == 0 {
				return nil, damaged("gif", g.pos-1, "no picture data")
			}
			return g, nil
		default:
			return nil, damaged("gif", g.pos-1, "no block where one should be")
		}
	}
}

// skipColours passes over the colour table that the flags announce.
func (g *gifFile) skipColours(flags byte) {
	if flags&0x80 != 0 {
		g.pos += 3 << (1 + flags&7)
	}
}

// subBlocks passes over data in blocks of up to 255 bytes, and counts them.
func (g *gifFile) subBlocks() (int, error) {
	total := 0
	for {
		if g.pos >= len(g.data) {
			return 0, damaged("gif", len(g.data), "the file ends in a block")
		}
		n := int(g.data[g.pos])
		g.pos += 1 + n
		total += n
		if n == 0 {
			return total, nil
		}
	}
}

// readFrame passes over a frame whose first byte was read.
func (g *gifFile) readFrame() error {
	if g.frames++; g.frames > maxFrames {
		return tooLarge("gif", "more than %d frames", maxFrames)
	}
	if len(g.data)-g.pos < 9 {
		return damaged("gif", len(g.data), "the file ends in a frame")
	}
	var box [4]int
	for i := range box {
		box[i] = int(binary.LittleEndian.Uint16(g.data[g.pos+2*i:]))
	}
	start := g.pos
	g.pos += 9
	g.skipColours(g.data[start+8])
	g.pos++ // size of the first codes
	n, err := g.subBlocks()
	if g.frames > 1 || err != nil {
		return err
	}
	g.first, g.packed = image.Rect(box[0], box[1], box[0]+box[2], box[1]+box[3]), n
	if g.first.Empty() || !g.first.In(image.Rect(0, 0, g.w, g.h)) {
		return damaged("gif", start, "a frame %v on a canvas of %dx%d", g.first, g.w, g.h)
	}
	return nil
}

func (g *gifFile) header() header {
	return header{format: "gif", w: g.w, h: g.h, orientation: 1}
}

func (g *gifFile) pixels() (image.Image, []string, error) {
	// A canvas may be larger than its frame, but not so much larger that it is
	// only there to cost memory.
	if size := g.w * g.h; size > max(g.packed*maxLZW, maxFree) {
		return nil, nil, damaged("gif", -1, "%d bytes of data cannot hold %dx%d pixels", g.packed, g.w, g.h)
	}
	decoded, err := gif.Decode(bytes.NewReader(g.data))
	if err != nil {
		return nil, nil, &Error{Kind: ErrDamaged, Format: "gif", Offset: -1, Problem: "decoding failed", Err: err}
	}
	m := decoded.(*image.Paletted)
	var steps []string
	if g.frames > 1 {
		steps = append(steps, firstFrame)
	}
	covered := m.Rect == image.Rect(0, 0, g.w, g.h)
	fillPalette(m)
	if !covered || !opaque(m.Palette) {
		onWhite(m)
		steps = append(steps, "composited on white")
	}
	if !covered {
		return place(m, m.Rect.Min, image.Pt(g.w, g.h)), steps, nil
	}
	return m, steps, nil
}

// opaque tells whether no colour of a palette is transparent.
func opaque(p color.Palette) bool {
	for _, c := range p {
		if c.(color.NRGBA).A < 255 {
			return false
		}
	}
	return true
}
