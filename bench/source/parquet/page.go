package parquet

import (
	"bytes"
	"cmp"
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

// page is a page of values, of the data or of a dictionary. What is in it is read
// only when its cells are.
type page struct {
	column   *column
	at       int64 // byte of the file where it begins
	head     head
	body     packed // levels of version 2 included
	verified bool   // its checksum is right
}

// pages finds the pages of a chunk.
type pages struct {
	file    *File
	column  *column
	chunk   chunk
	at, end int64 // bytes of the file
	left    int64 // values in the pages to come
	dict    *page // of the pages to come
}

func (f *File) pages(group, col int) *pages {
	c := f.groups[group].chunks[col]
	return &pages{file: f, column: f.columns[col], chunk: c, at: c.start(), end: c.start() + c.compressedSize, left: c.values}
}

// next is the next data page, or io.EOF.
func (p *pages) next() (*page, error) {
	for p.left > 0 {
		at := p.at
		h, body, err := p.head()
		if err != nil {
			return nil, placed(p.column.path, at, err)
		}
		p.at = body + int64(h.compressed)
		made := &page{column: p.column, at: at, head: h, body: packed{p.file.r, body, h.compressed, h.size, p.chunk.codec}}
		switch h.kind {
		case pageDict:
			p.dict = made.asDictionary()
		case pageData, pageDataV2:
			if p.left -= int64(h.values); p.left < 0 {
				return nil, placed(p.column.path, at, errors.New("more values than the chunk has"))
			}
			return made, nil
		}
	}
	return nil, io.EOF
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

// asDictionary makes a page one of plain values without levels.
func (p *page) asDictionary() *page {
	c := *p.column
	c.maxDef, c.maxRep = 0, 0
	p.column, p.head.encoding = &c, encPlain
	return p
}

// usesDictionary tells whether the values are numbers of others.
func (p *page) usesDictionary() bool {
	return p.head.encoding == encPlainDict || p.head.encoding == encDict
}

// fail says where an error is.
func (p *page) fail(err error) error {
	if p.head.kind == pageDict {
		err = fmt.Errorf("dictionary: %w", err)
	}
	return placed(p.column.path, p.at, err)
}

// open begins to read what is in the page: levels in hybrid form, and values.
func (p *page) open(u *unpacker) (rep, def []byte, s *stream, err error) {
	if err := p.verify(); err != nil {
		return nil, nil, nil, err
	}
	if p.head.kind == pageDataV2 {
		return p.openV2(u)
	}
	if s, err = u.open(p.body); err != nil {
		return nil, nil, nil, err
	}
	if p.column.maxRep > 0 {
		if rep, err = s.levels(p.head.levels[1]); err != nil {
			return nil, nil, nil, err
		}
	}
	if p.column.maxDef > 0 {
		def, err = s.levels(p.head.levels[0])
	}
	return rep, def, s, err
}

// openV2 is open of a page of version 2, whose levels are never compressed.
func (p *page) openV2(u *unpacker) (rep, def []byte, s *stream, err error) {
	body, n := p.body, p.head.repBytes+p.head.defBytes
	if n > body.compressed || n > body.size {
		return nil, nil, nil, fmt.Errorf("levels: %w", errShort)
	}
	levels := make([]byte, n)
	if err := readFull(body.r, levels, body.at); err != nil {
		return nil, nil, nil, noEOF(err)
	}
	body.at, body.compressed, body.size = body.at+int64(n), body.compressed-n, body.size-n
	if p.head.plain {
		body.codec = codecNone
	}
	s, err = u.open(body)
	return levels[:p.head.repBytes], levels[p.head.repBytes:], s, err
}

// levels are those that stand in a page with their length before them.
func (s *stream) levels(encoding int) ([]byte, error) {
	if encoding != encRLE {
		return nil, fmt.Errorf("levels in encoding %d are not read", encoding)
	}
	b, err := s.part()
	if err != nil {
		return nil, fmt.Errorf("levels: %w", err)
	}
	return bytes.Clone(b), nil
}

// verify holds the page against its checksum, once.
func (p *page) verify() error {
	if !p.head.hasCRC || p.verified {
		return nil
	}
	h := crc32.NewIEEE()
	if n, err := io.Copy(h, p.body.section()); err != nil || n < int64(p.body.compressed) {
		return fmt.Errorf("reading a page of %d bytes: %w", p.body.compressed, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	if h.Sum32() != p.head.crc {
		return errors.New("the checksum of the page is another: the file is damaged")
	}
	p.verified = true
	return nil
}
