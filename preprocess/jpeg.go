package preprocess

import (
	"bytes"
	"encoding/binary"
)

// JPEG markers, ITU-T T.81 table B.1.
const (
	sof0 = 0xc0 // baseline; sof0+1 extended, sof0+2 progressive
	sof2 = 0xc2
	dht  = 0xc4
	jpgX = 0xc8
	dac  = 0xcc
	sofF = 0xcf
	rst0 = 0xd0
	rst7 = 0xd7
	soi  = 0xd8
	eoi  = 0xd9
	sos  = 0xda
	dqt  = 0xdb
	dri  = 0xdd
	app0 = 0xe0
	app1 = 0xe1
	appE = 0xee
	appF = 0xef
	sofL = 0xf7 // JPEG-LS
	com  = 0xfe
)

// jpegFile is a JPEG, read up to its first scan by openJPEG and to its end by
// readScans.
type jpegFile struct {
	data     []byte
	pos      int // next byte to read
	segments int
	frame    *frame
	tables   tables
	jfif     bool
	adobe    int // transform of the Adobe marker, -1: none
	turn     int // EXIF orientation, 0: no EXIF yet
	progress progress
	spare    int      // bytes before the end marker that are no picture
	kept     [][2]int // places of what decoding needs, in order
}

// frame is the frame header.
type frame struct {
	progressive bool
	w, h        int
	components  []component
	hmax, vmax  int // largest sampling factors
}

// component is one colour of a frame.
type component struct {
	id    byte
	h, v  int // sampling factors
	quant int // its quantisation table
}

// openJPEG reads the segments before the first scan.
func openJPEG(data []byte) (*jpegFile, error) {
	j := &jpegFile{data: data, pos: 2, adobe: -1}
	for {
		m, err := j.marker()
		if err != nil {
			return nil, err
		}
		if m == sos {
			break
		}
		if m == eoi {
			return nil, damaged("jpeg", j.pos-2, "the file ends before its picture")
		}
		if err := j.segment(m); err != nil {
			return nil, err
		}
	}
	if j.frame == nil {
		return nil, damaged("jpeg", j.pos-2, "a scan without a frame header")
	}
	return j, nil
}

// marker reads a marker and any fill bytes before it.
func (j *jpegFile) marker() (byte, error) {
	if j.pos < len(j.data) && j.data[j.pos] != 0xff {
		return 0, damaged("jpeg", j.pos, "no marker where one should be")
	}
	for j.pos < len(j.data) && j.data[j.pos] == 0xff {
		j.pos++
	}
	if j.pos >= len(j.data) {
		return 0, damaged("jpeg", len(j.data), "the file ends before its end marker")
	}
	j.pos++
	return j.data[j.pos-1], nil
}

// body reads the length and the content of the segment whose marker was read.
func (j *jpegFile) body() ([]byte, error) {
	if j.segments++; j.segments > maxSegments {
		return nil, tooLarge("jpeg", "more than %d segments", maxSegments)
	}
	rest := j.data[j.pos:]
	if len(rest) < 2 {
		return nil, damaged("jpeg", len(j.data), "the file ends in a segment")
	}
	n := int(binary.BigEndian.Uint16(rest))
	if n < 2 || n > len(rest) {
		return nil, damaged("jpeg", j.pos, "a segment of %d bytes where %d are left", n, len(rest))
	}
	j.pos += n
	return rest[2:n], nil
}

// segment reads and keeps, or skips, one segment other than a scan.
func (j *jpegFile) segment(m byte) error {
	start := j.pos - 2
	if m == 0 || m == 1 || m == soi || (m >= rst0 && m <= rst7) {
		return damaged("jpeg", start, "marker %#02x out of place", m)
	}
	body, err := j.body()
	if err != nil {
		return err
	}
	at := start + 4
	switch {
	case m == dqt:
		err = j.readQuant(body, at)
	case m == dht:
		err = j.readHuffman(body, at)
	case m == dri:
		if len(body) != 2 {
			return damaged("jpeg", at, "a restart interval of %d bytes", len(body))
		}
		j.tables.restart = int(binary.BigEndian.Uint16(body))
	case m >= sof0 && m <= sofF && m != jpgX && m != dac || m == sofL:
		err = j.readFrame(m, body, at)
	case m >= app0 && m <= appF:
		j.readApp(m, body)
		return nil
	case m == com:
		return nil
	default:
		return unsupported("jpeg", start, "marker %#02x", m)
	}
	j.kept = append(j.kept, [2]int{start, j.pos})
	return err
}

