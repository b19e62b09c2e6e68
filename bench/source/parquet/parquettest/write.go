// Package parquettest writes Parquet files for tests. [File] writes them plain,
// not compressed, each column of a row group in one page, and [Layout] as other
// writers do.
package parquettest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Column is a column with its cells, one a row: string, []byte, int64, or nil
// where it is null; or []string, a list. All of a column are of one type, and lists
// stand in no structure.
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

// isList tells whether cells are lists: a repeated field, the plainest form.
func (c Column) isList() bool {
	for _, cell := range c.Cells {
		if _, ok := cell.([]string); ok {
			return true
		}
	}
	return false
}

// values is how many values, nulls and empty lists among them, cells are written as.
func values(cells []any) int {
	n := 0
	for _, cell := range cells {
		list, _ := cell.([]string)
		n += max(1, len(list))
	}
	return n
}

func (c Column) depth() int { return strings.Count(c.Path, ".") + 1 }

// File is a file with the columns, in row groups of that many rows.
func File(columns []Column, perGroup int) []byte {
	return Layout{PerGroup: perGroup}.File(columns)
}

// Layout is how a file is written.
type Layout struct {
	PerGroup   int // rows of a row group
	PerPage    int // rows of a page; 0: those of the row group
	Codec      Codec
	Dictionary bool // texts and bytes are numbers of values in a dictionary
}

// File is a file with the columns.
func (l Layout) File(columns []Column) []byte {
	var b bytes.Buffer
	b.WriteString("PAR1")
	rows := len(columns[0].Cells)
	var groups [][]byte
	for first := 0; first < rows; first += l.PerGroup {
		groups = append(groups, l.writeGroup(&b, columns, first, min(rows, first+l.PerGroup)))
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
func (l Layout) writeGroup(b *bytes.Buffer, columns []Column, first, end int) []byte {
	var chunks [][]byte
	for _, c := range columns {
		at := b.Len()
		cells := c.Cells[first:end]
		dataAt := l.writePages(b, c, cells)

		var meta, chunk thrift
		meta.int(1, 5, c.physical())
		meta.int(4, 5, int64(l.Codec))
		meta.int(5, 6, int64(values(cells)))
		meta.int(6, 6, int64(b.Len()-at))
		meta.int(7, 6, int64(b.Len()-at))
		meta.int(9, 6, int64(dataAt))
		if dataAt > at {
			meta.int(11, 6, int64(at))
		}
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

// writePages writes the pages of a column and tells where those of data begin.
func (l Layout) writePages(b *bytes.Buffer, c Column, cells []any) (dataAt int) {
	var d *dictionary
	if l.Dictionary && c.physical() == typeBytes && !c.isList() {
		d = newDictionary(cells)
		l.writePage(b, d.values.Bytes(), 2, 7, int64(len(d.numbers)), 0)
	}
	dataAt = b.Len()
	perPage := l.PerPage
	if perPage == 0 {
		perPage = len(cells)
	}
	for part := range slices.Chunk(cells, perPage) {
		if d != nil {
			l.writePage(b, d.page(c, part), 0, 5, int64(len(part)), 8, 3, 3)
		} else {
			l.writePage(b, c.page(part), 0, 5, int64(values(part)), 0, 3, 3)
		}
	}
	return dataAt
}

// writePage writes a page of a kind, whose head has a part with the number of
// values and encodings.
func (l Layout) writePage(b *bytes.Buffer, content []byte, kind int64, part int, values int64, encodings ...int64) {
	var about, head thrift
	about.int(1, 5, values)
	for i, encoding := range encodings {
		about.int(2+i, 5, encoding)
	}
	about.stop()
	body := l.Codec.compress(content)
	head.int(1, 5, kind)
	head.int(2, 5, int64(len(content)))
	head.int(3, 5, int64(len(body)))
	head.nested(part, about.Bytes())
	head.stop()
	b.Write(head.Bytes())
	b.Write(body)
}

// page is the levels, each in a run of its own, and the values: of lists the
// repetition levels first.
func (c Column) page(cells []any) []byte {
	var repetition, definition, values bytes.Buffer
	isList := c.isList()
	level := func(b *bytes.Buffer, n int) { b.Write([]byte{1 << 1, byte(n)}) }
	for _, cell := range cells {
		list, _ := cell.([]string)
		level(&repetition, 0)
		if cell == nil || isList && len(list) == 0 {
			level(&definition, 0)
			continue
		}
		if list == nil {
			level(&definition, c.depth())
			write(&values, cell)
			continue
		}
		for i, text := range list {
			if i > 0 {
				level(&repetition, 1)
			}
			level(&definition, 1)
			write(&values, text)
		}
	}
	var b bytes.Buffer
	if isList {
		binary.Write(&b, binary.LittleEndian, uint32(repetition.Len()))
		b.Write(repetition.Bytes())
	}
	binary.Write(&b, binary.LittleEndian, uint32(definition.Len()))
	b.Write(definition.Bytes())
	b.Write(values.Bytes())
	return b.Bytes()
}

// write writes a plain value.
func write(b *bytes.Buffer, cell any) {
	switch v := cell.(type) {
	case int64:
		binary.Write(b, binary.LittleEndian, v)
	case string:
		binary.Write(b, binary.LittleEndian, uint32(len(v)))
		b.WriteString(v)
	case []byte:
		binary.Write(b, binary.LittleEndian, uint32(len(v)))
		b.Write(v)
	default:
		panic(fmt.Sprintf("a cell of type %T", v))
	}
}

// schema lists the elements depth first. All but the root are optional or, lists,
// repeated.
func schema(columns []Column) [][]byte {
	element := func(name string, physical, children, repetition int64) []byte {
		var t thrift
		if physical > 0 {
			t.int(1, 5, physical)
		}
		t.int(3, 5, repetition)
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
				all = append(all, element(outer, 0, n, 1))
			}
		}
		repetition := int64(1)
		if c.isList() {
			repetition = 2
		}
		all = append(all, element(inner, c.physical(), 0, repetition))
	}
	return append([][]byte{element("schema", 0, top, 1)}, all...)
}
