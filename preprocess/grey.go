package preprocess

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
)

// midGrey is the grey between black and white.
const midGrey = 128

// Grey is a PNG of one grey, of width and height in pixels.
func Grey(width, height int) ([]byte, error) {
	picture := image.NewGray(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		picture.Pix[i] = midGrey
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return nil, fmt.Errorf("encoding a grey picture of %d by %d: %w", width, height, err)
	}
	return b.Bytes(), nil
}
