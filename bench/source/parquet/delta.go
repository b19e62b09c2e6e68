package parquet

import (
	"fmt"
)

// deltas reads numbers that are written as differences in packed blocks
// (DELTA_BINARY_PACKED).
type deltas struct {
	s         *stream
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
func newDeltas(s *stream, most int) (*deltas, error) {
	var head [3]uint64 // values of a block, parts of it, values in all
	for i := range head {
		var err error
		if head[i], err = s.uvarint(); err != nil {
			return nil, err
		}
	}
	first, err := s.varint()
	size, minis, count := head[0], head[1], head[2]
	switch {
	case err != nil:
		return nil, err
	case count > uint64(most):
		return nil, fmt.Errorf("%d differences for %d values", count, most)
	case minis == 0 || size == 0 || size > 1<<24 || minis > 1<<16 || size%minis != 0 || size/minis%8 != 0:
		return nil, fmt.Errorf("blocks of %d values in %d parts", size, minis)
	}
	d := &deltas{s: s, blockSize: int(size), minis: int(minis), left: int(count), value: first, first: true}
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
		if err := d.block(); err != nil {
			return err
		}
	}
	width := int(d.widths[d.mini])
	if width > 64 {
		return fmt.Errorf("differences of %d bits", width)
	}
	var err error
	d.packed, err = d.s.take(d.perMini() * width / 8)
	d.used = 0
	return err
}

// block reads the head of a block.
func (d *deltas) block() (err error) {
	if d.min, err = d.s.varint(); err != nil {
		return err
	}
	widths, err := d.s.take(d.minis)
	d.widths, d.mini = append(d.widths[:0], widths...), 0
	return err
}

// readLengths reads all numbers of a sequence, each of which must be a length.
func readLengths(s *stream, most int) (lengths []int, err error) {
	d, err := newDeltas(s, most)
	if err != nil {
		return nil, err
	}
	for d.left > 0 {
		n, err := d.next()
		if err != nil {
			return nil, err
		}
		if n < 0 || n > maxPage {
			return nil, fmt.Errorf("a length of %d", n)
		}
		lengths = append(lengths, int(n))
	}
	return lengths, nil
}
