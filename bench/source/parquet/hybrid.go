package parquet

import (
	"encoding/binary"
	"fmt"
)

// hybrid reads numbers of width bits that are written as runs of one number and
// as groups of packed ones. Nothing is allocated, whatever length a run claims.
type hybrid struct {
	b     []byte
	width int

	left   uint64 // numbers of the run under way
	packed []byte // of a packed run; nil: a run of value
	at     int    // of the next packed number, in bits
	value  uint32
}

func (h *hybrid) next() (uint32, error) {
	for h.left == 0 {
		if err := h.begin(); err != nil {
			return 0, err
		}
	}
	h.left--
	if h.packed == nil {
		return h.value, nil
	}
	v, ok := bits(h.packed, h.at, h.width)
	if !ok {
		return 0, errShort
	}
	h.at += h.width
	return uint32(v), nil
}

// begin reads the head of a run.
func (h *hybrid) begin() error {
	head, n := binary.Uvarint(h.b)
	if n <= 0 {
		return errShort
	}
	h.b = h.b[n:]
	count := head >> 1
	if head&1 == 1 {
		if count > 1<<32 {
			return fmt.Errorf("a run of %d groups", count)
		}
		h.left, h.at = 8*count, 0
		size := min(count*uint64(h.width), uint64(len(h.b)))
		h.packed, h.b = h.b[:size:size], h.b[size:]
		return nil
	}
	size := (h.width + 7) / 8
	if size > len(h.b) {
		return errShort
	}
	h.left, h.packed, h.value = count, nil, 0
	for i := range size {
		h.value |= uint32(h.b[i]) << (8 * i)
	}
	h.b = h.b[size:]
	return nil
}

// bits is the number of width bits, 64 at most, that begins at a bit of b.
func bits(b []byte, at, width int) (v uint64, ok bool) {
	if at+width > 8*len(b) {
		return 0, false
	}
	for got := 0; got < width; {
		shift := (at + got) % 8
		v |= uint64(b[(at+got)/8]>>shift) << got
		got += 8 - shift
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v, true
}

// bitsFor is the width of numbers up to most.
func bitsFor(most int) int {
	n := 0
	for ; most > 0; most >>= 1 {
		n++
	}
	return n
}
