package codec

// Flags of a coefficient: which neighbours are significant, the signs of four of
// them, and its own state.
const (
	sigN = 1 << iota
	sigS
	sigW
	sigE
	sigNW
	sigNE
	sigSW
	sigSE
	negN
	negS
	negW
	negE
	significant
	visited
	refined

	sigAll   = 0xFF
	sigSouth = sigS | sigSW | sigSE
)

// zeroContexts are the contexts of T.800 table D.1, by the kind of band and the
// significant neighbours.
var zeroContexts = func() (t [4][256]uint8) {
	bit := func(f, mask int) int {
		if f&mask != 0 {
			return 1
		}
		return 0
	}
	for f := range 256 {
		h, v := bit(f, sigW)+bit(f, sigE), bit(f, sigN)+bit(f, sigS)
		d := bit(f, sigNW) + bit(f, sigNE) + bit(f, sigSW) + bit(f, sigSE)
		t[0][f], t[1][f], t[2][f] = zeroContext(h, v, d), zeroContext(v, h, d), zeroContext(h, v, d)
		switch {
		case d >= 3:
			t[3][f] = 8
		case d == 2:
			t[3][f] = uint8(6 + min(h+v, 1))
		case d == 1:
			t[3][f] = uint8(3 + min(h+v, 2))
		default:
			t[3][f] = uint8(min(h+v, 2))
		}
	}
	return t
}()

func zeroContext(h, v, d int) uint8 {
	switch {
	case h == 2:
		return 8
	case h == 1 && v > 0:
		return 7
	case h == 1:
		return uint8(5 + min(d, 1))
	case v > 0:
		return uint8(2 + v)
	}
	return uint8(min(d, 2))
}

// signContexts are the contexts of T.800 table D.3 by the flags sigN to sigE and
// negN to negE; the upper bit says that the sign is turned.
var signContexts = func() (t [256]uint8) {
	for i := range t {
		side := func(n int) int {
			switch {
			case i>>n&1 == 0:
				return 0
			case i>>(n+4)&1 == 1:
				return -1
			}
			return 1
		}
		h, v := min(max(side(2)+side(3), -1), 1), min(max(side(0)+side(1), -1), 1)
		var turned uint8
		if h < 0 || h == 0 && v < 0 {
			h, v, turned = -h, -v, 0x80
		}
		t[i] = uint8(contextSign+3*h+v) | turned
	}
	return t
}()

// blockDecoder decodes code-blocks, T.800 annex D.
type blockDecoder struct {
	mq     mqDecoder
	w, h   int
	values []int32  // with one bit behind the point
	flags  []uint16 // with an edge of one
	zero   *[256]uint8
	causal bool
	isRaw  bool
	one    int32 // the bit of this plane
}

func (d *blockDecoder) decode(b *j2kBlock, band *j2kBand, modes byte) {
	if b.passes == 0 {
		return
	}
	d.w, d.h = b.x1-b.x0, b.y1-b.y0
	d.values = cleared(d.values, d.w*d.h)
	d.flags = cleared(d.flags, (d.w+2)*(d.h+2))
	d.zero, d.causal = &zeroContexts[band.orientation], modes&modeCausal != 0
	d.mq.reset()
	planes, pass := band.planes-b.zeroPlanes, 2
	plane := planes
	for _, s := range b.segments {
		d.begin(s.data, modes&modeBypass != 0 && plane <= planes-4 && pass < 2)
		for range s.passes {
			d.one = 1 << plane
			switch pass {
			case 0:
				d.significance()
			case 1:
				d.refinement()
			default:
				d.cleanup()
				if modes&modeSegmentation != 0 {
					d.segmentation()
				}
			}
			if modes&modeReset != 0 {
				d.mq.reset()
			}
			if pass++; pass == 3 {
				pass = 0
				plane--
			}
		}
	}
}

// begin starts to read a segment.
func (d *blockDecoder) begin(data []byte, raw bool) {
	if d.isRaw = raw; raw {
		d.mq.beginRaw(data)
	} else {
		d.mq.begin(data)
	}
}

// cleared is a slice of n zeros, in the place of s where that is large enough.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// segmentation passes over the symbol of D.5. It is not compared: openjpeg cuts
// blocks for a rate so that the last symbol of a good block is often lost.
func (d *blockDecoder) segmentation() {
	for range 4 {
		d.mq.decode(contextUniform)
	}
}

