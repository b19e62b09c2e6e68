package preprocess

import "image"

// fromVideo turns the samples of lossy WebP into opaque colours. They are those
// of video (luma 16 to 235), which [image.YCbCr] takes for those of JPEG: black
// would become dark grey and white light grey. Numbers and rounding are those of
// libwebp, so that a picture looks as every browser shows it.
func fromVideo(m *image.YCbCr) *image.NRGBA {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	blue, red := make([]int, w), make([]int, w)
	sum := make([]int, ceil(w, 2))
	for y := range h {
		chromaRow(m.Cb, m.CStride, y, h, sum, blue)
		chromaRow(m.Cr, m.CStride, y, h, sum, red)
		line := out.Pix[y*out.Stride:]
		for x := range w {
			luma := int(m.Y[y*m.YStride+x]) * 19077 >> 8
			p := line[4*x : 4*x+4 : 4*x+4]
			p[0] = clamped(luma + red[x]*26149>>8 - 14234)
			p[1] = clamped(luma - blue[x]*6419>>8 - red[x]*13320>>8 + 8708)
			p[2] = clamped(luma + blue[x]*33050>>8 - 17685)
			p[3] = 255
		}
	}
	return out
}

// clamped is a colour in units of 1/64 as a byte.
func clamped(v int) byte { return byte(min(max(v>>6, 0), 255)) }

// chromaRow enlarges the chroma of a row of pixels. A pixel takes 9 parts of the
// sample that it lies on, 3 of the nearest one beside it, 3 of the one above or
// below, and 1 of the one diagonally. sum is room for a row of samples.
func chromaRow(plane []byte, stride, y, h int, sum, out []int) {
	near, far := y/2, y/2-1
	if y%2 == 1 {
		far = y/2 + 1
	}
	far = min(max(far, 0), (h+1)/2-1)
	for i := range sum {
		sum[i] = 3*int(plane[near*stride+i]) + int(plane[far*stride+i])
	}
	for x := range out {
		beside := x/2 - 1
		if x%2 == 1 {
			beside = x/2 + 1
		}
		beside = min(max(beside, 0), len(sum)-1)
		out[x] = (3*sum[x/2] + sum[beside] + 8) >> 4
	}
}
