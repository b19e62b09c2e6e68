package dicom_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

func encode(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// soft is a picture without edges, grey or in colour.
func soft(w, h int, grey bool) image.Image {
	g, c := image.NewGray(image.Rect(0, 0, w, h)), image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := byte(40 + 2*x + y)
			g.SetGray(x, y, color.Gray{v})
			c.SetNRGBA(x, y, color.NRGBA{v, 200 - v/2, 255 - v, 255})
		}
	}
	if grey {
		return g
	}
	return c
}

func jpegFile(t testing.TB, photometric string, frame []byte) dicomtest.File {
	t.Helper()
	return dicomtest.File{
		Syntax: dicomtest.JPEGBaseline, Rows: 19, Columns: 35, Allocated: 8, Photometric: photometric,
		Fragments: [][]byte{nil, frame}, More: windows("128", "256", ""),
	}
}

func TestJPEGGrey(t *testing.T) {
	frame := encode(t, soft(35, 19, true))
	m, err := jpeg.Decode(bytes.NewReader(frame))
	if err != nil {
		t.Fatal(err)
	}
	want := m.(*image.Gray)
	got := render(t, jpegFile(t, "MONOCHROME2", frame).Bytes(), dicom.Options{}).Image.(*image.Gray)
	for y := range 19 {
		if diff := cmp.Diff(want.Pix[y*want.Stride:][:35], got.Pix[y*got.Stride:][:35]); diff != "" {
			t.Errorf("row %d: %s", y, diff)
		}
	}
}

// TestJPEGColour keeps components as the header says they are.
func TestJPEGColour(t *testing.T) {
	frame := encode(t, soft(35, 19, false))
	jfif := append([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"), frame[2:]...)
	tests := []struct {
		name, photometric string
		frame             []byte
		ybr               bool
		note              string
	}{
		{"ybr", "YBR_FULL_422", frame, true, "in colour, no window"},
		{"ybr of JFIF", "YBR_FULL", jfif, true, "in colour, no window"},
		{"rgb", "RGB", frame, false, "in colour, no window"},
		{"rgb of JFIF", "RGB", jfif, true, "in colour, no window; header says RGB, JPEG says YCbCr, read as that"},
	}
	for _, tt := range tests {
		r := render(t, jpegFile(t, tt.photometric, tt.frame).Bytes(), dicom.Options{})
		m := soft(35, 19, false).(*image.NRGBA)
		for i, got := range colours(t, r.Image) {
			p := m.Pix[4*i:]
			want := [3]byte{p[0], p[1], p[2]}
			if !tt.ybr {
				want[0], want[1], want[2] = color.RGBToYCbCr(p[0], p[1], p[2])
			}
			for k := range want {
				if d := int(got[k]) - int(want[k]); d < -6 || d > 6 {
					t.Fatalf("%s: pixel %d is %v, want about %v", tt.name, i, got, want)
				}
			}
		}
		if diff := cmp.Diff(tt.note, said(r.Notes)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// TestJPEGCut cuts a JPEG at every byte.
func TestJPEGCut(t *testing.T) {
	frame := encode(t, soft(35, 19, false))
	for n := range len(frame) - 2 { // without its end marker
		refused(t, jpegFile(t, "YBR_FULL_422", frame[:n]).Bytes(), dicom.Options{})
	}
}

func TestJPEGRefused(t *testing.T) {
	frame := encode(t, soft(35, 19, true))
	sof := bytes.Index(frame, []byte{0xff, 0xc0})
	change := func(at int, b byte) []byte {
		out := bytes.Clone(frame)
		out[at] = b
		return out
	}
	tests := []struct {
		name, photometric string
		frame             []byte
		want              string
	}{
		{"12 bits", "MONOCHROME2", change(sof+4, 12), "JPEG Baseline (Process 1)) with samples of 12 bits is not read"},
		{"lossless", "MONOCHROME2", change(sof+1, 0xc3), "with a JPEG of process SOF3 is not read"},
		{"another size", "MONOCHROME2", change(sof+6, 18), "header says 35×19 pixels, JPEG 35×18"},
		{"grey for colour", "YBR_FULL", frame, "header says 3 samples a pixel, codestream 1"},
		{"colour for grey", "MONOCHROME2", encode(t, soft(35, 19, false)), "header says 1 samples a pixel, codestream 3"},
		{"nothing", "MONOCHROME2", []byte("\xff\xd8\xff\xd9"), "a JPEG without frame header"},
	}
	for _, tt := range tests {
		if err := refused(t, jpegFile(t, tt.photometric, tt.frame).Bytes(), dicom.Options{}); !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
