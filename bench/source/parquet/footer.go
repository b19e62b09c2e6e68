package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Limits of a file. They are far above what data sets need.
const (
	maxFooter    = 16 << 20 // bytes
	maxColumns   = 4096
	maxChunks    = 1 << 20
	maxRows      = 1_000_000
	maxListItems = 10_000_000 // values of a list column in a row group
)

// File is an open file. It is safe for concurrent use.
type File struct {
	r       io.ReaderAt
	size    int64
	rows    int64
	columns []*column
	groups  []rowGroup
}

// column is a leaf of the schema.
type column struct {
	path     string
	physical int // type of the values
	length   int // of values of fixed length
	text     bool
	maxDef   int // definition level of a value that is there
	maxRep   int // 1: a list
	listDef  int // definition level from which on a list has an element
}

type rowGroup struct {
	rows   int64
	chunks []chunk // one a column
}

// chunk is where the values of a column in a row group are.
type chunk struct {
	codec          int
	values         int64
	compressedSize int64
	dataOffset     int64
	dictOffset     int64 // 0: none
}

// Open reads the footer of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	var head [4]byte
	var tail [8]byte
	if size < 12 {
		return nil, &Error{Err: fmt.Errorf("%d bytes are too few for a Parquet file", size)}
	}
	if err := readFull(r, head[:], 0); err != nil {
		return nil, &Error{Err: err}
	}
	if err := readFull(r, tail[:], size-8); err != nil {
		return nil, &Error{Offset: size - 8, Err: err}
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	switch {
	case string(head[:]) == "PARE" || string(tail[4:]) == "PARE":
		return nil, &Error{Err: errors.New("the file is encrypted")}
	case string(head[:]) != "PAR1":
		return nil, &Error{Err: errors.New("it does not begin as a Parquet file does")}
	case string(tail[4:]) != "PAR1":
		return nil, &Error{Offset: size - 4, Err: errors.New("it does not end as a Parquet file does; is it cut short?")}
	case length > size-12 || length > maxFooter:
		return nil, &Error{Offset: size - 8, Err: fmt.Errorf("a footer of %d bytes is claimed", length)}
	}
	at := size - 8 - length
	footer := make([]byte, length)
	if err := readFull(r, footer, at); err != nil {
		return nil, &Error{Offset: at, Err: err}
	}
	if err := f.readFooter(footer); err != nil {
		return nil, &Error{Offset: at, Err: fmt.Errorf("footer: %w", err)}
	}
	return f, nil
}

// readFull fills b. A reader may say that the file ends where b does.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	return err
}

// Rows is the number of rows.
func (f *File) Rows() int64 { return f.rows }

// Column says what a column holds.
type Column struct {
	Path string // names with dots between: "image.bytes", "choices.list.element"
	Text bool   // bytes that are marked as text
	List bool
}

// Columns are those that hold values, in the file's order.
func (f *File) Columns() []Column {
	columns := make([]Column, len(f.columns))
	for i, c := range f.columns {
		columns[i] = Column{c.path, c.text, c.maxRep > 0}
	}
	return columns
}

// element is a node of the schema as the footer lists them, depth first.
type element struct {
	name             string
	physical, length int
	repetition       int // 0 required, 1 optional, 2 repeated
	children         int
	leaf, text       bool
}

func (f *File) readFooter(b []byte) error {
	t := &thrift{b: b}
	var schema []element
	chunks := 0
	t.fields(func(id int, k kind) {
		switch {
		case id == 2 && t.want(k, kindList):
			t.list(func(kind) { schema = append(schema, t.element()) })
		case id == 3:
			f.rows = t.number(k, maxRows)
		case id == 4 && t.want(k, kindList):
			t.list(func(kind) {
				g := t.rowGroup()
				if chunks += len(g.chunks); chunks > maxChunks {
					t.fail(fmt.Errorf("more than %d column chunks", maxChunks))
				}
				f.groups = append(f.groups, g)
			})
		default:
			t.skip(k)
		}
	})
	if t.err != nil {
		return t.err
	}
	if err := f.readSchema(schema); err != nil {
		return err
	}
	return f.checkGroups()
}

func (t *thrift) element() element {
	var e element
	t.fields(func(id int, k kind) {
		switch id {
		case 1:
			e.physical, e.leaf = int(t.number(k, 255)), true
		case 2:
			e.length = int(t.number(k, maxPage))
		case 3:
			e.repetition = int(t.number(k, 2))
		case 4:
			if t.want(k, kindBinary) {
				e.name = string(t.binary())
			}
		case 5:
			e.children = int(t.number(k, maxColumns))
		case 6: // the older mark of text
			e.text = e.text || t.number(k, 255) == 0
		case 10:
			if t.want(k, kindStruct) {
				t.fields(func(id int, k kind) { e.text = e.text || id == 1; t.skip(k) })
			}
		default:
			t.skip(k)
		}
	})
	return e
}

