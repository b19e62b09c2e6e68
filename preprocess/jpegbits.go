package preprocess

// bits reads the entropy-coded bytes of a scan up to the next marker.
type bits struct {
	data []byte
	pos  int    // next byte to take
	acc  uint64 // bits taken and not yet read: the lowest n
	n    int
	end  bool // a marker or the end of the file comes next
}

// fill takes bytes while they fit. A byte 0xff in the data is followed by a zero
// that does not count; otherwise it begins a marker.
func (b *bits) fill() {
	for b.n <= 56 && !b.end {
		if b.pos >= len(b.data) {
			b.end = true
			return
		}
		c := b.data[b.pos]
		if c == 0xff {
			if b.pos+1 >= len(b.data) || b.data[b.pos+1] != 0 {
				b.end = true
				return
			}
			b.pos++
		}
		b.pos++
		b.acc, b.n = b.acc<<8|uint64(c), b.n+8
	}
}

// skip reads n bits and drops them; false: there are not as many.
func (b *bits) skip(n int) bool {
	if b.n < n {
		if b.fill(); b.n < n {
			return false
		}
	}
	b.n -= n
	return true
}

// take reads n bits, up to 16, as a number; -1: there are not as many.
func (b *bits) take(n int) int {
	if !b.skip(n) {
		return -1
	}
	return int(b.acc>>b.n) & (1<<n - 1)
}

// next reads a symbol; -1: the bits are no code, or end within one.
func (b *bits) next(h *huffman) int {
	if b.n < 16 {
		b.fill()
	}
	var head uint32 // the next 16 bits, zeros where there are no more
	if b.n >= 16 {
		head = uint32(b.acc>>(b.n-16)) & 0xffff
	} else {
		head = uint32(b.acc<<(16-b.n)) & 0xffff
	}
	if f := h.fast[head>>(16-fastBits)]; f != 0 {
		if !b.skip(int(f >> 8)) {
			return -1
		}
		return int(f & 0xff)
	}
	for length := fastBits + 1; length <= 16; length++ {
		if head < h.limit[length] {
			if !b.skip(length) {
				return -1
			}
			return int(h.symbol[int(head>>(16-length))+h.offset[length]])
		}
	}
	return -1
}
