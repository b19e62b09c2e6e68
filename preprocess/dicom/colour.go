package dicom

import (
	"image"
	"image/color"
	"strings"
)

// grey tells whether the pictures are of one colour, so that windows apply.
func (h *Header) grey() bool { return strings.HasPrefix(h.Photometric, "MONOCHROME") }

// colour makes a picture of samples of the file, which has colours.
func (f *File) colour(s sampled) (image.Image, error) {
	if f.Header.Photometric == "PALETTE COLOR" {
		return f.paint(s)
	}
	m := image.NewNRGBA(image.Rect(0, 0, s.Width, s.Height))
	turn := false
	switch f.Header.Photometric {
	case "YBR_FULL", "YBR_FULL_422":
		turn = !s.RGB
	case "YBR_RCT", "YBR_ICT":
		if !s.RGB {
			return nil, damaged(-1, tagPhotometric, "%s, but the codestream has no colour transform", f.Header.Photometric)
		}
	}
	white := int64(1)<<s.Bits - 1
	for i := range s.Width * s.Height {
		var c [3]byte
		for k := range c {
			v := min(max(s.value(s.Values[3*i+k]), 0), white)
			c[k] = byte((2*v*255 + white) / (2 * white))
		}
		if turn {
			c[0], c[1], c[2] = color.YCbCrToRGB(c[0], c[1], c[2])
		}
		p := m.Pix[4*i : 4*i+4 : 4*i+4]
		p[0], p[1], p[2], p[3] = c[0], c[1], c[2], 255
	}
	return m, nil
}

// paint looks up the colours of PALETTE COLOR; of entries of 16 bits the upper
// byte counts.
func (f *File) paint(s sampled) (image.Image, error) {
	luts, err := f.palette.luts(f.Header.Signed)
	if err != nil {
		return nil, err
	}
	m := image.NewNRGBA(image.Rect(0, 0, s.Width, s.Height))
	s.rows(func(at int, values []int32) {
		for i, v := range values {
			p := m.Pix[4*(at+i):][:4]
			for k, t := range luts {
				p[k] = byte(t.at(s.value(v)) >> (t.bits - 8))
			}
			p[3] = 255
		}
	})
	return m, nil
}