// readApp reads what of the application segments counts: how colours are coded
// and how the picture was held.
func (j *jpegFile) readApp(m byte, body []byte) {
	if j.progress.scans > 0 {
		return
	}
	switch {
	case m == app0 && bytes.HasPrefix(body, []byte("JFIF\x00")):
		j.jfif = true
	case m == app1 && bytes.HasPrefix(body, exifMark) && j.turn == 0:
		j.turn = orientation(body)
	case m == appE && len(body) >= 12 && bytes.HasPrefix(body, []byte("Adobe")):
		j.adobe = int(body[11])
	}
}

// frameNames are the frames that cannot be read here.
var frameNames = map[byte]string{
	0xc3: "lossless", 0xc5: "hierarchical", 0xc6: "hierarchical", 0xc7: "hierarchical",
	0xc9: "arithmetic", 0xca: "arithmetic", 0xcb: "arithmetic",
	0xcd: "hierarchical", 0xce: "hierarchical", 0xcf: "hierarchical", sofL: "JPEG-LS",
}

// readFrame reads a frame header.
func (j *jpegFile) readFrame(m byte, body []byte, at int) error {
	if name := frameNames[m]; name != "" {
		return unsupported("jpeg", at, "%s coding", name)
	}
	if j.frame != nil {
		return damaged("jpeg", at, "a second frame header")
	}
	if len(body) < 6 || len(body) != 6+3*int(body[5]) {
		return damaged("jpeg", at, "a frame header of the wrong length")
	}
	f := &frame{
		progressive: m == sof2,
		h:           int(binary.BigEndian.Uint16(body[1:])),
		w:           int(binary.BigEndian.Uint16(body[3:])),
	}
	switch n := body[5]; {
	case body[0] != 8:
		return unsupported("jpeg", at, "%d-bit samples", body[0])
	case f.h == 0:
		return unsupported("jpeg", at, "a height that is told after the picture")
	case n != 1 && n != 3 && n != 4:
		return unsupported("jpeg", at, "%d colours", n)
	}
	for c := body[6:]; len(c) > 0; c = c[3:] {
		f.components = append(f.components, component{c[0], int(c[1] >> 4), int(c[1] & 15), int(c[2])})
	}
	j.frame = f
	return f.checkSampling(at)
}

// checkSampling reads the sampling factors, and refuses what the decoder would
// refuse later or decode differently from other readers: it wants the first
// colour to have the largest factors, and gets a ratio of 4:2 wrong.
func (f *frame) checkSampling(at int) error {
	if len(f.components) == 1 {
		f.components[0].h, f.components[0].v = 1, 1 // T.81 A.2.2: blocks in plain order
	}
	for _, c := range f.components {
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 || c.quant > 3 {
			return damaged("jpeg", at, "sampling %dx%d with table %d", c.h, c.v, c.quant)
		}
		f.hmax, f.vmax = max(f.hmax, c.h), max(f.vmax, c.v)
	}
	first := f.components[0]
	for _, c := range f.components {
		if first.h != f.hmax || first.v != f.vmax || first.h == 4 && c.h == 2 {
			return unsupported("jpeg", at, "sampling %dx%d beside %dx%d", first.h, first.v, c.h, c.v)
		}
	}
	return nil
}

func (j *jpegFile) header() header {
	return header{format: "jpeg", w: j.frame.w, h: j.frame.h, orientation: max(1, j.turn), heavy: j.frame.progressive}
}

// rgb tells whether any reader may take the three colours as red, green, blue
// instead of luma and chroma: by the Adobe marker or by their names.
func (j *jpegFile) rgb() bool {
	c := j.frame.components
	return len(c) == 3 && (j.adobe == 0 || c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B')
}

func (j *jpegFile) passable() bool { return len(j.frame.components) < 4 && !j.rgb() }

// clean keeps the JFIF marker only where it decides about the colours, and of
// both application segments only what is read.
func (j *jpegFile) clean() []byte {
	out := make([]byte, 0, len(j.data))
	out = append(out, 0xff, soi)
	if j.jfif && j.rgb() {
		out = append(out, 0xff, app0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0)
	}
	if j.adobe >= 0 {
		out = append(out, 0xff, appE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, byte(j.adobe))
	}
	for _, place := range j.kept {
		out = append(out, j.data[place[0]:place[1]]...)
	}
	return append(out, 0xff, eoi)
}
