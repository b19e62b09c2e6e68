package preprocess

import (
	"encoding/binary"
	"image/color"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bmpOf is a file with a header of the given length, filled from its fields, and
// what stands behind it.
func bmpOf(size, w, h, bits, compression, gap int, masks []uint32, palette, pixels []byte) []byte {
	le := binary.LittleEndian
	out := make([]byte, bmpStart+size)
	copy(out, "BM")
	le.PutUint32(out[14:], uint32(size))
	le.PutUint32(out[18:], uint32(int32(w)))
	le.PutUint32(out[22:], uint32(int32(h)))
	le.PutUint16(out[26:], 1)
	le.PutUint16(out[28:], uint16(bits))
	le.PutUint32(out[30:], uint32(compression))
	le.PutUint32(out[46:], uint32(len(palette)/4))
	for i, m := range masks {
		if at := bmpStart + bmpInfo + 4*i; at+4 <= len(out) {
			le.PutUint32(out[at:], m)
		} else {
			out = le.AppendUint32(out, m)
		}
	}
	out = append(append(out, palette...), make([]byte, gap)...)
	le.PutUint32(out[10:], uint32(len(out)))
	return append(out, pixels...)
}

var rgbMasks = []uint32{0xff0000, 0xff00, 0xff}

func TestBMPPixels(t *testing.T) {
	alpha := append(slices.Clone(rgbMasks), 0xff000000)
	noMask := append(slices.Clone(rgbMasks), 0)
	bgra := []byte{3, 2, 1, 255, 30, 20, 10, 0}
	opaque := []color.RGBA{{1, 2, 3, 255}, {10, 20, 30, 255}}
	palette := []byte{0, 0, 200, 0, 0, 100, 0, 0}
	red, green := color.RGBA{200, 0, 0, 255}, color.RGBA{0, 100, 0, 255}
	cases := []struct {
		name  string
		data  []byte
		want  []color.RGBA
		steps []string
	}{
		{"1 bit", bmpOf(bmpInfo, 2, 1, 1, 0, 0, nil, palette, []byte{0x40, 0, 0, 0}), []color.RGBA{red, green}, nil},
		{"2 bits", bmpOf(bmpInfo, 2, 1, 2, 0, 0, nil, palette, []byte{0x40, 0, 0, 0}), []color.RGBA{green, red}, nil},
		{"4 bits", bmpOf(bmpInfo, 2, 1, 4, 0, 0, nil, palette, []byte{0x01, 0, 0, 0}), []color.RGBA{red, green}, nil},
		{"8 bits", bmpOf(bmpInfo, 2, 1, 8, 0, 0, nil, palette, []byte{1, 0, 0, 0}), []color.RGBA{green, red}, nil},
		{"8 bits, a gap", bmpOf(bmpInfo, 2, 1, 8, 0, 5, nil, palette, []byte{1, 0, 0, 0}), []color.RGBA{green, red}, nil},
		{"24 bits", bmpOf(bmpV5, 2, 1, 24, 0, 0, nil, nil, []byte{3, 2, 1, 30, 20, 10, 0, 0}), opaque, nil},
		{"32 bits", bmpOf(bmpInfo, 2, 1, 32, 0, 0, nil, nil, bgra), opaque, nil},
		{"32 bits, a long header", bmpOf(bmpV4, 2, 1, 32, 0, 0, nil, nil, bgra), opaque, nil},
		{"masks behind the header", bmpOf(bmpInfo, 2, 1, 32, bmpFields, 0, rgbMasks, nil, bgra), opaque, nil},
		{"masks in it", bmpOf(bmpMasks, 2, 1, 32, bmpFields, 0, rgbMasks, nil, bgra), opaque, nil},
		{"no mask of alpha", bmpOf(bmpV5, 2, 1, 32, bmpFields, 0, noMask, nil, bgra), opaque, nil},
		{"alpha", bmpOf(bmpV4, 2, 1, 32, bmpFields, 0, alpha, nil, bgra), []color.RGBA{{1, 2, 3, 255}, {255, 255, 255, 255}}, []string{"composited on white"}},
		{
			"alpha that is empty", bmpOf(bmpAlpha, 2, 1, 32, bmpFields, 0, alpha, nil, []byte{3, 2, 1, 0, 30, 20, 10, 0}), opaque,
			[]string{"ignored an empty alpha channel"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := prepare(t, Recipe{}, c.data)
			if diff := cmp.Diff(append(c.steps, "re-encoded png"), got.Steps); diff != "" {
				t.Error(diff)
			}
			m := shown(t, got)
			for x, want := range c.want {
				if c := color.RGBAModel.Convert(m.At(x, 0)); c != want {
					t.Errorf("pixel %d is %v, want %v", x, c, want)
				}
			}
		})
	}
}

// TestBMPRows checks the order of rows, which a negative height tells.
func TestBMPRows(t *testing.T) {
	palette := []byte{1, 1, 1, 0, 2, 2, 2, 0}
	pixels := []byte{0, 0, 0, 0, 1, 0, 0, 0}
	for h, want := range map[int][][]byte{2: {{2}, {1}}, -2: {{1}, {2}}} {
		got := prepare(t, Recipe{}, bmpOf(bmpInfo, 1, h, 8, 0, 0, nil, palette, pixels))
		if diff := cmp.Diff(want, rows(t, shown(t, got))); diff != "" {
			t.Errorf("height %d: %s", h, diff)
		}
	}
}

func TestBMPRefused(t *testing.T) {
	row := []byte{3, 2, 1, 0}
	good := bmpOf(bmpInfo, 1, 1, 24, 0, 0, nil, nil, row)
	with := func(at int, value uint32) []byte {
		out := slices.Clone(good)
		binary.LittleEndian.PutUint32(out[at:], value)
		return out
	}
	sized := func(size, h int) []byte {
		out := bmpOf(bmpInfo, 1, h, 24, 0, 0, nil, nil, append(slices.Clone(row), row...))
		binary.LittleEndian.PutUint32(out[34:], uint32(size))
		return out
	}
	cases := []struct {
		name string
		data []byte
		kind error
		want string
	}{
		{"cut in the header", good[:53], ErrDamaged, "ends in its header"},
		{"a header of OS/2", with(14, 12), ErrUnsupported, "a header of 12 bytes"},
		{"cut in a long header", with(14, bmpV5), ErrDamaged, "ends in its header"},
		{"cut masks", bmpOf(bmpInfo, 1, 1, 32, bmpFields, 0, nil, nil, nil), ErrDamaged, "ends in its header"},
		{"two planes", with(26, 24<<16|2), ErrDamaged, "2 planes"},
		{"16 bits", with(26, 16<<16|1), ErrUnsupported, "16-bit pixels"},
		{"run-length coding", testdata(t, "rle8.bmp"), ErrUnsupported, "run-length coding of 8 bits"},
		{"a JPEG within", with(30, 4), ErrUnsupported, "JPEG"},
		{"unknown coding", with(30, 99), ErrUnsupported, "unknown coding"},
		{"masks of 16 bits", bmpOf(bmpInfo, 1, 1, 16, bmpFields, 0, []uint32{0xf800, 0x7e0, 0x1f}, nil, row), ErrUnsupported, "masks 0xf800, 0x7e0, 0x1f"},
		{"a mask of half alpha", bmpOf(bmpV4, 1, 1, 32, bmpFields, 0, append(slices.Clone(rgbMasks), 0x0f000000), nil, row), ErrUnsupported, "of alpha"},
		{"width 0", with(18, 0), ErrDamaged, "no pixels"},
		{"width below 0", with(18, 1<<31), ErrDamaged, "no pixels"},
		{"lowest height", with(22, 1<<31), ErrTooLarge, "above 65500"},
		{"many pixels", bmpOf(bmpInfo, 20000, 20000, 24, 0, 0, nil, nil, row), ErrTooLarge, "more than 100 million"},
		{"more pixels than data", bmpOf(bmpInfo, 9000, 9000, 24, 0, 0, nil, nil, row), ErrDamaged, "4 bytes of pixels where 243000000"},
		{"many colours", bmpOf(bmpInfo, 1, 1, 1, 0, 0, nil, make([]byte, 12), row), ErrDamaged, "3 colours of 1 bits"},
		{"a colour that is not there", bmpOf(bmpInfo, 1, 1, 8, 0, 0, nil, make([]byte, 4), row), ErrDamaged, "invalid palette index"},
		{"a palette cut by the pixels", with(26, 8<<16|1), ErrDamaged, "within the headers"},
		{"pixels behind the file", with(10, 1<<20), ErrDamaged, "ends before its pixels"},
		{"pixels in the header", with(10, 40), ErrDamaged, "within the headers"},
		{"a size of more rows", sized(8, 1), ErrDamaged, "8 bytes of pixels where 4"},
		{"a size of fewer rows", sized(4, 2), ErrDamaged, "4 bytes of pixels where 8"},
		{"more rows and no size", sized(0, 1), ErrDamaged, "8 bytes of pixels where 4"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Recipe{}.Prepare(c.data)
			checkError(t, err, "bmp", c.kind, c.want)
		})
	}
}
