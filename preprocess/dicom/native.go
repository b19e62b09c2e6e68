package dicom

import "encoding/binary"

// subsampled tells whether two pixels of a native frame share their colour: four
// bytes Y Y B R (PS3.3, C.7.6.3.1.2).
func (h *Header) subsampled() bool { return h.Photometric == "YBR_FULL_422" }

// frameBits is the length of a native frame.
func (h *Header) frameBits() int {
	samples := h.SamplesPerPixel
	if h.subsampled() {
		samples = 2
	}
	return h.Rows * h.Columns * samples * h.BitsAllocated
}

// checkNative holds the length of the pixels against their description. One byte
// too much pads; more is noted, but a whole frame more means that the description
// is wrong.
func (r *reader) checkNative() error {
	switch r.syntax.way {
	case native, deflatedSet:
	default:
		return damaged(r.pixels.at, tagPixels, "the pixels are not in fragments, as in transfer syntax %v", r.syntax)
	}
	h := &r.Header
	if h.Photometric == "YBR_RCT" || h.Photometric == "YBR_ICT" {
		return damaged(-1, tagPhotometric, "photometric interpretation %s without JPEG 2000", h.Photometric)
	}
	have := r.pixels.end - r.pixels.body
	whole := h.Rows * h.Columns * h.SamplesPerPixel * h.NumberOfFrames
	if h.subsampled() && (have == whole || have == whole+whole%2) {
		h.Photometric = "YBR_FULL"
		r.notes = append(r.notes, "YBR_FULL_422 with as many bytes as YBR_FULL, read as that")
	}
	if h.subsampled() && h.Columns%2 != 0 {
		return damaged(-1, tagColumns, "%d columns in YBR_FULL_422", h.Columns)
	}
	need := (h.frameBits()*h.NumberOfFrames + 7) / 8
	if have < need {
		return damaged(r.pixels.at, tagPixels, "%d frames need %d bytes, but there are %d", h.NumberOfFrames, need, have)
	}
	if spare := have - need; spare >= max(h.frameBits()/8, 2) {
		return damaged(r.pixels.at, tagPixels, "%d frames need %d bytes, but there are %d: the description is wrong", h.NumberOfFrames, need, have)
	} else if spare > 1 {
		r.notes = append(r.notes, "left out spare bytes within the pixels")
	}
	return nil
}

// nativeBytes is bytes that have frame i, and the bit in them that it begins at.
func (f *File) nativeBytes(i int) (b []byte, bit int, err error) {
	from, bits := i*f.Header.frameBits(), f.Header.frameBits()
	if f.rest == nil {
		return f.data[f.pixels.body:f.pixels.end], from, nil
	}
	b, err = f.rest.part(f.pixels.body+from/8, (from%8+bits+7)/8)
	return b, from % 8, err
}

// nativeSamples is frame i of native pixels. One of a single channel is left where
// it is.
func (f *File) nativeSamples(i int) (sampled, error) {
	h := &f.Header
	b, from, err := f.nativeBytes(i)
	if err != nil {
		return sampled{}, err
	}
	swap := f.pixels.enc.order == big.order
	swapWords := swap && f.pixels.vr == "OW"
	if h.SamplesPerPixel > 1 {
		s := h.unpack(b, from, swapWords, swap)
		s.cut(h.description())
		return sampled{Samples: s}, nil
	}
	return sampled{
		Samples{Width: h.Columns, Height: h.Rows, Channels: 1, Bits: h.BitsStored, Signed: h.Signed},
		&stored{raw{b, h.BitsAllocated, swapWords, swap}, from / h.BitsAllocated, h.description()},
	}, nil
}

// sampled is the samples of a frame: their values, or where these are read from.
type sampled struct {
	Samples
	stored *stored // nil: they are in Values
}

// stored is a native frame of one channel that is read row by row, so that a large
// film does not stand in memory twice.
type stored struct {
	raw   raw
	first int // sample of the frame
	want  Description
}

// rows gives the values in order, in parts that begin at sample at. They stand only
// until the next part.
func (s *sampled) rows(do func(at int, values []int32)) {
	if s.stored == nil {
		do(0, s.Values)
		return
	}
	values := make([]int32, s.Width)
	for at := 0; at < s.len(); at += s.Width {
		s.stored.raw.read(values, s.stored.first+at)
		s.stored.want.cut(values)
		do(at, values)
	}
}

// len is the number of values.
func (s *sampled) len() int { return s.Width * s.Height * s.Channels }

// unpack reads the samples of a frame that begins at a bit. Words of 16 bits that
// hold smaller samples may be swapped, and so may samples (PS3.5, 8.1.1).
func (h *Header) unpack(b []byte, bit int, swapWords, swapSamples bool) Samples {
	s := Samples{Width: h.Columns, Height: h.Rows, Channels: h.SamplesPerPixel, Bits: h.BitsAllocated}
	raw := raw{b, h.BitsAllocated, swapWords, swapSamples}
	s.Values = make([]int32, h.Rows*h.Columns*h.SamplesPerPixel)
	first := bit / h.BitsAllocated
	switch {
	case h.subsampled():
		for i := 0; i+5 < len(s.Values); i += 6 {
			at := first + i/6*4
			y0, y1, cb, cr := raw.at(at), raw.at(at+1), raw.at(at+2), raw.at(at+3)
			copy(s.Values[i:], []int32{y0, cb, cr, y1, cb, cr})
		}
	case h.Planar && h.SamplesPerPixel > 1:
		plane := h.Rows * h.Columns
		for i := range s.Values {
			s.Values[i] = raw.at(first + i%h.SamplesPerPixel*plane + i/h.SamplesPerPixel)
		}
	default:
		raw.read(s.Values, first)
	}
	return s
}

// raw is samples as they are stored.
type raw struct {
	b                      []byte
	bits                   int
	swapWords, swapSamples bool
}

// read reads the bit patterns of samples from the first on.
func (r *raw) read(values []int32, first int) {
	if r.bits == 16 && !r.swapSamples {
		b := r.b[2*first:][:2*len(values)]
		for i := range values {
			values[i] = int32(binary.LittleEndian.Uint16(b[2*i:]))
		}
		return
	}
	for i := range values {
		values[i] = r.at(first + i)
	}
}

// at is the bit pattern of sample i.
func (r *raw) at(i int) int32 {
	switch r.bits {
	case 1:
		return int32(r.octet(i/8) >> (i % 8) & 1)
	case 8:
		return int32(r.octet(i))
	case 16:
		p := r.b[2*i : 2*i+2]
		if r.swapSamples {
			return int32(p[0])<<8 | int32(p[1])
		}
		return int32(p[1])<<8 | int32(p[0])
	}
	p := r.b[4*i : 4*i+4]
	if r.swapSamples {
		return int32(p[0])<<24 | int32(p[1])<<16 | int32(p[2])<<8 | int32(p[3])
	}
	return int32(p[3])<<24 | int32(p[2])<<16 | int32(p[1])<<8 | int32(p[0])
}

func (r *raw) octet(i int) byte {
	if r.swapWords && i^1 < len(r.b) {
		i ^= 1
	}
	return r.b[i]
}
