package preprocess

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

// sheetOf draws a sheet of grey pictures of the sizes, all with one label.
func sheetOf(t *testing.T, label string, sizes ...image.Point) (image.Image, error) {
	t.Helper()
	var all []Thumbnail
	for _, size := range sizes {
		m := image.NewGray(image.Rectangle{Max: size})
		for i := range m.Pix {
			m.Pix[i] = 77
		}
		thumbnail, err := NewThumbnail(encodePNG(t, m), label, "window lung", "masked")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, thumbnail)
	}
	var b bytes.Buffer
	if err := ContactSheet(&b, all); err != nil {
		return nil, err
	}
	return png.Decode(&b)
}

func TestContactSheet(t *testing.T) {
	sheet, err := sheetOf(t, "1  x", image.Pt(500, 100), image.Pt(3, 900), image.Pt(8, 8), image.Pt(1, 1), image.Pt(240, 240))
	if err != nil {
		t.Fatal(err)
	}
	if want := image.Pt(3*sheetStep+sheetGap, 2*sheetDrop+sheetGap); sheet.Bounds().Size() != want {
		t.Errorf("five pictures on %v, want %v", sheet.Bounds().Size(), want)
	}
	grey := color.GrayModel.Convert
	for i := range 5 {
		at := image.Pt(sheetGap+i%3*sheetStep, sheetGap+i/3*sheetDrop)
		if got := grey(sheet.At(at.X, at.Y)); got != (color.Gray{77}) {
			t.Errorf("picture %d begins with %v", i+1, got)
		}
		for line := range maxLabel {
			if !dark(sheet, image.Rect(0, 0, sheetCell, labelLine).Add(at).Add(image.Pt(0, sheetCell+line*labelLine+2))) {
				t.Errorf("picture %d has no line %d", i+1, line+1)
			}
		}
	}
	if last := image.Rect(0, 0, sheetCell, sheetDrop).Add(image.Pt(sheetGap+2*sheetStep, sheetGap+sheetDrop)); dark(sheet, last) {
		t.Error("the sixth cell is not empty")
	}
}

// dark tells whether anything black stands in an area.
func dark(m image.Image, area image.Rectangle) bool {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if m.At(x, y) == (color.RGBA{0, 0, 0, 255}) {
				return true
			}
		}
	}
	return false
}

func TestContactSheetLimits(t *testing.T) {
	if err := ContactSheet(&bytes.Buffer{}, nil); err == nil {
		t.Error("a sheet of nothing")
	}
	if err := ContactSheet(&bytes.Buffer{}, make([]Thumbnail, MaxThumbnails+1)); err == nil {
		t.Error("a sheet of too many")
	}
	if _, err := NewThumbnail([]byte("no picture")); err == nil {
		t.Error("a thumbnail of no picture")
	}
}

func TestLabelsFit(t *testing.T) {
	for line, want := range map[string]string{
		"12  512x512":            "12  512x512",
		"窗\x1b[2J":               "??[2J",
		strings.Repeat("a", 100): strings.Repeat("a", lineChars-2) + "..",
	} {
		if got := shortened(line); got != want {
			t.Errorf("%q is shown as %q, want %q", line, got, want)
		}
	}
}
