package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The kinds of page.
const (
	pageData   = 0
	pageDict   = 2
	pageDataV2 = 3
)

const (
	firstHead = 4 << 10 // bytes read at first to find a page's head
	maxHead   = 1 << 20 // bytes of a head, which can hold statistics
)

// head is what stands before a page.
type head struct {
	kind       int
	size       int // bytes of the page when decompressed
	compressed int
	crc        uint32
	hasCRC     bool
	values     int
	encoding   int
	defBytes   int // of definition and repetition levels, in pages of version 2
	repBytes   int
	plain      bool // not compressed although the column is
	levels     [2]int
}

func (t *thrift) head() head {
	h := head{kind: -1}
	t.fields(func(id int, k kind) {
		switch {
		case id == 1:
			h.kind = int(t.number(k, 255))
		case id == 2:
			h.size = int(t.number(k, 1<<31-1))
		case id == 3:
			h.compressed = int(t.number(k, 1<<31-1))
		case id == 4 && t.want(k, kindI32):
			h.crc, h.hasCRC = uint32(t.int()), true
		case id == 5 || id == 7 || id == 8:
			if t.want(k, kindStruct) {
				t.fields(func(f int, k kind) { h.field(t, id, f, k) })
			}
		default:
			t.skip(k)
		}
	})
	return h
}

// field reads a field of the part that says what is in a page: 5 is of data
// pages, 7 of dictionaries, 8 of data pages of version 2.
func (h *head) field(t *thrift, part, id int, k kind) {
	switch {
	case id == 1:
		h.values = int(t.number(k, maxListItems))
	case id == 2 && part != 8, id == 4 && part == 8:
		h.encoding = int(t.number(k, 255))
	case part == 5 && (id == 3 || id == 4):
		h.levels[id-3] = int(t.number(k, 255))
	case part == 8 && id == 5:
		h.defBytes = int(t.number(k, maxPage))
	case part == 8 && id == 6:
		h.repBytes = int(t.number(k, maxPage))
	case part == 8 && id == 7 && (k == kindTrue || k == kindFalse):
		h.plain = k == kindFalse
	default:
		t.skip(k)
	}
}

// page is a data page, decompressed.
type page struct {
	column   *column
	values   int // nulls and places of empty lists included
	encoding int
	rep, def []byte // levels in hybrid form
	data     []byte
	dict     []any
}

// pages reads the pages of a chunk.
type pages struct {
	file    *File
	column  *column
	chunk   chunk
	at, end int64 // bytes of the file
	left    int64 // values in the pages to come
	dict    []any
}

func (f *File) pages(group, col int) *pages {
	c := f.groups[group].chunks[col]
	return &pages{file: f, column: f.columns[col], chunk: c, at: c.start(), end: c.start() + c.compressedSize, left: c.values}
}

// next is the next data page, or io.EOF. Pages that want refuses, by their
// number of values, are passed over and are nil.
func (p *pages) next(want func(values int) bool) (*page, int, error) {
	for p.left > 0 {
		at := p.at
		h, body, err := p.head()
		if err != nil {
			return nil, 0, placed(p.column.path, at, err)
		}
		p.at = body + int64(h.compressed)
		switch h.kind {
		case pageDict:
			if p.dict, err = p.dictionary(h, body); err != nil {
				return nil, 0, placed(p.column.path, at, fmt.Errorf("dictionary: %w", err))
			}
		case pageData, pageDataV2:
			if p.left -= int64(h.values); p.left < 0 {
				return nil, 0, placed(p.column.path, at, errors.New("more values than the chunk has"))
			}
			if !want(h.values) {
				return nil, h.values, nil
			}
			made, err := p.data(h, body)
			if err != nil {
				return nil, 0, placed(p.column.path, at, err)
			}
			return made, h.values, nil
		}
	}
	return nil, 0, io.EOF
}

// head reads the head of a page and tells where its body begins.
func (p *pages) head() (head, int64, error) {
	for size := int64(firstHead); ; size *= 8 {
		b := make([]byte, min(size, p.end-p.at))
		if err := readFull(p.file.r, b, p.at); err != nil {
			return head{}, 0, err
		}
		t := thrift{b: b}
		h := t.head()
		if errors.Is(t.err, errShort) && size < p.end-p.at && size < maxHead {
			continue
		}
		if t.err != nil {
			return h, 0, fmt.Errorf("page head: %w", t.err)
		}
		if body := p.at + int64(t.at); int64(h.compressed) <= p.end-body {
			return h, body, nil
		}
		return h, 0, fmt.Errorf("a page of %d bytes goes beyond the chunk", h.compressed)
	}
}

// body reads the bytes of a page and checks them.
func (p *pages) body(h head, at int64) ([]byte, error) {
	if h.compressed > maxPage {
		return nil, fmt.Errorf("a page of %d bytes is too large; write the file with smaller row groups", h.compressed)
	}
	b := make([]byte, h.compressed)
	if err := readFull(p.file.r, b, at); err != nil {
		return nil, err
	}
	if h.hasCRC && crc32.ChecksumIEEE(b) != h.crc {
		return nil, errors.New("the checksum of the page is another: the file is damaged")
	}
	return b, nil
}

// dictionary reads the values that indices mean.
func (p *pages) dictionary(h head, at int64) ([]any, error) {
	b, err := p.body(h, at)
	if err != nil {
		return nil, err
	}
	if b, err = decompress(p.chunk.codec, b, h.size); err != nil {
		return nil, err
	}
	from := &plain{p.column, b, 0}
	var dict []any
	for range h.values {
		v, err := from.next()
		if err != nil {
			return nil, err
		}
		dict = append(dict, v)
	}
	return dict, nil
}

// data decompresses a data page and splits it.
func (p *pages) data(h head, at int64) (*page, error) {
	b, err := p.body(h, at)
	if err != nil {
		return nil, err
	}
	made := &page{column: p.column, values: h.values, encoding: h.encoding, dict: p.dict}
	if h.kind == pageDataV2 {
		return made, made.splitV2(h, p.chunk.codec, b)
	}
	if b, err = decompress(p.chunk.codec, b, h.size); err != nil {
		return nil, err
	}
	if p.column.maxRep > 0 {
		if made.rep, b, err = cutLevels(b, h.levels[1]); err != nil {
			return nil, err
		}
	}
	if p.column.maxDef > 0 {
		if made.def, b, err = cutLevels(b, h.levels[0]); err != nil {
			return nil, err
		}
	}
	made.data = b
	return made, nil
}

// cutLevels takes levels with their length before them off b.
func cutLevels(b []byte, encoding int) (levels, rest []byte, err error) {
	if encoding != encRLE {
		return nil, nil, fmt.Errorf("levels in encoding %d are not read", encoding)
	}
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, fmt.Errorf("levels: %w", errShort)
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	return b[4:n], b[n:], nil
}

// splitV2 splits a page of version 2, whose levels are never compressed.
func (p *page) splitV2(h head, codec int, b []byte) error {
	levels := h.repBytes + h.defBytes
	if levels > len(b) || levels > h.size {
		return fmt.Errorf("levels: %w", errShort)
	}
	if h.plain {
		codec = codecNone
	}
	p.rep, p.def = b[:h.repBytes], b[h.repBytes:levels]
	var err error
	p.data, err = decompress(codec, b[levels:], h.size-levels)
	return err
}
