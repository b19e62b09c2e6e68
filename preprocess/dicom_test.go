package preprocess

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// The tags that the tests write.
const (
	tagPatientName  = 0x00100010
	tagSeries       = 0x0020000E
	tagPosition     = 0x00200032
	tagOrientation  = 0x00200037
	tagBurnedIn     = 0x00280301
	tagSpacing      = 0x00280030
	tagWindowCenter = 0x00281050
	tagWindowWidth  = 0x00281051
	tagIntercept    = 0x00281052
	tagSlope        = 0x00281053
	tagModality     = 0x00080060
)

// ramp is a CT slice of 16 by 8 whose Hounsfield units go from -1024 up in steps
// of 16, with more elements.
func ramp(more ...dicomtest.Element) dicomtest.File {
	f := dicomtest.File{Rows: 8, Columns: 16, Stored: 12}
	for i := range 128 {
		f.Pixels = append(f.Pixels, 16*i)
	}
	f.More = append([]dicomtest.Element{
		{Tag: tagModality, VR: "CS", Value: "CT"},
		dicomtest.Number(tagIntercept, "DS", -1024), dicomtest.Number(tagSlope, "DS", 1),
		dicomtest.Number(tagWindowCenter, "DS", 0), dicomtest.Number(tagWindowWidth, "DS", 1000),
		{Tag: tagBurnedIn, VR: "CS", Value: "NO"},
	}, more...)
	return f
}

// greyOf are the pixels of a prepared picture.
func greyOf(t *testing.T, m Image) []byte {
	t.Helper()
	p, err := png.Decode(bytes.NewReader(m.Data))
	if err != nil {
		t.Fatal(err)
	}
	g, ok := p.(*image.Gray)
	if !ok {
		t.Fatalf("the picture is %T", p)
	}
	return g.Pix
}

func measured(t *testing.T, r Recipe, data []byte) Image {
	t.Helper()
	m, err := r.Prepare(data)
	if err != nil {
		t.Fatal(err)
	}
	w, h, err := r.Measure(data)
	if err != nil || w != m.Width || h != m.Height {
		t.Fatalf("measured %dx%d, prepared %dx%d, %v", w, h, m.Width, m.Height, err)
	}
	return m
}

