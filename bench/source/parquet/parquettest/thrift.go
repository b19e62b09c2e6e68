package parquettest

import (
	"bytes"
	"encoding/binary"
)

// thrift writes a structure in Thrift's compact protocol.
type thrift struct {
	bytes.Buffer
	last int // number of the field before
}

func (t *thrift) field(id, kind int) {
	t.WriteByte(byte((id-t.last)<<4 | kind))
	t.last = id
}

func (t *thrift) uvarint(n uint64) { t.Write(binary.AppendUvarint(nil, n)) }

func (t *thrift) int(id, kind int, n int64) {
	t.field(id, kind)
	t.Write(binary.AppendVarint(nil, n))
}

func (t *thrift) text(id int, s string) {
	t.field(id, 8)
	t.uvarint(uint64(len(s)))
	t.WriteString(s)
}

func (t *thrift) nested(id int, b []byte) {
	t.field(id, 12)
	t.Write(b)
}

func (t *thrift) list(id int, structures [][]byte) {
	t.field(id, 9)
	t.WriteByte(0xf0 | 12)
	t.uvarint(uint64(len(structures)))
	for _, s := range structures {
		t.Write(s)
	}
}

func (t *thrift) stop() { t.WriteByte(0) }
