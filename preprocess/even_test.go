package preprocess

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"slices"
	"testing"
)

// withoutEven are the steps but for what those of tiny pictures say.
func withoutEven(steps []string) []string {
	return slices.DeleteFunc(slices.Clone(steps), ShowsNothing)
}

// TestPicturesThatShowNothing are said to, whatever their format and however they
// came to be.
func TestPicturesThatShowNothing(t *testing.T) {
	of := func(m draw.Image, c color.Color) draw.Image {
		draw.Draw(m, m.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
		return m
	}
	area := image.Rect(0, 0, 40, 40)
	jpegOf := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, m, nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	clear := image.NewNRGBA(area)
	for i := range clear.Pix {
		if i%4 < 3 {
			clear.Pix[i] = byte(i)
		}
	}
	spotted := of(image.NewGray(area), color.Black)
	spotted.Set(39, 39, color.White)
	palette := image.NewPaletted(area, make(color.Palette, 256))
	for i := range palette.Palette {
		palette.Palette[i] = color.NRGBA{byte(i), 0, 0, 255}
	}
	cases := []struct {
		name   string
		data   []byte
		recipe Recipe
		want   string
	}{
		{"grey PNG", encodePNG(t, of(image.NewGray(area), color.Black)), Recipe{}, "nothing but black is to be seen"},
		{"grey PNG, smaller", encodePNG(t, of(image.NewGray(area), color.White)), Recipe{MaxSide: 30}, "nothing but white is to be seen"},
		{"16-bit PNG", encodePNG(t, of(image.NewGray16(area), color.Gray16{Y: 30000})), Recipe{}, "nothing but one grey is to be seen"},
		{"colour PNG", encodePNG(t, of(image.NewRGBA(area), color.RGBA{200, 10, 10, 255})), Recipe{}, "nothing but one colour is to be seen"},
		{"palette", encodePNG(t, palette), Recipe{}, "nothing but black is to be seen"},
		{"transparent PNG", encodePNG(t, clear), Recipe{}, "nothing but white is to be seen"},
		{"grey JPEG", jpegOf(of(image.NewGray(area), color.Black)), Recipe{}, "nothing but black is to be seen"},
		{"colour JPEG", jpegOf(of(image.NewRGBA(area), color.Black)), Recipe{}, "nothing but black is to be seen"},
		{"red JPEG", jpegOf(of(image.NewRGBA(area), color.RGBA{200, 10, 10, 255})), Recipe{}, "nothing but one colour is to be seen"},
		{"masked", encodePNG(t, noisy(40, 40)), Recipe{Masks: []Mask{{0, 0, 40, 40}}}, "nothing but black is to be seen"},
		{"a spot", encodePNG(t, spotted), Recipe{}, ""},
	}
	for _, c := range cases {
		got := prepare(t, c.recipe, c.data).Steps
		if at := slices.IndexFunc(got, ShowsNothing); c.want == "" && at >= 0 || c.want != "" && (at < 0 || got[at] != c.want) {
			t.Errorf("%s: steps %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWindowOf(t *testing.T) {
	for step, want := range map[string]string{
		"window lung -600/1500 LINEAR":                                                              "window lung -600/1500",
		"window lung is for CT, but the modality is MR":                                             "",
		"window lung does not apply: no DICOM, and of 8 bits or less":                               "",
		"window medgemma: red -1024..1024, green -135..215, blue 0..80":                             "window medgemma",
		"window 40/80 LINEAR of 16 bit":                                                             "window 40/80 LINEAR of 16 bit",
		"windowed 12..3987 of 16 bit":                                                               "windowed 12..3987 of 16 bit",
		"no window in the file that can be used":                                                    "",
		"automatic window 0..5, the 0.5 to 99.5 percentile":                                         "automatic window 0..5",
		"file window 1 of 2 left out: its width is below 1; file window 2 of 2 -0.5/1 LINEAR":       "file window 2 of 2 -0.5/1",
		"file window 1 of 1 left out: its width is below 1; no window in the file that can be used": "",
		"file table 1 of 2 (VOI LUT of 4 entries of 10 bits)":                                       "file table 1 of 2 (VOI LUT of 4 entries of 10 bits)",
		"resized 10x10 to 5x5":                                                                      "",
	} {
		if got := WindowOf(step); got != want {
			t.Errorf("%q: %q, want %q", step, got, want)
		}
	}
}
