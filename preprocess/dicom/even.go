package dicom

import (
	"image"
	"slices"
)

// Even says in words that a picture is of one grey to the eye, which can be for its
// window; empty: it is not, or in colour.
func Even(m image.Image) string {
	g, ok := m.(*image.Gray)
	if !ok || len(g.Pix) == 0 {
		return ""
	}
	switch lo, hi := slices.Min(g.Pix), slices.Max(g.Pix); {
	case hi-lo > 1:
		return ""
	case hi <= 1:
		return "nothing but black is to be seen"
	case lo >= 254:
		return "nothing but white is to be seen"
	}
	return "nothing but one grey is to be seen"
}
