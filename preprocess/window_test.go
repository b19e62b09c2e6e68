package preprocess

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// deepRamp is a 16-bit grey picture with samples from 0 to top.
func deepRamp(w, h, top int) *image.Gray16 {
	m := image.NewGray16(image.Rect(0, 0, w, h))
	for i := range w * h {
		m.SetGray16(i%w, i/w, color.Gray16{Y: uint16(i * top / (w*h - 1))})
	}
	return m
}

func TestWindow(t *testing.T) {
	ramp := prepare(t, Recipe{}, encodePNG(t, deepRamp(100, 10, 4095)))
	// 1000 samples, 5 left out at either end: those of index 5 and 994.
	want := []string{"windowed 20..4074 of 16 bit", "re-encoded png"}
	if diff := cmp.Diff(want, ramp.Steps); diff != "" {
		t.Error(diff)
	}
	sum := 0
	lines := rows(t, shown(t, ramp))
	for _, line := range lines {
		for _, v := range line {
			sum += int(v)
		}
	}
	if mean := sum / 1000; lines[0][0] != 0 || lines[9][99] != 255 || mean < 126 || mean > 128 {
		t.Errorf("from %d to %d, mean %d", lines[0][0], lines[9][99], mean)
	}
}

// TestWindowThatShowsNothing says so, of 16-bit pictures too.
func TestWindowThatShowsNothing(t *testing.T) {
	for window, want := range map[string]string{"60000/9": "nothing but black", "-9/3": "nothing but white", "2000/1e12": "nothing but one grey"} {
		got := prepare(t, Recipe{Window: windowOf(t, window)}, encodePNG(t, deepRamp(100, 10, 4095)))
		if !strings.HasSuffix(got.Steps[0], "of 16 bit") || got.Steps[1] != want+" is to be seen" {
			t.Errorf("window %s: steps %q", window, got.Steps)
		}
	}
}

func TestWindowOfFewValues(t *testing.T) {
	even := image.NewGray16(image.Rect(0, 0, 100, 100))
	spot := image.NewGray16(even.Rect)
	spot.SetGray16(3, 3, color.Gray16{Y: 900}) // far less than 1 in 200
	bright := image.NewGray16(even.Rect)
	for i := range bright.Pix {
		bright.Pix[i] = 0xff
	}
	cases := []struct {
		name  string
		m     *image.Gray16
		steps string
		at33  byte
		at00  byte
	}{
		{"black", even, "16 to 8 bit", 0, 0},
		{"white", bright, "16 to 8 bit", 255, 255},
		{"a spot", spot, "windowed 0..900 of 16 bit", 255, 0},
	}
	for _, c := range cases {
		got := prepare(t, Recipe{}, encodePNG(t, c.m))
		lines := rows(t, shown(t, got))
		if got.Steps[0] != c.steps || lines[3][3] != c.at33 || lines[0][0] != c.at00 {
			t.Errorf("%s: %q, %d and %d", c.name, got.Steps, lines[3][3], lines[0][0])
		}
	}
}

// TestWindowOfColours checks that all colours share one window.
func TestWindowOfColours(t *testing.T) {
	m := image.NewNRGBA64(image.Rect(0, 0, 2, 1))
	m.SetNRGBA64(0, 0, color.NRGBA64{R: 1000, G: 2000, B: 3000, A: 65535})
	m.SetNRGBA64(1, 0, color.NRGBA64{R: 1000, G: 1000, B: 2000, A: 65535})
	opaque := shown(t, prepare(t, Recipe{}, encodePNG(t, m)))
	if got, want := opaque.At(0, 0), (color.RGBA{0, 128, 255, 255}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	// A transparent pixel is white afterwards, and has no part in the window.
	m.SetNRGBA64(1, 0, color.NRGBA64{R: 65535, A: 0})
	got := prepare(t, Recipe{}, encodePNG(t, m))
	want := []string{"windowed 1000..3000 of 16 bit", "composited on white", "re-encoded png"}
	if diff := cmp.Diff(want, got.Steps); diff != "" {
		t.Error(diff)
	}
	p := shown(t, got)
	if p.At(0, 0) != (color.RGBA{0, 128, 255, 255}) || p.At(1, 0) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("got %v %v", p.At(0, 0), p.At(1, 0))
	}
}

func TestWindowOfNothing(t *testing.T) {
	m := image.NewNRGBA64(image.Rect(0, 0, 3, 3)) // wholly transparent
	for _, line := range rows(t, shown(t, prepare(t, Recipe{}, encodePNG(t, m)))) {
		if diff := cmp.Diff([]byte{255, 255, 255}, line); diff != "" {
			t.Error(diff)
		}
	}
}
