package codec

import "encoding/binary"

// Markers of JPEG 2000, ITU-T T.800 table A.2.
const (
	jSOC = 0xFF4F
	jCAP = 0xFF50
	jSIZ = 0xFF51
	jCOD = 0xFF52
	jCOC = 0xFF53
	jQCD = 0xFF5C
	jQCC = 0xFF5D
	jRGN = 0xFF5E
	jPOC = 0xFF5F
	jTLM = 0xFF55
	jPLM = 0xFF57
	jPLT = 0xFF58
	jPPM = 0xFF60
	jPPT = 0xFF61
	jCRG = 0xFF63
	jCOM = 0xFF64
	jSOT = 0xFF90
	jSOP = 0xFF91
	jEPH = 0xFF92
	jSOD = 0xFF93
	jEOC = 0xFFD9
)

// j2k decodes JPEG 2000, ITU-T T.800.
type j2k struct {
	data []byte
	pos  int
	want Description

	x0, y0, x1, y1 int // of the picture on the reference grid
	tileW, tileH   int
	tileX, tileY   int // where the first tile begins
	across, down   int // tiles
	style          j2kStyle
	tiles          map[int]*j2kTile
	out            Samples
}

func decodeJ2K(frame []byte, want Description) (Samples, error) {
	d := &j2k{data: frame, want: want, tiles: map[int]*j2kTile{}}
	if err := d.unbox(); err != nil {
		return Samples{}, err
	}
	if err := d.mainHeader(); err != nil {
		return Samples{}, err
	}
	if err := d.tileParts(); err != nil {
		return Samples{}, err
	}
	for n := range d.across * d.down {
		if err := d.decodeTile(n); err != nil {
			return Samples{}, err
		}
		delete(d.tiles, n)
	}
	return d.out, nil
}

// unbox goes to the codestream of a file in boxes (JP2, T.800 annex I), which
// some writers put where DICOM asks for a bare codestream.
func (d *j2k) unbox() error {
	const signature = "\x00\x00\x00\x0CjP  \r\n\x87\n"
	if len(d.data) < len(signature) || string(d.data[:len(signature)]) != signature {
		return nil
	}
	for at := 0; at+8 <= len(d.data); {
		n, head := int(binary.BigEndian.Uint32(d.data[at:])), 8
		if n == 0 {
			n = len(d.data) - at
		}
		if n < head || n > len(d.data)-at {
			return damaged(at, "a box of %d bytes does not fit", n)
		}
		if string(d.data[at+4:at+8]) == "jp2c" {
			d.data, d.pos = d.data[:at+n], at+head
			return nil
		}
		at += n
	}
	return damaged(len(d.data), "no codestream in the boxes")
}

// segment is the next marker and the body of its segment.
func (d *j2k) segment() (marker int, body []byte, err error) {
	if d.pos+4 > len(d.data) {
		return 0, nil, damaged(d.pos, "the stream is cut")
	}
	marker = int(binary.BigEndian.Uint16(d.data[d.pos:]))
	n := int(binary.BigEndian.Uint16(d.data[d.pos+2:]))
	if marker < 0xFF4F || n < 2 || d.pos+2+n > len(d.data) {
		return 0, nil, damaged(d.pos, "no whole marker segment where one must be")
	}
	body = d.data[d.pos+4 : d.pos+2+n]
	d.pos += 2 + n
	return marker, body, nil
}

// mainHeader reads what stands before the first tile.
func (d *j2k) mainHeader() error {
	if d.pos+2 > len(d.data) || binary.BigEndian.Uint16(d.data[d.pos:]) != jSOC {
		return damaged(d.pos, "it does not begin as JPEG 2000 does")
	}
	d.pos += 2
	at := d.pos
	marker, body, err := d.segment()
	if err != nil {
		return err
	}
	if marker != jSIZ {
		return damaged(at, "the size does not come first")
	}
	if err := d.size(at, body); err != nil {
		return err
	}
	for {
		at := d.pos
		if at+2 <= len(d.data) && binary.BigEndian.Uint16(d.data[at:]) == jSOT {
			break
		}
		marker, body, err := d.segment()
		if err != nil {
			return err
		}
		if err := d.style.read(at, marker, body, d.want.Channels); err != nil {
			return err
		}
	}
	return d.style.complete(d.pos)
}

