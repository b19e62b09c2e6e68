package preprocess

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
)

// jpegQuality is high enough that its losses are below those of the pictures
// that benchmarks hold.
const jpegQuality = 95

// encode writes a picture as flatten gives it: grey as one channel, which is
// smaller and quicker than three equal ones.
func encode(m image.Image, format Format) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if format == JPEG {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality})
	} else {
		e := png.Encoder{CompressionLevel: png.BestSpeed}
		err = e.Encode(&b, m)
	}
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
