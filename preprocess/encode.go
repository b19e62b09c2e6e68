package preprocess

import (
	"bytes"
	"image"
	"image/jpeg"
)

// jpegQuality is high enough that its losses are below those of the pictures
// that benchmarks hold.
const jpegQuality = 95

// encode writes a picture as flatten gives it: grey as one channel, which is
// smaller and quicker than three equal ones.
func encode(m image.Image, format Format) ([]byte, error) {
	if format != JPEG {
		return writePNG(m)
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality})
	return b.Bytes(), err
}
