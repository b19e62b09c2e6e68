package preprocess

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
)

func (j *jpegFile) pixels() (image.Image, []string, error) {
	if err := j.readScans(); err != nil {
		return nil, nil, err
	}
	m, err := jpeg.Decode(bytes.NewReader(j.clean()))
	if err != nil {
		return nil, nil, jpegError(err)
	}
	var steps []string
	if j.spare > 0 {
		steps = append(steps, fmt.Sprintf("left out %d spare bytes before the end marker", j.spare))
	}
	if c, ok := m.(*image.CMYK); ok {
		return fromCMYK(c), append(steps, "cmyk to rgb"), nil
	}
	return m, steps, nil
}

// jpegError sorts the decoder's errors by kind.
func jpegError(err error) error {
	kind := ErrDamaged
	if u := jpeg.UnsupportedError(""); errors.As(err, &u) {
		kind = ErrUnsupported
	}
	return &Error{Kind: kind, Format: "jpeg", Offset: -1, Problem: "decoding failed", Err: err}
}

// fromCMYK turns ink into light. The decoder has undone the inversion that
// Adobe's files have.
func fromCMYK(m *image.CMYK) *image.NRGBA {
	out := image.NewNRGBA(m.Rect)
	for i := 0; i+3 < len(out.Pix); i += 4 {
		p := m.Pix[i : i+4 : i+4]
		r, g, b := color.CMYKToRGB(p[0], p[1], p[2], p[3])
		out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = r, g, b, 255
	}
	return out
}
