package codec

import "math/bits"

// stuffedReader reads the bits of JPEG-LS, in which a byte behind 0xFF begins
// with a zero bit that is none of the data (T.87 A.1). Reading beyond the end
// gives zeros and sets cut.
type stuffedReader struct {
	data       []byte
	start, pos int
	acc        uint64 // the next bits, from the top
	n          int    // how many
	cut        bool
}

// width is how many bits the byte at i holds.
func (r *stuffedReader) width(i int) int {
	if i > r.start && r.data[i-1] == 0xFF {
		return 7
	}
	return 8
}

func (r *stuffedReader) fill() {
	for r.n <= 56 && r.pos < len(r.data) {
		b := r.data[r.pos]
		if b == 0xFF && (r.pos+1 >= len(r.data) || r.data[r.pos+1] >= 0x80) {
			return // a marker
		}
		w := r.width(r.pos)
		r.acc |= uint64(b) << (64 - w) >> r.n
		r.n += w
		r.pos++
	}
}

// skip drops bits that acc holds, or says that there are no more.
func (r *stuffedReader) skip(n int) {
	if n > r.n {
		r.cut = true
		r.acc, r.n = 0, 0
		return
	}
	r.acc <<= n
	r.n -= n
}

// read is a number of up to 32 bits.
func (r *stuffedReader) read(n int) int {
	if n > r.n {
		r.fill()
	}
	v := int(r.acc >> 1 >> (63 - n))
	r.skip(n)
	return v
}

// zeros counts zero bits up to the next one, which it takes too; more than limit
// are an error.
func (r *stuffedReader) zeros(limit int) (n int, ok bool) {
	for {
		if r.n < 32 {
			r.fill()
		}
		z := min(bits.LeadingZeros64(r.acc), r.n)
		n += z
		if n > limit {
			return 0, false
		}
		if z < r.n {
			r.skip(z + 1)
			return n, true
		}
		if r.skip(z); z == 0 {
			r.cut = true
			return 0, false
		}
	}
}

// end is where the byte behind the last one that was read stands.
func (r *stuffedReader) end() int {
	for r.pos > r.start && r.n >= r.width(r.pos-1) {
		r.pos--
		r.n -= r.width(r.pos)
	}
	return r.pos
}
