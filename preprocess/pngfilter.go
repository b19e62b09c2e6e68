package preprocess

import "encoding/binary"

// PNG filters (PNG specification, 9.2).
const (
	filterNone = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

// before is the room in front of a row for the pixel left of its first one, which
// is zero.
const before = 8

// filter prepares the rows of a picture for compression. Most of its work is done on
// eight bytes of a row at once.
type filter struct {
	n, pixel  int    // bytes of a row and of a pixel
	cur, prev []byte // with the room before
	out       []byte // the filter's number and the row
}

func newFilter(n, pixel int) *filter {
	return &filter{n, pixel, make([]byte, before+n), make([]byte, before+n), make([]byte, 1+n)}
}

// next is where the next row goes.
func (f *filter) next() []byte {
	f.cur, f.prev = f.prev, f.cur
	return f.cur[before:]
}

// row is the row with the filter whose bytes, taken as signed, have the least sum of
// their sizes; of equal ones the first of up, Paeth, none, sub and average. It stands
// until the next one.
func (f *filter) row() []byte {
	none, sub, up, average := f.sums()
	best, least := byte(filterUp), up
	if f.paeth(min(up, none+1, sub+1, average+1)) {
		f.out[0] = filterPaeth
		return f.out
	}
	for _, c := range []struct {
		number byte
		sum    int
	}{{filterNone, none}, {filterSub, sub}, {filterAverage, average}} {
		if c.sum < least {
			best, least = c.number, c.sum
		}
	}
	f.apply(best)
	return f.out
}

// sums are what the filters but Paeth would give.
func (f *filter) sums() (none, sub, up, average int) {
	cur, left, over := f.cur[before:], f.cur[before-f.pixel:], f.prev[before:]
	i := 0
	for ; i+8 <= f.n; i += 8 {
		x, a, b := load(cur[i:]), load(left[i:]), load(over[i:])
		none += sizes(x)
		sub += sizes(minus(x, a))
		up += sizes(minus(x, b))
		average += sizes(minus(x, mean(a, b)))
	}
	for ; i < f.n; i++ {
		x, a, b := cur[i], left[i], over[i]
		none += sizeOf(x)
		sub += sizeOf(x - a)
		up += sizeOf(x - b)
		average += sizeOf(x - byte((int(a)+int(b))/2))
	}
	return none, sub, up, average
}

// paeth filters the row, unless the sum would not be below limit.
func (f *filter) paeth(limit int) bool {
	cur, left, over, corner := f.cur[before:], f.cur[before-f.pixel:], f.prev[before:], f.prev[before-f.pixel:]
	out := f.out[1:]
	sum := 0
	for from := 0; from < f.n; from += 256 {
		to := min(from+256, f.n)
		x, a, b, c := cur[from:to], left[from:to], over[from:to], corner[from:to]
		out := out[from:to]
		for i, v := range x {
			d := v - predict(int(a[i]), int(b[i]), int(c[i]))
			out[i] = d
			sum += sizeOf(d)
		}
		if sum >= limit {
			return false
		}
	}
	return true
}

// predict is the one of left, above and corner that is nearest to left + above -
// corner, the first of equals.
func predict(left, above, corner int) byte {
	toLeft, toAbove := above-corner, left-corner
	toCorner := toLeft + toAbove
	toLeft, toAbove, toCorner = size(toLeft), size(toAbove), size(toCorner)
	nearest, distance := corner, toCorner
	if toAbove <= distance {
		nearest, distance = above, toAbove
	}
	if toLeft <= distance {
		nearest = left
	}
	return byte(nearest)
}

// apply writes the row through a filter other than Paeth.
func (f *filter) apply(number byte) {
	f.out[0] = number
	cur, left, over, out := f.cur[before:], f.cur[before-f.pixel:], f.prev[before:], f.out[1:]
	switch number {
	case filterNone:
		copy(out, cur)
	case filterSub:
		for i := range f.n {
			out[i] = cur[i] - left[i]
		}
	case filterUp:
		for i := range f.n {
			out[i] = cur[i] - over[i]
		}
	case filterAverage:
		for i := range f.n {
			out[i] = cur[i] - byte((int(left[i])+int(over[i]))/2)
		}
	}
}

// Eight bytes in a word.
const (
	tops  = 0x8080808080808080 // the highest bit of each
	lows  = 0x0101010101010101 // the lowest bit of each
	evens = 0x00ff00ff00ff00ff // every second byte
)

func load(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// minus is the difference of each two bytes. The highest bits are set and cleared so
// that no byte borrows from the next, and put right after.
func minus(x, y uint64) uint64 { return (x | tops) - (y &^ tops) ^ (x^^y)&tops }

// mean is the mean of each two bytes, rounded down.
func mean(x, y uint64) uint64 { return x&y + (x^y)>>1&^tops }

// sizes is the sum of the sizes of bytes taken as signed.
func sizes(x uint64) int {
	negative := x >> 7 & lows
	x = x ^ negative*0xff + negative
	return int((x&evens + x>>8&evens) * 0x0001000100010001 >> 48)
}

// sizeOf is the size of a byte taken as signed.
func sizeOf(b byte) int { return size(int(int8(b))) }

func size(n int) int {
	sign := n >> 63
	return n ^ sign - sign
}
