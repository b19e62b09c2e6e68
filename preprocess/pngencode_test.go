package preprocess

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// samePNG compares a picture with what image/png writes of it.
func samePNG(t *testing.T, m image.Image) {
	t.Helper()
	got, err := writePNG(m)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&want, m); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%T of %v: %d bytes that image/png does not write, which writes %d", m, m.Bounds().Size(), len(got), want.Len())
	}
}

// drawn is a grey and a coloured picture whose samples f gives.
func drawn(w, h int, f func(x, y, channel int) byte) []image.Image {
	grey, colour := image.NewGray(image.Rect(0, 0, w, h)), image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			grey.SetGray(x, y, color.Gray{f(x, y, 0)})
			colour.SetRGBA(x, y, color.RGBA{f(x, y, 0), f(x, y, 1), f(x, y, 2), 255})
		}
	}
	return []image.Image{grey, colour}
}

// TestPNGIsThatOfTheLibrary: digests of pictures would change if it were not.
func TestPNGIsThatOfTheLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	patterns := map[string]func(x, y, channel int) byte{
		"black":  func(int, int, int) byte { return 0 },
		"white":  func(int, int, int) byte { return 255 },
		"noise":  func(int, int, int) byte { return byte(random.Uint32()) },
		"across": func(x, _, channel int) byte { return byte(3*x + channel) },
		"down":   func(_, y, channel int) byte { return byte(5*y - channel) },
		"slope":  func(x, y, channel int) byte { return byte(2*x + 3*y + 80*channel) },
		"film": func(x, y, channel int) byte {
			return byte((x-40)*(x-40)/50 + (y-30)*(y-30)/40 + channel + random.IntN(4))
		},
		"edges":   func(x, y, _ int) byte { return byte(x / 7 % 2 * (y / 5 % 2) * 255) },
		"extreme": func(x, y, channel int) byte { return []byte{0, 127, 128, 255}[(x*x+y+channel)%4] },
	}
	for name, f := range patterns {
		t.Run(name, func(t *testing.T) {
			for _, size := range [][2]int{{1, 1}, {2, 3}, {3, 2}, {5, 4}, {7, 7}, {8, 3}, {9, 1}, {16, 16}, {23, 11}, {64, 64}, {301, 90}} {
				for _, m := range drawn(size[0], size[1], f) {
					samePNG(t, m)
				}
			}
		})
	}
	t.Run("several chunks", func(t *testing.T) {
		for _, m := range drawn(700, 300, patterns["noise"]) {
			samePNG(t, m)
		}
	})
}

func TestPNGRefusesOtherTypes(t *testing.T) {
	if _, err := writePNG(image.NewNRGBA(image.Rect(0, 0, 1, 1))); err == nil {
		t.Error("a picture with alpha was encoded")
	}
}

// FuzzEncodePNG compares with image/png, whatever the samples.
func FuzzEncodePNG(f *testing.F) {
	f.Add(uint8(3), []byte("some samples, twelve or more"))
	f.Add(uint8(9), bytes.Repeat([]byte{0, 255, 128}, 60))
	f.Add(uint8(0), []byte{7})
	f.Fuzz(func(t *testing.T, width uint8, samples []byte) {
		w := int(width) + 1
		h := len(samples) / w
		if h == 0 || h > 300 {
			return
		}
		for _, m := range drawn(w, h, func(x, y, channel int) byte { return samples[(y*w+x+channel*x)%len(samples)] }) {
			samePNG(t, m)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	m := noisy(1024, 1024)
	for _, m := range []image.Image{grey(m), m} {
		b.Run(fmt.Sprintf("%T", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := writePNG(m); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("image/png %T", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e := png.Encoder{CompressionLevel: png.BestSpeed}
				if err := e.Encode(&bytes.Buffer{}, m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
