package codec

import (
	"encoding/binary"
	"math/bits"
)

// ls decodes JPEG-LS, ITU-T T.87, without loss and near it.
type ls struct {
	segments
	want   Description
	header *header
	seen   []bool
	preset presets
}

// presets are the coding parameters of T.87 C.2.4.1.1; zeros stand for defaults.
type presets struct{ maximum, t1, t2, t3, reset int }

func decodeLS(frame []byte, want Description) (Samples, error) {
	d := &ls{segments: segments{data: frame}, want: want}
	if err := d.read(); err != nil {
		return Samples{}, err
	}
	return d.header.Samples, nil
}

func (d *ls) read() error {
	if err := d.start(); err != nil {
		return err
	}
	for {
		at := d.pos
		marker, body, err := d.next()
		if err != nil {
			return err
		}
		if marker == mEOI {
			break
		}
		if err := d.segment(at, marker, body); err != nil {
			return err
		}
	}
	for _, seen := range d.seen {
		if !seen {
			return damaged(d.pos, "the stream ends before all components have come")
		}
	}
	if d.header == nil {
		return damaged(d.pos, "the stream ends without a frame")
	}
	return nil
}

func (d *ls) segment(at int, marker byte, body []byte) error {
	switch {
	case marker == mSOF55:
		return d.frame(at, body)
	case marker == mLSE:
		return d.parameters(at, body)
	case marker == mSOS:
		return d.scan(at, body)
	case marker == mDRI:
		for _, b := range body {
			if b != 0 {
				return unsupported(at, "restart markers")
			}
		}
	case marker == mAPP8 && len(body) == 5 && string(body[:4]) == "mrfx":
		if body[4] != 0 {
			return unsupported(at, "the colour transform %d of a vendor", body[4])
		}
	case marker >= 0xE0 && marker <= 0xEF, marker == 0xFE: // APPn, COM
	default:
		return unsupported(at, "the marker FF%02X is not read", marker)
	}
	return nil
}

func (d *ls) frame(at int, body []byte) (err error) {
	if d.header != nil {
		return damaged(at, "a second frame header")
	}
	if d.header, err = parseHeader(at, body, d.want); err != nil {
		return err
	}
	if err := d.want.filled(len(d.data), maxPerByte); err != nil {
		return err
	}
	d.seen = make([]bool, len(d.header.components))
	d.header.Values = make([]int32, d.want.samples())
	return nil
}

// parameters reads an LSE segment.
func (d *ls) parameters(at int, body []byte) error {
	if len(body) < 1 || body[0] != 1 {
		return unsupported(at, "mapping tables and other extensions")
	}
	if len(body) != 11 {
		return damaged(at, "coding parameters of %d bytes", len(body))
	}
	word := func(i int) int { return int(binary.BigEndian.Uint16(body[1+2*i:])) }
	d.preset = presets{word(0), word(1), word(2), word(3), word(4)}
	return nil
}

// Ways to interleave components, T.87 table C.3.
const (
	byPlane = iota
	byLine
	bySample
)

func (d *ls) scan(at int, body []byte) error {
	if d.header == nil {
		return damaged(at, "a scan before the frame header")
	}
	list, parameters, err := d.header.parseScan(at, body, d.seen)
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.tables != 0 {
			return unsupported(at, "mapping tables")
		}
	}
	near, interleave := int(parameters[0]), int(parameters[1])
	if parameters[2] != 0 {
		return unsupported(at, "a point transform")
	}
	if interleave > bySample || (len(list) > 1) != (interleave != byPlane) && interleave == byPlane {
		return damaged(at, "%d components interleaved by %d", len(list), interleave)
	}
	s := &lsScan{ls: d, list: list, near: near}
	if err := s.prepare(at); err != nil {
		return err
	}
	s.bits = stuffedReader{data: d.data, start: d.pos, pos: d.pos}
	if len(list) == 1 {
		interleave = byLine
	}
	if err := s.decode(interleave == bySample); err != nil {
		return err
	}
	return d.afterScan(s.bits.end())
}

// prepare computes what depends on the coding parameters, T.87 A.2 and C.2.4.1.1.
func (s *lsScan) prepare(at int) error {
	p := s.preset
	full := 1<<s.header.Bits - 1
	if p.maximum == 0 {
		p.maximum = full
	}
	if p.maximum > full || s.near > min(255, p.maximum/2) {
		return damaged(at, "a largest sample of %d with errors up to %d", p.maximum, s.near)
	}
	p.defaults(s.near)
	if p.t1 < s.near+1 || p.t2 < p.t1 || p.t3 < p.t2 || p.t3 > p.maximum || p.reset < 3 || p.reset > max(255, p.maximum) {
		return damaged(at, "thresholds %d, %d, %d and a reset after %d", p.t1, p.t2, p.t3, p.reset)
	}
	s.maximum, s.reset = p.maximum, p.reset
	s.step = 2*s.near + 1
	s.span = (p.maximum+2*s.near)/s.step + 1
	s.spanBits = bits.Len(uint(s.span - 1))
	sampleBits := max(2, bits.Len(uint(p.maximum)))
	s.limit = 2 * (sampleBits + max(8, sampleBits))
	s.gradients = newGradients(p, s.near)
	for i := range s.contexts {
		s.contexts[i] = lsContext{a: max(2, (s.span+32)/64), n: 1}
	}
	return nil
}

// defaults puts in the values that T.87 C.2.4.1.1.1 gives.
func (p *presets) defaults(near int) {
	clamp := func(v, low int) int {
		if v > p.maximum || v < low {
			return low
		}
		return v
	}
	var t1, t2, t3 int
	if p.maximum >= 128 {
		f := (min(p.maximum, 4095) + 128) / 256
		t1, t2, t3 = f*(3-2)+2+3*near, f*(7-3)+3+5*near, f*(21-4)+4+7*near
	} else {
		f := 256 / (p.maximum + 1)
		t1, t2, t3 = max(2, 3/f+3*near), max(3, 7/f+5*near), max(4, 21/f+7*near)
	}
	if p.t1 == 0 {
		p.t1 = clamp(t1, near+1)
	}
	if p.t2 == 0 {
		p.t2 = clamp(t2, p.t1)
	}
	if p.t3 == 0 {
		p.t3 = clamp(t3, p.t2)
	}
	if p.reset == 0 {
		p.reset = 64
	}
}
