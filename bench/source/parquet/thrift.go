package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// kind is a type of Thrift's compact protocol, in which the metadata are
// written (apache/thrift, doc/specs/thrift-compact-protocol.md).
type kind byte

const (
	kindTrue   kind = 1
	kindFalse  kind = 2
	kindByte   kind = 3
	kindI16    kind = 4
	kindI32    kind = 5
	kindI64    kind = 6
	kindDouble kind = 7
	kindBinary kind = 8
	kindList   kind = 9
	kindSet    kind = 10
	kindMap    kind = 11
	kindStruct kind = 12
)

// maxNesting is more than any metadata of the format nest.
const maxNesting = 24

// thrift reads a value of the compact protocol. Its first error stays and makes
// all further reads give zero.
type thrift struct {
	b     []byte
	at    int
	depth int
	err   error
}

func (t *thrift) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// take is the next n bytes, not copied.
func (t *thrift) take(n int) []byte {
	if t.err != nil || n < 0 || n > len(t.b)-t.at {
		t.fail(errShort)
		return nil
	}
	b := t.b[t.at : t.at+n]
	t.at += n
	return b
}

func (t *thrift) byte() byte {
	if b := t.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (t *thrift) uvarint() uint64 {
	if t.err != nil {
		return 0
	}
	u, n := binary.Uvarint(t.b[t.at:])
	switch {
	case n == 0:
		t.fail(errShort)
		return 0
	case n < 0:
		t.fail(errors.New("a number is longer than 64 bits"))
		return 0
	}
	t.at += n
	return u
}

// int is a signed number in zigzag form.
func (t *thrift) int() int64 {
	u := t.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// binary is a text or bytes, not copied.
func (t *thrift) binary() []byte {
	n := t.uvarint()
	if n > uint64(len(t.b)) {
		t.fail(errShort)
		return nil
	}
	return t.take(int(n))
}

// fields reads a structure. read must read the field it is told of, or [skip] it.
func (t *thrift) fields(read func(id int, k kind)) {
	if t.depth++; t.depth > maxNesting {
		t.fail(fmt.Errorf("nests deeper than %d", maxNesting))
	}
	id := 0
	for t.err == nil {
		b := t.byte()
		if b == 0 {
			break
		}
		if delta := int(b >> 4); delta > 0 {
			id += delta
		} else {
			id = int(int16(t.int()))
		}
		read(id, kind(b&15))
	}
	t.depth--
}

// list reads a list. Each of its elements takes a byte at least, so that a
// claimed length is bounded by what is there.
func (t *thrift) list(read func(k kind)) {
	head := t.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = t.uvarint()
	}
	if n > uint64(len(t.b)-t.at) {
		t.fail(errShort)
	}
	if t.depth++; t.depth > maxNesting {
		t.fail(fmt.Errorf("nests deeper than %d", maxNesting))
	}
	for range n {
		if t.err != nil {
			break
		}
		read(kind(head & 15))
	}
	t.depth--
}

// skip reads a field's value and forgets it.
func (t *thrift) skip(k kind) {
	switch k {
	case kindTrue, kindFalse: // the value is in the type
	case kindByte:
		t.byte()
	case kindI16, kindI32, kindI64:
		t.uvarint()
	case kindDouble:
		t.take(8)
	case kindBinary:
		t.binary()
	case kindList, kindSet:
		t.list(t.skipElement)
	case kindMap:
		t.skipMap()
	case kindStruct:
		t.fields(func(_ int, k kind) { t.skip(k) })
	default:
		t.fail(fmt.Errorf("unknown type %d", k))
	}
}

// skipElement skips an element of a list, where truth values take a byte.
func (t *thrift) skipElement(k kind) {
	if k == kindTrue || k == kindFalse {
		k = kindByte
	}
	t.skip(k)
}

func (t *thrift) skipMap() {
	n := t.uvarint()
	if n == 0 {
		return
	}
	types := t.byte()
	if n > uint64(len(t.b)-t.at) {
		t.fail(errShort)
	}
	for range n {
		if t.err != nil {
			return
		}
		t.skipElement(kind(types >> 4))
		t.skipElement(kind(types & 15))
	}
}

// number is a field that must be a whole number of at least 0 and at most most.
func (t *thrift) number(k kind, most int64) int64 {
	if k != kindI16 && k != kindI32 && k != kindI64 {
		t.fail(fmt.Errorf("type %d where a number is wanted", k))
		return 0
	}
	n := t.int()
	if n < 0 || n > most {
		t.fail(fmt.Errorf("number %d where 0 to %d is wanted", n, most))
		return 0
	}
	return n
}

// want fails unless a field has the type that its meaning needs.
func (t *thrift) want(k, wanted kind) bool {
	if k != wanted {
		t.fail(fmt.Errorf("type %d where %d is wanted", k, wanted))
	}
	return t.err == nil
}
