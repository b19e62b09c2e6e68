package preprocess

import (
	"fmt"
	"image"
)

// Image is a prepared picture: what a model gets, and what was done for it.
type Image struct {
	Data          []byte
	MediaType     string // "image/png" or "image/jpeg"
	Width, Height int    // pixels
	Digest        string // of Data: "sha256:" and 64 hexadecimal digits

	SourceDigest              string // of the file
	SourceWidth, SourceHeight int    // pixels, as stored: before any turning
	Recipe                    string // Digest of the recipe

	// Steps is what was done, in words and in order: "passed", "cut 340 bytes of
	// metadata", "left out 2 spare bytes before the end marker", "first frame of an
	// animation", "first page of 3", "left out samples: 1 of 4", "inverted: white is
	// zero", "cmyk to rgb", "windowed 12..3987 of 16 bit", "ignored an empty alpha
	// channel", "gamma 1.00000 to 0.45455", "composited on white", "oriented 6",
	// "resized 2000x1500 to 1024x768", "padded to 28x28", "re-encoded png".
	Steps []string
}

// sealed is the image with what follows from its data.
func (m Image) sealed(format string, size image.Point) Image {
	m.MediaType = "image/" + format
	m.Width, m.Height = size.X, size.Y
	m.Digest = digest(m.Data)
	return m
}

func by(p image.Point) string { return fmt.Sprintf("%dx%d", p.X, p.Y) }
