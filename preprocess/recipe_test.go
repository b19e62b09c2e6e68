package preprocess

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
)

func TestValidate(t *testing.T) {
	cases := []struct {
		name string
		r    Recipe
		want string // part of the error, "" for none
	}{
		{"zero", Recipe{}, ""},
		{"full", Recipe{MaxSide: 1024, MinSide: 28, Fit: Keep, Format: Auto}, ""},
		{"equal sides", Recipe{MaxSide: 28, MinSide: 28}, ""},
		{"negative", Recipe{MaxSide: -1}, "negative"},
		{"crossed sides", Recipe{MaxSide: 10, MinSide: 28}, "above max side 10"},
		{"huge padding", Recipe{MinSide: 1 << 30}, "above 4096"},
		{"fit", Recipe{Fit: "stretch"}, `unknown fit "stretch"`},
		{"format", Recipe{Format: "gif"}, `unknown format "gif"`},
		{"window", Recipe{Window: dicom.Window{Name: "head"}}, `window "head"`},
		{"narrow window", Recipe{Window: dicom.Window{Center: 1, Width: 0.5}}, "width is below 1"},
		{"frame", Recipe{Frame: dicom.Choice{Number: -1}}, "no choice"},
		{"grid", Recipe{Frame: dicom.Choice{Grid: 1000}}, "no choice"},
		{"empty mask", Recipe{Masks: []Mask{{}}}, "want a place"},
		{"mask that overflows", Recipe{Masks: []Mask{{X: 1, Width: math.MaxInt, Height: 1}}}, "want a place"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := c.r.Validate()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if _, prepareErr := c.r.Prepare(testdata(t, "grey.jpg")); (prepareErr == nil) != (err == nil) {
				t.Errorf("Prepare says %v", prepareErr)
			}
		})
	}
}

func TestRecipeDigest(t *testing.T) {
	base := Recipe{MaxSide: 1024, MinSide: 28}
	if got, want := base.Digest(), (Recipe{MaxSide: 1024, MinSide: 28, Fit: Keep, Format: Auto}).Digest(); got != want {
		t.Errorf("defaults change the digest: %s, %s", got, want)
	}
	seen := map[string]Recipe{}
	for _, r := range []Recipe{{}, base, {MaxSide: 28, MinSide: 1024}, {MaxSide: 1024}, {MaxSide: 1024, MinSide: 28, Format: PNG}, {MaxSide: 1024, MinSide: 28, Format: JPEG}, {AllowBurnedIn: true}, {Masks: []Mask{{0, 0, 1, 1}}}, {Window: dicom.Window{Name: "auto"}}, {Frame: dicom.Choice{Number: 1}}, {Fit: Pad}, {Fit: Squash}} {
		d := r.Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("%+v and %+v have one digest", r, other)
		}
		seen[d] = r
	}
	// Written down: a change of this digest must be meant.
	const want = "sha256:e95c772d792292f574943d96902e67054582bb446491371cea79e560da3df7ab"
	if got := base.Digest(); got != want {
		t.Errorf("digest is %s, was %s", got, want)
	}
}

func TestSizes(t *testing.T) {
	cases := []struct{ from, fitted, padded image.Point }{
		{image.Pt(1024, 1024), image.Pt(1024, 1024), image.Pt(1024, 1024)},
		{image.Pt(2048, 1024), image.Pt(1024, 512), image.Pt(1024, 512)},
		{image.Pt(2000, 1500), image.Pt(1024, 768), image.Pt(1024, 768)},
		{image.Pt(1500, 2000), image.Pt(768, 1024), image.Pt(768, 1024)},
		{image.Pt(1025, 1), image.Pt(1024, 1), image.Pt(1024, 28)},
		{image.Pt(65500, 20), image.Pt(1024, 1), image.Pt(1024, 28)},
		{image.Pt(1, 1), image.Pt(1, 1), image.Pt(28, 28)},
		{image.Pt(100, 27), image.Pt(100, 27), image.Pt(100, 28)},
		{image.Pt(1026, 513), image.Pt(1024, 512), image.Pt(1024, 512)},
		{image.Pt(4096, 6), image.Pt(1024, 2), image.Pt(1024, 28)}, // 1.5 rounds up
	}
	r := Recipe{MaxSide: 1024, MinSide: 28}
	for _, c := range cases {
		if got := r.fitted(c.from); got != c.fitted {
			t.Errorf("%v is fitted to %v, want %v", c.from, got, c.fitted)
		}
		if got := r.padded(r.fitted(c.from)); got != c.padded {
			t.Errorf("%v is padded to %v, want %v", c.from, got, c.padded)
		}
	}
}