// seen are the flags of a coefficient, without those that a causal context does
// not look at: below its stripe of four rows.
func (d *blockDecoder) seen(f uint16, y int) uint16 {
	if d.causal && y&3 == 3 {
		f &^= sigSouth
	}
	return f
}

// significance is the pass of D.3.1.
func (d *blockDecoder) significance() {
	for y0 := 0; y0 < d.h; y0 += 4 {
		for x := range d.w {
			for y := y0; y < min(y0+4, d.h); y++ {
				at := (y+1)*(d.w+2) + x + 1
				f := d.seen(d.flags[at], y)
				if f&significant != 0 || f&sigAll == 0 {
					continue
				}
				var bit uint8
				if d.isRaw {
					bit = d.mq.raw()
				} else {
					bit = d.mq.decode(d.zero[f&sigAll])
				}
				if bit == 1 {
					d.become(at, x, y, f)
				}
				d.flags[at] |= visited
			}
		}
	}
}

// become reads the sign of a coefficient that turns significant.
func (d *blockDecoder) become(at, x, y int, f uint16) {
	var negative uint8
	if d.isRaw {
		negative = d.mq.raw()
	} else {
		c := signContexts[f&15|f>>4&0xF0]
		negative = d.mq.decode(c&0x7F) ^ c>>7
	}
	v := d.one | d.one>>1
	if negative == 1 {
		v = -v
	}
	d.values[y*d.w+x] = v
	s, row := uint16(negative), d.w+2
	d.flags[at] |= significant
	d.flags[at-row] |= sigS | s*negS
	d.flags[at+row] |= sigN | s*negN
	d.flags[at-1] |= sigE | s*negE
	d.flags[at+1] |= sigW | s*negW
	d.flags[at-row-1] |= sigSE
	d.flags[at-row+1] |= sigSW
	d.flags[at+row-1] |= sigNE
	d.flags[at+row+1] |= sigNW
}

// refinement is the pass of D.3.3.
func (d *blockDecoder) refinement() {
	for y0 := 0; y0 < d.h; y0 += 4 {
		for x := range d.w {
			for y := y0; y < min(y0+4, d.h); y++ {
				at := (y+1)*(d.w+2) + x + 1
				f := d.seen(d.flags[at], y)
				if f&(significant|visited) != significant {
					continue
				}
				d.flags[at] |= refined
				c := uint8(contextRefine)
				switch {
				case f&refined != 0:
					c += 2
				case f&sigAll != 0:
					c++
				}
				var bit uint8
				if d.isRaw {
					bit = d.mq.raw()
				} else {
					bit = d.mq.decode(c)
				}
				v := &d.values[y*d.w+x]
				if (bit == 1) != (*v < 0) {
					*v += d.one >> 1
				} else {
					*v -= d.one >> 1
				}
			}
		}
	}
}

// cleanup is the pass of D.3.4.
func (d *blockDecoder) cleanup() {
	for y0 := 0; y0 < d.h; y0 += 4 {
		for x := range d.w {
			y, found := y0, false
			if y0+4 <= d.h && d.quiet(x, y0) {
				if d.mq.decode(contextRun) == 0 {
					continue
				}
				y += int(d.mq.decode(contextUniform)<<1 | d.mq.decode(contextUniform))
				found = true
			}
			for ; y < min(y0+4, d.h); y++ {
				at := (y+1)*(d.w+2) + x + 1
				f := d.seen(d.flags[at], y)
				if found || f&(significant|visited) == 0 && d.mq.decode(d.zero[f&sigAll]) == 1 {
					d.become(at, x, y, f)
				}
				found = false
			}
		}
	}
	for i := range d.flags {
		d.flags[i] &^= visited
	}
}

// quiet says whether nothing is known of a column of four and its neighbours.
func (d *blockDecoder) quiet(x, y0 int) bool {
	at, row := (y0+1)*(d.w+2)+x+1, d.w+2
	f := d.flags[at] | d.flags[at+row] | d.flags[at+2*row] | d.seen(d.flags[at+3*row], y0+3)
	return f&(sigAll|significant|visited) == 0
}
