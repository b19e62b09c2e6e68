package codec

import "math"

// j2kTile is a tile while its parts are gathered.
type j2kTile struct {
	style  j2kStyle
	data   []byte
	offset int // of data in the frame, as long as it has one part
}

// j2kPlane is a component of a tile: its samples, first as coefficients with the
// lower resolutions in the upper left.
type j2kPlane struct {
	x0, y0, x1, y1 int
	coding         *j2kCoding
	blocks         int // of all resolutions
	resolutions    []j2kResolution
	ints           []int32   // of the lossless wavelet
	floats         []float32 // of the other
}

func (p *j2kPlane) width() int { return p.x1 - p.x0 }

// j2kResolution is one of a plane, T.800 B.5.
type j2kResolution struct {
	x0, y0, x1, y1       int
	precinctW, precinctH int // log2
	across, down         int // precincts
	bands                []j2kBand
}

// j2kBand is a subband; its place is in the plane's coefficients.
type j2kBand struct {
	orientation    int // 0 LL, 1 HL, 2 LH, 3 HH
	x0, y0, x1, y1 int
	placeX, placeY int
	planes         int // of bits, Mb
	step           float32
	precincts      []j2kPrecinct
}

// j2kPrecinct holds the code-blocks of a band that share their packets.
type j2kPrecinct struct {
	blocks              []j2kBlock
	inclusion, zeroBits *tagTree
}

// j2kBlock is a code-block.
type j2kBlock struct {
	x0, y0, x1, y1 int
	included       bool
	zeroPlanes     int
	lengthBits     int
	passes         int
	segments       []j2kSegment
}

// j2kSegment is a run of passes that end together.
type j2kSegment struct {
	passes, most int
	data         []byte
}

func (d *j2k) decodeTile(n int) error {
	t := d.tiles[n]
	if t == nil {
		return damaged(len(d.data), "the tile %d of %d is missing", n, d.across*d.down)
	}
	if err := t.style.complete(t.offset); err != nil {
		return err
	}
	if d.out.Values == nil {
		d.out.Values = make([]int32, d.want.samples())
	}
	p, q := n%d.across, n/d.across
	x0, y0 := max(d.tileX+p*d.tileW, d.x0), max(d.tileY+q*d.tileH, d.y0)
	x1, y1 := min(d.tileX+(p+1)*d.tileW, d.x1), min(d.tileY+(q+1)*d.tileH, d.y1)
	planes := make([]j2kPlane, d.want.Channels)
	budget := min(len(t.data), maxPrecincts)
	for i := range planes {
		planes[i] = j2kPlane{x0: x0, y0: y0, x1: x1, y1: y1, coding: &t.style.components[i]}
		if err := planes[i].divide(d.out.Bits, &budget); err != nil {
			return err
		}
	}
	r := &packets{tile: t, planes: planes}
	if err := r.read(); err != nil {
		return err
	}
	for i := range planes {
		planes[i].decode()
	}
	if t.style.transformed {
		untransform(planes)
		d.out.RGB = true
	}
	for i := range planes {
		d.put(&planes[i], i)
	}
	return nil
}

// divide lays out resolutions, bands, precincts and code-blocks. Each precinct
// takes a byte of the data at least; budget is what is left of them.
func (p *j2kPlane) divide(precision int, budget *int) error {
	c := p.coding
	for r := range c.levels + 1 {
		down := c.levels - r
		res := j2kResolution{
			x0: ceilShift(p.x0, down), y0: ceilShift(p.y0, down), x1: ceilShift(p.x1, down), y1: ceilShift(p.y1, down),
			precinctW: int(c.precincts[r] & 15), precinctH: int(c.precincts[r] >> 4),
		}
		if res.x1 > res.x0 && res.y1 > res.y0 {
			res.across = ceilShift(res.x1, res.precinctW) - res.x0>>res.precinctW
			res.down = ceilShift(res.y1, res.precinctH) - res.y0>>res.precinctH
		}
		if *budget -= res.across * res.down; *budget < 0 {
			return damaged(-1, "more precincts than a tile can have")
		}
		first, last := 1, 3
		if r == 0 {
			first, last = 0, 0
		}
		for o := first; o <= last; o++ {
			b, err := p.band(r, o, &res, precision)
			if err != nil {
				return err
			}
			res.bands = append(res.bands, b)
		}
		p.resolutions = append(p.resolutions, res)
	}
	return nil
}

