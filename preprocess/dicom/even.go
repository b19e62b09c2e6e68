package dicom

import (
	"image"
	"slices"
	"strings"
)

const (
	sameValues = "all values are the same"
	seen       = " is to be seen"
)

// IsEven tells whether a note, or a step that ends in one, says that a picture or a
// frame of it is of one grey.
func IsEven(note string) bool {
	return strings.HasSuffix(note, seen) || strings.HasSuffix(note, sameValues)
}

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
		return "nothing but black" + seen
	case lo >= 254:
		return "nothing but white" + seen
	}
	return "nothing but one grey" + seen
}
