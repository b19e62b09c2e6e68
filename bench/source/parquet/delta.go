package parquet

import (
	"encoding/binary"
	"fmt"
)

// deltas reads numbers that are written as differences in packed blocks
// (DELTA_BINARY_PACKED).
type deltas struct {
	b         []byte
	blockSize int
	minis     int
	left      int // numbers still to come
	value     int64
	first     bool

	min    int64
	widths []byte
	mini   int // number of the miniblock under way
	packed []byte
	used   int // numbers of it that were read
}

// newDeltas reads the head. More than most numbers are refused.
func newDeltas(b []byte, most int) (*deltas, error) {
	t := thrift{b: b}
	d := &deltas{first: true}
	size, minis, count := t.uvarint(), t.uvarint(), t.uvarint()
	d.value = t.int()
	switch {
	case t.err != nil:
		return nil, t.err
	case count > uint64(most):
		return nil, fmt.Errorf("%d differences for %d values", count, most)
	case minis == 0 || size == 0 || size > 1<<24 || minis > 1<<16 || size%minis != 0 || size/minis%8 != 0:
		return nil, fmt.Errorf("blocks of %d values in %d parts", size, minis)
	}
	d.b, d.left, d.blockSize, d.minis = b[t.at:], int(count), int(size), int(minis)
	d.mini, d.used = d.minis, d.perMini()
	return d, nil
}

func (d *deltas) perMini() int { return d.blockSize / d.minis }

func (d *deltas) next() (int64, error) {
	if d.left == 0 {
		return 0, errShort
	}
	d.left--
	if d.first {
		d.first = false
		return d.value, nil
	}
	if d.used == d.perMini() {
		if err := d.begin(); err != nil {
			return 0, err
		}
	}
	width := int(d.widths[d.mini])
	v, ok := bits(d.packed, d.used*width, width)
	if !ok {
		return 0, errShort
	}
	d.used++
	d.value += d.min + int64(v)
	return d.value, nil
}

// begin goes to the next miniblock, and to the next block where that is over.
func (d *deltas) begin() error {
	if d.mini++; d.mini >= d.minis {
		u, n := binary.Uvarint(d.b)
		if n <= 0 || len(d.b)-n < d.minis {
			return errShort
		}
		d.min = int64(u>>1) ^ -int64(u&1)
		d.widths, d.b, d.mini = d.b[n:n+d.minis], d.b[n+d.minis:], 0
	}
	width := int(d.widths[d.mini])
	if width > 64 {
		return fmt.Errorf("differences of %d bits", width)
	}
	size := d.perMini() * width / 8
	if size > len(d.b) {
		return errShort
	}
	d.packed, d.b, d.used = d.b[:size], d.b[size:], 0
	return nil
}

// readLengths reads all numbers of a sequence, each of which must be a length,
// and gives what follows them.
func readLengths(b []byte, most int) (lengths []int, rest []byte, err error) {
	d, err := newDeltas(b, most)
	if err != nil {
		return nil, nil, err
	}
	for d.left > 0 {
		n, err := d.next()
		if err != nil {
			return nil, nil, err
		}
		if n < 0 || n > maxPage {
			return nil, nil, fmt.Errorf("a length of %d", n)
		}
		lengths = append(lengths, int(n))
	}
	return lengths, d.b, nil
}