func (t *thrift) rowGroup() rowGroup {
	var g rowGroup
	t.fields(func(id int, k kind) {
		switch {
		case id == 1 && t.want(k, kindList):
			t.list(func(kind) { g.chunks = append(g.chunks, t.chunk()) })
		case id == 3:
			g.rows = t.number(k, maxRows)
		default:
			t.skip(k)
		}
	})
	return g
}

func (t *thrift) chunk() chunk {
	var c chunk
	t.fields(func(id int, k kind) {
		switch {
		case id == 1 && t.want(k, kindBinary):
			if len(t.binary()) > 0 {
				t.fail(errors.New("the values are in another file"))
			}
		case id == 3 && t.want(k, kindStruct):
			t.fields(func(id int, k kind) { c.field(t, id, k) })
		case id == 8:
			t.fail(errors.New("a column is encrypted"))
		default:
			t.skip(k)
		}
	})
	return c
}

func (c *chunk) field(t *thrift, id int, k kind) {
	switch id {
	case 4:
		c.codec = int(t.number(k, 255))
	case 5:
		c.values = t.number(k, maxListItems)
	case 7:
		c.compressedSize = t.number(k, math.MaxInt64)
	case 9:
		c.dataOffset = t.number(k, math.MaxInt64)
	case 11:
		c.dictOffset = t.number(k, math.MaxInt64)
	default:
		t.skip(k)
	}
}

// readSchema finds the leaves.
func (f *File) readSchema(schema []element) error {
	if len(schema) == 0 || len(schema) > maxColumns {
		return fmt.Errorf("a schema of %d elements", len(schema))
	}
	rest, err := f.addLeaves(schema[1:], schema[0].children, column{}, nil)
	if err == nil && len(rest) > 0 {
		err = errors.New("the schema has elements outside of its root")
	}
	return err
}

// addLeaves adds the columns below a node, of which elements begins with the
// children, and gives the elements that follow.
func (f *File) addLeaves(elements []element, children int, parent column, names []string) ([]element, error) {
	for range children {
		if len(elements) == 0 || len(names) > maxNesting {
			return nil, errors.New("the schema ends too early or nests too deep")
		}
		e := elements[0]
		elements = elements[1:]
		c := parent
		if e.repetition > 0 {
			c.maxDef++
		}
		if e.repetition == 2 {
			c.maxRep++
			c.listDef = c.maxDef
		}
		path := append(names[:len(names):len(names)], e.name)
		if e.leaf {
			c.path, c.physical, c.length, c.text = strings.Join(path, "."), e.physical, e.length, e.text
			f.columns = append(f.columns, &c)
			continue
		}
		var err error
		if elements, err = f.addLeaves(elements, e.children, c, path); err != nil {
			return nil, err
		}
	}
	return elements, nil
}

// checkGroups holds the row groups against the schema, the rows and the size of
// the file.
func (f *File) checkGroups() error {
	var rows int64
	for i, g := range f.groups {
		rows += g.rows
		if len(g.chunks) != len(f.columns) {
			return fmt.Errorf("row group %d has %d columns, the schema %d", i, len(g.chunks), len(f.columns))
		}
		for j := range g.chunks {
			if err := f.checkChunk(g.rows, &g.chunks[j], f.columns[j]); err != nil {
				return fmt.Errorf("row group %d, column %q: %w", i, f.columns[j].path, err)
			}
		}
	}
	if rows != f.rows {
		return fmt.Errorf("%d rows are claimed, the row groups have %d", f.rows, rows)
	}
	return nil
}

func (f *File) checkChunk(rows int64, c *chunk, col *column) error {
	if c.dictOffset >= c.dataOffset { // some writers put one where there is none
		c.dictOffset = 0
	}
	start := c.start()
	switch {
	case col.maxRep == 0 && c.values != rows:
		return fmt.Errorf("%d values in %d rows", c.values, rows)
	case c.values < rows:
		return fmt.Errorf("%d values in %d rows", c.values, rows)
	case c.values > 0 && (start < 4 || c.compressedSize > f.size-8-start):
		return fmt.Errorf("%d bytes from byte %d on are outside of the file's %d", c.compressedSize, start, f.size)
	}
	return nil
}

// start is the byte of the file where the chunk begins.
func (c *chunk) start() int64 {
	if c.dictOffset > 0 {
		return c.dictOffset
	}
	return c.dataOffset
}
