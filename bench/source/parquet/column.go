package parquet

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// List is the cell of a column of lists. Its elements are as other cells are.
type List []any

// cells gives the cells of a page with their levels.
type cells struct {
	page     *page
	left     int
	rep, def hybrid
	stream   *stream
	values   values
}

// cells begins with the cells of a page.
func (p *page) cells(u *unpacker) (*cells, error) {
	rep, def, s, err := p.open(u)
	if err != nil {
		return nil, p.fail(err)
	}
	v, err := p.column.valuesOf(p.head.encoding, p.head.values, s)
	if err != nil {
		return nil, p.fail(err)
	}
	return &cells{
		page: p, left: p.head.values, stream: s, values: v,
		rep: hybrid{b: rep, width: bitsFor(p.column.maxRep)},
		def: hybrid{b: def, width: bitsFor(p.column.maxDef)},
	}, nil
}

// next is the next cell, or io.EOF: its levels, and its value where it has one.
func (c *cells) next() (rep, def int, v any, err error) {
	if c.left == 0 {
		return 0, 0, nil, io.EOF
	}
	c.left--
	if rep, def, err = c.levels(); err == nil && def == c.page.column.maxDef {
		v, err = c.values.next()
	}
	if err == nil && c.left == 0 {
		err = c.stream.finish()
	}
	if err != nil {
		return 0, 0, nil, c.page.fail(err)
	}
	return rep, def, v, nil
}

// levels are those of the next cell.
func (c *cells) levels() (rep, def int, err error) {
	column := c.page.column
	levels := [2]int{0, column.maxDef}
	for i, h := range []*hybrid{&c.rep, &c.def} {
		if h.width == 0 {
			continue
		}
		n, err := h.next()
		if err != nil {
			return 0, 0, fmt.Errorf("levels: %w", err)
		}
		levels[i] = int(n)
	}
	rep, def = levels[0], levels[1]
	if rep > column.maxRep || def > column.maxDef {
		return 0, 0, errors.New("a level is higher than the schema allows")
	}
	return rep, def, nil
}

// find is the number of a column.
func (f *File) find(path string) (int, error) {
	i := slices.IndexFunc(f.columns, func(c *column) bool { return c.path == path })
	switch {
	case i < 0:
		return 0, &Error{Column: path, Err: errors.New("there is no such column")}
	case f.columns[i].maxRep > 1:
		return 0, &Error{Column: path, Err: errors.New("lists of lists are not read")}
	}
	return i, nil
}

// Column gives the cells of a column from the first row to the last: nil, bool,
// int64, float64, []byte (texts too), or [List]. Bytes stand only until the next
// cell. An error, of type [*Error], is the last that comes.
//
// Where keep is not nil, cells and elements of lists that are not nil are what it
// makes of them. Of a value that the file holds once for many rows it makes it
// once, and only what it makes is held for the rows to come.
func (f *File) Column(path string, keep func(value any) any) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		col, err := f.find(path)
		if err != nil {
			yield(nil, err)
			return
		}
		r := rows{keep: keep}
		defer r.unpack.close()
		for group := range f.groups {
			r.begin(f.pages(group, col), f.groups[group].rows)
			for r.left > 0 {
				cell, err := r.next()
				if !yield(cell, err) || err != nil {
					return
				}
			}
		}
	}
}

// rows puts the cells of a chunk together to rows.
type rows struct {
	keep   func(any) any
	unpack unpacker

	pages  *pages
	left   int64
	cells  *cells
	dict   []any // what is kept of the dictionary's values
	dictOf *page

	// The first cell of the next row of lists, which ends the row before.
	ahead bool
	def   int
	value any
}

var errFewRows = errors.New("fewer rows than the row group has")

// begin begins with a chunk.
func (r *rows) begin(p *pages, left int64) {
	*r = rows{keep: r.keep, unpack: r.unpack, pages: p, left: left}
}

func (r *rows) next() (any, error) {
	r.left--
	if r.pages.column.maxRep == 0 {
		_, _, v, err := r.cell()
		return v, r.place(err)
	}
	return r.list()
}

// cell is the next cell of the chunk.
func (r *rows) cell() (rep, def int, v any, err error) {
	for {
		if r.cells != nil {
			if rep, def, v, err = r.cells.next(); err == nil {
				v, err = r.kept(v)
			}
			if err != io.EOF {
				return rep, def, v, err
			}
		}
		if err := r.turn(); err != nil {
			return 0, 0, nil, err
		}
	}
}

// turn goes to the next page.
func (r *rows) turn() error {
	page, err := r.pages.next()
	if err != nil {
		return err
	}
	if page.usesDictionary() && r.pages.dict != r.dictOf {
		if err := r.learn(r.pages.dict); err != nil {
			return err
		}
	}
	r.cells, err = page.cells(&r.unpack)
	return err
}

// learn keeps the values of a dictionary.
func (r *rows) learn(dict *page) error {
	r.dict, r.dictOf = nil, dict
	all, err := dict.cells(&r.unpack)
	if err != nil {
		return err
	}
	for range dict.head.values {
		_, _, v, err := all.next()
		if err != nil {
			return err
		}
		if r.keep == nil {
			v = own(v)
		} else {
			v = r.keep(v)
		}
		r.dict = append(r.dict, v)
	}
	return nil
}

// kept is what is kept of a value.
func (r *rows) kept(v any) (any, error) {
	switch i, isRef := v.(ref); {
	case isRef && int(i) < len(r.dict):
		return r.dict[i], nil
	case isRef:
		return nil, r.cells.page.fail(noEntry(i, len(r.dict)))
	case v == nil || r.keep == nil:
		return v, nil
	}
	return r.keep(v), nil
}

// noEntry says that a dictionary lacks a value.
func noEntry(i ref, size int) error {
	return fmt.Errorf("value %d of a dictionary of %d", i, size)
}

// place makes an error say where it is; the end of a chunk before its last row
// is an error too.
func (r *rows) place(err error) error {
	if err == io.EOF {
		err = errFewRows
	}
	return placed(r.pages.column.path, r.pages.chunk.start(), err)
}

// list is the next cell of a column of lists. It ends where the next one begins,
// which can be on another page.
func (r *rows) list() (any, error) {
	def, v := r.def, r.value
	if !r.ahead {
		rep, d, first, err := r.cell()
		if err == nil && rep != 0 {
			err = errors.New("a list goes on before it begins")
		}
		if err != nil {
			return nil, r.place(err)
		}
		def, v = d, own(first)
	}
	var list List
	if def >= r.pages.column.listDef {
		list = List{v}
	}
	for {
		rep, d, next, err := r.cell()
		switch {
		case err == io.EOF && r.left == 0:
			r.ahead = false
		case err != nil:
			return nil, r.place(err)
		case rep == 0 && r.left == 0:
			return nil, r.place(errors.New("more rows than the row group has"))
		case rep == 0:
			r.ahead, r.def, r.value = true, d, own(next)
		default:
			list = append(list, own(next))
			continue
		}
		if list == nil && def < r.pages.column.listDef-1 {
			return nil, nil
		}
		return append(List{}, list...), nil
	}
}

// own copies bytes, which stand only until the next cell.
func own(v any) any {
	if b, ok := v.([]byte); ok {
		return slices.Clone(b)
	}
	return v
}
