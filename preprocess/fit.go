package preprocess

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/disintegration/imaging"
)

// maxPad bounds MinSide, and so what padding can cost.
const maxPad = 4096

// fitted is the size of a picture within the recipe's MaxSide. No side becomes
// less than one pixel.
func (r Recipe) fitted(p image.Point) image.Point {
	long := max(p.X, p.Y)
	if r.Fit == Squash {
		if side := long; r.MaxSide == 0 || side <= r.MaxSide {
			return image.Pt(side, side)
		}
		return image.Pt(r.MaxSide, r.MaxSide)
	}
	if r.MaxSide == 0 || long <= r.MaxSide {
		return p
	}
	side := func(n int) int { return max(1, (2*n*r.MaxSide+long)/(2*long)) }
	return image.Pt(side(p.X), side(p.Y))
}

// padded is the size of a picture with both sides brought up to MinSide, and made
// equal where that is wanted.
func (r Recipe) padded(p image.Point) image.Point {
	if r.Fit == Pad {
		long := max(p.X, p.Y)
		p = image.Pt(long, long)
	}
	return image.Pt(max(p.X, r.MinSide), max(p.Y, r.MinSide))
}

// scale resamples with a Lanczos kernel of three lobes. The scaling runs in
// goroutines whose panics nobody could recover, so it is given only pictures of
// the concrete types that decode promises.
func scale(m image.Image, size image.Point) image.Image {
	return imaging.Resize(m, size.X, size.Y, imaging.Lanczos)
}

// orient turns a picture by its EXIF orientation, 2 to 8, so that it stands
// upright. The library turns against the clock.
func orient(m image.Image, orientation int) image.Image {
	switch orientation {
	case 2:
		return imaging.FlipH(m)
	case 3:
		return imaging.Rotate180(m)
	case 4:
		return imaging.FlipV(m)
	case 5:
		return imaging.Transpose(m)
	case 6:
		return imaging.Rotate270(m)
	case 7:
		return imaging.Transverse(m)
	case 8:
		return imaging.Rotate90(m)
	}
	return m
}

// flatten is the picture as *image.Gray where every pixel is grey, else as
// opaque *image.RGBA.
func flatten(m image.Image) draw.Image {
	if g, ok := m.(*image.Gray); ok {
		return g
	}
	c, ok := m.(*image.RGBA)
	if !ok {
		n, ok := m.(*image.NRGBA)
		if !ok {
			n = imaging.Clone(m)
		}
		// Opaque pixels are the same bytes in both types.
		c = &image.RGBA{Pix: n.Pix, Stride: n.Stride, Rect: n.Rect}
	}
	for i := 0; i+3 < len(c.Pix); i += 4 {
		if c.Pix[i] != c.Pix[i+1] || c.Pix[i] != c.Pix[i+2] {
			return c
		}
	}
	g := image.NewGray(c.Rect)
	for i := range g.Pix {
		g.Pix[i] = c.Pix[4*i]
	}
	return g
}

// pad puts the picture in the middle of a black one of the given size.
func pad(m draw.Image, size image.Point) draw.Image {
	area := image.Rectangle{Max: size}
	var out draw.Image
	if _, ok := m.(*image.Gray); ok {
		out = image.NewGray(area) // black already
	} else {
		out = image.NewRGBA(area)
		draw.Draw(out, area, image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	at := size.Sub(m.Bounds().Size()).Div(2)
	draw.Draw(out, m.Bounds().Add(at), m, image.Point{}, draw.Src)
	return out
}