func windowOf(t *testing.T, text string) dicom.Window {
	t.Helper()
	w, err := dicom.ParseWindow(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestDICOMThroughItsWindow(t *testing.T) {
	data := ramp().Bytes()
	for _, tt := range []struct {
		window, step string
		black, white int // places of the last black and the first white pixel
	}{
		{"file", "window 1 of 1 0/1000 LINEAR", 32, 96}, // -512 and 512 HU
		{"bone", "window bone 500/2000 LINEAR", 32, 127},
		{"0/320", "window 0/320 LINEAR", 54, 74},
	} {
		m := measured(t, Recipe{Window: windowOf(t, tt.window)}, data)
		pix := greyOf(t, m)
		if pix[tt.black-1] != 0 || pix[tt.black+3] == 0 || tt.white < 127 && (pix[tt.white] != 255 || pix[tt.white-3] == 255) {
			t.Errorf("%s: %v", tt.window, pix)
		}
		if !strings.Contains(strings.Join(m.Steps, "; "), tt.step) {
			t.Errorf("%s: steps %q lack %q", tt.window, m.Steps, tt.step)
		}
	}
	if file, auto := (Recipe{}).Digest(), (Recipe{Window: windowOf(t, "auto")}).Digest(); file == auto {
		t.Error("the window does not change the recipe's digest")
	}
}

func TestMedGemmaHasThreeWindows(t *testing.T) {
	m := measured(t, Recipe{Window: windowOf(t, "medgemma")}, ramp().Bytes())
	p, err := png.Decode(bytes.NewReader(m.Data))
	if err != nil {
		t.Fatal(err)
	}
	level := func(hu, low, high int) int { return min(max((2*255*(hu-low)+(high-low))/(2*(high-low)), 0), 255) }
	for _, at := range []int{0, 55, 64, 67, 90} {
		hu := -1024 + 16*at
		r, g, b, _ := p.At(at%16, at/16).RGBA()
		got := [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}
		want := [3]int{level(hu, -1024, 1024), level(hu, -135, 215), level(hu, 0, 80)}
		for c := range got {
			if d := got[c] - want[c]; d < -1 || d > 1 {
				t.Errorf("%d HU: %v, want %v", hu, got, want)
			}
		}
	}
}

func TestBurnedInText(t *testing.T) {
	data := ramp(dicomtest.Element{Tag: tagBurnedIn, VR: "CS", Value: "YES"}).Bytes()
	_, err := Recipe{}.Prepare(data)
	if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "--allow-burned-in") {
		t.Errorf("error %v", err)
	}
	m := measured(t, Recipe{AllowBurnedIn: true}, data)
	if !strings.Contains(m.Steps[0], "burned in") {
		t.Errorf("steps %q", m.Steps)
	}
	m = measured(t, Recipe{}, ramp(dicomtest.Element{Tag: tagBurnedIn, VR: "CS"}).Bytes())
	if !slices.Contains(m.Steps, BurnedInUnknown) {
		t.Errorf("steps %q", m.Steps)
	}
	if m = measured(t, Recipe{}, ramp().Bytes()); slices.Contains(m.Steps, BurnedInUnknown) {
		t.Errorf("steps %q", m.Steps)
	}
}

func TestPixelsAreMadeSquare(t *testing.T) {
	data := ramp(dicomtest.Element{Tag: tagSpacing, VR: "DS", Value: `2.0\1.0`}).Bytes()
	m := measured(t, Recipe{}, data)
	if m.Width != 16 || m.Height != 16 || !strings.Contains(strings.Join(m.Steps, "; "), "pixels made square: 16x8 to 16x16") {
		t.Errorf("%dx%d, steps %q", m.Width, m.Height, m.Steps)
	}
}

func TestMasks(t *testing.T) {
	k, err := ParseMask("0, 7,16,1")
	if err != nil {
		t.Fatal(err)
	}
	m := measured(t, Recipe{Masks: []Mask{k}}, ramp().Bytes())
	pix := greyOf(t, m)
	if !slices.Equal(pix[112:], make([]byte, 16)) || pix[111] == 0 || !strings.Contains(strings.Join(m.Steps, "; "), "masked") {
		t.Errorf("steps %q, pixels %v", m.Steps, pix)
	}
	if _, err := (Recipe{Masks: []Mask{{X: 20, Width: 1, Height: 1}}}).Prepare(ramp().Bytes()); err == nil {
		t.Error("a mask beside the picture was taken")
	}
	var plain bytes.Buffer
	if err := png.Encode(&plain, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	if m := measured(t, Recipe{Masks: []Mask{{Width: 4, Height: 4}}}, plain.Bytes()); m.Steps[0] == "passed" {
		t.Error("a masked picture passed")
	}
	for _, text := range []string{"", "1,2,3", "1,2,3,4,5", "-1,0,1,1", "0,0,0,1", "a,b,c,d"} {
		if m, err := ParseMask(text); err == nil {
			t.Errorf("%q was taken as %v", text, m)
		}
	}
}

func TestFits(t *testing.T) {
	data := ramp().Bytes() // 16 by 8
	for _, tt := range []struct {
		fit  Fit
		side int
		want image.Point
	}{
		{Keep, 8, image.Pt(8, 4)},
		{Pad, 8, image.Pt(8, 8)},
		{Squash, 8, image.Pt(8, 8)},
		{Pad, 0, image.Pt(16, 16)},
		{Squash, 0, image.Pt(16, 16)},
		{Pad, 100, image.Pt(16, 16)},
	} {
		m := measured(t, Recipe{Fit: tt.fit, MaxSide: tt.side}, data)
		if got := image.Pt(m.Width, m.Height); got != tt.want {
			t.Errorf("%s within %d: %v, want %v", tt.fit, tt.side, got, tt.want)
		}
	}
	padded, squashed := greyOf(t, measured(t, Recipe{Fit: Pad}, data)), greyOf(t, measured(t, Recipe{Fit: Squash}, data))
	if padded[0] != 0 || padded[8*16+15] == 0 || bytes.Equal(padded, squashed) {
		t.Errorf("padded %v", padded)
	}
}

// TestNothingOfAPatientIsSaid plants a name in a file and looks for it in all
// that comes out.
func TestNothingOfAPatientIsSaid(t *testing.T) {
	const name = "Zacharias^Quux"
	good := ramp(dicomtest.Element{Tag: tagPatientName, VR: "PN", Value: name})
	m := measured(t, Recipe{Window: windowOf(t, "auto")}, good.Bytes())
	if text := strings.Join(m.Steps, "; "); strings.Contains(text, "Quux") || bytes.Contains(m.Data, []byte("Quux")) {
		t.Errorf("steps %q, or the picture, hold the name", text)
	}
	for cut := len(good.Bytes()) - 1; cut > 140; cut -= 7 {
		if _, err := (Recipe{}).Prepare(good.Bytes()[:cut]); err == nil || strings.Contains(err.Error(), "Quux") {
			t.Fatalf("cut at %d: error %v", cut, err)
		}
	}
}

// TestSharedDICOM prepares real files, which lie beside the project.
func TestSharedDICOM(t *testing.T) {
	dir := "../../shared/data/dicom"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the real files are not beside this checkout")
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	ct := greyOf(t, measured(t, Recipe{Window: windowOf(t, "abdomen")}, read("CT_small.dcm")))
	sum := 0
	for _, v := range ct {
		sum += int(v)
	}
	if mean := sum / len(ct); mean < 40 || mean > 200 {
		t.Errorf("CT_small through the abdomen's window has a mean grey of %d", mean)
	}
	first := greyOf(t, measured(t, Recipe{}, read("MR_small.dcm")))
	for _, name := range []string{"MR_small_RLE.dcm", "MR_small_bigendian.dcm", "MR_small_implicit.dcm"} {
		if !bytes.Equal(first, greyOf(t, measured(t, Recipe{}, read(name)))) {
			t.Errorf("%s differs from MR_small.dcm", name)
		}
	}
	for _, name := range []string{"JPEG2000.dcm", "SC_rgb_jpeg_dcmtk.dcm", "SC_rgb_rle.dcm", "examples_palette.dcm", "image_dfl.dcm", "no_meta.dcm"} {
		if m := measured(t, Recipe{}, read(name)); m.Width < 10 {
			t.Errorf("%s: %dx%d", name, m.Width, m.Height)
		}
	}
	for _, name := range []string{"MR_truncated.dcm", "test-SR.dcm"} {
		if _, err := (Recipe{}).Prepare(read(name)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// FuzzDICOM prepares files through a recipe with all that applies to DICOM.
func FuzzDICOM(f *testing.F) {
	f.Add(ramp().Bytes())
	f.Add(ramp(dicomtest.Element{Tag: tagSpacing, VR: "DS", Value: `2.0\1.0`}).Bytes())
	f.Add(slicing("1.2.3", 30, 400))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, r := range []Recipe{{MaxSide: 40, MinSide: 4}, {MaxSide: 40, Fit: Pad, Frame: dicom.Choice{Grid: 4}, Window: dicom.Window{Name: "medgemma"}}} {
			checkPrepared(t, r, data)
		}
	})
}