// TestMeasure checks the promise that planning rests on: the size from the
// headers is the size that comes out.
func TestMeasure(t *testing.T) {
	recipes := []Recipe{
		{},
		{MaxSide: 20},
		{MaxSide: 72, MinSide: 28},
		{MaxSide: 1024, MinSide: 28},
		{MinSide: 64},
		{MaxSide: 33, Format: JPEG},
		{MaxSide: 33, Format: PNG},
	}
	sizes := []image.Point{{1, 1}, {1, 90}, {31, 17}, {72, 73}, {100, 40}}
	for _, size := range sizes {
		m := noisy(size.X, size.Y)
		for o := range 9 {
			files := map[string][]byte{
				"png":  withChunks(t, encodePNG(t, m), chunkOf("eXIf", exifOf("II", typeShort, o))),
				"jpeg": withSegments(encodeJPEG(t, m), segmentOf(app1, append([]byte("Exif\x00\x00"), exifOf("MM", typeShort, o)...))),
			}
			for format, data := range files {
				for _, r := range recipes {
					w, h, err := r.Measure(data)
					if err != nil {
						t.Fatal(err)
					}
					got := prepare(t, r, data)
					shown(t, got)
					if w != got.Width || h != got.Height {
						t.Errorf("%s %v orientation %d, %+v: measured %dx%d, prepared %dx%d", format, size, o, r, w, h, got.Width, got.Height)
					}
				}
			}
		}
	}
}

func TestMeasureReadsHeadersOnly(t *testing.T) {
	data := testdata(t, "baseline.jpg")
	at := segmentAt(t, data, sos)
	w, h, err := Recipe{MaxSide: 20}.Measure(data[:at+2])
	if err != nil || w != 20 || h != 12 {
		t.Errorf("got %dx%d, %v", w, h, err)
	}
}

func TestFormats(t *testing.T) {
	pngIn, jpegIn := encodePNG(t, noisy(40, 30)), encodeJPEG(t, noisy(40, 30))
	cases := []struct {
		name, mediaType string
		r               Recipe
		data            []byte
		steps           []string
	}{
		{"png passes", "image/png", Recipe{}, pngIn, []string{"passed"}},
		{"jpeg passes", "image/jpeg", Recipe{}, jpegIn, []string{"passed"}},
		{"png passes as png", "image/png", Recipe{Format: PNG}, pngIn, []string{"passed"}},
		{"jpeg passes as jpeg", "image/jpeg", Recipe{Format: JPEG}, jpegIn, []string{"passed"}},
		{"png to jpeg", "image/jpeg", Recipe{Format: JPEG}, pngIn, []string{"re-encoded jpeg"}},
		{"jpeg to png", "image/png", Recipe{Format: PNG}, jpegIn, []string{"re-encoded png"}},
		{"jpeg scaled", "image/png", Recipe{MaxSide: 20}, jpegIn, []string{"resized 40x30 to 20x15", "re-encoded png"}},
		{"jpeg scaled to jpeg", "image/jpeg", Recipe{MaxSide: 20, Format: JPEG}, jpegIn, []string{"resized 40x30 to 20x15", "re-encoded jpeg"}},
		{"at the limits", "image/png", Recipe{MaxSide: 40, MinSide: 30}, pngIn, []string{"passed"}},
		{"one above", "image/png", Recipe{MaxSide: 39}, pngIn, []string{"resized 40x30 to 39x29", "re-encoded png"}},
		{"padded", "image/png", Recipe{MinSide: 50}, pngIn, []string{"padded to 50x50", "re-encoded png"}},
		{"scaled and padded", "image/png", Recipe{MaxSide: 20, MinSide: 18}, pngIn, []string{"resized 40x30 to 20x15", "padded to 20x18", "re-encoded png"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := prepare(t, c.r, c.data)
			shown(t, got)
			if got.MediaType != c.mediaType {
				t.Errorf("media type is %s", got.MediaType)
			}
			if diff := cmp.Diff(c.steps, got.Steps); diff != "" {
				t.Error(diff)
			}
			if got.SourceWidth != 40 || got.SourceHeight != 30 || got.SourceDigest != digest(c.data) ||
				got.Recipe != c.r.Digest() || got.Digest != digest(got.Data) {
				t.Errorf("provenance is wrong: %+v", got)
			}
			if passed := c.steps[0] == "passed"; passed != (got.Digest == got.SourceDigest) {
				t.Errorf("bytes equal the source's: %v", !passed)
			}
		})
	}
}

