package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
)

// values gives the values of a page that are there, one after the other: bool,
// int64, float64, []byte that stands until the next, or a ref.
type values interface{ next() (any, error) }

// The physical types of the format.
const (
	typeBoolean = 0
	typeInt32   = 1
	typeInt64   = 2
	typeFloat   = 4
	typeDouble  = 5
	typeBytes   = 6
	typeFixed   = 7
)

// The encodings of the format.
const (
	encPlain       = 0
	encPlainDict   = 2
	encRLE         = 3
	encDelta       = 5
	encDeltaLength = 6
	encDeltaBytes  = 7
	encDict        = 8
)

var encodingNames = map[int]string{4: "BIT_PACKED", 9: "BYTE_STREAM_SPLIT"}

// ref is the number of a value in the dictionary.
type ref int

// valuesOf reads n values of a column as they are encoded in s.
func (c *column) valuesOf(encoding, n int, s *stream) (values, error) {
	bytesType := c.physical == typeBytes
	intType := c.physical == typeInt32 || c.physical == typeInt64
	switch {
	case encoding == encPlain:
		return &plain{column: c, s: s}, nil
	case encoding == encPlainDict || encoding == encDict:
		return newIndexed(s)
	case encoding == encRLE && c.physical == typeBoolean:
		return newTruths(s)
	case encoding == encDelta && intType:
		d, err := newDeltas(s, n)
		return numbers{d, c.physical == typeInt32}, err
	case encoding == encDeltaLength && bytesType:
		lengths, err := readLengths(s, n)
		return &texts{lengths, s}, err
	case encoding == encDeltaBytes && (bytesType || c.physical == typeFixed):
		prefixes, err := readLengths(s, n)
		if err != nil {
			return nil, err
		}
		suffixes, err := readLengths(s, n)
		return &fronts{prefixes: prefixes, texts: texts{suffixes, s}}, err
	}
	name, ok := encodingNames[encoding]
	if !ok {
		name = fmt.Sprint(encoding)
	}
	return nil, fmt.Errorf("encoding %s of type %d is not read", name, c.physical)
}

// width is the number of bytes of a plain value, or of the length before it; 0:
// it is not read.
func (c *column) width() int {
	switch c.physical {
	case typeInt32, typeFloat, typeBytes:
		return 4
	case typeInt64, typeDouble:
		return 8
	case typeFixed:
		return c.length
	}
	return 0
}

// plain are values one after the other.
type plain struct {
	column *column
	s      *stream
	truths byte // those that are still to come
	bits   int  // how many these are
}

func (p *plain) next() (any, error) {
	if p.column.physical == typeBoolean {
		return p.truth()
	}
	size := p.column.width()
	if size == 0 {
		return nil, fmt.Errorf("values of type %d and no length are not read", p.column.physical)
	}
	b, err := p.s.take(size)
	if err != nil {
		return nil, err
	}
	switch p.column.physical {
	case typeInt32:
		return int64(int32(binary.LittleEndian.Uint32(b))), nil
	case typeInt64:
		return int64(binary.LittleEndian.Uint64(b)), nil
	case typeFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), nil
	case typeDouble:
		return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
	case typeBytes:
		return orNil(p.s.take(int(min(binary.LittleEndian.Uint32(b), math.MaxInt32))))
	}
	return b, nil
}

// truth is the next truth value, of which a byte holds eight.
func (p *plain) truth() (any, error) {
	if p.bits == 0 {
		var err error
		if p.truths, err = p.s.ReadByte(); err != nil {
			return nil, err
		}
		p.bits = 8
	}
	v := p.truths&1 == 1
	p.truths, p.bits = p.truths>>1, p.bits-1
	return v, nil
}

// indexed are numbers of values in a dictionary.
type indexed struct{ hybrid }

func newIndexed(s *stream) (*indexed, error) {
	b, err := s.rest()
	if err != nil || len(b) == 0 { // where all are null
		return &indexed{}, err
	}
	if b[0] > 32 {
		return nil, fmt.Errorf("indices of %d bits", b[0])
	}
	return &indexed{hybrid{b: b[1:], width: int(b[0])}}, nil
}

func (x *indexed) next() (any, error) {
	i, err := x.hybrid.next()
	return ref(min(i, math.MaxInt32)), err
}

// truths are runs of truth values.
type truths struct{ hybrid }

func newTruths(s *stream) (*truths, error) {
	b, err := s.part()
	return &truths{hybrid{b: b, width: 1}}, err
}

func (x *truths) next() (any, error) {
	v, err := x.hybrid.next()
	return v == 1, err
}

// numbers are differences as values.
type numbers struct {
	deltas *deltas
	narrow bool // of 32 bits, in which sums wrap around
}

func (x numbers) next() (any, error) {
	v, err := x.deltas.next()
	if x.narrow {
		v = int64(int32(v))
	}
	return v, err
}

// texts are bytes one after the other, with their lengths apart.
type texts struct {
	lengths []int
	s       *stream
}

func (x *texts) take() ([]byte, error) {
	if len(x.lengths) == 0 {
		return nil, errShort
	}
	n := x.lengths[0]
	x.lengths = x.lengths[1:]
	return x.s.take(n)
}

func (x *texts) next() (any, error) { return orNil(x.take()) }

// fronts are texts of which each shares its beginning with the one before.
type fronts struct {
	prefixes []int
	texts    texts
	last     []byte
	made     int
}

func (x *fronts) next() (any, error) {
	suffix, err := x.texts.take()
	if err != nil {
		return nil, err
	}
	if len(x.prefixes) == 0 || x.prefixes[0] > len(x.last) {
		return nil, errShort
	}
	n := x.prefixes[0]
	x.prefixes = x.prefixes[1:]
	if x.made += n + len(suffix); x.made > maxPage {
		return nil, fmt.Errorf("texts that share their beginnings make more than %d bytes", maxPage)
	}
	x.last = append(x.last[:n], suffix...)
	return x.last, nil
}

// orNil keeps a nil slice from being a value.
func orNil(b []byte, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return b, nil
}
