package dicom

import "encoding/binary"

const rleHeader = 64

// runLengths decodes a frame of RLE Lossless (PS3.5, annex G): a segment for each
// byte of a sample, the highest first, colour by colour.
func (h *Header) runLengths(b []byte) (Samples, error) {
	s := Samples{Width: h.Columns, Height: h.Rows, Channels: h.SamplesPerPixel, Bits: h.BitsAllocated}
	octets := max(h.BitsAllocated/8, 1)
	plane := h.Rows * h.Columns
	size := plane
	if h.BitsAllocated == 1 {
		size = (plane + 7) / 8
	}
	segments, err := rleSegments(b, octets*h.SamplesPerPixel)
	if err != nil {
		return s, err
	}
	for i, segment := range segments {
		if int64(len(segment))*maxRLE < int64(size) {
			return s, damaged(-1, tagPixels, "RLE segment %d of %d bytes cannot hold %d", i+1, len(segment), size)
		}
	}
	if h.BitsAllocated == 1 {
		out := make([]byte, size)
		if err := unrun(segments[0], func(i int, v byte) { out[i] = v }, size); err != nil {
			return s, err
		}
		return h.unpack(out, 0, false, false), nil
	}
	s.Values = make([]int32, plane*s.Channels)
	for i, segment := range segments {
		channel := i / octets
		set := func(at int, v byte) {
			p := &s.Values[at*s.Channels+channel]
			*p = *p<<8 | int32(v)
		}
		if err := unrun(segment, set, size); err != nil {
			return s, err
		}
	}
	return s, nil
}

// rleSegments reads the header of a frame: the number of segments and where they
// begin.
func rleSegments(b []byte, want int) ([][]byte, error) {
	if len(b) < rleHeader {
		return nil, damaged(-1, tagPixels, "the RLE header is cut")
	}
	if want > rleHeader/4-1 {
		return nil, damaged(-1, tagPixels, "RLE has no room for %d segments", want)
	}
	if n := binary.LittleEndian.Uint32(b); n != uint32(want) {
		return nil, damaged(-1, tagPixels, "%d RLE segments, not %d", n, want)
	}
	offset := func(i int) int { return int(binary.LittleEndian.Uint32(b[4+4*i:])) }
	out := make([][]byte, want)
	for i := range out {
		from, to := offset(i), len(b)
		if i+1 < want {
			to = offset(i + 1)
		}
		if from < rleHeader || to < from || to > len(b) {
			return nil, damaged(-1, tagPixels, "RLE segment %d lies outside of its frame", i+1)
		}
		out[i] = b[from:to]
	}
	return out, nil
}

// unrun decodes one segment of size bytes (PS3.5, G.3.2). A byte behind the last
// run makes the length even; more would be a frame of another size.
func unrun(b []byte, set func(at int, v byte), size int) error {
	at := 0
	for at < size {
		if len(b) == 0 {
			return damaged(-1, tagPixels, "an RLE segment ends after %d of %d bytes", at, size)
		}
		n := int(int8(b[0]))
		b = b[1:]
		switch {
		case n == -128:
			continue
		case n >= 0:
			n++
			if n > len(b) || n > size-at {
				return damaged(-1, tagPixels, "an RLE run at byte %d of %d is too long", at, size)
			}
			for i := range n {
				set(at+i, b[i])
			}
			b = b[n:]
		default:
			n = 1 - n
			if len(b) == 0 || n > size-at {
				return damaged(-1, tagPixels, "an RLE run at byte %d of %d is too long", at, size)
			}
			for i := range n {
				set(at+i, b[0])
			}
			b = b[1:]
		}
		at += n
	}
	if len(b) > 1 {
		return damaged(-1, tagPixels, "an RLE segment has %d bytes behind its %d", len(b), size)
	}
	return nil
}

// unwrap reads a frame that is native but for its wrapping.
func (h *Header) unwrap(b []byte, how way) (Samples, error) {
	need := (h.frameBits() + 7) / 8
	if how == deflatedOnes {
		if int64(len(b))*maxInflate < int64(need) {
			return Samples{}, damaged(-1, tagPixels, "%d deflated bytes cannot hold %d", len(b), need)
		}
		var err error
		if b, err = inflated(b, need+1); err != nil {
			return Samples{}, &Error{Kind: ErrDamaged, Offset: -1, Tag: tagPixels, Problem: "inflating a frame failed", Err: err}
		}
	}
	if len(b) < need || len(b) > need+1 {
		return Samples{}, damaged(-1, tagPixels, "the frame has %d bytes, not %d", len(b), need)
	}
	return h.unpack(b, 0, false, false), nil
}
