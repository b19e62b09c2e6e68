package parquet

import (
	"errors"
	"fmt"
	"io"
)

// Cursor finds the cells of rows of one column that has no lists. It stays in the
// page where it was at last, and holds some of it: rows in rising order are found
// fastest, and a small page is gone through once. It must not be used from several
// goroutines at once.
type Cursor struct {
	file   *File
	column int

	group int
	page  *reel // nil: nowhere yet
	first int64 // row of the page's first cell, in its row group
	dict  *reel // of the row group; nil: there is none
}

// Cursor makes a cursor of a column.
func (f *File) Cursor(path string) (*Cursor, error) {
	i, err := f.find(path)
	if err != nil {
		return nil, err
	}
	if f.columns[i].maxRep > 0 {
		return nil, &Error{Column: path, Err: errors.New("it holds lists")}
	}
	return &Cursor{file: f, column: i}, nil
}

// Release gives back what the cursor holds. It can be used again.
func (c *Cursor) Release() {
	for _, r := range []*reel{c.page, c.dict} {
		if r != nil {
			r.unpack.close()
		}
	}
	c.page, c.dict = nil, nil
}

// At is the cell of a row, from 0. Bytes stand until the next call.
func (c *Cursor) At(row int64) (any, error) {
	group, in, err := c.locate(row)
	if err != nil {
		return nil, err
	}
	if c.page == nil || group != c.group || in < c.first || in >= c.first+int64(c.page.page.head.values) {
		if err := c.load(group, in); err != nil {
			return nil, err
		}
	}
	v, err := c.page.at(int(in - c.first))
	if i, ok := v.(ref); ok && err == nil {
		return c.entry(i)
	}
	return v, err
}

// entry is a value of the dictionary.
func (c *Cursor) entry(i ref) (any, error) {
	size := 0
	if c.dict != nil {
		size = c.dict.page.head.values
	}
	if int(i) >= size {
		return nil, c.page.page.fail(noEntry(i, size))
	}
	return c.dict.at(int(i))
}

// locate is the row group of a row and its number there.
func (c *Cursor) locate(row int64) (group int, in int64, err error) {
	in = row
	for i, g := range c.file.groups {
		if in >= 0 && in < g.rows {
			return i, in, nil
		}
		in -= g.rows
	}
	return 0, 0, &Error{Column: c.file.columns[c.column].path, Err: fmt.Errorf("row %d of %d", row, c.file.rows)}
}

// load finds the page with a row of a row group.
func (c *Cursor) load(group int, in int64) error {
	pages := c.file.pages(group, c.column)
	var first int64
	for {
		page, err := pages.next()
		if err == io.EOF {
			return placed(pages.column.path, pages.chunk.start(), errFewRows)
		}
		if err != nil {
			return err
		}
		if in < first+int64(page.head.values) {
			c.group, c.first = group, first
			c.page = wound(c.page, page)
			c.dict = wound(c.dict, pages.dict)
			return nil
		}
		first += int64(page.head.values)
	}
}

// wound is a reel with a page in it, as it is where it is the same page.
func wound(r *reel, p *page) *reel {
	switch {
	case p == nil:
		return nil
	case r == nil:
		r = &reel{}
	case r.page.at == p.at:
		return r
	}
	r.wind(p)
	return r
}
