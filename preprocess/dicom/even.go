package dicom

import (
	"fmt"
	"image"
	"strings"
)

// NothingButGrey is what [Even] says of a picture of one grey, neither black nor
// white.
const NothingButGrey = "nothing but one grey" + seen

const (
	sameValues = "all values are the same"
	seen       = " is to be seen"
)

// IsEven tells whether a note, or a step that ends in one, says that a picture or a
// frame of it is of one grey or colour.
func IsEven(note string) bool {
	return strings.HasSuffix(note, seen) || strings.HasSuffix(note, sameValues)
}

// Even says in words that a picture is of one grey or colour to the eye, which can
// be for its window; empty: it is not, or its type is none of *image.Gray,
// *image.RGBA, *image.NRGBA, *image.Paletted and *image.YCbCr. Alpha does not count.
func Even(m image.Image) string {
	switch m := m.(type) {
	case *image.Gray:
		return evenWords(plane{m.Pix, 0, 1})
	case *image.RGBA:
		return evenWords(plane{m.Pix, 0, 4}, plane{m.Pix, 1, 4}, plane{m.Pix, 2, 4})
	case *image.NRGBA:
		return evenWords(plane{m.Pix, 0, 4}, plane{m.Pix, 1, 4}, plane{m.Pix, 2, 4})
	case *image.Paletted:
		if lo, hi, even := (plane{m.Pix, 0, 1}).ends(); even && lo == hi && int(lo) < len(m.Palette) {
			r, g, b, _ := m.Palette[lo].RGBA()
			return evenWords(plane{[]byte{byte(r >> 8)}, 0, 1}, plane{[]byte{byte(g >> 8)}, 0, 1}, plane{[]byte{byte(b >> 8)}, 0, 1})
		}
	case *image.YCbCr:
		if evenWords(plane{m.Cb, 0, 1}) == "" || evenWords(plane{m.Cr, 0, 1}) == "" {
			return ""
		}
		if grey := near(m.Cb[0], 128) && near(m.Cr[0], 128); grey {
			return evenWords(plane{m.Y, 0, 1})
		}
		if evenWords(plane{m.Y, 0, 1}) != "" {
			return "nothing but one colour" + seen
		}
	}
	return ""
}

// plane is every step-th sample of a picture.
type plane struct {
	samples     []byte
	first, step int
}

// ends are the lowest and the highest sample; even is false where they are further
// apart than the eye can tell, and they are of the beginning.
func (p plane) ends() (lo, hi byte, even bool) {
	if len(p.samples) == 0 {
		return 0, 255, false
	}
	lo, hi = p.samples[p.first], p.samples[p.first]
	for i := p.first; i < len(p.samples); i += p.step {
		lo, hi = min(lo, p.samples[i]), max(hi, p.samples[i])
		if hi-lo > 1 {
			return lo, hi, false
		}
	}
	return lo, hi, true
}

// evenWords says what planes show that are even; empty: not all are.
func evenWords(planes ...plane) string {
	black, white, grey := true, true, true
	var first byte
	for i, p := range planes {
		lo, hi, even := p.ends()
		if !even {
			return ""
		}
		if i == 0 {
			first = lo
		}
		black, white, grey = black && hi <= 1, white && lo >= 254, grey && near(lo, first)
	}
	switch {
	case black:
		return "nothing but black" + seen
	case white:
		return "nothing but white" + seen
	case grey:
		return NothingButGrey
	}
	return "nothing but one colour" + seen
}

func near(a, b byte) bool { return max(a, b)-min(a, b) <= 1 }

// nearlyAll is the share of pixels that are black, or white, of a picture which is
// worth a look: of a window that is not for it.
const nearlyAll = 0.995

// nearlyEven says in words how much of a grey picture is black, or white, where it
// is nearly all; empty: it is not.
func nearlyEven(m image.Image) string {
	g, ok := m.(*image.Gray)
	if !ok {
		return ""
	}
	black, white := 0, 0
	for _, v := range g.Pix {
		switch v {
		case 0:
			black++
		case 255:
			white++
		}
	}
	for _, all := range []struct {
		n    int
		name string
	}{{black, "black"}, {white, "white"}} {
		if share := float64(all.n) / float64(len(g.Pix)); share >= nearlyAll {
			return fmt.Sprintf("%.1f %% of it is %s", 100*min(share, 0.9999), all.name)
		}
	}
	return ""
}
