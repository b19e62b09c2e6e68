// Package parquettest writes Parquet files for tests: plain, not compressed,
// each column of a row group in one page.
package parquettest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Column is a column with its cells, one a row: string, []byte, int64, or nil
// where it is null. All of a column are of one type.
type Column struct {
	Path  string // with a dot: in a structure, whose columns stand together
	Cells []any
}

// The types that are written.
const (
	typeInt64 = 2
	typeBytes = 6
)

func (c Column) physical() int64 {
	for _, cell := range c.Cells {
		if _, ok := cell.(int64); ok {
			return typeInt64
		}
	}
	return typeBytes
}

func (c Column) depth() int { return strings.Count(c.Path, ".") + 1 }

// File is a file with the columns, in row groups of that many rows.
func File(columns []Column, perGroup int) []byte {
	var b bytes.Buffer
	b.WriteString("PAR1")
	rows := len(columns[0].Cells)
	var groups [][]byte
	for first := 0; first < rows; first += perGroup {
		groups = append(groups, writeGroup(&b, columns, first, min(rows, first+perGroup)))
	}
	var footer thrift
	footer.int(1, 5, 1)
	footer.list(2, schema(columns))
	footer.int(3, 6, int64(rows))
	footer.list(4, groups)
	footer.stop()
	b.Write(footer.Bytes())
	binary.Write(&b, binary.LittleEndian, uint32(footer.Len()))
	b.WriteString("PAR1")
	return b.Bytes()
}

// writeGroup writes the pages of a row group and gives its metadata.
func writeGroup(b *bytes.Buffer, columns []Column, first, end int) []byte {
	var chunks [][]byte
	for _, c := range columns {
		at := b.Len()
		page := c.page(c.Cells[first:end])
		var data, head thrift
		data.int(1, 5, int64(end-first))
		for id := 2; id <= 4; id++ { // encodings: plain values, levels in runs
			data.int(id, 5, int64(min(id-2, 1)*3))
		}
		data.stop()
		head.int(1, 5, 0)
		head.int(2, 5, int64(len(page)))
		head.int(3, 5, int64(len(page)))
		head.nested(5, data.Bytes())
		head.stop()
		b.Write(head.Bytes())
		b.Write(page)

		var meta, chunk thrift
		meta.int(1, 5, c.physical())
		meta.int(4, 5, 0)
		meta.int(5, 6, int64(end-first))
		meta.int(6, 6, int64(b.Len()-at))
		meta.int(7, 6, int64(b.Len()-at))
		meta.int(9, 6, int64(at))
		meta.stop()
		chunk.int(2, 6, int64(at))
		chunk.nested(3, meta.Bytes())
		chunk.stop()
		chunks = append(chunks, chunk.Bytes())
	}
	var group thrift
	group.list(1, chunks)
	group.int(3, 6, int64(end-first))
	group.stop()
	return group.Bytes()
}

// page is definition levels, one in a run of its own, and the values.
func (c Column) page(cells []any) []byte {
	var levels, values bytes.Buffer
	for _, cell := range cells {
		level := byte(c.depth())
		switch v := cell.(type) {
		case nil:
			level = 0
		case int64:
			binary.Write(&values, binary.LittleEndian, v)
		case string:
			binary.Write(&values, binary.LittleEndian, uint32(len(v)))
			values.WriteString(v)
		case []byte:
			binary.Write(&values, binary.LittleEndian, uint32(len(v)))
			values.Write(v)
		default:
			panic(fmt.Sprintf("a cell of type %T", v))
		}
		levels.Write([]byte{1 << 1, level})
	}
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, uint32(levels.Len()))
	b.Write(levels.Bytes())
	b.Write(values.Bytes())
	return b.Bytes()
}

// schema lists the elements depth first. All but the root are optional.
func schema(columns []Column) [][]byte {
	element := func(name string, physical, children int64) []byte {
		var t thrift
		if physical > 0 {
			t.int(1, 5, physical)
		}
		t.int(3, 5, 1)
		t.text(4, name)
		if physical == 0 {
			t.int(5, 5, children)
		}
		t.stop()
		return t.Bytes()
	}
	var all [][]byte
	top := int64(0)
	for i, c := range columns {
		outer, inner, nested := strings.Cut(c.Path, ".")
		if !nested {
			inner = outer
		}
		if before := i > 0 && nested && strings.HasPrefix(columns[i-1].Path, outer+"."); !before {
			top++
			if nested {
				n := int64(0)
				for _, d := range columns[i:] {
					if strings.HasPrefix(d.Path, outer+".") {
						n++
					}
				}
				all = append(all, element(outer, 0, n))
			}
		}
		all = append(all, element(inner, c.physical(), 0))
	}
	return append([][]byte{element("schema", 0, top)}, all...)
}
