package dicom_test

import (
	"image/color"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

func TestColours(t *testing.T) {
	r, g, b := color.YCbCrToRGB(100, 50, 200)
	r2, g2, b2 := color.YCbCrToRGB(30, 50, 200)
	tests := []struct {
		name string
		file dicomtest.File
		want [][3]byte
	}{
		{"rgb", dicomtest.File{Allocated: 8, Photometric: "RGB", Pixels: []int{1, 2, 3, 4, 5, 6}}, [][3]byte{{1, 2, 3}, {4, 5, 6}}},
		{"rgb planes", dicomtest.File{Allocated: 8, Photometric: "RGB", Planar: true, Pixels: []int{1, 2, 3, 4, 5, 6}}, [][3]byte{{1, 2, 3}, {4, 5, 6}}},
		{"rgb of 12 bits", dicomtest.File{Stored: 12, Photometric: "RGB", Pixels: []int{0, 4095, 2048, 16, 0xf010, 8}}, [][3]byte{{0, 255, 128}, {1, 1, 0}}},
		{"ybr", dicomtest.File{Allocated: 8, Photometric: "YBR_FULL", Pixels: []int{100, 50, 200, 30, 128, 128}}, [][3]byte{{r, g, b}, {30, 30, 30}}},
		{"ybr halved", dicomtest.File{Allocated: 8, Photometric: "YBR_FULL_422", Pixels: []int{100, 50, 200, 30, 50, 200}}, [][3]byte{{r, g, b}, {r2, g2, b2}}},
	}
	for _, tt := range tests {
		for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ExplicitBig} {
			tt.file.Rows, tt.file.Columns, tt.file.Syntax = 1, 2, syntax
			got := render(t, tt.file.Bytes(), dicom.Options{Window: window(t, "brain")})
			if diff := cmp.Diff(tt.want, colours(t, got.Image)); diff != "" {
				t.Errorf("%s: %s", tt.name, diff)
			}
			if diff := cmp.Diff([]string{"in colour, so window brain does not apply"}, got.Notes); diff != "" {
				t.Errorf("%s: %s", tt.name, diff)
			}
		}
	}
}

