package dicom_test

import (
	"encoding/binary"
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

func TestChoice(t *testing.T) {
	tests := []struct {
		text string
		n    int
		want []int
	}{
		{"", 1, []int{0}},
		{"middle", 10, []int{5}},
		{"middle", 9, []int{4}},
		{"1", 9, []int{0}},
		{"9", 9, []int{8}},
		{"grid", 3, []int{0, 1, 2}},
		{"grid:4", 8, []int{1, 3, 5, 7}},
		{"grid:3", 100, []int{16, 50, 83}},
		{"grid:25", 26, ramp(0, 26)},
	}
	for _, tt := range tests {
		c, err := dicom.ParseChoice(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Pick(tt.n)
		if err != nil {
			t.Fatal(err)
		}
		if tt.text == "grid:25" {
			if len(got) != 25 {
				t.Errorf("%d frames", len(got))
			}
			tt.want = got
			for i := 1; i < len(got); i++ {
				if got[i] <= got[i-1] {
					t.Errorf("frames %v do not rise", got)
				}
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q of %d: %s", tt.text, tt.n, diff)
		}
		if again, err := dicom.ParseChoice(c.String()); err != nil || again != c {
			t.Errorf("%q: written as %q, read as %+v, %v", tt.text, c.String(), again, err)
		}
	}
	for _, text := range []string{"0", "-1", "last", "grid:0", "grid:26", "grid:", "1.5"} {
		if c, err := dicom.ParseChoice(text); err == nil {
			t.Errorf("%q is taken as %+v", text, c)
		}
	}
	if _, err := (dicom.Choice{Number: 4}).Pick(3); err == nil {
		t.Error("frame 4 of 3 is picked")
	}
}

// group is an item of functional groups.
func group(center, slope, spacing string) []dicomtest.Element {
	return []dicomtest.Element{
		dicomtest.Sequence(0x00289110, []dicomtest.Element{{Tag: 0x00280030, VR: "DS", Value: spacing}}),
		dicomtest.Sequence(0x00289132, windows(center, "256", "LINEAR")),
		dicomtest.Sequence(0x00289145, rescale(slope, "0")),
	}
}

// TestFunctionalGroups takes the window, rescale and spacing of each frame, which
// go before those of all frames and of the file.
func TestFunctionalGroups(t *testing.T) {
	f := dicomtest.File{Rows: 1, Columns: 2, Frames: 3, Pixels: []int{1, 3, 3, 4, 5, 6}, More: windows("999", "9", "SIGMOID")}
	shared := dicomtest.Sequence(0x52009229, group("128", "10", `1\1`))
	perFrame := dicomtest.Sequence(0x52009230, group("128", "1", `3\2`), group("128", "20", `4\2`), nil)
	f.More = append(f.More, shared, perFrame)
	for _, open := range []bool{false, true} {
		for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ImplicitLittle, dicomtest.ExplicitBig} {
			f.Open, f.Syntax = open, syntax
			for i, want := range []struct {
				pixels []byte
				aspect float64
			}{{[]byte{1, 3}, 1.5}, {[]byte{60, 80}, 2}, {[]byte{50, 60}, 1}} {
				r := render(t, f.Bytes(), dicom.Options{Frame: dicom.Choice{Number: i + 1}})
				if diff := cmp.Diff(want.pixels, pixels(t, r.Image)); diff != "" || r.PixelAspect != want.aspect {
					t.Errorf("frame %d: aspect %v, %s", i+1, r.PixelAspect, diff)
				}
				if diff := cmp.Diff(fmt.Sprintf("frame %d of 3; file window 1 of 1 128/256 LINEAR", i+1), said(r.Notes)); diff != "" {
					t.Error(diff)
				}
			}
		}
	}
}

// TestGroupTable: a table of a frame goes before windows of the file.
func TestGroupTable(t *testing.T) {
	f := dicomtest.File{Rows: 1, Columns: 2, Pixels: []int{0, 1}, More: windows("128", "256", "")}
	voi := dicomtest.Sequence(0x00289132, []dicomtest.Element{dicomtest.Sequence(0x00283010, lutItem("US", 0, 8, 50, 70))})
	f.More = append(f.More, dicomtest.Sequence(0x52009230, []dicomtest.Element{voi}))
	r := render(t, f.Bytes(), dicom.Options{})
	if diff := cmp.Diff([]byte{50, 70}, pixels(t, r.Image)); diff != "" {
		t.Error(diff)
	}
}

// TestUnknownTypes reads sequences whose type was lost: they are implicit within
// and little endian, whatever the file is.
func TestUnknownTypes(t *testing.T) {
	sequence := func(tag string, body string) string {
		item := "\xfe\xff\x00\xe0" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
		return tag + string(binary.LittleEndian.AppendUint32(nil, uint32(len(item)))) + item
	}
	inner := sequence("\x28\x00\x45\x91", "\x28\x00\x53\x10\x02\x00\x00\x002 ")
	groups := sequence("", inner)[4:] + sequence("", inner)[4:]
	for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ExplicitBig} {
		f := dicomtest.File{Syntax: syntax, Rows: 1, Columns: 2, Frames: 2, Pixels: []int{1, 2, 3, 4}, More: windows("128", "256", "")}
		f.More = append(f.More, dicomtest.Element{Tag: 0x52009230, VR: "UN", Value: []byte(groups)})
		r := render(t, f.Bytes(), dicom.Options{Frame: dicom.Choice{Number: 2}})
		if diff := cmp.Diff([]byte{6, 8}, pixels(t, r.Image)); diff != "" {
			t.Errorf("%s: %s", syntax, diff)
		}
	}
}

func TestGrid(t *testing.T) {
	f := dicomtest.File{Rows: 2, Columns: 3, Frames: 5, Allocated: 8, Pixels: ramp(0, 30), More: windows("128", "256", "")}
	r := render(t, f.Bytes(), dicom.Options{Frame: dicom.Choice{Grid: 16}})
	want := []byte{
		0, 1, 2, 6, 7, 8, 12, 13, 14,
		3, 4, 5, 9, 10, 11, 15, 16, 17,
		18, 19, 20, 24, 25, 26, 0, 0, 0,
		21, 22, 23, 27, 28, 29, 0, 0, 0,
	}
	if diff := cmp.Diff(want, pixels(t, r.Image)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("frames 1, 2, 3, 4, 5 of 5, in rows of 3; file window 1 of 1 128/256 LINEAR", said(r.Notes)); diff != "" {
		t.Error(diff)
	}
}

// TestGridSharesItsWindow: frames of a sheet are as bright as each other.
func TestGridSharesItsWindow(t *testing.T) {
	f := dicomtest.File{Rows: 1, Columns: 1, Frames: 4, Pixels: []int{0, 100, 50, 25}, Photometric: "MONOCHROME1"}
	r := render(t, f.Bytes(), dicom.Options{Frame: dicom.Choice{Grid: 16}})
	if diff := cmp.Diff([]byte{255, 0, 127, 191}, pixels(t, r.Image)); diff != "" {
		t.Error(diff)
	}
}

// TestGridShrinks keeps sheets within their limit.
func TestGridShrinks(t *testing.T) {
	f := dicomtest.File{Rows: 2, Columns: 2049, Frames: 2, Allocated: 8, Photometric: "RGB", Pixels: make([]int, 2*2*2049*3)}
	for i := range f.Pixels {
		f.Pixels[i] = i / 3 % 2049 % 2 * 100
	}
	r := render(t, f.Bytes(), dicom.Options{Frame: dicom.Choice{Grid: 16}})
	if got, want := r.Image.Bounds(), image.Rect(0, 0, 2050, 1); got != want {
		t.Fatalf("sheet %v, want %v", got, want)
	}
	for x, c := range colours(t, r.Image) {
		want := byte(50)
		if x%1025 == 1024 { // one column remains
			want = 0
		}
		if c != [3]byte{want, want, want} {
			t.Fatalf("column %d is %v", x, c)
		}
	}
	if got := said(r.Notes); !strings.Contains(got, "scaled down by 2 for the sheet") {
		t.Errorf("notes %q", got)
	}
}

func TestPixelAspect(t *testing.T) {
	ds := func(tag uint32, s string) dicomtest.Element { return dicomtest.Element{Tag: tag, VR: "DS", Value: s} }
	tests := []struct {
		name string
		more []dicomtest.Element
		want float64
	}{
		{"none", nil, 1},
		{"spacing", []dicomtest.Element{ds(0x00280030, `0.5\0.25`)}, 2},
		{"imager", []dicomtest.Element{ds(0x00181164, `0.2\0.4`)}, 0.5},
		{"scanned", []dicomtest.Element{ds(0x00182010, `3\2`)}, 1.5},
		{"ratio", []dicomtest.Element{{Tag: 0x00280034, VR: "IS", Value: `4\3`}}, 4.0 / 3},
		{"spacing before ratio", []dicomtest.Element{ds(0x00280030, `1\1`), {Tag: 0x00280034, VR: "IS", Value: `4\3`}}, 1},
		{"nought", []dicomtest.Element{ds(0x00280030, `0\1`)}, 1},
		{"implausible", []dicomtest.Element{ds(0x00280030, `1000\1`)}, 1},
	}
	for _, tt := range tests {
		f := dicomtest.File{Rows: 1, Columns: 1, Pixels: []int{1}, More: tt.more}
		if got := render(t, f.Bytes(), dicom.Options{}).PixelAspect; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// raw is a Decoder of frames that are not compressed: a byte a sample.
type raw struct{ dicom.Samples }

func (r raw) Decode(_ string, frame []byte, want dicom.Description) (dicom.Samples, error) {
	s := r.Samples
	s.Width, s.Height, s.Channels = want.Columns, want.Rows, want.Channels
	if s.Bits == 0 {
		s.Bits = 8
	}
	for _, b := range frame[2:] {
		s.Values = append(s.Values, int32(b))
	}
	return s, nil
}

func TestFragments(t *testing.T) {
	offsets := func(n ...uint32) (out []byte) {
		for _, x := range n {
			out = binary.LittleEndian.AppendUint32(out, x)
		}
		return out
	}
	long := func(n ...uint64) (out []byte) {
		for _, x := range n {
			out = binary.LittleEndian.AppendUint64(out, x)
		}
		return out
	}
	head := "\xff\x4f\xff\x51"
	a, b, c := []byte(head+"AB"), []byte("CD"), []byte(head+"EFGH")
	extended := func(at, lengths []byte) []dicomtest.Element {
		return []dicomtest.Element{{Tag: 0x7fe00001, VR: "OB", Value: at}, {Tag: 0x7fe00002, VR: "OB", Value: lengths}}
	}
	tests := []struct {
		name      string
		frames    int
		fragments [][]byte
		more      []dicomtest.Element
		want      string // the frames, or the error
	}{
		{"one", 1, [][]byte{nil, a}, nil, "AB"},
		{"one in parts", 1, [][]byte{nil, a, b}, nil, "ABCD"},
		{"offsets", 2, [][]byte{offsets(0, 24), a, b, c}, nil, "ABCD EFGH"},
		{"by codestreams", 2, [][]byte{nil, a, b, c}, nil, "ABCD EFGH"},
		{"extended", 2, [][]byte{nil, a, b, c}, extended(long(0, 24), long(8, 8)), "ABCD EFGH"},
		{"extended, odd length", 2, [][]byte{nil, a, b, c}, extended(long(0, 24), long(7, 8)), "ABCD EFGH"},
		{"wrong length", 2, [][]byte{nil, a, b, c}, extended(long(0, 24), long(3, 8)), "frame 1 has 8 bytes, not 3"},
		{"more codestreams than frames", 1, [][]byte{nil, a, b, c}, nil, "1 frames, but 3 fragments of which 2 begin one"},
		{"more frames than codestreams", 3, [][]byte{nil, a, b, c}, nil, "3 frames, but 3 fragments of which 2 begin one"},
		{"short table", 2, [][]byte{offsets(0), a, b, c}, nil, "the offset table has 1 frames, but there are 2"},
		{"long table", 1, [][]byte{offsets(0, 24), a, b, c}, nil, "the offset table has 2 frames, but there are 1"},
		{"offset within a fragment", 2, [][]byte{offsets(0, 25), a, b, c}, nil, "the offset table has no fragment for frame 2"},
		{"offset behind the end", 2, [][]byte{offsets(0, 1<<30), a, b, c}, nil, "the offset table has no fragment for frame 2"},
		{"falling offsets", 2, [][]byte{offsets(24, 0), a, b, c}, nil, "the offset table has no fragment for frame 1"},
		{"no fragments", 1, [][]byte{nil}, nil, "there are no fragments"},
		{"nothing", 1, [][]byte{}, nil, "there are no fragments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := dicomtest.File{Syntax: dicomtest.JPEG2000, Rows: 1, Frames: tt.frames, Allocated: 8, Fragments: tt.fragments, More: tt.more}
			f.More = append(f.More, windows("128", "256", "")...)
			f.Columns = 6
			if strings.Contains(tt.want, "but") || !strings.Contains(tt.want, "AB") {
				if err := refused(t, f.Bytes(), dicom.Options{Decoder: raw{}}); !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				}
				return
			}
			for i, want := range strings.Fields(tt.want) {
				f.Columns = len(want) + 2
				got := pixels(t, render(t, f.Bytes(), dicom.Options{Decoder: raw{}, Frame: dicom.Choice{Number: i + 1}}).Image)
				if diff := cmp.Diff(want, string(got[2:])); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestDecoder(t *testing.T) {
	frame := []byte("\xff\x4f\x01\x80\xff\x7f")
	tests := []struct {
		name   string
		file   dicomtest.File
		result dicom.Samples
		want   []byte
	}{
		{"as it is", dicomtest.File{}, dicom.Samples{}, []byte{1, 128, 255, 127}},
		{"sign of the header", dicomtest.File{Signed: true}, dicom.Samples{}, []byte{129, 0, 127, 255}},
		{"sign of both", dicomtest.File{Signed: true}, dicom.Samples{Signed: true}, []byte{129, 255, 255, 255}},
		{"whole words", dicomtest.File{Stored: 7}, dicom.Samples{}, []byte{1, 0, 127, 127}},
		{"whole words with a sign", dicomtest.File{Signed: true, Stored: 7}, dicom.Samples{}, []byte{129, 128, 127, 127}},
		{"whole words with loss", dicomtest.File{Syntax: "1.2.840.10008.1.2.4.91", Stored: 7}, dicom.Samples{}, []byte{1, 128, 255, 127}},
	}
	for _, tt := range tests {
		f := tt.file
		if f.Syntax == "" {
			f.Syntax = dicomtest.JPEG2000
		}
		f.Rows, f.Columns, f.Allocated, f.Fragments = 1, 4, 8, [][]byte{nil, frame}
		center := "128"
		if f.Signed {
			center = "0"
		}
		f.More = windows(center, "256", "")
		r := render(t, f.Bytes(), dicom.Options{Decoder: raw{tt.result}})
		if diff := cmp.Diff(tt.want, pixels(t, r.Image)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	f := dicomtest.File{Syntax: dicomtest.JPEG2000, Rows: 1, Columns: 5, Allocated: 8, Fragments: [][]byte{nil, frame}}
	if err := refused(t, f.Bytes(), dicom.Options{Decoder: raw{}}); !strings.Contains(err.Error(), "decoder gave 4 samples, not 5") {
		t.Error(err)
	}
	want := "transfer syntax 1.2.840.10008.1.2.4.90 (JPEG 2000 (Lossless Only)) is not read"
	if err := refused(t, f.Bytes(), dicom.Options{}); !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
}

// TestDecoderColours: the colours of JPEG 2000 come turned.
func TestDecoderColours(t *testing.T) {
	f := dicomtest.File{Syntax: dicomtest.JPEG2000, Rows: 1, Columns: 1, Allocated: 8, Photometric: "YBR_RCT", Fragments: [][]byte{nil, []byte("\xff\x4f\x01\x02\x03\x00")}}
	f.Fragments[1] = f.Fragments[1][:5]
	three := threeBytes{dicom.Samples{RGB: true}}
	got := colours(t, render(t, f.Bytes(), dicom.Options{Decoder: three}).Image)
	if diff := cmp.Diff([][3]byte{{1, 2, 3}}, got); diff != "" {
		t.Error(diff)
	}
	three.RGB = false
	if err := refused(t, f.Bytes(), dicom.Options{Decoder: three}); !strings.Contains(err.Error(), "YBR_RCT, but the codestream has no colour transform") {
		t.Error(err)
	}
}

// threeBytes is a Decoder that leaves out what pads a frame.
type threeBytes struct{ dicom.Samples }

func (d threeBytes) Decode(syntax string, frame []byte, want dicom.Description) (dicom.Samples, error) {
	return raw(d).Decode(syntax, frame[:5], want)
}
