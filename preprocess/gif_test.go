package preprocess

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gifOf is an animation of frames with one palette.
func gifOf(t testing.TB, w, h int, frames ...*image.Paletted) []byte {
	t.Helper()
	var b bytes.Buffer
	g := &gif.GIF{Image: frames, Delay: make([]int, len(frames)), Config: image.Config{Width: w, Height: h, ColorModel: frames[0].Palette}}
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// indices is a frame of grey colours 10, 20 and 30 and one that is transparent.
func indices(area image.Rectangle, pix ...byte) *image.Paletted {
	m := image.NewPaletted(area, color.Palette{color.Gray{10}, color.Gray{20}, color.Gray{30}, color.RGBA{}})
	copy(m.Pix, pix)
	return m
}

func TestGIFFrames(t *testing.T) {
	full := image.Rect(0, 0, 3, 2)
	opaque := image.NewPaletted(full, color.Palette{color.Gray{10}, color.Gray{20}})
	copy(opaque.Pix, []byte{0, 1, 0, 1, 0, 1})
	cases := []struct {
		name  string
		data  []byte
		want  [][]byte
		steps []string
	}{
		{"one frame", gifOf(t, 3, 2, opaque), [][]byte{{10, 20, 10}, {20, 10, 20}}, nil},
		{
			"transparent pixels", gifOf(t, 3, 2, indices(full, 0, 1, 2, 3, 2, 1)),
			[][]byte{{10, 20, 30}, {255, 30, 20}},
			[]string{"composited on white"},
		},
		{
			"two frames", gifOf(t, 3, 2, indices(full, 0, 0, 0, 0, 0, 0), indices(full, 1, 1, 1, 1, 1, 1)),
			[][]byte{{10, 10, 10}, {10, 10, 10}},
			[]string{firstFrame, "composited on white"},
		},
		{
			"a part of the canvas", gifOf(t, 4, 3, indices(image.Rect(1, 1, 3, 2), 0, 3)),
			[][]byte{{255, 255, 255, 255}, {255, 10, 255, 255}, {255, 255, 255, 255}},
			[]string{"composited on white"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := prepare(t, Recipe{}, c.data)
			if diff := cmp.Diff(append(c.steps, "re-encoded png"), withoutEven(got.Steps)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.want, rows(t, shown(t, got))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGIFRefused(t *testing.T) {
	full := image.Rect(0, 0, 3, 2)
	good := gifOf(t, 3, 2, indices(full, 0, 1, 2, 2, 1, 0))
	frame := bytes.Index(good, []byte{gifFrame, 0, 0, 0, 0, 3, 0, 2, 0})
	with := func(at int, values ...byte) []byte {
		out := slices.Clone(good)
		copy(out[at:], values)
		return out
	}
	large := binary.LittleEndian.AppendUint16(nil, 9000)
	large = append(large, large...)
	tiny := gifOf(t, 1, 1, indices(image.Rect(0, 0, 1, 1), 0))
	many := slices.Concat(tiny[:len(tiny)-1], bytes.Repeat([]byte{gifFrame, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0}, maxFrames), []byte{gifTrailer})
	data := frame + 11 // the first block of the frame's data
	cases := []struct {
		name string
		data []byte
		kind error
		want string
	}{
		{"cut in the header", good[:12], ErrDamaged, "ends in its header"},
		{"another version", with(4, '8'), ErrDamaged, `version "GIF88a"`},
		{"no trailer", good[:len(good)-1], ErrDamaged, "before its trailer"},
		{"cut in a frame", good[:frame+5], ErrDamaged, "ends in a frame"},
		{"cut in the data", good[:data+2], ErrDamaged, "ends in a block"},
		{"no frame", append(slices.Clone(good[:13+3*4]), gifTrailer), ErrDamaged, "no picture data"},
		{"something else", with(frame, 'x'), ErrDamaged, "no block"},
		{"width 0", with(6, 0, 0), ErrDamaged, "on a canvas of 0x2"},
		{"a smaller canvas", with(6, 2, 0), ErrDamaged, "on a canvas of 2x2"},
		{"a frame off the canvas", with(frame+1, 1, 0), ErrDamaged, "on a canvas"},
		{"an empty frame", with(frame+5, 0, 0), ErrDamaged, "a frame"},
		{"fewer rows", with(frame+7, 1, 0), ErrDamaged, "too much image data"},
		{"fewer columns", with(frame+5, 2, 0), ErrDamaged, "too much image data"},
		{"more rows", slices.Concat(good[:8], []byte{3}, good[9:frame+7], []byte{3}, good[frame+8:]), ErrDamaged, "not enough image data"},
		{"more pixels than data", slices.Concat(good[:6], large, good[10:frame+5], large, good[frame+9:]), ErrDamaged, "cannot hold 9000x9000"},
		{"a dot on a large canvas", slices.Concat(good[:6], large, good[10:]), ErrDamaged, "cannot hold 9000x9000"},
		{"a long side", with(6, 0xff, 0xff), ErrTooLarge, "above 65500"},
		{"many frames", many, ErrTooLarge, "more than 10000 frames"},
		{"a code size of 9", with(frame+10, 9), ErrDamaged, "decoding failed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Recipe{}.Prepare(c.data)
			checkError(t, err, "gif", c.kind, c.want)
		})
	}
}

// TestGIFData shortens the data of the frame and corrects the sizes of the blocks.
func TestGIFData(t *testing.T) {
	data := testdata(t, "plain.gif")
	f, err := openGIF(data)
	if err != nil {
		t.Fatal(err)
	}
	start := bytes.Index(data, append([]byte{gifFrame, 0, 0, 0, 0, 24, 0, 16, 0, 0}, 7)) + 11
	var raw []byte
	for at := start; data[at] != 0; at += 1 + int(data[at]) {
		raw = append(raw, data[at+1:at+1+int(data[at])]...)
	}
	if len(raw) != f.packed {
		t.Fatalf("%d bytes of data, want %d", len(raw), f.packed)
	}
	rest := []byte{0, gifTrailer}
	for n := range len(raw) - 3 { // the end mark and the last pixels
		out := slices.Clone(data[:start])
		for part := range slices.Chunk(raw[:n], 255) {
			out = append(append(out, byte(len(part))), part...)
		}
		if _, err := (Recipe{}).Prepare(append(out, rest...)); err == nil {
			t.Errorf("passes with %d of %d bytes of data", n, len(raw))
		}
	}
}
