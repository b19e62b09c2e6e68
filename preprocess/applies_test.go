package preprocess

import (
	"encoding/binary"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

func TestWindowOfDeepPictures(t *testing.T) {
	w := Recipe{Window: windowOf(t, "1000.5/1001")} // 500 to 1500, as PS3.3 C.11.2.1.2.1 has it
	ramp := image.NewGray16(image.Rect(0, 0, 5, 1))
	inverted := make([]byte, 0, 10)
	for i, v := range []uint16{0, 500, 1000, 1500, 4000} {
		binary.BigEndian.PutUint16(ramp.Pix[2*i:], v)
		inverted = binary.LittleEndian.AppendUint16(inverted, v)
	}
	want := []byte{0, 0, 128, 255, 255}
	for _, tt := range []struct {
		name string
		data []byte
		want []byte
	}{
		{"PNG", encodePNG(t, ramp), want},
		{"TIFF", pixelTIFF(binary.LittleEndian, 5, 16, 1, blackIsZero, inverted), want},
		{"TIFF, white is zero", pixelTIFF(binary.LittleEndian, 5, 16, 1, whiteIsZero, inverted), []byte{255, 255, 127, 0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := prepare(t, w, tt.data)
			if diff := cmp.Diff(tt.want, greyOf(t, m)); diff != "" {
				t.Error(diff)
			}
			if !slices.Contains(m.Steps, "window 1000.5/1001 LINEAR of 16 bit") {
				t.Errorf("steps %q", m.Steps)
			}
		})
	}
}

// TestWhatDoesNotApplyIsSaid: nothing that was asked for is left out in silence, and
// it changes no other picture.
func TestWhatDoesNotApplyIsSaid(t *testing.T) {
	shallow, deep := encodePNG(t, greys([]byte{1, 2, 3})), encodePNG(t, deepRamp(10, 10, 4095))
	for _, tt := range []struct {
		name string
		r    Recipe
		data []byte
		want string // empty: it applies
	}{
		{"preset, 8 bits", Recipe{Window: windowOf(t, "brain")}, shallow, "window brain does not apply: no DICOM, and of 8 bits or less"},
		{"numbers, 8 bits", Recipe{Window: windowOf(t, "2/2")}, shallow, "window 2/2 does not apply: no DICOM, and of 8 bits or less"},
		{"auto, 8 bits", Recipe{Window: windowOf(t, "auto")}, shallow, "window auto does not apply: no DICOM, and of 8 bits or less"},
		{"preset, 16 bits", Recipe{Window: windowOf(t, "brain")}, deep, "window brain does not apply: no DICOM, so its values are not Hounsfield units"},
		{"auto, 16 bits", Recipe{Window: windowOf(t, "auto")}, deep, ""},
		{"file, 16 bits", Recipe{Window: windowOf(t, "file")}, deep, ""},
		{"frame", Recipe{Frame: dicom.Choice{Number: 2}}, shallow, "frame 2 does not apply: no DICOM"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plain, got := prepare(t, Recipe{}, tt.data), prepare(t, tt.r, tt.data)
			if plain.Digest != got.Digest {
				t.Error("the picture has changed")
			}
			var said []string
			for _, s := range got.Steps {
				if strings.Contains(s, "does not apply") {
					said = append(said, s)
				}
			}
			if strings.Join(said, "; ") != tt.want {
				t.Errorf("steps %q, want %q", got.Steps, tt.want)
			}
		})
	}
}

// TestMasksCoverEveryFrame: text that is burned in stands in the same place of every
// frame.
func TestMasksCoverEveryFrame(t *testing.T) {
	corner := []Mask{{Width: 8, Height: 3}}
	white := dicomtest.File{Rows: 8, Columns: 16, Allocated: 8, Frames: 4, Pixels: slices.Repeat([]int{255}, 4*8*16), More: []dicomtest.Element{
		{Tag: tagBurnedIn, VR: "CS", Value: "NO"},
		dicomtest.Number(tagWindowCenter, "DS", 128), dicomtest.Number(tagWindowWidth, "DS", 256),
	}}
	sheet := Recipe{Masks: corner, Frame: dicom.Choice{Grid: 4}}
	slices4 := make([][]byte, 4)
	for i := range slices4 {
		slices4[i] = slicing("1.2.3", float64(i), 1000)
	}
	for name, m := range map[string]Image{
		"frames": measured(t, sheet, white.Bytes()),
		"slices": preparedSeries(t, sheet, mustSeries(t, slices4...)),
	} {
		pix := greyOf(t, m)
		if m.Width != 32 || m.Height != 16 {
			t.Fatalf("%s: a sheet of %dx%d", name, m.Width, m.Height)
		}
		for i, v := range pix {
			x, y := i%32%16, i/32%8
			want := byte(255)
			if x < 8 && y < 3 {
				want = 0
			}
			if v != want {
				t.Fatalf("%s: grey %d at %d,%d of a frame, want %d", name, v, x, y, want)
			}
		}
		if !strings.Contains(strings.Join(m.Steps, "; "), "masked [0,0,8,3]") {
			t.Errorf("%s: steps %q", name, m.Steps)
		}
	}
}

