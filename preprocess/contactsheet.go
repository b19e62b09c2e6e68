package preprocess

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"

	"github.com/disintegration/imaging"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// Thumbnail is a prepared picture for a contact sheet.
type Thumbnail struct {
	Label string // of ASCII
	Data  []byte // as [Recipe.Prepare] gives it
}

// intoCell is a picture as large as a cell takes it.
func intoCell(m image.Image, cell image.Point) *image.NRGBA {
	size := m.Bounds().Size()
	factor := min(float64(cell.X)/float64(size.X), float64(cell.Y)/float64(size.Y))
	side := func(n int) int { return max(1, int(math.Round(float64(n)*factor))) }
	return imaging.Resize(m, side(size.X), side(size.Y), imaging.Lanczos)
}

// maxThumbnails is how many pictures a sheet can have.
const maxThumbnails = 1000

// Sizes on a contact sheet, in pixels.
const (
	sheetGap   = 8
	labelSpace = 18
)

// ContactSheet writes a PNG with all pictures, each scaled down into a cell, with
// its label below.
func ContactSheet(w io.Writer, pictures []Thumbnail, cell image.Point) error {
	if n := len(pictures); n == 0 || n > maxThumbnails {
		return fmt.Errorf("drawing a contact sheet: %d pictures, want 1 to %d", n, maxThumbnails)
	}
	columns := int(math.Ceil(math.Sqrt(float64(len(pictures)))))
	rows := (len(pictures) + columns - 1) / columns
	stepX, stepY := cell.X+sheetGap, cell.Y+sheetGap+labelSpace
	page := image.NewRGBA(image.Rect(0, 0, columns*stepX+sheetGap, rows*stepY+sheetGap))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	for i, p := range pictures {
		m, _, err := image.Decode(bytes.NewReader(p.Data))
		if err != nil {
			return fmt.Errorf("drawing picture %d: %w", i+1, err)
		}
		small := intoCell(m, cell)
		at := image.Pt(sheetGap+i%columns*stepX, sheetGap+i/columns*stepY)
		draw.Draw(page, small.Rect.Add(at), small, image.Point{}, draw.Src)
		label := font.Drawer{Dst: page, Src: image.Black, Face: basicfont.Face7x13, Dot: fixed.P(at.X, at.Y+cell.Y+13)}
		label.DrawString(p.Label)
	}
	return png.Encode(w, page)
}
