package codec

import (
	"encoding/binary"
	"slices"
)

// stream is a JPEG stream while its segments are read.
type stream struct {
	segments
	want      Description
	frames    []byte // the frame headers that the caller reads
	header    *header
	seen      []bool         // components that had their scan
	huffmans  [8]*huffman    // DC of destinations 0 to 3, then AC
	quantizer [4]*[64]uint16 // in zigzag order
	restart   int            // units between restart markers; 0: none

	// begin is called behind the frame header, scan for each scan.
	begin func() error
	scan  func(at int, list []scanComponent, parameters []byte) error
}

// read walks the stream to its end.
func (s *stream) read() error {
	if err := s.start(); err != nil {
		return err
	}
	for {
		at := s.pos
		marker, body, err := s.next()
		if err != nil {
			return err
		}
		if marker == mEOI {
			break
		}
		if err := s.segment(at, marker, body); err != nil {
			return err
		}
	}
	if s.header == nil || slices.Contains(s.seen, false) {
		return damaged(s.pos, "the stream ends before all components have come")
	}
	return nil
}

func (s *stream) segment(at int, marker byte, body []byte) error {
	switch {
	case slices.Contains(s.frames, marker):
		return s.frame(at, body)
	case marker == mDHT:
		return parseTables(at, body, &s.huffmans)
	case marker == mDQT:
		return s.quantizers(at, body)
	case marker == mDRI:
		if len(body) != 2 {
			return damaged(at, "the restart interval has %d bytes", len(body))
		}
		s.restart = int(binary.BigEndian.Uint16(body))
	case marker == mSOS:
		return s.scanAt(at, body)
	case marker >= mSOF0 && marker <= 0xCF:
		return unsupported(at, "JPEG of the process SOF%d is not that of the transfer syntax", marker-mSOF0)
	case marker == mAPP14 && len(body) == 12 && string(body[:5]) == "Adobe":
		if body[11] != 0 && s.want.Photometric == "RGB" {
			return damaged(at, "the header says RGB, the stream something else")
		}
	case marker >= 0xE0 && marker <= 0xEF, marker == 0xFE: // APPn, COM
	default:
		return unsupported(at, "the marker FF%02X is not read", marker)
	}
	return nil
}

func (s *stream) frame(at int, body []byte) (err error) {
	if s.header != nil {
		return damaged(at, "a second frame header")
	}
	if s.header, err = parseHeader(at, body, s.want); err != nil {
		return err
	}
	s.seen = make([]bool, len(s.header.components))
	return s.begin()
}

func (s *stream) scanAt(at int, body []byte) error {
	if s.header == nil {
		return damaged(at, "a scan before the frame header")
	}
	list, parameters, err := s.header.parseScan(at, body, s.seen)
	if err != nil {
		return err
	}
	return s.scan(at, list, parameters)
}

// quantizers reads a DQT segment, T.81 B.2.4.1.
func (s *stream) quantizers(at int, body []byte) error {
	for len(body) > 0 {
		wide, id := int(body[0]>>4), body[0]&15
		if wide > 1 || id > 3 || len(body) < 1+64*(1+wide) {
			return damaged(at, "a quantization table that is none")
		}
		t := &[64]uint16{}
		for i := range t {
			if wide == 1 {
				t[i] = binary.BigEndian.Uint16(body[1+2*i:])
			} else {
				t[i] = uint16(body[1+i])
			}
		}
		s.quantizer[id] = t
		body = body[1+64*(1+wide):]
	}
	return nil
}
