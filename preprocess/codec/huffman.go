package codec

import "encoding/binary"

// huffman is a table of codes, T.81 annex C, as a look-up by the next 16 bits.
type huffman struct {
	// entries hold the length of the code in the upper byte, 0 where none
	// begins so, and its symbol in the lower.
	entries [1 << 16]uint16
}

// parseTables reads a DHT segment into tables, indexed by 4·class + destination.
func parseTables(offset int, body []byte, tables *[8]*huffman) error {
	for len(body) > 0 {
		if len(body) < 17 {
			return damaged(offset, "a Huffman table is cut")
		}
		class, id := body[0]>>4, body[0]&15
		if class > 1 || id > 3 {
			return damaged(offset, "a Huffman table for destination %d of class %d", id, class)
		}
		n := 0
		for _, c := range body[1:17] {
			n += int(c)
		}
		if n > 256 || len(body) < 17+n {
			return damaged(offset, "a Huffman table of %d symbols does not fit", n)
		}
		t, ok := newHuffman(body[1:17], body[17:17+n])
		if !ok {
			return damaged(offset, "a Huffman table with more codes than there can be")
		}
		tables[4*class+id] = t
		body = body[17+n:]
	}
	return nil
}

func newHuffman(counts, symbols []byte) (*huffman, bool) {
	t := &huffman{}
	next := 0 // in entries
	for i, count := range counts {
		span := 1 << (15 - i)
		for range count {
			if next+span > len(t.entries) {
				return nil, false
			}
			e := uint16(i+1)<<8 | uint16(symbols[0])
			symbols = symbols[1:]
			for j := range span {
				t.entries[next+j] = e
			}
			next += span
		}
	}
	return t, true
}

// bitReader reads entropy-coded data of JPEG, in which a zero byte follows each
// byte 0xFF. Reading beyond the end gives zeros and sets cut.
type bitReader struct {
	data []byte
	pos  int
	acc  uint64
	n    int // bits in acc
	cut  bool
}

// fill makes at least 32 bits, if the data have them.
func (r *bitReader) fill() {
	for r.n <= 48 && r.pos < len(r.data) {
		b := r.data[r.pos]
		if b == 0xFF {
			if r.pos+1 >= len(r.data) || r.data[r.pos+1] != 0 {
				return
			}
			r.pos++
		}
		r.pos++
		r.acc = r.acc<<8 | uint64(b)
		r.n += 8
	}
}

// peek is the next 16 bits.
func (r *bitReader) peek() uint16 {
	if r.n < 16 {
		if r.fill(); r.n < 16 {
			return uint16(r.acc << (16 - r.n))
		}
	}
	return uint16(r.acc >> (r.n - 16))
}

func (r *bitReader) skip(n int) {
	if n > r.n {
		r.cut = true
		n = r.n
	}
	r.n -= n
}

// symbol decodes by a table; ok is false where no code begins so.
func (r *bitReader) symbol(t *huffman) (s int, ok bool) {
	e := t.entries[r.peek()]
	r.skip(int(e >> 8))
	return int(e & 0xFF), e != 0
}

// receive is the signed value of n additional bits, T.81 F.2.2.1 (EXTEND).
func (r *bitReader) receive(n int) int {
	if n == 0 {
		return 0
	}
	v := int(r.peek() >> (16 - n))
	r.skip(n)
	if v < 1<<(n-1) {
		v += 1 - 1<<n
	}
	return v
}

// restart takes the marker RSTn, which must be the next thing.
func (r *bitReader) restart(n int) error {
	r.align()
	if r.pos+2 > len(r.data) || binary.BigEndian.Uint16(r.data[r.pos:]) != 0xFF00|mRST0|uint16(n&7) {
		return damaged(r.pos, "no restart marker where one must be")
	}
	r.pos += 2
	return nil
}

// align drops the rest of the byte that is being read; whole bytes that were
// taken but not read make the place of the next marker, so it is an error of
// the data if there are any.
func (r *bitReader) align() {
	for r.n >= 8 {
		r.n -= 8
		r.pos--
		if r.pos > 0 && r.data[r.pos] == 0 && r.data[r.pos-1] == 0xFF {
			r.pos--
		}
	}
	r.acc, r.n = 0, 0
}
