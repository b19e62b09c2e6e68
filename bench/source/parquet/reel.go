package parquet

// maxHeld is how many bytes of values a reel holds: pages up to this size are
// held as a whole.
const maxHeld = 16 << 20

// reel finds the values of a page by their numbers. It goes through the page as
// through a stream and holds those that it went past last; what lies further
// back is reached by beginning again.
type reel struct {
	page   *page
	unpack unpacker
	cells  *cells // nil: not begun
	next   int    // number of the next cell
	held   []any  // values of the cells before it
	bytes  int    // of these
	spare  []byte // memory of one that is not held any more
}

// wind puts another page in.
func (r *reel) wind(p *page) {
	r.page = p
	r.rewind()
}

func (r *reel) rewind() {
	r.cells, r.next, r.bytes = nil, 0, 0
	clear(r.held)
	r.held = r.held[:0]
}

// at is the value of a cell of the page. Bytes stand until the next call.
func (r *reel) at(i int) (any, error) {
	if i < r.next-len(r.held) {
		r.rewind()
	}
	if r.cells == nil {
		var err error
		if r.cells, err = r.page.cells(&r.unpack); err != nil {
			return nil, err
		}
	}
	for r.next <= i {
		_, _, v, err := r.cells.next()
		if err != nil {
			r.rewind()
			return nil, err
		}
		r.hold(v)
	}
	return r.held[len(r.held)-r.next+i], nil
}

// hold takes the next value in and lets go of the first where there are too many.
func (r *reel) hold(v any) {
	b, isBytes := v.([]byte)
	r.bytes += cost(v)
	for len(r.held) > 0 && r.bytes > maxHeld {
		if old, ok := r.held[0].([]byte); ok && cap(old) > cap(r.spare) {
			r.spare = old[:0]
		}
		r.bytes -= cost(r.held[0])
		r.held[0] = nil
		r.held = r.held[1:]
	}
	if isBytes {
		v, r.spare = append(r.spare[:0:cap(r.spare)], b...), nil
	}
	r.held = append(r.held, v)
	r.next++
}

// cost is about how many bytes a value takes that is held.
func cost(v any) int {
	b, _ := v.([]byte)
	return 40 + len(b)
}