// band lays out a band of resolution r.
func (p *j2kPlane) band(r, orientation int, res *j2kResolution, precision int) (j2kBand, error) {
	c := p.coding
	b := j2kBand{orientation: orientation}
	number, level, halve := 0, c.levels, 0
	if r > 0 {
		number, level, halve = 3*(r-1)+orientation, c.levels-r+1, 1
	}
	edge := func(v, high int) int {
		if high == 0 {
			return ceilShift(v, level)
		}
		return ceilShift(v-1<<(level-1), level)
	}
	b.x0, b.x1 = edge(p.x0, orientation&1), edge(p.x1, orientation&1)
	b.y0, b.y1 = edge(p.y0, orientation>>1), edge(p.y1, orientation>>1)
	if r > 0 {
		lower := p.resolutions[r-1]
		b.placeX, b.placeY = (orientation&1)*(lower.x1-lower.x0), (orientation>>1)*(lower.y1-lower.y0)
	}
	s := c.step(number)
	b.planes = c.guard + s.exponent - 1
	if b.planes > 30 {
		return b, unsupported(-1, "%d planes of bits", b.planes)
	}
	b.step = float32((1 + float64(s.mantissa)/2048) * math.Ldexp(1, precision-s.exponent))
	pw, ph := res.precinctW-halve, res.precinctH-halve
	for n := range res.across * res.down {
		px, py := res.x0>>res.precinctW+n%res.across, res.y0>>res.precinctH+n/res.across
		k := layout(max(b.x0, px<<pw), max(b.y0, py<<ph), min(b.x1, (px+1)<<pw), min(b.y1, (py+1)<<ph),
			min(c.blockW, pw), min(c.blockH, ph))
		if p.blocks += k.across * k.down; p.blocks > maxBlocks {
			return b, damaged(-1, "more than %d code-blocks", maxBlocks)
		}
		b.precincts = append(b.precincts, k.precinct())
	}
	return b, nil
}

// grid is a part of a band that is cut into code-blocks of 2^w×2^h.
type grid struct {
	x0, y0, x1, y1, w, h int
	across, down         int
}

func layout(x0, y0, x1, y1, w, h int) grid {
	g := grid{x0: x0, y0: y0, x1: x1, y1: y1, w: w, h: h}
	if x1 > x0 && y1 > y0 {
		g.across, g.down = ceilShift(x1, w)-x0>>w, ceilShift(y1, h)-y0>>h
	}
	return g
}

func (g grid) precinct() j2kPrecinct {
	n := g.across * g.down
	if n == 0 {
		return j2kPrecinct{}
	}
	p := j2kPrecinct{blocks: make([]j2kBlock, n), inclusion: newTagTree(g.across, g.down), zeroBits: newTagTree(g.across, g.down)}
	for i := range p.blocks {
		x, y := (g.x0>>g.w+i%g.across)<<g.w, (g.y0>>g.h+i/g.across)<<g.h
		p.blocks[i] = j2kBlock{
			x0: max(g.x0, x), y0: max(g.y0, y), x1: min(g.x1, x+1<<g.w), y1: min(g.y1, y+1<<g.h), lengthBits: 3,
		}
	}
	return p
}

// decode turns the blocks' data into samples.
func (p *j2kPlane) decode() {
	n := p.width() * (p.y1 - p.y0)
	if p.coding.reversible {
		p.ints = make([]int32, n)
	} else {
		p.floats = make([]float32, n)
	}
	coder := &blockDecoder{}
	for r := range p.resolutions {
		for b := range p.resolutions[r].bands {
			band := &p.resolutions[r].bands[b]
			for _, precinct := range band.precincts {
				for i := range precinct.blocks {
					coder.decode(&precinct.blocks[i], band, p.coding.modes)
					p.place(coder, &precinct.blocks[i], band)
				}
			}
			band.precincts = nil
		}
	}
	if p.coding.reversible {
		unwave(p, p.ints, lift53)
	} else {
		unwave(p, p.floats, lift97)
	}
}

// place puts a block's coefficients, which have one bit behind the point, into
// the plane.
func (p *j2kPlane) place(c *blockDecoder, b *j2kBlock, band *j2kBand) {
	if b.passes == 0 {
		return
	}
	for y := range b.y1 - b.y0 {
		at := (band.placeY+b.y0-band.y0+y)*p.width() + band.placeX + b.x0 - band.x0
		row := c.values[y*c.w : (y+1)*c.w]
		if p.coding.reversible {
			for x, v := range row {
				p.ints[at+x] = v / 2
			}
			continue
		}
		half := band.step * 0.5
		for x, v := range row {
			p.floats[at+x] = float32(v) * half
		}
	}
}