// TestMasksAreInStoredPixels: of pixels that are not square too.
func TestMasksAreInStoredPixels(t *testing.T) {
	f := ramp(dicomtest.Element{Tag: tagSpacing, VR: "DS", Value: `4.0\1.0`})
	for i := range f.Pixels {
		f.Pixels[i] = 2000
	}
	m := measured(t, Recipe{Masks: []Mask{{Y: 4, Width: 16, Height: 4}}}, f.Bytes())
	pix := greyOf(t, m)
	if m.Height != 32 || m.SourceWidth != 16 || m.SourceHeight != 8 {
		t.Fatalf("%dx%d from %dx%d", m.Width, m.Height, m.SourceWidth, m.SourceHeight)
	}
	if dark := slices.Max(pix[20*16:]); pix[0] != 255 || dark > 10 { // scaling rings a little
		t.Errorf("the lower half is not masked: %v", pix)
	}
	_, err := Recipe{Masks: []Mask{{Y: 8, Width: 16, Height: 4}}}.Prepare(f.Bytes())
	if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "outside of the picture of 16x8") {
		t.Errorf("error %v", err)
	}
}

// TestCompressedDICOM: what is compressed is decoded, or refused by UID and name;
// the picture is never black.
func TestCompressedDICOM(t *testing.T) {
	for _, tt := range []struct{ stream, syntax, refused string }{
		{"lossless-sv1-8.bin", "1.2.840.10008.1.2.4.70", ""},
		{"ls-8.bin", "1.2.840.10008.1.2.4.80", ""},
		{"lossless-sv1-8.bin", "1.2.840.10008.1.2.4.201", "1.2.840.10008.1.2.4.201 (High-Throughput JPEG 2000"},
		{"lossless-sv1-8.bin", "1.2.840.10008.1.2.4.102", "1.2.840.10008.1.2.4.102 (MPEG-4"},
	} {
		t.Run(tt.syntax, func(t *testing.T) {
			stream, err := os.ReadFile(filepath.Join("codec", "testdata", tt.stream))
			if err != nil {
				t.Fatal(err)
			}
			if len(stream)%2 == 1 {
				stream = append(stream, 0)
			}
			f := dicomtest.File{Syntax: tt.syntax, Rows: 19, Columns: 29, Allocated: 8, Fragments: [][]byte{nil, stream}, More: []dicomtest.Element{{Tag: tagBurnedIn, VR: "CS", Value: "NO"}}}
			m, err := (Recipe{}).Prepare(f.Bytes())
			if tt.refused != "" {
				if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if pix := greyOf(t, m); slices.Max(pix) < 200 || slices.Min(pix) > 50 {
				t.Errorf("greys from %d to %d", slices.Min(pix), slices.Max(pix))
			}
		})
	}
}

// FuzzRecipe reads recipes as the command line does, and prepares pictures by those
// that are taken.
func FuzzRecipe(f *testing.F) {
	pictures := [][]byte{ramp().Bytes(), encodePNG(f, deepRamp(9, 7, 4095)), testdata(f, "grey.jpg"), dicomtest.File{
		Rows: 4, Columns: 6, Allocated: 8, Frames: 3, Pixels: make([]int, 72), Photometric: "MONOCHROME1",
	}.Bytes()}
	f.Add(40, 4, "pad", "png", "brain", "middle", "0,0,2,2", false)
	f.Add(0, 0, "squash", "jpeg", "40/400", "grid:4", "1,1,9,9", true)
	f.Add(9, 9, "keep", "auto", "medgemma", "2", "", true)
	f.Add(1, 0, "", "", "1e300/1e308", "grid", "0,0,9223372036854775807,1", true)
	f.Fuzz(func(t *testing.T, maxSide, minSide int, fit, format, window, frame, mask string, burned bool) {
		r := Recipe{MaxSide: maxSide % 256, MinSide: minSide % 64, Fit: Fit(fit), Format: Format(format), AllowBurnedIn: burned}
		var err error
		if r.Window, err = dicom.ParseWindow(window); err != nil {
			return
		}
		if r.Frame, err = dicom.ParseChoice(frame); err != nil {
			return
		}
		if mask != "" {
			m, err := ParseMask(mask)
			if err != nil {
				return
			}
			if again, err := ParseMask(m.String()); err != nil || again != m {
				t.Errorf("mask %q is %v, read again %v (%v)", mask, m, again, err)
			}
			r.Masks = []Mask{m}
		}
		for _, data := range pictures {
			got, err := r.Prepare(data)
			if err != nil {
				checkRefusal(t, r, err)
				continue
			}
			shown(t, got)
			if w, h, err := r.Measure(data); err != nil || w != got.Width || h != got.Height {
				t.Errorf("measured %dx%d (%v), prepared %dx%d", w, h, err, got.Width, got.Height)
			}
		}
	})
}
