package dicomtest

import "encoding/binary"

// pack writes all frames one behind the other, single bits without gaps.
func (f *File) pack(order binary.AppendByteOrder) []byte {
	if f.Allocated == 1 {
		return even(swapped(bits(f.Pixels), order))
	}
	var out []byte
	for _, p := range f.split() {
		out = append(out, f.frame(p, order)...)
	}
	out = even(out)
	if f.Allocated == 8 {
		return swapped(out, order)
	}
	return out
}

// packFrame writes one frame that stands alone.
func (f *File) packFrame(p []int, order binary.AppendByteOrder) []byte {
	if f.Allocated == 1 {
		return bits(p)
	}
	return f.frame(p, order)
}

func (f *File) frame(p []int, order binary.AppendByteOrder) (out []byte) {
	n := f.samples()
	switch {
	case f.Photometric == "YBR_FULL_422":
		for i := 0; i+5 < len(p); i += 6 {
			for _, v := range []int{p[i], p[i+3], p[i+1], p[i+2]} {
				out = f.sample(out, v, order)
			}
		}
	case f.Planar:
		for c := range n {
			for i := c; i < len(p); i += n {
				out = f.sample(out, p[i], order)
			}
		}
	default:
		for _, v := range p {
			out = f.sample(out, v, order)
		}
	}
	return out
}

func (f *File) sample(out []byte, v int, order binary.AppendByteOrder) []byte {
	switch f.Allocated {
	case 8:
		return append(out, byte(v))
	case 16:
		return order.AppendUint16(out, uint16(v))
	}
	return order.AppendUint32(out, uint32(v))
}

// bits packs single bits, the first in the lowest.
func bits(p []int) []byte {
	out := make([]byte, (len(p)+7)/8)
	for i, v := range p {
		out[i/8] |= byte(v&1) << (i % 8)
	}
	return out
}

// swapped is bytes within words of 16 bits.
func swapped(b []byte, order binary.AppendByteOrder) []byte {
	b = even(b)
	if order != binary.AppendByteOrder(binary.BigEndian) {
		return b
	}
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return b
}

// runLengths is a frame of RLE: a segment for each byte of a sample, the highest
// first.
func (f *File) runLengths(p []int) []byte {
	var segments [][]byte
	if f.Allocated == 1 {
		segments = append(segments, PackBits(bits(p)))
	} else {
		n := f.samples()
		for c := range n {
			for shift := f.Allocated - 8; shift >= 0; shift -= 8 {
				var plane []byte
				for i := c; i < len(p); i += n {
					plane = append(plane, byte(p[i]>>shift))
				}
				segments = append(segments, PackBits(plane))
			}
		}
	}
	return RLEFrame(segments)
}

// RLEFrame puts segments behind their header.
func RLEFrame(segments [][]byte) []byte {
	head := make([]byte, 64)
	binary.LittleEndian.PutUint32(head, uint32(len(segments)))
	out := head
	for i, s := range segments {
		binary.LittleEndian.PutUint32(out[4+4*i:], uint32(len(out)))
		out = append(out, even(s)...)
	}
	return out
}

// PackBits packs bytes as runs of equal ones and of others.
func PackBits(b []byte) (out []byte) {
	for len(b) > 0 {
		n := 1
		for n < len(b) && n < 128 && b[n] == b[0] {
			n++
		}
		if n > 1 {
			out = append(out, byte(1-n), b[0])
			b = b[n:]
			continue
		}
		for n < len(b) && n < 128 && (n+1 == len(b) || b[n] != b[n+1]) {
			n++
		}
		out = append(append(out, byte(n-1)), b[:n]...)
		b = b[n:]
	}
	return out
}
