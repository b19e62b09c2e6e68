package parquet

import (
	"errors"
	"fmt"
	"io"
)

// Cursor finds the cells of rows of one column that has no lists. It holds the
// page that it was at last: rows in rising order are found fastest. It must not
// be used from several goroutines at once.
type Cursor struct {
	file   *File
	column int

	group int
	page  *page
	first int64 // row of the page's first cell, in its row group
	cells *cells
	at    int64 // row of the cells' next
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

// At is the cell of a row, from 0. Bytes stand until the next call.
func (c *Cursor) At(row int64) (any, error) {
	group, in, err := c.locate(row)
	if err != nil {
		return nil, err
	}
	if c.page == nil || group != c.group || in < c.first || in >= c.first+int64(c.page.values) {
		if err := c.load(group, in); err != nil {
			return nil, err
		}
	}
	if c.cells == nil || in < c.at {
		if c.cells, err = c.page.cells(); err != nil {
			return nil, c.fail(err)
		}
		c.at = c.first
	}
	for {
		_, _, v, err := c.cells.next()
		if err != nil {
			c.cells = nil
			return nil, c.fail(err)
		}
		if c.at++; c.at > in {
			return v, nil
		}
	}
}

func (c *Cursor) fail(err error) error {
	if err == io.EOF {
		err = errFewRows
	}
	return placed(c.file.columns[c.column].path, c.file.groups[c.group].chunks[c.column].start(), err)
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

// load reads the page with a row of a row group.
func (c *Cursor) load(group int, in int64) error {
	c.page, c.cells, c.group = nil, nil, group
	pages := c.file.pages(group, c.column)
	var first int64
	for {
		page, n, err := pages.next(func(values int) bool { return in < first+int64(values) })
		if err != nil {
			return c.fail(err)
		}
		if page != nil {
			c.page, c.first = page, first
			return nil
		}
		first += int64(n)
	}
}
