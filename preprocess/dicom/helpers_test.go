package dicom_test

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// ramp is n values from first.
func ramp(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// window reads a window.
func window(t testing.TB, text string) dicom.Window {
	t.Helper()
	w, err := dicom.ParseWindow(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// render reads a file and makes a picture of it.
func render(t testing.TB, data []byte, o dicom.Options) dicom.Rendering {
	t.Helper()
	f, err := dicom.Read(data, dicom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refused reads and renders a file that must fail, and gives the error.
func refused(t testing.TB, data []byte, o dicom.Options) *dicom.Error {
	t.Helper()
	f, err := dicom.Read(data, dicom.Limits{})
	if err == nil {
		_, err = f.Render(o)
	}
	var e *dicom.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want one of the package", err)
	}
	return e
}

// pixels are the bytes of a picture.
func pixels(t testing.TB, m image.Image) []byte {
	t.Helper()
	switch m := m.(type) {
	case *image.Gray:
		return m.Pix
	case *image.NRGBA:
		return m.Pix
	}
	t.Fatalf("picture of type %T", m)
	return nil
}

// colours are the pixels without alpha, which must be opaque.
func colours(t testing.TB, m image.Image) [][3]byte {
	t.Helper()
	p := pixels(t, m)
	var out [][3]byte
	for i := 0; i < len(p); i += 4 {
		if p[i+3] != 255 {
			t.Fatalf("pixel %d has alpha %d", i/4, p[i+3])
		}
		out = append(out, [3]byte(p[i:]))
	}
	return out
}

// sample reads a published file.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	dir := "../../../shared/data/dicom"
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no %s in %s beside the repository", name, dir)
	}
	return data
}

func said(notes []string) string { return strings.Join(notes, "; ") }

// windows are elements of a window of the file.
func windows(center, width, function string) []dicomtest.Element {
	out := []dicomtest.Element{{Tag: 0x00281050, VR: "DS", Value: center}, {Tag: 0x00281051, VR: "DS", Value: width}}
	if function != "" {
		out = append(out, dicomtest.Element{Tag: 0x00281056, VR: "CS", Value: function})
	}
	return out
}

// rescale are elements of a linear modality transform.
func rescale(slope, intercept string) []dicomtest.Element {
	return []dicomtest.Element{
		{Tag: 0x00281052, VR: "DS", Value: intercept},
		{Tag: 0x00281053, VR: "DS", Value: slope},
		{Tag: 0x00281054, VR: "LO", Value: "HU"},
	}
}
