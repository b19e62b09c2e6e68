package preprocess

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
)

// screenGamma is the gAMA value that fits a screen, in units of 1/100000; see
// the PNG specification, 11.3.2.2.
const screenGamma = 45455

// gamma is the gAMA value of the file, screenGamma where it says nothing that
// counts: sRGB and iCCP override it.
func (p *pngFile) gamma() (int, error) {
	c := p.find("gAMA")
	if c == nil || p.find("sRGB") != nil || p.find("iCCP") != nil {
		return screenGamma, nil
	}
	if len(c.body) != 4 {
		return 0, damaged("png", c.at, "chunk gAMA has %d bytes, not 4", len(c.body))
	}
	g := int64(binary.BigEndian.Uint32(c.body))
	if g < minGamma || g > maxGamma {
		return 0, damaged("png", c.at, "gamma %d/100000 is not plausible", g)
	}
	return int(g), nil
}

// gammaTable turns stored samples into display samples. A stored sample is the
// light to the power of gamma, a display sample the light to the power of
// screenGamma.
func gammaTable(gamma int) (t [256]byte) {
	exponent := screenGamma / float64(gamma)
	for i := range t {
		t[i] = byte(math.Round(255 * math.Pow(float64(i)/255, exponent)))
	}
	return t
}

// apply changes the colours of a picture in place, not its alpha.
func apply(t [256]byte, m image.Image) {
	switch m := m.(type) {
	case *image.Gray:
		for i, v := range m.Pix {
			m.Pix[i] = t[v]
		}
	case *image.RGBA: // opaque, as the PNG decoder gives it
		applyColour(t, m.Pix)
	case *image.NRGBA:
		applyColour(t, m.Pix)
	case *image.Paletted:
		for i, c := range m.Palette {
			c := c.(color.NRGBA)
			m.Palette[i] = color.NRGBA{t[c.R], t[c.G], t[c.B], c.A}
		}
	default:
		panic(fmt.Sprintf("changing colours of type %T", m))
	}
}

func applyColour(t [256]byte, pix []byte) {
	for i := 0; i+3 < len(pix); i += 4 {
		pix[i], pix[i+1], pix[i+2] = t[pix[i]], t[pix[i+1]], t[pix[i+2]]
	}
}

// onWhite puts white behind a picture in place.
func onWhite(m image.Image) {
	switch m := m.(type) {
	case *image.NRGBA:
		for i := 0; i+3 < len(m.Pix); i += 4 {
			p := m.Pix[i : i+4 : i+4]
			p[0], p[1], p[2], p[3] = over(p[0], p[3]), over(p[1], p[3]), over(p[2], p[3]), 255
		}
	case *image.Paletted:
		for i, c := range m.Palette {
			c := c.(color.NRGBA)
			m.Palette[i] = color.NRGBA{over(c.R, c.A), over(c.G, c.A), over(c.B, c.A), 255}
		}
	default:
		panic(fmt.Sprintf("putting white behind type %T", m))
	}
}

// over is a sample of the given alpha on white, rounded to nearest.
func over(v, alpha byte) byte {
	a := int(alpha)
	return byte((int(v)*a + 255*(255-a) + 127) / 255)
}
