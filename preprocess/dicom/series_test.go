package dicom_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

func number(n int) *int { return &n }

// slice is a header of a slice, axial unless a plane is given.
func slice(z float64, n int, plane ...float64) dicom.Header {
	if plane == nil {
		plane = []float64{1, 0, 0, 0, 1, 0}
	}
	return dicom.Header{
		SeriesInstanceUID: "1.2.3", Modality: "CT", NumberOfFrames: 1, InstanceNumber: number(n),
		ImagePositionPatient: []float64{7, 8, z}, ImageOrientationPatient: plane,
	}
}

func without(h dicom.Header, place, number bool) dicom.Header {
	if place {
		h.ImagePositionPatient = nil
	}
	if number {
		h.InstanceNumber = nil
	}
	return h
}

func TestSeriesOrder(t *testing.T) {
	tests := []struct {
		name    string
		headers []dicom.Header
		want    []int
		notes   string
	}{
		{"one", []dicom.Header{slice(3, 1)}, []int{0}, ""},
		{"by place", []dicom.Header{slice(3, 1), slice(-2.5, 2), slice(0, 3)}, []int{1, 2, 0}, "slices ordered by place"},
		{"falling normal", []dicom.Header{slice(3, 1, -1, 0, 0, 0, 1, 0), slice(-2.5, 2, -1, 0, 0, 0, 1, 0)}, []int{0, 1}, "slices ordered by place"},
		{"one place", []dicom.Header{slice(3, 9), slice(3.000001, 4), slice(1, 5)}, []int{2, 1, 0}, "slices ordered by place; 1 slices are in the place of another"},
		{"no place", []dicom.Header{without(slice(3, 9), true, false), slice(4, 4), slice(1, 5)}, []int{1, 2, 0}, "slices ordered by number: not all have a place"},
		{"planes", []dicom.Header{slice(3, 3), slice(4, 2, 1, 0, 0, 0, 0, -1)}, []int{1, 0}, "slices ordered by number: their planes are not parallel"},
		{"no plane", []dicom.Header{slice(3, 3, 0, 0, 0, 0, 0, 0), slice(4, 2, 0, 0, 0, 0, 0, 0)}, []int{1, 0}, "slices ordered by number: their planes have no normal"},
		{"nothing", []dicom.Header{without(slice(3, 3), true, true), slice(4, 2)}, []int{0, 1}, "slices in the order of their files: not all have a place, and not all have a number"},
	}
	for _, tt := range tests {
		s, err := dicom.NewSeries(tt.headers)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, s.Order); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.notes, said(s.Notes)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestSeveralSeries(t *testing.T) {
	other := func(uid, modality string) dicom.Header {
		h := slice(1, 1)
		h.SeriesInstanceUID, h.Modality = uid, modality
		return h
	}
	_, err := dicom.NewSeries([]dicom.Header{slice(1, 1), other("9.8.7", "MR"), slice(2, 2), other("9.8.6", "")})
	want := "ordering slices: there are 3 series, not one: CT of 2, MR of 1, unknown of 1"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	frames := slice(1, 1)
	frames.NumberOfFrames = 7
	if _, err := dicom.NewSeries([]dicom.Header{slice(1, 1), frames}); err == nil || !strings.Contains(err.Error(), "one of 2 files has 7 frames") {
		t.Error(err)
	}
	if _, err := dicom.NewSeries(nil); err == nil {
		t.Error("no slices make a series")
	}
}

func TestSeriesRender(t *testing.T) {
	var files [][]byte
	var headers []dicom.Header
	for _, z := range []int{4, 1, 3, 2} { // the slice at z is z everywhere
		f := dicomtest.File{Rows: 1, Columns: 2, Pixels: []int{z, 10 * z}, More: []dicomtest.Element{
			{Tag: 0x0020000e, VR: "UI", Value: "1.2.3"},
			{Tag: 0x00200032, VR: "DS", Value: fmt.Sprintf(`0\0\%d`, z)},
			{Tag: 0x00200037, VR: "DS", Value: `1\0\0\0\1\0`},
		}}
		f.More = append(f.More, windows("128", "256", "")...)
		files = append(files, f.Bytes())
		h, err := dicom.Read(f.Bytes(), dicom.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		headers = append(headers, h.Header)
	}
	s, err := dicom.NewSeries(headers)
	if err != nil {
		t.Fatal(err)
	}
	open := func(i int) (*dicom.File, error) { return dicom.Read(files[i], dicom.Limits{}) }
	for text, want := range map[string][]byte{"middle": {3, 30}, "1": {1, 10}, "grid": {1, 10, 2, 20, 3, 30, 4, 40}} {
		c, err := dicom.ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Render(open, dicom.Options{Frame: c})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, pixels(t, r.Image)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if text == "middle" {
			if diff := cmp.Diff("slices ordered by place; slice 3 of 4; file window 1 of 1 128/256 LINEAR", said(r.Notes)); diff != "" {
				t.Error(diff)
			}
		}
	}
	files[0] = files[0][:len(files[0])-1]
	_, err = s.Render(open, dicom.Options{Frame: dicom.Choice{Grid: 4}})
	var e *dicom.Error
	if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "slice 4 of 4: reading dicom at byte") {
		t.Errorf("error %v", err)
	}
}

// TestSlicesDiffer refuses a sheet of slices that do not fit together.
func TestSlicesDiffer(t *testing.T) {
	files := []dicomtest.File{
		{Rows: 1, Columns: 2, Pixels: []int{1, 2}},
		{Rows: 2, Columns: 2, Pixels: []int{1, 2, 3, 4}},
		{Rows: 1, Columns: 2, Photometric: "RGB", Pixels: ramp(0, 6)},
	}
	for want, other := range map[string]int{"the pictures of the sheet differ in size": 1, "some pictures of the sheet are grey, some in colour": 2} {
		s := dicom.Series{Order: []int{0, other}}
		_, err := s.Render(func(i int) (*dicom.File, error) { return dicom.Read(files[i].Bytes(), dicom.Limits{}) }, dicom.Options{Frame: dicom.Choice{Grid: 4}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
