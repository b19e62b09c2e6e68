package preprocess

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Pixels of the pictures in testdata, by the formulas of its README.
func greyAt(x, y int) color.NRGBA {
	v := byte(7*x + 5*y + 3)
	return color.NRGBA{v, v, v, 255}
}

func rgbAt(x, y int) color.NRGBA { return color.NRGBA{byte(11 * x), byte(17 * y), byte(x * y), 255} }

func rgbaAt(x, y int) color.NRGBA {
	c := rgbAt(x, y)
	alpha := byte(255 - 8*x)
	if y == 0 {
		alpha = 0
	}
	return color.NRGBA{over(c.R, alpha), over(c.G, alpha), over(c.B, alpha), 255}
}

func bitAt(x, y int) color.NRGBA {
	if (x*x+y)%5 < 2 {
		return color.NRGBA{0, 0, 0, 255}
	}
	return color.NRGBA{255, 255, 255, 255}
}

func invertedAt(x, y int) color.NRGBA {
	v := 255 - greyAt(x, y).R
	return color.NRGBA{v, v, v, 255}
}

// windowed is a sample within a window.
func windowed(v, lo, hi int) byte {
	in := min(max(v, lo), hi) - lo
	return byte((2*in*255 + hi - lo) / (2 * (hi - lo)))
}

func deepAt(x, y int) color.NRGBA {
	v := windowed(170*x+12*y+5, 17, 4083)
	return color.NRGBA{v, v, v, 255}
}

func deepInvertedAt(x, y int) color.NRGBA {
	v := windowed(65535-(170*x+12*y+5), 65535-4083, 65535-17)
	return color.NRGBA{v, v, v, 255}
}

func deepRGBAt(x, y int) color.NRGBA {
	w := func(v int) byte { return windowed(v, 0, 4035) }
	return color.NRGBA{w(170*x + 12*y + 5), w(4000 - 170*x), w(200 * y), 255}
}

// made are the pictures in testdata that other programs wrote. Where a program
// chose the colours, the digest is that of the pixels as Pillow decodes them.
var made = []struct {
	name   string
	pixel  func(x, y int) color.NRGBA
	digest string
	near   int // by how much a sample may be off
	steps  []string
}{
	{name: "grey_lzw.tiff", pixel: greyAt},
	{name: "white_is_zero.tiff", pixel: invertedAt, steps: []string{"inverted: white is zero"}},
	{name: "deep.tiff", pixel: deepAt, steps: []string{"windowed 17..4083 of 16 bit"}},
	{name: "deep_white_is_zero.tiff", pixel: deepInvertedAt, steps: []string{"inverted: white is zero", "windowed 61452..65518 of 16 bit"}},
	{name: "deeprgb_zip.tiff", pixel: deepRGBAt, steps: []string{"windowed 0..4035 of 16 bit"}},
	{name: "tiles.tiff", pixel: rgbAt},
	{name: "separate.tiff", pixel: rgbAt},
	{name: "rgba.tiff", pixel: rgbaAt, steps: []string{"composited on white"}},
	{name: "cmyk.tiff", pixel: rgbAt, near: 2, steps: []string{"cmyk to rgb"}},
	{name: "group3.tiff", pixel: bitAt},
	{name: "group4.tiff", pixel: bitAt, steps: []string{"inverted: white is zero"}},
	{name: "palette_packbits.tiff", digest: "93a0ffedb3a19695"},
	{name: "pages.tiff", pixel: greyAt, steps: []string{"first page of 2"}},
	{name: "lossless.webp", pixel: rgbAt},
	{name: "lossless_alpha.webp", pixel: rgbaAt, steps: []string{"composited on white"}},
	{name: "lossy.webp", digest: "cbd2333589b1b63b"},
	{name: "lossy_grey.webp", digest: "8d7217d75f99345d"},
	{name: "lossy_alpha.webp", digest: "cf7a8765b8fc6c4b", steps: []string{"composited on white"}},
	{name: "large.webp", digest: "25e591207e8aaf6e"},
	{name: "animated.webp", pixel: rgbAt, steps: []string{firstFrame}},
	{name: "animated_part.webp", digest: "da6ef3e55ef2ca84", steps: []string{firstFrame, "composited on white"}},
	{name: "rgb24.bmp", pixel: rgbAt},
	{name: "rgba32.bmp", pixel: rgbaAt, steps: []string{"composited on white"}},
	{name: "bits1.bmp", pixel: bitAt},
	{name: "palette4.bmp", digest: "267d8a02f2f8f38c"},
	{name: "palette8.bmp", digest: "873c73184958d52f"},
	{name: "plain.gif", digest: "873c73184958d52f"},
	{name: "interlaced.gif", digest: "873c73184958d52f"},
	{name: "transparent.gif", digest: "abfa1debd32504b8", steps: []string{"composited on white"}},
	{name: "animated.gif", digest: "1a7f6e5a5d7c087d", steps: []string{firstFrame}},
	{name: "offset.gif", digest: "917188984037589b", steps: []string{"composited on white"}},
}