// size reads SIZ, T.800 A.5.1, and compares it with the description.
func (d *j2k) size(at int, body []byte) error {
	if len(body) < 36 {
		return damaged(at, "the size has %d bytes", len(body))
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(body[2+4*i:])) }
	d.x1, d.y1, d.x0, d.y0 = word(0), word(1), word(2), word(3)
	d.tileW, d.tileH, d.tileX, d.tileY = word(4), word(5), word(6), word(7)
	n := int(binary.BigEndian.Uint16(body[34:]))
	if len(body) != 36+3*n || n == 0 {
		return damaged(at, "the size has %d bytes for %d components", len(body), n)
	}
	if d.x0 >= d.x1 || d.y0 >= d.y1 || d.tileX > d.x0 || d.tileY > d.y0 || d.tileX+d.tileW <= d.x0 || d.tileY+d.tileH <= d.y0 {
		return damaged(at, "the picture and its tiles do not lie upon each other")
	}
	d.out = Samples{Width: d.x1 - d.x0, Height: d.y1 - d.y0, Channels: n, Bits: int(body[36]&0x7F) + 1, Signed: body[36]&0x80 != 0}
	if err := d.want.agree(at, d.out); err != nil {
		return err
	}
	for b := body[36:]; len(b) > 0; b = b[3:] {
		if b[0] != body[36] || b[1] != 1 || b[2] != 1 {
			return unsupported(at, "components of different precision or resolution")
		}
	}
	d.across, d.down = ceilDiv(d.x1-d.tileX, d.tileW), ceilDiv(d.y1-d.tileY, d.tileH)
	// A tile takes a header of 12 bytes, and 2 more.
	if d.across > 65535 || d.down > 65535 || d.across*d.down > min(65535, len(d.data)/14) {
		return damaged(at, "%d×%d tiles in %d bytes", d.across, d.down, len(d.data))
	}
	return d.want.filled(len(d.data), maxPerByte)
}

// tileParts reads the tiles' headers and gathers their data, T.800 A.4.2. Every
// part must be as long as it says, and the end marker must come.
func (d *j2k) tileParts() error {
	for {
		at := d.pos
		if at+2 > len(d.data) {
			return damaged(at, "the stream is cut")
		}
		if binary.BigEndian.Uint16(d.data[at:]) == jEOC {
			return nil
		}
		marker, body, err := d.segment()
		if err != nil {
			return err
		}
		if marker != jSOT || len(body) != 8 {
			return damaged(at, "no tile where one must be")
		}
		n, length := int(binary.BigEndian.Uint16(body)), int(binary.BigEndian.Uint32(body[2:]))
		if n >= d.across*d.down {
			return damaged(at, "a tile %d of %d", n, d.across*d.down)
		}
		end := at + length
		if length == 0 { // up to the end marker
			if end = len(d.data) - 2; d.data[len(d.data)-1] == 0 {
				end-- // DICOM makes lengths even
			}
		}
		if end < d.pos || end > len(d.data)-2 {
			return damaged(at, "a part of %d bytes of a tile does not fit", length)
		}
		if err := d.tilePart(n, end); err != nil {
			return err
		}
		d.pos = end
	}
}

func (d *j2k) tilePart(n, end int) error {
	t := d.tiles[n]
	if t == nil {
		t = &j2kTile{style: d.style.clone()}
		d.tiles[n] = t
	}
	for {
		if d.pos+2 > end {
			return damaged(d.pos, "a tile's header is cut")
		}
		if binary.BigEndian.Uint16(d.data[d.pos:]) == jSOD {
			break
		}
		at := d.pos
		marker, body, err := d.segment()
		if err != nil {
			return err
		}
		if d.pos > end {
			return damaged(at, "a tile's header is cut")
		}
		if err := t.style.read(at, marker, body, d.want.Channels); err != nil {
			return err
		}
	}
	if t.data == nil {
		t.data, t.offset = d.data[d.pos+2:end:end], d.pos+2
	} else {
		t.data = append(t.data, d.data[d.pos+2:end]...)
	}
	return nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// ceilShift is a/2ⁿ, rounded up.
func ceilShift(a, n int) int { return (a + 1<<n - 1) >> n }