func TestPaddingIsBlackAndCentred(t *testing.T) {
	got := prepare(t, Recipe{MinSide: 4}, encodePNG(t, greys([]byte{200, 100, 50, 25, 12}, []byte{1, 2, 3, 4, 5})))
	want := [][]byte{make([]byte, 5), {200, 100, 50, 25, 12}, {1, 2, 3, 4, 5}, make([]byte, 5)}
	if diff := cmp.Diff(want, rows(t, shown(t, got))); diff != "" {
		t.Error(diff)
	}
	red := image.NewRGBA(image.Rect(0, 0, 1, 1))
	red.SetRGBA(0, 0, color.RGBA{R: 255, A: 255})
	m := shown(t, prepare(t, Recipe{MinSide: 3}, encodePNG(t, red)))
	for y := range 3 {
		for x := range 3 {
			want := color.RGBA{A: 255}
			if x == 1 && y == 1 {
				want.R = 255
			}
			if got := color.RGBAModel.Convert(m.At(x, y)); got != want {
				t.Errorf("pixel %d,%d is %v", x, y, got)
			}
		}
	}
}

func TestGreyStaysGrey(t *testing.T) {
	plain := grey(noisy(60, 60))
	three := image.NewRGBA(plain.Rect) // grey in three channels
	for i, v := range plain.Pix {
		copy(three.Pix[4*i:], []byte{v, v, v, 255})
	}
	for name, data := range map[string][]byte{
		"png": encodePNG(t, plain), "png of three channels": encodePNG(t, three), "jpeg": encodeJPEG(t, plain),
	} {
		if m := shown(t, prepare(t, Recipe{MaxSide: 30}, data)); fmt.Sprintf("%T", m) != "*image.Gray" {
			t.Errorf("%s becomes %T", name, m)
		}
	}
	if m := shown(t, prepare(t, Recipe{MaxSide: 30}, encodePNG(t, noisy(60, 60)))); fmt.Sprintf("%T", m) != "*image.RGBA" {
		t.Errorf("colour becomes %T", m)
	}
}

// TestScaling checks the scaler's results where they are known: an even picture
// stays even, a step stays a step, and means stay.
func TestScaling(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range m.Pix {
		m.Pix[i] = 100
		if i%64 >= 32 {
			m.Pix[i] = 200
		}
	}
	got := rows(t, shown(t, prepare(t, Recipe{MaxSide: 16}, encodePNG(t, m))))
	for y, row := range got {
		for x, want := range map[int]byte{0: 100, 3: 100, 12: 200, 15: 200} {
			if row[x] != want {
				t.Errorf("pixel %d,%d is %d, want %d", x, y, row[x], want)
			}
		}
		if row[7] >= 150 || row[8] <= 150 || int(row[7])+int(row[8]) != 300 {
			t.Errorf("the step became %v", row)
		}
	}
}

func TestPhantomPictures(t *testing.T) {
	files, err := filepath.Glob("../bench/phantom/images/*.png")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := prepare(t, Recipe{MaxSide: 72, MinSide: 28}, data)
		if m := shown(t, got); fmt.Sprintf("%T", m) != "*image.Gray" || max(got.Width, got.Height) != 72 {
			t.Errorf("%s becomes %T of %dx%d", filepath.Base(name), m, got.Width, got.Height)
		}
	}
}

// TestSameBytes prepares the same files in several goroutines at once.
func TestSameBytes(t *testing.T) {
	files := [][]byte{
		encodePNG(t, noisy(90, 70)), encodeJPEG(t, noisy(90, 70)),
		testdata(t, "progressive.jpg"), testdata(t, "cmyk.jpg"), encodePNG(t, deepRamp(64, 64, 4095)),
	}
	r := Recipe{MaxSide: 32}
	for i, data := range files {
		want := prepare(t, r, data)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				got, err := r.Prepare(data)
				if err != nil || !cmp.Equal(got, want) {
					t.Errorf("file %d gave something else (%v)", i, err)
				}
			})
		}
		group.Wait()
	}
}

func TestResultSharesNoMemory(t *testing.T) {
	data := encodePNG(t, noisy(8, 8))
	got := prepare(t, Recipe{}, data)
	before := digest(got.Data)
	clear(data)
	if digest(got.Data) != before {
		t.Error("the result changed with the source")
	}
}