func TestPicturesOfOtherPrograms(t *testing.T) {
	for _, c := range made {
		t.Run(c.name, func(t *testing.T) {
			got := prepare(t, Recipe{}, testdata(t, c.name))
			if diff := cmp.Diff(append(c.steps, "re-encoded png"), got.Steps); diff != "" {
				t.Error(diff)
			}
			m := shown(t, got)
			if c.pixel != nil {
				checkPixels(t, m, c.pixel, c.near)
			} else if sum := pixelDigest(m); sum != c.digest {
				t.Errorf("pixels have digest %s, want %s", sum, c.digest)
			}
		})
	}
}

// checkPixels compares a picture of 24×16 pixels with a formula.
func checkPixels(t *testing.T, m image.Image, want func(x, y int) color.NRGBA, near int) {
	t.Helper()
	if m.Bounds() != image.Rect(0, 0, 24, 16) {
		t.Fatalf("picture of %v", m.Bounds())
	}
	off := func(a, b byte) bool { return int(a)-int(b) > near || int(b)-int(a) > near }
	for y := range 16 {
		for x := range 24 {
			got, want := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA), want(x, y)
			if off(got.R, want.R) || off(got.G, want.G) || off(got.B, want.B) || got.A != 255 {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, got, want)
			}
		}
	}
}

// pixelDigest is the begin of the SHA-256 of red, green and blue of all pixels.
func pixelDigest(m image.Image) string {
	h := sha256.New()
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			h.Write([]byte{c.R, c.G, c.B})
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// TestCutPictures cuts the files at every byte.
func TestCutPictures(t *testing.T) {
	for _, c := range made {
		if c.name == "large.webp" {
			continue
		}
		data := testdata(t, c.name)
		for n := range data {
			_, err := Recipe{}.Prepare(data[:n])
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%s with %d of %d bytes: %v", c.name, n, len(data), err)
			}
		}
		// What stands behind the end is not read, but for a BMP that says no size.
		if got := prepare(t, Recipe{}, append(data, "Jane Doe"...)); got.Width < 24 || strings.Contains(string(got.Data), "Jane") {
			t.Errorf("%s with bytes behind its end: %+v", c.name, got.Steps)
		}
	}
}

// TestNoneOfThesePasses checks that what servers read differently is always
// encoded anew, whatever the recipe asks for.
func TestNoneOfThesePasses(t *testing.T) {
	for _, c := range made {
		if c.name == "large.webp" {
			continue
		}
		for _, format := range []Format{Auto, PNG, JPEG} {
			got := prepare(t, Recipe{Format: format}, testdata(t, c.name))
			want := "image/" + string(format)
			if format == Auto {
				want = "image/png"
			}
			if got.MediaType != want || got.Steps[0] == "passed" {
				t.Errorf("%s for %s: %s, %q", c.name, format, got.MediaType, got.Steps)
			}
		}
	}
}
