package preprocess

import (
	"fmt"
	"image"
	"image/draw"
	"strings"
)

// Mask is a rectangle that is made black, from its upper left corner: in pixels of
// the upright picture before it is scaled. Of DICOM these are the stored pixels, and
// every frame of a sheet is masked.
type Mask struct{ X, Y, Width, Height int }

// maxMask is above the side of any picture, and far below where a sum of two would
// become negative.
const maxMask = 1_000_000

// ParseMask reads "X,Y,W,H".
func ParseMask(text string) (Mask, error) {
	var m Mask
	if _, err := fmt.Sscanf(strings.ReplaceAll(text, " ", "")+"\n", "%d,%d,%d,%d\n", &m.X, &m.Y, &m.Width, &m.Height); err != nil {
		return m, fmt.Errorf("reading mask %q: want X,Y,W,H in pixels", text)
	}
	return m, m.check()
}

// String is what ParseMask reads.
func (m Mask) String() string { return fmt.Sprintf("%d,%d,%d,%d", m.X, m.Y, m.Width, m.Height) }

func (m Mask) check() error {
	if m.X < 0 || m.Y < 0 || m.Width < 1 || m.Height < 1 || max(m.X, m.Y, m.Width, m.Height) > maxMask {
		return fmt.Errorf("reading mask %s: want a place from 0,0 and a size from 1,1, up to %d", m, maxMask)
	}
	return nil
}

// blacken paints the masks over a picture. One that lies outside of it wholly
// hides nothing, and is an error: what it was to hide would be shown.
func blacken(m draw.Image, masks []Mask) error {
	for _, k := range masks {
		area := image.Rect(k.X, k.Y, k.X+k.Width, k.Y+k.Height).Intersect(m.Bounds())
		if area.Empty() {
			return fmt.Errorf("the mask %s lies outside of the picture of %s", k, by(m.Bounds().Size()))
		}
		draw.Draw(m, area, image.Black, image.Point{}, draw.Src)
	}
	return nil
}

// paintable is a picture that may be painted on: a copy where the decoder still
// has it.
func paintable(m image.Image) draw.Image {
	flat := flatten(m)
	if same, ok := m.(draw.Image); ok && same == flat {
		if g, ok := flat.(*image.Gray); ok {
			return &image.Gray{Pix: append([]byte(nil), g.Pix...), Stride: g.Stride, Rect: g.Rect}
		}
	}
	return flat
}
