package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// firstReach is how far back copies reach in what nearly all writers make: they
// compress 64 KiB at a time.
const firstReach = 64 << 10

var errSnappy = errors.New("not a valid Snappy block")

// unsnapper decompresses Snappy blocks (google/snappy, format_description.txt) as
// streams. It holds the bytes that copies reach back to. The format lets them
// reach back to the first: where one reaches beyond what is held, the block is
// begun again and more is held.
type unsnapper struct {
	in     *bufio.Reader
	packed packed
	reach  int // bytes that are held at least
	buf    []byte

	out  []byte // of buf: the end of what was made
	read int    // bytes of out that were read
	made int
	skip int // bytes that are made for a second time

	left   int // bytes of the part under way
	offset int // how far back it is copied from; 0: it is a literal
}

// open begins with a block.
func (u *unsnapper) open(p packed) error {
	u.packed, u.reach, u.skip = p, max(u.reach, firstReach), 0
	return u.begin()
}

func (u *unsnapper) begin() error {
	u.in.Reset(u.packed.section())
	size, err := binary.ReadUvarint(u.in)
	if err != nil {
		return noEOF(err)
	}
	if size != uint64(u.packed.size) || u.packed.size/22 > u.packed.compressed { // 3 bytes make 64 at most
		return fmt.Errorf("%d bytes where %d are claimed", size, u.packed.size)
	}
	room := min(u.packed.size, u.reach+max(firstReach, u.reach/2))
	if len(u.buf) < room {
		u.buf = make([]byte, room)
	}
	u.out, u.read, u.made, u.left = u.buf[:0:room], 0, 0, 0
	return nil
}

// Read gives what comes next.
func (u *unsnapper) Read(p []byte) (int, error) {
	for u.read == len(u.out) {
		if u.made == u.packed.size {
			return 0, u.end()
		}
		if err := u.fill(); err != nil {
			return 0, noEOF(err)
		}
		n := min(u.skip, len(u.out)-u.read)
		u.skip, u.read = u.skip-n, u.read+n
	}
	n := copy(p, u.out[u.read:])
	u.read += n
	return n, nil
}

// end is io.EOF where the block is over.
func (u *unsnapper) end() error {
	if _, err := u.in.ReadByte(); err != nil {
		return err
	}
	return errSnappy
}

// fill makes bytes as long as there is room; all before them have been read.
func (u *unsnapper) fill() error {
	if len(u.out) > u.reach {
		u.read = copy(u.out, u.out[len(u.out)-u.reach:])
		u.out = u.out[:u.read]
	}
	for u.made < u.packed.size && len(u.out) < cap(u.out) {
		if u.left == 0 {
			if err := u.next(); err != nil {
				return err
			}
		}
		if err := u.step(); err != nil {
			return err
		}
	}
	return nil
}

// next reads what the next part is.
func (u *unsnapper) next() error {
	tag, err := u.in.ReadByte()
	if err != nil {
		return err
	}
	high := int(tag >> 2)
	switch tag & 3 {
	case 0:
		u.offset, u.left = 0, high+1
		if high >= 60 { // the length follows
			u.left, err = u.number(high - 59)
			u.left++
		}
	case 1:
		u.left = 4 + high&7
		u.offset, err = u.number(1)
		u.offset |= high >> 3 << 8
	case 2, 3:
		u.left = 1 + high
		u.offset, err = u.number(2 * int(tag&3-1))
	}
	if err == nil && (u.left > u.packed.size-u.made || u.offset > u.made || u.offset == 0 && tag&3 > 0) {
		err = errSnappy
	}
	if err == nil && u.offset > u.reach {
		return u.again()
	}
	return err
}

// number is a number of n bytes, the lowest first, or more than any block has.
func (u *unsnapper) number(n int) (int, error) {
	var v uint32
	for i := range n {
		b, err := u.in.ReadByte()
		if err != nil {
			return 0, err
		}
		v |= uint32(b) << (8 * i)
	}
	return int(min(v, maxPage)), nil
}

// again begins the block again and holds enough for the copy under way.
func (u *unsnapper) again() error {
	u.skip += u.made - (len(u.out) - u.read)
	u.reach = max(8*u.reach, u.offset)
	return u.begin()
}

// step makes bytes of the part under way.
func (u *unsnapper) step() error {
	from := len(u.out)
	n := min(u.left, cap(u.out)-from)
	u.out = u.out[:from+n]
	if u.offset == 0 {
		if got, err := io.ReadFull(u.in, u.out[from:]); err != nil {
			u.out, u.made = u.out[:from+got], u.made+got
			return err
		}
	}
	for i := from; u.offset > 0 && i < from+n; {
		// What was copied can be copied again in the same part.
		i += copy(u.out[i:], u.out[i-u.offset:i])
	}
	u.made, u.left = u.made+n, u.left-n
	return nil
}
