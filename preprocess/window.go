package preprocess

import (
	"fmt"
	"image"

	"lightbox/preprocess/dicom"
)

// clipped is the part of all samples, at either end, that a window may cut: one
// in 200, the 0.5 and 99.5 percentiles.
const clipped = 200

// deep is a 16-bit picture as bytes, most significant first.
type deep struct {
	pix      []byte
	step     int // bytes a pixel
	channels int // colour samples of a pixel
	alpha    bool
}

// deepOf is a 16-bit picture as bytes.
func deepOf(m image.Image) deep {
	switch m := m.(type) {
	case *image.Gray16:
		return deep{m.Pix, 2, 1, false}
	case *image.RGBA64: // opaque, as the PNG decoder gives it
		return deep{m.Pix, 8, 3, false}
	case *image.NRGBA64:
		return deep{m.Pix, 8, 3, true}
	}
	panic(fmt.Sprintf("a 16-bit picture of type %T", m))
}

// window brings a 16-bit picture to 8 bits: through the centre and width that w
// names, in values as they are stored, else from the low to the high end of its own
// samples; the same for all colours. It gives the step in words. Pixels that are
// wholly transparent do not count. Where white is zero, the picture comes inverted.
func window(m image.Image, w dicom.Window, inverted bool) (image.Image, string) {
	d := deepOf(m)
	if w.Name == "" && w.Width > 0 {
		var levels [1 << 16]byte
		for v := range levels {
			if levels[v] = w.Level(float64(v)); inverted {
				levels[v] = 255 - w.Level(float64(1<<16-1-v))
			}
		}
		return d.narrow(m.Bounds(), &levels), "window " + w.String() + " LINEAR of 16 bit"
	}
	lo, hi := d.ends()
	if lo >= hi { // one value, or nothing to see
		return d.narrow(m.Bounds(), between(0, 1<<16-1)), "16 to 8 bit"
	}
	return d.narrow(m.Bounds(), between(lo, hi)), fmt.Sprintf("windowed %d..%d of 16 bit", lo, hi)
}

// between maps lo to 0 and hi to 255, rounded to nearest.
func between(lo, hi int) *[1 << 16]byte {
	var levels [1 << 16]byte
	for v := range levels {
		in := min(max(v, lo), hi) - lo
		levels[v] = byte((2*in*255 + hi - lo) / (2 * (hi - lo)))
	}
	return &levels
}

// ends is the window. Where the percentiles fall together, as with a small
// object on an even ground, it is the whole range of samples.
func (d deep) ends() (lo, hi int) {
	count := make([]int, 1<<16)
	total := 0
	for p := d.pix; len(p) >= d.step; p = p[d.step:] {
		if d.alpha && p[6] == 0 && p[7] == 0 {
			continue
		}
		for c := range d.channels {
			count[int(p[2*c])<<8|int(p[2*c+1])]++
		}
		total += d.channels
	}
	if total == 0 {
		return 0, 0
	}
	if lo, hi = rank(count, total/clipped); lo == hi {
		lo, hi = rank(count, 0)
	}
	return lo, hi
}

// rank is the lowest and the highest value that remain when skip samples are
// left out at either end.
func rank(count []int, skip int) (lo, hi int) {
	for n := count[0]; n <= skip; n += count[lo] {
		lo++
	}
	hi = len(count) - 1
	for n := count[hi]; n <= skip; n += count[hi] {
		hi--
	}
	return lo, hi
}

// narrow looks up the level of every sample.
func (d deep) narrow(area image.Rectangle, table *[1 << 16]byte) image.Image {
	if d.channels == 1 {
		g := image.NewGray(area)
		for i := range g.Pix {
			g.Pix[i] = table[int(d.pix[2*i])<<8|int(d.pix[2*i+1])]
		}
		return g
	}
	out := image.NewNRGBA(area)
	for i := 0; i+3 < len(out.Pix); i += 4 {
		p := d.pix[2*i : 2*i+8 : 2*i+8]
		for c := range 3 {
			out.Pix[i+c] = table[int(p[2*c])<<8|int(p[2*c+1])]
		}
		alpha := int(p[6])<<8 | int(p[7])
		out.Pix[i+3] = byte((2*alpha*255 + 65535) / (2 * 65535))
	}
	return out
}
