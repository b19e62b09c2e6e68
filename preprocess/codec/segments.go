package codec

import "encoding/binary"

// Markers of JPEG (ITU-T T.81 table B.1) and JPEG-LS (T.87 table C.1), second byte.
const (
	mSOF0  = 0xC0
	mSOF1  = 0xC1
	mSOF3  = 0xC3
	mDHT   = 0xC4
	mRST0  = 0xD0
	mSOI   = 0xD8
	mEOI   = 0xD9
	mSOS   = 0xDA
	mDQT   = 0xDB
	mDRI   = 0xDD
	mAPP8  = 0xE8
	mAPP14 = 0xEE
	mSOF55 = 0xF7
	mLSE   = 0xF8
)

// segments walks the marker segments of a JPEG or JPEG-LS stream.
type segments struct {
	data  []byte
	pos   int
	count int
}

// start takes the first marker, SOI.
func (s *segments) start() error {
	if len(s.data) < 4 || s.data[0] != 0xFF || s.data[1] != mSOI {
		return damaged(0, "it does not begin as JPEG does")
	}
	s.pos = 2
	return nil
}

// next is the next marker and its body; EOI has none.
func (s *segments) next() (marker byte, body []byte, err error) {
	at := s.pos
	if s.count++; s.count > maxSegments {
		return 0, nil, damaged(at, "more than %d segments", maxSegments)
	}
	if at >= len(s.data) {
		return 0, nil, damaged(at, "the stream is cut")
	}
	if s.data[at] != 0xFF {
		return 0, nil, damaged(at, "no marker where one must be")
	}
	for at < len(s.data) && s.data[at] == 0xFF {
		at++
	}
	if at >= len(s.data) {
		return 0, nil, damaged(at, "the stream is cut")
	}
	marker = s.data[at]
	at++
	if marker == mEOI {
		s.pos = at
		return marker, nil, nil
	}
	if at+2 > len(s.data) {
		return 0, nil, damaged(at, "the stream is cut")
	}
	n := int(binary.BigEndian.Uint16(s.data[at:]))
	if n < 2 || at+n > len(s.data) {
		return 0, nil, damaged(at, "a segment of %d bytes does not fit", n)
	}
	s.pos = at + n
	return marker, s.data[at+2 : at+n], nil
}

// afterScan goes on behind entropy-coded data that ended at pos.
func (s *segments) afterScan(pos int) error {
	for i := range maxSpare + 1 {
		if pos+i+1 < len(s.data) && s.data[pos+i] == 0xFF && s.data[pos+i+1] >= 0x80 {
			s.pos = pos + i
			return nil
		}
	}
	return damaged(pos, "no marker behind the last sample")
}

// component is one of a frame header.
type component struct {
	id         byte
	h, v       int // sampling factors
	quantizers int
}

// header is a frame header, SOF, with what is decoded of the frame.
type header struct {
	Samples
	components []component
}

// parseHeader reads a frame header (T.81 B.2.2) and compares it with want.
func parseHeader(offset int, body []byte, want Description) (*header, error) {
	if len(body) < 6 || len(body) != 6+3*int(body[5]) {
		return nil, damaged(offset, "the frame header has %d bytes", len(body))
	}
	h := &header{Samples: Samples{
		Bits: int(body[0]), Height: int(binary.BigEndian.Uint16(body[1:])), Width: int(binary.BigEndian.Uint16(body[3:])), Channels: int(body[5]),
	}}
	if h.Height == 0 {
		return nil, unsupported(offset, "the number of rows comes after them")
	}
	if err := want.agree(offset, h.Samples); err != nil {
		return nil, err
	}
	for b := body[6:]; len(b) > 0; b = b[3:] {
		c := component{id: b[0], h: int(b[1] >> 4), v: int(b[1] & 15), quantizers: int(b[2])}
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 {
			return nil, damaged(offset, "sampling factors %d×%d", c.h, c.v)
		}
		if len(h.components) > 0 && (c.h != h.components[0].h || c.v != h.components[0].v) {
			return nil, unsupported(offset, "components of different resolution")
		}
		h.components = append(h.components, c)
	}
	return h, nil
}

// scanComponent is one of a scan header.
type scanComponent struct {
	index  int // in the frame
	tables byte
}

// parseScan reads a scan header (T.81 B.2.3) up to its three last bytes, which it
// gives back. seen says which components had a scan already.
func (h *header) parseScan(offset int, body []byte, seen []bool) ([]scanComponent, []byte, error) {
	if len(body) < 4 || len(body) != 4+2*int(body[0]) || body[0] == 0 {
		return nil, nil, damaged(offset, "the scan header has %d bytes", len(body))
	}
	var list []scanComponent
	n := int(body[0])
	for i := range n {
		found := -1
		for j, c := range h.components {
			if c.id == body[1+2*i] && !seen[j] {
				found = j
				break
			}
		}
		if found < 0 {
			return nil, nil, damaged(offset, "the scan has a component that is not in the frame, or is there twice")
		}
		seen[found] = true
		list = append(list, scanComponent{found, body[2+2*i]})
	}
	if n > 1 && (h.components[0].h != 1 || h.components[0].v != 1) {
		return nil, nil, unsupported(offset, "components of %d×%d samples", h.components[0].h, h.components[0].v)
	}
	return list, body[1+2*n:], nil
}
