package codec

import (
	"cmp"
	"math/bits"
	"slices"
)

// packetBits reads the bits of packet headers, in which a byte behind 0xFF begins
// with a zero bit that is none of the data (T.800 B.10.1). Reading beyond the end
// gives zeros and sets cut.
type packetBits struct {
	data []byte
	pos  int
	last byte
	n    int // bits left of last
	cut  bool
}

func (r *packetBits) bit() int {
	if r.n == 0 {
		r.n = 8
		if r.last == 0xFF {
			r.n = 7
		}
		r.last = 0
		if r.pos < len(r.data) {
			r.last = r.data[r.pos]
		} else {
			r.cut = true
		}
		r.pos++
	}
	r.n--
	return int(r.last>>r.n) & 1
}

func (r *packetBits) number(n int) (v int) {
	for range n {
		v = v<<1 | r.bit()
	}
	return v
}

// packets reads the packets of a tile, T.800 B.9 to B.12.
type packets struct {
	tile   *j2kTile
	planes []j2kPlane
	pos    int
}

// place is a precinct among those of all resolutions and components, with its
// upper left corner.
type place struct{ resolution, component, precinct, x, y int }

func (r *packets) read() error {
	list, layers := r.places(), r.tile.style.layers
	slices.SortFunc(list, orders[r.tile.style.order])
	for len(list) > 0 {
		n := 1 // places whose layers are read in turn
		switch r.tile.style.order {
		case 0:
			n = len(list)
		case 1:
			for n < len(list) && list[n].resolution == list[0].resolution {
				n++
			}
		}
		for layer := range layers {
			for _, p := range list[:n] {
				if err := r.packet(p, layer); err != nil {
					return err
				}
			}
		}
		list = list[n:]
	}
	return nil
}

// orders compare places for the progressions of T.800 B.12.1.
var orders = [5]func(a, b place) int{
	byResolution, // layer, resolution, component, position
	byResolution, // resolution, layer, component, position
	func(a, b place) int { // resolution, position, component, layer
		return cmp.Or(a.resolution-b.resolution, a.y-b.y, a.x-b.x, a.component-b.component, a.precinct-b.precinct)
	},
	func(a, b place) int { // position, component, resolution, layer
		return cmp.Or(a.y-b.y, a.x-b.x, a.component-b.component, a.resolution-b.resolution, a.precinct-b.precinct)
	},
	func(a, b place) int { // component, position, resolution, layer
		return cmp.Or(a.component-b.component, a.y-b.y, a.x-b.x, a.resolution-b.resolution, a.precinct-b.precinct)
	},
}

func byResolution(a, b place) int {
	return cmp.Or(a.resolution-b.resolution, a.component-b.component, a.precinct-b.precinct)
}

func (r *packets) places() []place {
	var list []place
	for c := range r.planes {
		p := &r.planes[c]
		for n := range p.resolutions {
			res, up := &p.resolutions[n], len(p.resolutions)-1-n
			for k := range res.across * res.down {
				x := (res.x0>>res.precinctW + k%res.across) << (res.precinctW + up)
				y := (res.y0>>res.precinctH + k/res.across) << (res.precinctH + up)
				list = append(list, place{n, c, k, max(x, p.x0), max(y, p.y0)})
			}
		}
	}
	return list
}

func (r *packets) failed(problem string) error {
	return damaged(r.tile.offset+r.pos, "%s", problem)
}

// contribution is what a packet brings to a code-block.
type contribution struct {
	block   *j2kBlock
	segment int
	length  int
}

func (r *packets) packet(p place, layer int) error {
	data := r.tile.data
	if r.tile.style.sop && r.pos+6 <= len(data) && data[r.pos] == jSOP>>8 && data[r.pos+1] == jSOP&0xFF {
		r.pos += 6
	}
	if r.pos >= len(data) {
		return r.failed("packets of a tile are missing")
	}
	plane := &r.planes[p.component]
	h := &packetBits{data: data, pos: r.pos}
	var list []contribution
	if h.bit() == 1 {
		bands := plane.resolutions[p.resolution].bands
		for i := range bands {
			precinct := &bands[i].precincts[p.precinct]
			for j := range precinct.blocks {
				if !precinct.header(h, j, layer, &bands[i], plane.coding.modes, &list) || h.cut {
					return r.failed("a packet's header is wrong or cut")
				}
			}
		}
	}
	if h.last == 0xFF && h.n == 0 {
		h.bit() // a byte of the header is never 0xFF at its end
	}
	r.pos = h.pos
	if r.tile.style.eph && r.pos+2 <= len(data) && data[r.pos] == jEPH>>8 && data[r.pos+1] == jEPH&0xFF {
		r.pos += 2
	}
	return r.take(list)
}

// take gives the bytes behind a packet's header to their blocks.
func (r *packets) take(list []contribution) error {
	data := r.tile.data
	for _, c := range list {
		if c.length > len(data)-r.pos {
			return r.failed("a packet is cut")
		}
		s := &c.block.segments[c.segment]
		part := data[r.pos : r.pos+c.length : r.pos+c.length]
		if s.data == nil {
			s.data = part
		} else {
			s.data = append(s.data, part...)
		}
		r.pos += c.length
	}
	return nil
}

// header reads what a packet's header says of block j.
func (p *j2kPrecinct) header(h *packetBits, j, layer int, band *j2kBand, modes byte, list *[]contribution) bool {
	b := &p.blocks[j]
	if b.included {
		if h.bit() == 0 {
			return true
		}
	} else {
		if !p.inclusion.below(h, j, layer+1) {
			return !h.cut
		}
		b.included = true
		for !p.zeroBits.below(h, j, b.zeroPlanes+1) {
			if b.zeroPlanes++; b.zeroPlanes > band.planes || h.cut {
				return false
			}
		}
	}
	passes := passCount(h)
	for h.bit() == 1 {
		if b.lengthBits++; b.lengthBits > 32 {
			return false
		}
	}
	if b.passes+passes > 3*(band.planes-b.zeroPlanes)-2 {
		return false
	}
	for passes > 0 {
		s := b.open(modes)
		n := min(passes, s.most-s.passes)
		*list = append(*list, contribution{b, len(b.segments) - 1, h.number(b.lengthBits + bits.Len(uint(n)) - 1)})
		s.passes += n
		b.passes += n
		passes -= n
	}
	return true
}

// passCount is the code of T.800 table B.4.
func passCount(h *packetBits) int {
	if h.bit() == 0 {
		return 1
	}
	if h.bit() == 0 {
		return 2
	}
	if n := h.number(2); n < 3 {
		return 3 + n
	}
	if n := h.number(5); n < 31 {
		return 6 + n
	}
	return 37 + h.number(7)
}

// open is the segment that the next pass belongs to, T.800 D.4.2 and D.6.
func (b *j2kBlock) open(modes byte) *j2kSegment {
	if n := len(b.segments); n > 0 && b.segments[n-1].passes < b.segments[n-1].most {
		return &b.segments[n-1]
	}
	most := 1 << 30
	switch {
	case modes&modeTerminate != 0:
		most = 1
	case modes&modeBypass != 0 && len(b.segments) == 0:
		most = 10
	case modes&modeBypass != 0:
		most = 1 + len(b.segments)%2
	}
	b.segments = append(b.segments, j2kSegment{most: most})
	return &b.segments[len(b.segments)-1]
}
