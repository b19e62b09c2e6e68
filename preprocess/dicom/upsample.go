package dicom

import "image"

// componentValues are the components of a JPEG, the colours brought to full size
// as libjpeg does it ("fancy upsampling"): halved colours are taken three parts
// from the nearer and one part from the further neighbour, in each direction, with
// libjpeg's rounding. Other ratios are repeated.
func componentValues(m *image.YCbCr) []int32 {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := make([]int32, 3*w*h)
	for y := range h {
		for x := range w {
			out[3*(y*w+x)] = int32(m.Y[m.YOffset(x, y)])
		}
	}
	for i, pix := range [][]byte{m.Cb, m.Cr} {
		c := chroma{pix: pix, stride: m.CStride, w: (w + 1) / 2, h: (h + 1) / 2}
		for y := range h {
			row := out[3*y*w:]
			switch {
			case m.SubsampleRatio == image.YCbCrSubsampleRatio422 && c.w > 2:
				c.across(y, w, func(x int, v int32) { row[3*x+1+i] = v })
			case m.SubsampleRatio == image.YCbCrSubsampleRatio420 && c.w > 2:
				c.both(y, w, func(x int, v int32) { row[3*x+1+i] = v })
			default:
				for x := range w {
					row[3*x+1+i] = int32(pix[m.COffset(x, y)])
				}
			}
		}
	}
	return out
}

// chroma is a plane of one colour at half the width, and maybe half the height.
type chroma struct {
	pix    []byte
	stride int
	w, h   int
}

// across writes row y of a plane of half the width.
func (c *chroma) across(y, width int, set func(x int, v int32)) {
	row := c.pix[y*c.stride:]
	for x := range width {
		near := int32(row[x/2])
		far := x/2 - 1 + x%2*2
		switch {
		case far < 0 || far >= c.w:
			set(x, near)
		case x%2 == 0:
			set(x, (3*near+int32(row[far])+1)>>2)
		default:
			set(x, (3*near+int32(row[far])+2)>>2)
		}
	}
}

// both writes row y of a plane of half the width and height.
func (c *chroma) both(y, width int, set func(x int, v int32)) {
	near := c.pix[y/2*c.stride:]
	far := c.pix[min(max(y/2-1+y%2*2, 0), c.h-1)*c.stride:]
	sum := func(x int) int32 { return 3*int32(near[x]) + int32(far[x]) }
	for x := range width {
		other := x/2 - 1 + x%2*2
		rounding := int32(8 - x%2)
		if other < 0 || other >= c.w {
			set(x, (4*sum(x/2)+rounding)>>4)
		} else {
			set(x, (3*sum(x/2)+sum(other)+rounding)>>4)
		}
	}
}
