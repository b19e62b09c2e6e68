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

// MaxThumbnails is how many pictures a contact sheet can have.
const MaxThumbnails = 1000

// Sizes on a contact sheet, in pixels.
const (
	sheetCell = 240
	sheetGap  = 8
	labelLine = 14
	maxLabel  = 3                                  // lines below a picture
	lineChars = sheetCell / 7                      // that a line has room for
	sheetStep = sheetCell + sheetGap               // to the next column
	sheetDrop = sheetStep + maxLabel*labelLine + 4 // to the next row
)

// Thumbnail is a prepared picture, small, with what is written below it.
type Thumbnail struct {
	picture *image.NRGBA
	label   []string
}

// NewThumbnail is a thumbnail of the bytes that [Recipe.Prepare] gives. Of its label,
// three lines are shown, each as far as there is room; what is not ASCII is shown as ?.
func NewThumbnail(data []byte, label ...string) (Thumbnail, error) {
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return Thumbnail{}, fmt.Errorf("drawing a thumbnail: %w", err)
	}
	t := Thumbnail{picture: intoCell(m)}
	for _, line := range label[:min(len(label), maxLabel)] {
		t.label = append(t.label, shortened(line))
	}
	return t, nil
}

// intoCell is a picture as large as a cell takes it.
func intoCell(m image.Image) *image.NRGBA {
	size := m.Bounds().Size()
	factor := sheetCell / float64(max(size.X, size.Y))
	side := func(n int) int { return max(1, int(math.Round(float64(n)*factor))) }
	return imaging.Resize(m, side(size.X), side(size.Y), imaging.Lanczos)
}

// shortened is a line as far as it fits below a picture.
func shortened(line string) string {
	var out []byte
	for _, c := range line {
		if c < ' ' || c > '~' {
			c = '?'
		}
		out = append(out, byte(c))
	}
	if len(out) > lineChars {
		out = append(out[:lineChars-2], ".."...)
	}
	return string(out)
}

// ContactSheet writes a PNG with all thumbnails in rows, in their order, each with
// its label below.
func ContactSheet(w io.Writer, thumbnails []Thumbnail) error {
	n := len(thumbnails)
	if n == 0 || n > MaxThumbnails {
		return fmt.Errorf("drawing a contact sheet: %d pictures, want 1 to %d", n, MaxThumbnails)
	}
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	rows := (n + columns - 1) / columns
	page := image.NewRGBA(image.Rect(0, 0, columns*sheetStep+sheetGap, rows*sheetDrop+sheetGap))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	for i, t := range thumbnails {
		at := image.Pt(sheetGap+i%columns*sheetStep, sheetGap+i/columns*sheetDrop)
		draw.Draw(page, t.picture.Rect.Add(at), t.picture, image.Point{}, draw.Src)
		for j, line := range t.label {
			dot := fixed.P(at.X, at.Y+sheetCell+(j+1)*labelLine)
			label := font.Drawer{Dst: page, Src: image.Black, Face: basicfont.Face7x13, Dot: dot}
			label.DrawString(line)
		}
	}
	return png.Encode(w, page)
}