// TestYBR422NotHalved reads a common fault: the bytes are those of YBR_FULL.
func TestYBR422NotHalved(t *testing.T) {
	f := dicomtest.File{Rows: 2, Columns: 2, Allocated: 8, Photometric: "YBR_FULL", Pixels: []int{9, 1, 2, 8, 3, 4, 7, 5, 6, 6, 7, 8}}
	want := pixels(t, render(t, f.Bytes(), dicom.Options{}).Image)
	f.More = []dicomtest.Element{{Tag: 0x00280004, VR: "CS", Value: "YBR_FULL_422"}}
	got := render(t, f.Bytes(), dicom.Options{})
	if diff := cmp.Diff(want, pixels(t, got.Image)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("YBR_FULL_422 with as many bytes as YBR_FULL, read as that", got.Notes[0]); diff != "" {
		t.Error(diff)
	}
}

// tables are the three tables of a palette.
func tables(vr string, descriptor []int, data ...any) (out []dicomtest.Element) {
	for i, d := range data {
		out = append(out,
			dicomtest.Element{Tag: 0x00281101 + uint32(i), VR: vr, Value: descriptor},
			dicomtest.Element{Tag: 0x00281201 + uint32(i), VR: "OW", Value: d})
	}
	return out
}

func TestPalette(t *testing.T) {
	segmented := func(words ...int) (out []dicomtest.Element) {
		for i := range uint32(3) {
			out = append(out,
				dicomtest.Element{Tag: 0x00281101 + i, VR: "US", Value: []int{8, 0, 16}},
				dicomtest.Element{Tag: 0x00281221 + i, VR: "OW", Value: words})
		}
		return out
	}
	grey := func(v ...byte) (out [][3]byte) {
		for _, x := range v {
			out = append(out, [3]byte{x, x, x})
		}
		return out
	}
	tests := []struct {
		name string
		file dicomtest.File
		want [][3]byte
	}{
		{
			"16 bit",
			dicomtest.File{Allocated: 8, Pixels: ramp(0, 4), More: tables("US", []int{2, 1, 16}, []int{0x0180, 0x02ff}, []int{0x1000, 0x2000}, []int{0xff00, 0})},
			[][3]byte{{1, 16, 255}, {1, 16, 255}, {2, 32, 0}, {2, 32, 0}},
		},
		{
			"8 bit in words",
			dicomtest.File{Allocated: 8, Pixels: ramp(0, 4), More: tables("US", []int{2, 0, 8}, []int{1, 2}, []int{3, 4}, []int{5, 6})},
			[][3]byte{{1, 3, 5}, {2, 4, 6}, {2, 4, 6}, {2, 4, 6}},
		},
		{
			"signed",
			dicomtest.File{Signed: true, Pixels: ramp(-2, 4), More: tables("SS", []int{3, -1, 16}, []int{256, 512, 768}, []int{256, 512, 768}, []int{256, 512, 768})},
			grey(1, 1, 2, 3),
		},
		{
			"segments",
			dicomtest.File{Allocated: 8, Pixels: ramp(0, 8), More: segmented(0, 2, 256, 512, 1, 4, 512+4*256, 0, 2, 0, 0xffff)},
			grey(1, 2, 3, 4, 5, 6, 0, 255),
		},
	}
	for _, tt := range tests {
		for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ExplicitBig, dicomtest.ImplicitLittle} {
			t.Run(tt.name+" "+syntax, func(t *testing.T) {
				f := tt.file
				f.Rows, f.Columns, f.Syntax, f.Photometric = 1, len(tt.want), syntax, "PALETTE COLOR"
				if diff := cmp.Diff(tt.want, colours(t, render(t, f.Bytes(), dicom.Options{}).Image)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestPaletteOctets reads entries of 8 bits that are packed.
func TestPaletteOctets(t *testing.T) {
	f := dicomtest.File{Rows: 1, Columns: 3, Allocated: 8, Photometric: "PALETTE COLOR", Pixels: ramp(0, 3)}
	f.More = tables("US", []int{3, 0, 8}, []byte{1, 2, 3}, []byte{4, 5, 6}, []byte{7, 8, 9})
	want := [][3]byte{{1, 4, 7}, {2, 5, 8}, {3, 6, 9}}
	if diff := cmp.Diff(want, colours(t, render(t, f.Bytes(), dicom.Options{}).Image)); diff != "" {
		t.Error(diff)
	}
}

func TestColourRefused(t *testing.T) {
	rgb := dicomtest.File{Rows: 1, Columns: 2, Allocated: 8, Photometric: "RGB", Pixels: ramp(0, 6)}
	with := func(f dicomtest.File, more ...dicomtest.Element) dicomtest.File {
		f.More = more
		return f
	}
	photometric := func(s string) dicomtest.Element { return dicomtest.Element{Tag: 0x00280004, VR: "CS", Value: s} }
	palette := dicomtest.File{Rows: 1, Columns: 2, Allocated: 8, Photometric: "PALETTE COLOR", Pixels: ramp(0, 2)}
	back := []dicomtest.Element{}
	for i := range uint32(3) {
		back = append(back, dicomtest.Element{Tag: 0x00281101 + i, VR: "US", Value: []int{8, 0, 16}},
			dicomtest.Element{Tag: 0x00281221 + i, VR: "OW", Value: []int{2, 1, 0, 0}})
	}
	tests := []struct {
		name string
		file dicomtest.File
		want string
	}{
		{"partial", with(rgb, photometric("YBR_PARTIAL_422")), "photometric interpretation YBR_PARTIAL_422 is not read"},
		{"partial 420", with(rgb, photometric("YBR_PARTIAL_420")), "photometric interpretation YBR_PARTIAL_420 is not read"},
		{"a name", with(rgb, photometric("DOE JANE")), "the photometric interpretation is none of DICOM"},
		{"argb", with(rgb, photometric("ARGB")), "photometric interpretation ARGB is not read"},
		{"rct", with(rgb, photometric("YBR_RCT")), "photometric interpretation YBR_RCT without JPEG 2000"},
		{"none", with(rgb, photometric("")), "the photometric interpretation is missing"},
		{"two samples", with(rgb, dicomtest.Element{Tag: 0x00280002, VR: "US", Value: []int{2}}), "2 samples a pixel in RGB"},
		{"signed", dicomtest.File{Rows: 1, Columns: 1, Allocated: 8, Signed: true, Photometric: "RGB", Pixels: ramp(0, 3)}, "colours with a sign are not read"},
		{"odd", dicomtest.File{Rows: 2, Columns: 1, Allocated: 8, Photometric: "YBR_FULL_422", Pixels: ramp(0, 6)}, "1 columns in YBR_FULL_422"},
		{"no palette", palette, "the palette has no table for red"},
		{"short palette", with(palette, tables("US", []int{4, 0, 16}, []int{1, 2, 3}, []int{1}, []int{2})...), "the table has 6 bytes, too few for 4 entries of 16 bits"},
		{"entries too large", with(palette, tables("US", []int{2, 0, 8}, []int{256, 2}, []int{1, 2}, []int{1, 2})...), "entry 1 has more than 8 bits"},
		{"pointing back", with(palette, back...), "segmented palettes that point back are not read"},
	}
	for _, tt := range tests {
		if err := refused(t, tt.file.Bytes(), dicom.Options{}); !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
