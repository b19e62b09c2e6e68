package preprocess

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// sliceFile is one of a series, whose pixels are all of one value.
func sliceFile(series string, z float64, hu int, more ...dicomtest.Element) dicomtest.File {
	f := ramp(append([]dicomtest.Element{
		{Tag: tagSeries, VR: "UI", Value: series},
		{Tag: tagPosition, VR: "DS", Value: `0\0\` + strconv.FormatFloat(z, 'f', -1, 64)},
		{Tag: tagOrientation, VR: "DS", Value: `1\0\0\0\1\0`},
	}, more...)...)
	for i := range f.Pixels {
		f.Pixels[i] = hu + 1024
	}
	return f
}

func slicing(series string, z float64, hu int, more ...dicomtest.Element) []byte {
	return sliceFile(series, z, hu, more...).Bytes()
}

// report is a DICOM file without a picture.
func report() []byte {
	return dicomtest.File{More: []dicomtest.Element{{Tag: 0x00280010}, {Tag: 0x00280011}, {Tag: tagModality, VR: "CS", Value: "SR"}}}.Bytes()
}

func seriesOf(files ...[]byte) (*Series, error) {
	return ReadSeries(len(files), func(i int) ([]byte, error) { return files[i], nil })
}

func mustSeries(t *testing.T, files ...[]byte) *Series {
	t.Helper()
	s, err := seriesOf(files...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func preparedSeries(t *testing.T, r Recipe, s *Series) Image {
	t.Helper()
	m, err := r.PrepareSeries(s)
	if err != nil {
		t.Fatal(err)
	}
	if w, h, err := r.MeasureSeries(s); err != nil || w != m.Width || h != m.Height {
		t.Fatalf("measured %dx%d, prepared %dx%d, %v", w, h, m.Width, m.Height, err)
	}
	if m.SourceDigest != s.Digest {
		t.Errorf("the source's digest is %s, the series' %s", m.SourceDigest, s.Digest)
	}
	return m
}

// From the feet up: -400, 0, 400 HU; the files are in another order, with a report
// among them.
func threeSlices() [][]byte {
	return [][]byte{slicing("1.2.3", 30, 400), slicing("1.2.3", 10, -400), report(), slicing("1.2.3", 20, 0)}
}

func TestSeries(t *testing.T) {
	s := mustSeries(t, threeSlices()...)
	for frame, want := range map[string]byte{"middle": 128, "1": 26, "3": 230} {
		choice, err := dicom.ParseChoice(frame)
		if err != nil {
			t.Fatal(err)
		}
		m := preparedSeries(t, Recipe{Frame: choice}, s)
		if pix := greyOf(t, m); pix[0] < want-1 || pix[0] > want+1 {
			t.Errorf("%s: grey %d, want %d; steps %q", frame, pix[0], want, m.Steps)
		}
		if !strings.Contains(strings.Join(m.Steps, "; "), "slices ordered by place") {
			t.Errorf("%s: steps %q", frame, m.Steps)
		}
	}
	if m := preparedSeries(t, Recipe{Frame: dicom.Choice{Grid: 16}}, s); m.Width != 32 || m.Height != 16 || m.SourceWidth != 16 || m.SourceHeight != 8 {
		t.Errorf("a sheet of %dx%d from slices of %dx%d", m.Width, m.Height, m.SourceWidth, m.SourceHeight)
	}
}

func TestSeriesPassesOver(t *testing.T) {
	localizer := dicomtest.Element{Tag: 0x00080008, VR: "CS", Value: `ORIGINAL\PRIMARY\LOCALIZER`}
	files := append(threeSlices(), []byte("\xd0\xcf\x11\xe0 Thumbs.db"), []byte("%PDF-1.4"), slicing("1.2.3", 15, 900, localizer))
	s := mustSeries(t, files...)
	m := preparedSeries(t, Recipe{}, s)
	want := "passed over in the folder: 1 localizers, 1 DICOM files without a picture, 2 files that are no DICOM"
	if !slices.Contains(m.Steps, want) || !slices.Contains(m.Steps, "slice 2 of 3") {
		t.Errorf("steps %q", m.Steps)
	}
	if s.Digest != mustSeries(t, threeSlices()...).Digest {
		t.Error("what is passed over changes the digest")
	}
	alone := mustSeries(t, slicing("1.2.3", 15, 900, localizer), slicing("1.2.3", 16, 900, localizer))
	if m := preparedSeries(t, Recipe{}, alone); !slices.Contains(m.Steps, "slice 2 of 2") {
		t.Errorf("nothing but localizers: steps %q", m.Steps)
	}
}

func TestSeriesRefused(t *testing.T) {
	whole := slicing("1.2.3", 1, 0)
	for name, files := range map[string][][]byte{
		"two series":      {slicing("1.2.3", 1, 0), slicing("1.2.4", 2, 0)},
		"no picture":      {report()},
		"none":            {},
		"no DICOM":        {[]byte("hello")},
		"a PNG among all": {whole, testdata(t, "grey.jpg")},
		"a cut slice":     {whole, slicing("1.2.3", 2, 0)[:len(whole)-10]},
		"too many":        make([][]byte, maxSlices+1),
	} {
		_, err := seriesOf(files...)
		var typed *Error
		if !errors.As(err, &typed) || strings.Contains(err.Error(), "1.2.3") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	gone := errors.New("gone")
	if _, err := ReadSeries(1, func(int) ([]byte, error) { return nil, gone }); !errors.Is(err, gone) {
		t.Errorf("error %v, want that of the file", err)
	}
}

func TestSeriesOfWhichOneIsBurnedIn(t *testing.T) {
	yes := dicomtest.Element{Tag: tagBurnedIn, VR: "CS", Value: "YES"}
	s := mustSeries(t, slicing("1.2.3", 1, 0), slicing("1.2.3", 2, 0, yes), slicing("1.2.3", 3, 0))
	if _, err := (Recipe{}).PrepareSeries(s); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "--allow-burned-in") {
		t.Errorf("error %v", err)
	}
	preparedSeries(t, Recipe{AllowBurnedIn: true}, s)
}

// TestSeriesDigest: names of files order the files, and are no part of a series
// unless nothing else orders its slices.
func TestSeriesDigest(t *testing.T) {
	a, b, c := slicing("1.2.3", 1, 0), slicing("1.2.3", 2, 100), slicing("1.2.3", 3, 200)
	one, other := mustSeries(t, a, b, c), mustSeries(t, c, a, b)
	if one.Digest != other.Digest {
		t.Error("the order of files changes the digest of slices that have a place")
	}
	if preparedSeries(t, Recipe{}, one).Digest != preparedSeries(t, Recipe{}, other).Digest {
		t.Error("the order of files changes the picture of slices that have a place")
	}
	if mustSeries(t, a, b).Digest == one.Digest {
		t.Error("a slice that is gone does not change the digest")
	}
	placeless := func(hu int) []byte {
		return slicing("1.2.3", 0, hu, dicomtest.Element{Tag: tagPosition})
	}
	first := mustSeries(t, placeless(0), placeless(100))
	if second := mustSeries(t, placeless(100), placeless(0)); first.Digest == second.Digest {
		t.Error("the digest does not say in which order slices without a place stand")
	}
}

// TestSeriesIsReadOneFileAtATime: nothing is kept of a file but its header, and a
// file that changes meanwhile is refused.
func TestSeriesIsReadOneFileAtATime(t *testing.T) {
	files := threeSlices()
	read := make([]int, len(files))
	s, err := ReadSeries(len(files), func(i int) ([]byte, error) { read[i]++; return files[i], nil })
	if err != nil {
		t.Fatal(err)
	}
	clear(read)
	preparedSeries(t, Recipe{}, s)
	for i, n := range read {
		if shown := i == 3; (n > 0) != shown {
			t.Errorf("file %d was read %d times to show the middle slice", i, n)
		}
	}
	files[3] = slicing("1.2.3", 20, 7)
	if _, err := (Recipe{}).PrepareSeries(s); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "changed") {
		t.Errorf("error %v", err)
	}
	s.open = func(int) ([]byte, error) { return nil, fmt.Errorf("opening Zacharias.dcm") }
	if _, err := (Recipe{}).PrepareSeries(s); err == nil || strings.Contains(err.Error(), "Zacharias") {
		t.Errorf("error %v", err)
	}
}

func FuzzSeries(f *testing.F) {
	f.Add(slicing("1.2.3", 30, 400), slicing("1.2.3", 10, -400))
	f.Add(slicing("1.2.3", 30, 400), report())
	f.Fuzz(func(t *testing.T, a, b []byte) {
		s, err := seriesOf(a, b)
		if err != nil {
			checkRefusal(t, Recipe{}, err)
			return
		}
		r := Recipe{MaxSide: 40, Frame: dicom.Choice{Grid: 4}, Masks: []Mask{{Width: 2, Height: 2}}}
		if file, err := r.openSeries(s); err == nil && file.header().w*file.header().h > fuzzPixels {
			t.Skip()
		}
		m, err := r.PrepareSeries(s)
		if err != nil {
			checkRefusal(t, r, err)
			return
		}
		if w, h, err := r.MeasureSeries(s); err != nil || w != m.Width || h != m.Height {
			t.Errorf("measured %dx%d (%v), prepared %dx%d", w, h, err, m.Width, m.Height)
		}
	})
}
