package preprocess

import (
	"encoding/binary"
	"image"
	"testing"
)

func BenchmarkPrepare(b *testing.B) {
	cases := []struct {
		name   string
		recipe Recipe
		data   []byte
	}{
		{"JPEG 2048x2500 resized", Recipe{MaxSide: 1024}, encodeJPEG(b, noisy(2048, 2500))},
		{"JPEG 2048x2500 passed", Recipe{}, encodeJPEG(b, noisy(2048, 2500))},
		{"PNG 512x512 passed", Recipe{MaxSide: 1024}, encodePNG(b, grey(noisy(512, 512)))},
		{"PNG 2048x2048 grey resized", Recipe{MaxSide: 1024}, encodePNG(b, grey(noisy(2048, 2048)))},
		{"TIFF 2048x2048 of 16 bit resized", Recipe{MaxSide: 1024}, deepTIFF(2048, 2048)},
		{"TIFF 2048x2048 of 16 bit, deflate, resized", Recipe{MaxSide: 1024}, deflatedTIFF(2048, 2048)},
		{"WebP 2048x2048 resized", Recipe{MaxSide: 1024}, testdata(b, "large.webp")},
		{"PNG 256x256 grey resized to 72", Recipe{MaxSide: 72}, encodePNG(b, grey(noisy(256, 256)))},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.data)))
			for b.Loop() {
				if _, err := c.recipe.Prepare(c.data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMeasure(b *testing.B) {
	data := encodeJPEG(b, noisy(2048, 2500))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := (Recipe{MaxSide: 1024}).Measure(data); err != nil {
			b.Fatal(err)
		}
	}
}

// deepTIFF is a 16-bit grey picture in one strip.
func deepTIFF(w, h int) []byte {
	data := make([]byte, 0, 2*w*h)
	for i := range w * h {
		data = binary.LittleEndian.AppendUint16(data, uint16((i%w+i/w)%4096))
	}
	return pictureTIFF(w, h, data, tiffPlain, short(tagBits, 16))
}

// deflatedTIFF is the same, packed.
func deflatedTIFF(w, h int) []byte {
	plain := deepTIFF(w, h)
	return pictureTIFF(w, h, deflated(plain[8:8+2*w*h]), tiffDeflate, short(tagBits, 16))
}

func pictureTIFF(w, h int, data []byte, compression int, tags ...tag) []byte {
	return tiffOf(binary.LittleEndian, [][]byte{data}, append(tags, long(tagWidth, w), long(tagHeight, h),
		short(tagPhotometric, blackIsZero), short(tagCompression, compression))...)
}

// noisy is a picture with smooth parts, edges and a little noise.
func noisy(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	seed := uint32(1)
	for y := range h {
		for x := range w {
			seed = seed*1664525 + 1013904223
			v := (x*200/w + y*50/h + int(seed>>29)) & 0xff
			if (x/37+y/53)%2 == 0 {
				v /= 2
			}
			i := m.PixOffset(x, y)
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = byte(v), byte(v/2+40), byte(255-v), 255
		}
	}
	return m
}
