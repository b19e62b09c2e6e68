package dicom_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// kinds are descriptions of pixels, each with random ones of its bits.
func kinds() map[string]dicomtest.File {
	out := map[string]dicomtest.File{
		"1 bit":            {Allocated: 1},
		"8 bit":            {Allocated: 8},
		"8 bit signed":     {Allocated: 8, Signed: true},
		"16 bit":           {Allocated: 16},
		"16 bit signed":    {Allocated: 16, Signed: true},
		"12 of 16":         {Allocated: 16, Stored: 12},
		"12 of 16 signed":  {Allocated: 16, Stored: 12, Signed: true},
		"10 of 16 shifted": {Allocated: 16, Stored: 10, High: 13, Signed: true},
		"32 bit":           {Allocated: 32},
		"32 bit signed":    {Allocated: 32, Signed: true},
		"monochrome1":      {Allocated: 16, Photometric: "MONOCHROME1"},
		"rgb":              {Allocated: 8, Photometric: "RGB"},
		"rgb planes":       {Allocated: 8, Photometric: "RGB", Planar: true},
		"rgb 16":           {Allocated: 16, Photometric: "RGB"},
		"rgb 12 of 16":     {Allocated: 16, Stored: 12, Photometric: "RGB", Planar: true},
		"ybr":              {Allocated: 8, Photometric: "YBR_FULL"},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for name, f := range out {
		f.Rows, f.Columns, f.Frames = 5, 7, 3
		samples := 1
		if f.Photometric == "RGB" || f.Photometric == "YBR_FULL" {
			samples = 3
		}
		for range f.Rows * f.Columns * f.Frames * samples {
			f.Pixels = append(f.Pixels, int(r.Uint32()))
		}
		out[name] = f
	}
	return out
}

// TestSyntaxesAgree decodes the same pixels from every encoding.
func TestSyntaxesAgree(t *testing.T) {
	encodings := map[string]func(f *dicomtest.File){
		"implicit":          func(f *dicomtest.File) { f.Syntax = dicomtest.ImplicitLittle },
		"big":               func(f *dicomtest.File) { f.Syntax = dicomtest.ExplicitBig },
		"deflated":          func(f *dicomtest.File) { f.Syntax = dicomtest.DeflatedLittle },
		"rle":               func(f *dicomtest.File) { f.Syntax = dicomtest.RLE },
		"rle without table": func(f *dicomtest.File) { f.Syntax = dicomtest.RLE; f.OffsetLess = true },
		"deflated frames":   func(f *dicomtest.File) { f.Syntax = dicomtest.DeflatedFrames },
		"encapsulated":      func(f *dicomtest.File) { f.Syntax = dicomtest.EncapsulatedRaw },
		"no preamble":       func(f *dicomtest.File) { f.NoPreamble = true },
		"no meta":           func(f *dicomtest.File) { f.NoMeta = true },
		"no meta implicit":  func(f *dicomtest.File) { f.NoMeta = true; f.Syntax = dicomtest.ImplicitLittle },
		"no meta big":       func(f *dicomtest.File) { f.NoMeta = true; f.Syntax = dicomtest.ExplicitBig },
	}
	for name, f := range kinds() {
		want := everyFrame(t, f)
		for how, change := range encodings {
			t.Run(name+"/"+how, func(t *testing.T) {
				f := f
				change(&f)
				if diff := cmp.Diff(want, everyFrame(t, f)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func everyFrame(t *testing.T, f dicomtest.File) (out [][]byte) {
	t.Helper()
	data := f.Bytes()
	if !dicom.IsDICOM(data) {
		t.Fatal("it is not recognised")
	}
	for i := range f.Frames {
		out = append(out, pixels(t, render(t, data, dicom.Options{Frame: dicom.Choice{Number: i + 1}}).Image))
	}
	return out
}

// TestStoredBits looks at values through a window of one to one.
func TestStoredBits(t *testing.T) {
	tests := []struct {
		name   string
		file   dicomtest.File
		window string // 256 values to as many levels
		want   []byte
	}{
		{"unsigned", dicomtest.File{Pixels: []int{0, 1, 200, 65535}}, "128/256", []byte{0, 1, 200, 255}},
		{"signed", dicomtest.File{Signed: true, Pixels: []int{-128, -1, 0, 127}}, "0/256", []byte{0, 127, 128, 255}},
		{"mask", dicomtest.File{Stored: 8, Pixels: []int{0xff00, 0xab01, 200, 0x0fff}}, "128/256", []byte{0, 1, 200, 255}},
		{"mask signed", dicomtest.File{Stored: 8, Signed: true, Pixels: []int{0x0080, 0xabff, 0xff00, 0x7f}}, "0/256", []byte{0, 127, 128, 255}},
		{"high bit", dicomtest.File{Stored: 8, High: 11, Pixels: []int{0xf00f, 0x1010, 0xc80 | 7, 0xff0}}, "128/256", []byte{0, 1, 200, 255}},
		{"32 bit", dicomtest.File{Allocated: 32, Pixels: []int{0xffffff00, 0xffffff01, 0xffffffc8, 0xffffffff}}, "4294967168/256", []byte{0, 1, 200, 255}},
		{"32 bit far apart", dicomtest.File{Allocated: 32, Pixels: []int{0, 1 << 31, 0xffffffff, 1 << 30}}, "2147483648/4294967296", []byte{0, 128, 255, 64}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.file.Rows, tt.file.Columns = 1, len(tt.want)
			r := render(t, tt.file.Bytes(), dicom.Options{Window: window(t, tt.window)})
			if diff := cmp.Diff(tt.want, pixels(t, r.Image)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	f := dicomtest.File{
		Rows: 2, Columns: 3, Stored: 12, Signed: true, Pixels: ramp(0, 6),
		More: []dicomtest.Element{
			{Tag: 0x00080060, VR: "CS", Value: "CT"},
			{Tag: 0x00120062, VR: "CS", Value: "YES"},
			{Tag: 0x0020000e, VR: "UI", Value: "1.2.3"},
			{Tag: 0x00200013, VR: "IS", Value: " 7"},
			{Tag: 0x00200032, VR: "DS", Value: `1\-2.5\3e1`},
			{Tag: 0x00200037, VR: "DS", Value: `1\0\0\0\1\0`},
			{Tag: 0x00280120, VR: "SS", Value: []int{-2000}},
			{Tag: 0x00280121, VR: "SS", Value: []int{-2048}},
			{Tag: 0x00280301, VR: "CS", Value: "NO"},
			dicomtest.Sequence(0x00400260, []dicomtest.Element{{Tag: 0x00080100, VR: "SH", Value: "X"}}),
		},
	}
	number := 7
	want := dicom.Header{
		SOPClassUID: "1.2.840.10008.5.1.4.1.1.7", SOPInstanceUID: "1.2.3.4", SeriesInstanceUID: "1.2.3",
		Modality: "CT", BurnedInAnnotation: "NO", PatientIdentityRemoved: "YES",
		InstanceNumber: &number, ImagePositionPatient: []float64{1, -2.5, 30}, ImageOrientationPatient: []float64{1, 0, 0, 0, 1, 0},
		Rows: 2, Columns: 3, NumberOfFrames: 1, SamplesPerPixel: 1, Photometric: "MONOCHROME2",
		BitsAllocated: 16, BitsStored: 12, HighBit: 11, Signed: true, Padding: &dicom.Padding{Low: -2048, High: -2000},
	}
	for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ImplicitLittle, dicomtest.ExplicitBig, dicomtest.DeflatedLittle} {
		for _, open := range []bool{false, true} {
			t.Run(fmt.Sprint(syntax, " ", open), func(t *testing.T) {
				f.Syntax, f.Open = syntax, open
				want.TransferSyntaxUID = syntax
				got, err := dicom.Read(f.Bytes(), dicom.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got.Header); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestWrongEncoding reads data sets that are not as their transfer syntax says.
func TestWrongEncoding(t *testing.T) {
	f := dicomtest.File{Rows: 1, Columns: 4, Pixels: ramp(0, 4), Syntax: dicomtest.ImplicitLittle, NoMeta: true}
	implicit := f.Bytes()
	f.NoMeta, f.Syntax = false, dicomtest.ExplicitLittle
	whole := f.Bytes()
	f.NoMeta = true
	head := whole[:len(whole)-len(f.Bytes())]
	r := render(t, append(head[:len(head):len(head)], implicit...), dicom.Options{})
	if diff := cmp.Diff(pixels(t, render(t, whole, dicom.Options{}).Image), pixels(t, r.Image)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("the data set is not encoded as its transfer syntax says, read as it is", r.Notes[0]); diff != "" {
		t.Error(diff)
	}
}

func TestIsDICOM(t *testing.T) {
	for name, data := range map[string]string{
		"nothing": "", "png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01", "jpeg": "\xff\xd8\xff\xe0\x00\x10JFIF\x00",
		"tiff": "II*\x00\x08\x00\x00\x00\x08\x00\x00\x01", "zeros": string(make([]byte, 300)), "text": "  {\"id\": 1}", "icon": "\x00\x00\x01\x00\x01\x00\x10\x10",
		"wav": "RIFF\x08\x00\x08\x00WAVE",
	} {
		if dicom.IsDICOM([]byte(data)) {
			t.Errorf("%s is taken for DICOM", name)
		}
	}
}

// TestPublished holds files that have the same pixels against each other.
func TestPublished(t *testing.T) {
	want := pixels(t, render(t, sample(t, "MR_small.dcm"), dicom.Options{}).Image)
	for _, name := range []string{"MR_small_implicit.dcm", "MR_small_bigendian.dcm", "MR_small_RLE.dcm"} {
		if diff := cmp.Diff(want, pixels(t, render(t, sample(t, name), dicom.Options{}).Image)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	ct := pixels(t, render(t, sample(t, "CT_small.dcm"), dicom.Options{}).Image)
	if diff := cmp.Diff(ct, pixels(t, render(t, sample(t, "no_meta.dcm"), dicom.Options{}).Image)); diff != "" {
		t.Error(diff)
	}
}
