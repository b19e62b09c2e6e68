package dicom_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// TestDeflatedFrames: what is inflated frame by frame is what it is as it stands.
func TestDeflatedFrames(t *testing.T) {
	const rows, columns = 700, 901
	for bits, frames := range map[int]int{1: 110, 8: 14, 16: 8} {
		f := dicomtest.File{Rows: rows, Columns: columns, Frames: frames, Allocated: bits, Syntax: dicomtest.DeflatedLittle}
		f.Pixels = make([]int, rows*columns*f.Frames)
		for i := range f.Pixels {
			f.Pixels[i] = i / 500 % 251 & (1<<bits - 1)
		}
		deflated := f.Bytes()
		f.Syntax = dicomtest.ExplicitLittle
		whole := f.Bytes()
		for _, c := range []dicom.Choice{{}, {Number: 1}, {Number: f.Frames}, {Grid: 5}} {
			want, got := render(t, whole, dicom.Options{Frame: c}), render(t, deflated, dicom.Options{Frame: c})
			if !bytes.Equal(pixels(t, got.Image), pixels(t, want.Image)) || said(got.Notes) != said(want.Notes) {
				t.Errorf("%d bits, frame %v: another picture, or other notes: %s", bits, c, said(got.Notes))
			}
		}
		refused(t, deflated[:len(deflated)-3], dicom.Options{})
	}
}

// TestDeflatedMemory: a small file that inflates to much costs what a picture of
// it needs.
func TestDeflatedMemory(t *testing.T) {
	vast := dicomtest.Element{Tag: 0x00091010, VR: "OB", Value: make([]byte, 64<<20)}
	black := func(n int) []dicomtest.Element {
		return []dicomtest.Element{{Tag: 0x7fe00010, VR: "OB", Value: make([]byte, n)}}
	}
	file := dicomtest.File{Syntax: dicomtest.DeflatedLittle, Rows: 1000, Columns: 1000, Allocated: 8}
	tests := []struct {
		name string
		make func(*dicomtest.File)
		kind error
		want string
	}{
		{"an element", func(f *dicomtest.File) { f.More = append(black(1e6), vast) }, dicom.ErrTooLarge, "(0009,1010): the elements before the pixels are too long for a deflated file of its size"},
		{"an element that ends where the head does", func(f *dicomtest.File) {
			f.More = append(black(1e6), dicomtest.Element{Tag: 0x00091010, VR: "OB", Value: make([]byte, 8<<20-62)}) // 62 bytes stand before its value
		}, dicom.ErrTooLarge, "at byte 8388608: the elements before the pixels are too long"},
		{"pixels without frames", func(f *dicomtest.File) { f.More = black(64e6) }, dicom.ErrDamaged, "1 frames need 1000000 bytes, but there are 64000000"},
		{"more frames than pixels", func(f *dicomtest.File) { f.More, f.Frames = black(64e6), 65 }, dicom.ErrDamaged, "65 frames need 65000000 bytes, but there are 64000000"},
		{"frames", func(f *dicomtest.File) { f.More, f.Frames = black(64e6), 64 }, nil, ""},
	}
	for _, tt := range tests {
		f := file
		tt.make(&f)
		data := f.Bytes()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read, err := dicom.Read(data, dicom.Limits{})
		if err == nil {
			_, err = read.Render(dicom.Options{})
		}
		runtime.ReadMemStats(&after)
		if !errors.Is(err, tt.kind) || !strings.Contains(fmt.Sprint(err), tt.want) {
			t.Errorf("%s: %v, want %v with %q", tt.name, err, tt.kind, tt.want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 60<<20 {
			t.Errorf("%s: %d bytes allocated for a file of %d", tt.name, n, len(data))
		}
	}
}
