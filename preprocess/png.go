package preprocess

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"lightbox/preprocess/dicom"
)

const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	chunkFrame   = 12 // length, name and checksum of a chunk, 4 bytes each
)

// PNG colour types.
const (
	pngGrey      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGreyAlpha = 4
	pngRGBAlpha  = 6
)

// pngFile is a PNG whose chunks have been listed, but not yet checked.
type pngFile struct {
	data       []byte
	w, h       int
	depth      int // bits a sample
	colourType int
	chunks     []chunk // all, to IEND
	end        int     // byte after IEND
	window     dicom.Window
}

// chunk is one chunk by its place in the file.
type chunk struct {
	name string
	at   int    // of the length field
	body []byte // between name and checksum
}

// next is the byte after the chunk.
func (c chunk) next() int { return c.at + chunkFrame + len(c.body) }

// openPNG lists the chunks of a file. Checksums wait for pixels.
func openPNG(data []byte, window dicom.Window) (*pngFile, error) {
	p := &pngFile{data: data, window: window}
	at := len(pngSignature)
	for {
		c, err := chunkAt(data, at)
		if err != nil {
			return nil, err
		}
		if len(p.chunks) == maxChunks {
			return nil, tooLarge("png", "more than %d chunks", maxChunks)
		}
		p.chunks = append(p.chunks, c)
		at = c.next()
		if c.name == "IEND" {
			break
		}
	}
	p.end = at
	if err := p.readHeader(); err != nil {
		return nil, err
	}
	return p, p.checkOrder()
}

// chunkAt reads the frame of one chunk.
func chunkAt(data []byte, at int) (chunk, error) {
	if len(data)-at < chunkFrame {
		return chunk{}, damaged("png", min(at, len(data)), "the file ends before its IEND chunk")
	}
	n := binary.BigEndian.Uint32(data[at:])
	name := string(data[at+4 : at+8])
	for i := range len(name) {
		if c := name[i] | 0x20; c < 'a' || c > 'z' {
			return chunk{}, damaged("png", at, "no chunk name where one should be")
		}
	}
	if uint64(n) > uint64(len(data)-at-chunkFrame) {
		return chunk{}, damaged("png", at, "chunk %s ends after the file", name)
	}
	start := at + 8
	return chunk{name: name, at: at, body: data[start : start+int(n) : start+int(n)]}, nil
}

// readHeader reads IHDR, which must come first. The decoder refuses what of it
// is not legal; here stands what the limits and the plan need.
func (p *pngFile) readHeader() error {
	c := p.chunks[0]
	if c.name != "IHDR" || len(c.body) != 13 {
		return damaged("png", c.at, "the first chunk is not a header")
	}
	w, h := binary.BigEndian.Uint32(c.body), binary.BigEndian.Uint32(c.body[4:])
	if w > 1<<31-1 || h > 1<<31-1 {
		return damaged("png", c.at, "a side is above 2^31-1")
	}
	p.w, p.h = int(w), int(h)
	p.depth, p.colourType = int(c.body[8]), int(c.body[9])
	if p.channels() == 0 {
		return damaged("png", c.at, "colour type %d does not exist", p.colourType)
	}
	return nil
}

// channels is the number of samples of a pixel, 0 for an unknown colour type.
func (p *pngFile) channels() int {
	switch p.colourType {
	case pngGrey, pngPalette:
		return 1
	case pngGreyAlpha:
		return 2
	case pngRGB:
		return 3
	case pngRGBAlpha:
		return 4
	}
	return 0
}

// checkOrder holds the chunks against the rules that readers rely on: critical
// chunks are known, what may come once comes once and before the data, and the
// data are in one piece.
func (p *pngFile) checkOrder() error {
	seen := map[string]int{}
	data := 0 // 1 in the run of IDAT, 2 after it
	for i, c := range p.chunks {
		seen[c.name]++
		switch c.name {
		case "IHDR", "PLTE", "tRNS":
			if seen[c.name] > 1 || data > 0 {
				return damaged("png", c.at, "chunk %s out of place", c.name)
			}
		case "IDAT":
			if data == 2 {
				return damaged("png", c.at, "the data are not in one piece")
			}
			data = 1
		case "IEND":
			if len(c.body) > 0 {
				return damaged("png", c.at, "chunk IEND is not empty")
			}
		default:
			if critical := c.name[0]&0x20 == 0; critical {
				return unsupported("png", c.at, "critical chunk %s is not known", c.name)
			}
		}
		if data == 1 && p.chunks[i].name != "IDAT" {
			data = 2
		}
	}
	return p.checkPresence(seen)
}

// checkPresence refuses files that lack a chunk or have one that their colour
// type forbids.
func (p *pngFile) checkPresence(seen map[string]int) error {
	palette := p.colourType == pngPalette
	grey := p.colourType == pngGrey || p.colourType == pngGreyAlpha
	alpha := p.colourType == pngGreyAlpha || p.colourType == pngRGBAlpha
	switch {
	case seen["IDAT"] == 0:
		return damaged("png", -1, "no picture data")
	case palette && seen["PLTE"] == 0:
		return damaged("png", -1, "no palette")
	case grey && seen["PLTE"] > 0, alpha && seen["tRNS"] > 0:
		return damaged("png", -1, "a chunk that colour type %d forbids", p.colourType)
	}
	return nil
}

// find is the first chunk of the name, nil where there is none.
func (p *pngFile) find(name string) *chunk {
	i := slices.IndexFunc(p.chunks, func(c chunk) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return &p.chunks[i]
}

// checkSums finds chunks whose bytes were changed.
func (p *pngFile) checkSums() error {
	for _, c := range p.chunks {
		want := binary.BigEndian.Uint32(p.data[c.next()-4:])
		if crc32.ChecksumIEEE(p.data[c.at+4:c.next()-4]) != want {
			return damaged("png", c.at, "chunk %s has a wrong checksum", c.name)
		}
	}
	return nil
}

func (p *pngFile) header() header {
	h := header{format: "png", w: p.w, h: p.h, orientation: 1, deep: p.depth == 16, heavy: p.depth == 16}
	if c := p.find("eXIf"); c != nil {
		h.orientation = orientation(c.body)
	}
	return h
}

// transparent tells whether pixels can be other than opaque.
func (p *pngFile) transparent() bool {
	return p.colourType == pngGreyAlpha || p.colourType == pngRGBAlpha || p.find("tRNS") != nil
}

func (p *pngFile) passable() bool {
	gamma, err := p.gamma()
	return err == nil && gamma == screenGamma && p.depth <= 8 && !p.transparent()
}

// needed tells whether the stored picture cannot be read without the chunk. A
// palette beside true colours is a hint only.
func (p *pngFile) needed(c chunk) bool {
	switch c.name {
	case "IHDR", "IDAT", "IEND":
		return true
	case "PLTE":
		return p.colourType == pngPalette
	}
	return false
}

func (p *pngFile) clean() []byte {
	out := make([]byte, 0, p.end)
	out = append(out, pngSignature...)
	for _, c := range p.chunks {
		if p.needed(c) {
			out = append(out, p.data[c.at:c.next()]...)
		}
	}
	return out
}
