package dicom

import (
	"errors"
	"image"
	"math"
)

// maxSheet is the longest side of a contact sheet in pixels; frames are scaled
// down to it. Models see less.
const maxSheet = 4096

// sheet puts pictures of one size and kind side by side, row by row.
type sheet struct {
	image  image.Image
	cell   image.Point // of a picture, as it came
	shrink int
}

// across is how many of n pictures stand in a row.
func across(n int) int { return int(math.Ceil(math.Sqrt(float64(n)))) }

// add puts picture at of n.
func (s *sheet) add(m image.Image, at, n int) error {
	size := m.Bounds().Size()
	if n == 1 {
		s.image = m
		return nil
	}
	columns := across(n)
	rows := (n + columns - 1) / columns
	if s.image == nil {
		s.cell = size
		s.shrink = shrinkOf(columns*size.X, rows*size.Y)
		s.image = blank(m, image.Rect(0, 0, columns*s.small(size.X), rows*s.small(size.Y)))
	}
	if size != s.cell {
		return errors.New("the pictures of the sheet differ in size")
	}
	x, y := at%columns*s.small(size.X), at/columns*s.small(size.Y)
	switch to := s.image.(type) {
	case *image.Gray:
		if from, ok := m.(*image.Gray); ok {
			s.copy(to.Pix[to.PixOffset(x, y):], to.Stride, from.Pix, from.Stride, 1)
			return nil
		}
	case *image.NRGBA:
		if from, ok := m.(*image.NRGBA); ok {
			s.copy(to.Pix[to.PixOffset(x, y):], to.Stride, from.Pix, from.Stride, 4)
			return nil
		}
	}
	return errors.New("some pictures of the sheet are grey, some in colour")
}

func (s *sheet) small(side int) int { return (side + s.shrink - 1) / s.shrink }

// blank is a black picture of the kind of m.
func blank(m image.Image, area image.Rectangle) image.Image {
	if _, ok := m.(*image.Gray); ok {
		return image.NewGray(area)
	}
	out := image.NewNRGBA(area)
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out
}

// copy writes a cell, each pixel the mean of a square of shrink pixels. A pixel
// has step bytes.
func (s *sheet) copy(to []byte, toStride int, from []byte, fromStride, step int) {
	for y := range s.small(s.cell.Y) {
		for x := range s.small(s.cell.X) {
			for c := range step {
				to[y*toStride+x*step+c] = s.mean(from[c:], fromStride, step, x*s.shrink, y*s.shrink)
			}
		}
	}
}

func (s *sheet) mean(from []byte, stride, step, x0, y0 int) byte {
	sum, n := 0, 0
	for y := y0; y < min(y0+s.shrink, s.cell.Y); y++ {
		for x := x0; x < min(x0+s.shrink, s.cell.X); x++ {
			sum += int(from[y*stride+x*step])
			n++
		}
	}
	return byte((2*sum + n) / (2 * n))
}
