package preprocess

import (
	"image"
	"image/color"
	"image/draw"
)

// reworked is part of a file whose format never passes: servers differ in which
// of these formats they take, and in how they show them.
type reworked struct{}

func (reworked) passable() bool { return false }

func (reworked) clean() []byte { return nil }

// firstFrame is the step of every format that can hold an animation.
const firstFrame = "first frame of an animation"

// place puts the opaque frame of an animation on a white canvas; what a frame
// leaves free is transparent.
func place(frame image.Image, at image.Point, canvas image.Point) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: canvas})
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, image.Rectangle{Min: at, Max: at.Add(frame.Bounds().Size())}, frame, frame.Bounds().Min, draw.Src)
	return out
}

// fillPalette gives a palette 256 colours of one type, so that no reader of the
// pixels can leave it.
func fillPalette(m *image.Paletted) {
	full := make(color.Palette, 256)
	for i := range full {
		full[i] = color.NRGBA{A: 255}
		if i < len(m.Palette) {
			full[i] = color.NRGBAModel.Convert(m.Palette[i])
		}
	}
	m.Palette = full
}

// makeOpaque takes away a picture's alpha.
func makeOpaque(m *image.NRGBA) {
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
}
