package preprocess

import (
	"encoding/binary"
	"image/color"
)

// invert exchanges black and white in the first channel.
func (r *raster) invert() {
	n, size := r.pixelBytes(), r.pixelBytes()/r.channels
	for i := 0; i+n <= len(r.pix); i += n {
		for j := range size {
			r.pix[i+j] ^= 0xff
		}
	}
}

// mix turns cyan, magenta, yellow and black into opaque colours.
func (r *raster) mix() {
	for i := 0; i+3 < len(r.pix); i += 4 {
		p := r.pix[i : i+4 : i+4]
		p[0], p[1], p[2] = color.CMYKToRGB(p[0], p[1], p[2], p[3])
		p[3] = 255
	}
}

// complete fills the channels that the file has no samples for, and undoes the
// multiplication of colours by alpha.
func (r *raster) complete(s samples) {
	if r.channels == 1 {
		return
	}
	size := r.pixelBytes() / 4
	for p := r.pix; len(p) >= 4*size; p = p[4*size:] {
		if s.meaning == whiteIsZero || s.meaning == blackIsZero {
			copy(p[size:], p[:size])
			copy(p[2*size:], p[:size])
		}
		if !s.alpha && s.meaning != tiffCMYK {
			for i := range size {
				p[3*size+i] = 0xff
			}
		}
		if s.associated {
			divide(p[:4*size], size)
		}
	}
}

// divide undoes the multiplication of a pixel's colours by its alpha, rounded to
// nearest.
func divide(p []byte, size int) {
	get := func(i int) int {
		if size == 1 {
			return int(p[i])
		}
		return int(binary.BigEndian.Uint16(p[2*i:]))
	}
	top := 1<<(8*size) - 1
	alpha := get(3)
	if alpha == 0 || alpha == top {
		return
	}
	for i := range 3 {
		v := min(top, (2*get(i)*top+alpha)/(2*alpha))
		if size == 1 {
			p[i] = byte(v)
		} else {
			binary.BigEndian.PutUint16(p[2*i:], uint16(v))
		}
	}
}
