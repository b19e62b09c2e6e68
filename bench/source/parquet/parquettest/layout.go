package parquettest

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// Codec compresses pages. Its numbers are the format's.
type Codec int

// The codecs.
const (
	None   Codec = 0
	Snappy Codec = 1
	Gzip   Codec = 2
	Zstd   Codec = 6
)

func (c Codec) compress(b []byte) []byte {
	switch c {
	case None:
		return b
	case Snappy:
		return snappy.Encode(nil, b)
	case Gzip:
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Write(b) // a buffer takes everything
		w.Close()
		return out.Bytes()
	case Zstd:
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			panic(err)
		}
		defer w.Close()
		return w.EncodeAll(b, nil)
	}
	panic(fmt.Sprintf("codec %d is not written", c))
}

// dictionary is the values of a column, each once.
type dictionary struct {
	numbers map[string]uint32
	values  bytes.Buffer
}

func newDictionary(cells []any) *dictionary {
	d := &dictionary{numbers: map[string]uint32{}}
	for _, cell := range cells {
		if cell == nil {
			continue
		}
		key := text(cell)
		if _, ok := d.numbers[key]; !ok {
			d.numbers[key] = uint32(len(d.numbers))
			write(&d.values, cell)
		}
	}
	return d
}

// page is the levels and the numbers of the values, each in a run of its own.
func (d *dictionary) page(c Column, cells []any) []byte {
	var levels, numbers bytes.Buffer
	numbers.WriteByte(32) // bits
	for _, cell := range cells {
		if cell == nil {
			levels.Write([]byte{1 << 1, 0})
			continue
		}
		levels.Write([]byte{1 << 1, byte(c.depth())})
		numbers.WriteByte(1 << 1)
		binary.Write(&numbers, binary.LittleEndian, d.numbers[text(cell)])
	}
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, uint32(levels.Len()))
	b.Write(levels.Bytes())
	b.Write(numbers.Bytes())
	return b.Bytes()
}

func text(cell any) string {
	if b, ok := cell.([]byte); ok {
		return string(b)
	}
	return cell.(string)
}
