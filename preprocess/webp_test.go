package preprocess

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// webpChunk is a chunk with its padding.
func webpChunk(name string, body []byte) []byte {
	out := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
	return append(out, make([]byte, len(body)%2)...)
}

func webpOf(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// extended is a VP8X chunk.
func extended(flags byte, w, h int) []byte {
	return webpChunk("VP8X", []byte{flags, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), byte((w - 1) >> 16), byte(h - 1), byte((h - 1) >> 8), byte((h - 1) >> 16)})
}

// frameOf is an ANMF chunk.
func frameOf(x, y, w, h int, chunks ...[]byte) []byte {
	head := []byte{byte(x / 2), 0, 0, byte(y / 2), 0, 0, byte(w - 1), 0, 0, byte(h - 1), 0, 0, 100, 0, 0, 0}
	return webpChunk("ANMF", append(head, bytes.Join(chunks, nil)...))
}

// pictureOf is the chunk with the picture of a WebP that has only that.
func pictureOf(t testing.TB, name string) []byte { return testdata(t, name)[webpHead:] }

func TestOrientedWebP(t *testing.T) {
	picture := pictureOf(t, "three.webp")
	for value, want := range upright {
		for _, order := range []string{"II", "MM"} {
			exif := exifOf(order, typeShort, value)
			for name, data := range map[string][]byte{
				"behind the picture": webpOf(extended(8, 3, 2), picture, webpChunk("EXIF", exif)),
				"before it":          webpOf(extended(8, 3, 2), webpChunk("EXIF", append([]byte("Exif\x00\x00"), exif...)), picture),
			} {
				got := prepare(t, Recipe{}, data)
				if diff := cmp.Diff(want, rows(t, shown(t, got))); diff != "" {
					t.Errorf("orientation %d %s: %s", value, name, diff)
				}
			}
		}
	}
}

// TestVideoColours checks black, white and the middle: the samples of video begin
// at 16 and end at 235.
func TestVideoColours(t *testing.T) {
	m := image.NewYCbCr(image.Rect(0, 0, 3, 1), image.YCbCrSubsampleRatio420)
	copy(m.Y, []byte{16, 235, 126})
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = 128, 128
	}
	got := fromVideo(m)
	for x, want := range []byte{0, 255, 128} {
		if c := got.NRGBAAt(x, 0); c.R != want || c.B != want || c.A != 255 {
			t.Errorf("pixel %d is %v, want %d", x, c, want)
		}
	}
}

// TestChromaRow holds the enlargement of chroma against the weights 9, 3, 3, 1.
func TestChromaRow(t *testing.T) {
	plane := []byte{0, 160, 32, 64}
	at := func(x, y int) float64 { return float64(plane[2*min(max(y, 0), 1)+min(max(x, 0), 1)]) }
	for y := range 4 {
		out := make([]int, 4)
		chromaRow(plane, 2, y, 4, make([]int, 2), out)
		for x, got := range out {
			besideX, besideY := x/2-1+x%2*2, y/2-1+y%2*2
			want := (9*at(x/2, y/2) + 3*at(besideX, y/2) + 3*at(x/2, besideY) + at(besideX, besideY)) / 16
			if math.Abs(float64(got)-want) > 0.5 {
				t.Errorf("at %d,%d: %d, want %v", x, y, got, want)
			}
		}
	}
}

// TestWebPFlags checks that the chunks count, not the flags of the header.
func TestWebPFlags(t *testing.T) {
	want := shown(t, prepare(t, Recipe{}, testdata(t, "lossy.webp")))
	picture := pictureOf(t, "lossy.webp")
	for _, flags := range []byte{0, 0x10, 0x3c} {
		got := prepare(t, Recipe{}, webpOf(extended(flags, 24, 16), webpChunk("ICCP", []byte("x")), picture, webpChunk("XMP ", []byte("Jane"))))
		if !samePixels(shown(t, got), want) {
			t.Errorf("flags %#x: another picture, steps %q", flags, got.Steps)
		}
	}
	opaque := pictureOf(t, "lossless_alpha.webp")
	opaque[12] &^= 0x10 // the bit that says that alpha is used
	got := prepare(t, Recipe{}, webpOf(opaque))
	if diff := cmp.Diff([]string{"re-encoded png"}, got.Steps); diff != "" {
		t.Error(diff)
	}
	checkPixels(t, shown(t, got), rgbAt, 0)
}

// TestFirstFrame checks where a frame goes that does not fill the canvas.
func TestFirstFrame(t *testing.T) {
	data := webpOf(extended(2, 8, 6), webpChunk("ANIM", make([]byte, 6)), frameOf(4, 2, 3, 2, pictureOf(t, "three.webp")), frameOf(0, 0, 3, 2))
	got := prepare(t, Recipe{}, data)
	if diff := cmp.Diff([]string{firstFrame, "composited on white", "re-encoded png"}, got.Steps); diff != "" {
		t.Error(diff)
	}
	want := [][]byte{
		{255, 255, 255, 255, 255, 255, 255, 255},
		{255, 255, 255, 255, 255, 255, 255, 255},
		{255, 255, 255, 255, 1, 2, 3, 255},
		{255, 255, 255, 255, 4, 5, 6, 255},
		{255, 255, 255, 255, 255, 255, 255, 255},
		{255, 255, 255, 255, 255, 255, 255, 255},
	}
	if diff := cmp.Diff(want, rows(t, shown(t, got))); diff != "" {
		t.Error(diff)
	}
}

// vp8Size changes the size in the header of VP8 data.
func vp8Size(t *testing.T, name string, w, h int) []byte {
	t.Helper()
	chunk := slices.Clone(pictureOf(t, name))
	binary.LittleEndian.PutUint16(chunk[14:], uint16(w))
	binary.LittleEndian.PutUint16(chunk[16:], uint16(h))
	return webpOf(chunk)
}

// vp8lSize changes the size in the header of VP8L data.
func vp8lSize(t *testing.T, name string, w, h int) []byte {
	t.Helper()
	chunk := slices.Clone(pictureOf(t, name))
	bits := binary.LittleEndian.Uint32(chunk[9:])&^(1<<28-1) | uint32(w-1) | uint32(h-1)<<14
	binary.LittleEndian.PutUint32(chunk[9:], bits)
	return webpOf(chunk)
}

func TestWebPRefused(t *testing.T) {
	lossy, lossless := pictureOf(t, "lossy.webp"), pictureOf(t, "lossless.webp")
	body := lossy[8 : 8+binary.LittleEndian.Uint32(lossy[4:])]
	with := func(at int, values ...byte) []byte {
		out := slices.Clone(lossy)
		copy(out[8+at:], values)
		return webpOf(out)
	}
	first := threeBytes(body) >> 5
	noAlpha := webpChunk("ALPH", nil)
	badAlpha := webpChunk("ALPH", []byte{0, 1, 2, 3})
	frames := append([][]byte{extended(2, 24, 16)}, slices.Repeat([][]byte{webpChunk("ANMF", nil)}, maxFrames+1)...)
	frames[1] = frameOf(0, 0, 24, 16, lossy)
	cases := []struct {
		name string
		data []byte
		kind error
		want string
	}{
		{"no size", []byte("RIFF\x00\x00\x00\x00WEBP"), ErrDamaged, "a size of 0 bytes"},
		{"no picture", webpOf(), ErrDamaged, "no picture data"},
		{"no frame", webpOf(extended(2, 3, 2), lossy), ErrDamaged, "no picture data"},
		{"two pictures", webpOf(lossy, lossy), ErrDamaged, "a second picture"},
		{"two headers", webpOf(extended(0, 24, 16), extended(0, 24, 16), lossy), ErrDamaged, "VP8X of the wrong form"},
		{"a short header", webpOf(webpChunk("VP8X", make([]byte, 9)), lossy), ErrDamaged, "VP8X of the wrong form"},
		{"half a chunk", webpOf([]byte("VP8")), ErrDamaged, "ends in a chunk"},
		{"a chunk behind the end", webpOf([]byte("VP8 \xff\xff\xff\xff")), ErrDamaged, "ends behind the file"},
		{"another canvas", webpOf(extended(0, 24, 17), lossy), ErrDamaged, "24x16 on a canvas of 24x17"},
		{"a frame off the canvas", webpOf(extended(2, 24, 16), frameOf(2, 0, 24, 16, lossy)), ErrDamaged, "at 2x0 on a canvas"},
		{"a frame of another size", webpOf(extended(2, 24, 16), frameOf(0, 0, 24, 15, lossy)), ErrDamaged, "24x15 that holds a picture of 24x16"},
		{"a frame of a still picture", webpOf(extended(0, 24, 16), frameOf(0, 0, 24, 16, lossy)), ErrDamaged, "out of place"},
		{"many frames", webpOf(frames...), ErrTooLarge, "more than 10000 frames"},
		{"a dot on a large canvas", webpOf(extended(2, 9000, 9000), frameOf(0, 0, 24, 16, lossy)), ErrDamaged, "cannot hold 9000x9000"},
		{"empty alpha", webpOf(noAlpha, lossy), ErrDamaged, "ALPH out of place"},
		{"two alphas", webpOf(badAlpha, badAlpha, lossy), ErrDamaged, "ALPH out of place"},
		{"alpha behind the picture", webpOf(lossy, badAlpha), ErrDamaged, "ALPH out of place"},
		{"alpha of a lossless picture", webpOf(badAlpha, lossless), ErrDamaged, "VP8L of the wrong form"},
		{"too little alpha", webpOf(badAlpha, lossy), ErrDamaged, "decoding failed"},
		{"a short frame", webpOf(webpChunk("VP8 ", body[:9])), ErrDamaged, "ends in its header"},
		{"no key frame", with(0, body[0]|1), ErrDamaged, "no key frame"},
		{"no start code", with(3, 0), ErrDamaged, "no key frame"},
		{"another version", with(0, body[0]|0x0e), ErrUnsupported, "version 7"},
		{"not shown", with(0, body[0]&^0x10), ErrUnsupported, "shown: 0"},
		{"a long first partition", with(1, 0xff, 0xff), ErrDamaged, "first partition ends"},
		{"a short first partition", with(0, body[0]&0x1f, 0, 0), ErrDamaged, "cannot hold"},
		{"cut first partition", webpOf(webpChunk("VP8 ", slices.Concat(body[:10+first/2], body[10+first:]))), ErrDamaged, ""},
		{"cut last partition", webpOf(webpChunk("VP8 ", body[:len(body)-8])), ErrDamaged, "unexpected EOF"},
		{"bytes behind the picture", webpOf(webpChunk("VP8 ", append(slices.Clone(body), make([]byte, 9)...))), ErrDamaged, "more data than the picture has blocks"},
		{"bytes behind a lossless picture", webpOf(webpChunk("VP8L", append(slices.Clone(lossless[8:]), 0, 0))), ErrDamaged, "more data than the picture has pixels"},
		{"width 0", vp8Size(t, "lossy.webp", 0, 16), ErrDamaged, "no pixels"},
		{"more blocks than data", vp8Size(t, "lossy.webp", 9000, 9000), ErrDamaged, "cannot hold 9000x9000"},
		{"many pixels", vp8Size(t, "lossy.webp", 16000, 16000), ErrTooLarge, "more than 100 million"},
		{"many lossless pixels", vp8lSize(t, "lossless.webp", 8000, 8000), ErrTooLarge, "more than 50 million"},
		{"more pixels than data", vp8lSize(t, "lossless.webp", 7000, 7000), ErrDamaged, "cannot hold 7000x7000"},
		{"lossless of another version", with8(lossless, 12, lossless[12]|0x20), ErrUnsupported, "version 1"},
		{"lossless without its mark", with8(lossless, 8, 0), ErrDamaged, "VP8L of the wrong form"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Recipe{}.Prepare(c.data)
			checkError(t, err, "webp", c.kind, c.want)
		})
	}
}

// with8 is a WebP of a chunk with one byte changed.
func with8(chunk []byte, at int, value byte) []byte {
	out := slices.Clone(chunk)
	out[at] = value
	return webpOf(out)
}

// TestWebPCutWithRightSizes cuts the picture's data and corrects every size. The
// last bytes of lossy data are padding, without which the picture is the same.
func TestWebPCutWithRightSizes(t *testing.T) {
	for _, name := range []string{"lossy.webp", "lossy_grey.webp", "lossless.webp", "lossless_alpha.webp"} {
		chunk := pictureOf(t, name)
		body := chunk[8 : 8+binary.LittleEndian.Uint32(chunk[4:])]
		want := shown(t, prepare(t, Recipe{}, testdata(t, name)))
		for n := range body {
			got, err := Recipe{}.Prepare(webpOf(webpChunk(string(chunk[:4]), body[:n])))
			if err == nil && (n < len(body)-3 || !samePixels(shown(t, got), want)) {
				t.Errorf("%s passes with %d of %d bytes", name, n, len(body))
			}
		}
	}
}

// TestWebPLies makes pictures smaller and larger by their headers.
func TestWebPLies(t *testing.T) {
	for _, name := range []string{"lossless.webp", "lossless_alpha.webp"} {
		f, err := Recipe{}.open(testdata(t, name))
		if err != nil {
			t.Fatal(err)
		}
		w, h := f.header().w, f.header().h
		for _, by := range []int{-8, -1, 1, 8, 40} {
			for _, size := range []image.Point{{w + by, h}, {w, h + by}} {
				if _, err := (Recipe{}).Prepare(vp8lSize(t, name, size.X, size.Y)); err == nil {
					t.Errorf("%s passes as %v", name, size)
				}
			}
		}
	}
	for _, size := range []image.Point{{2048, 2032}, {2032, 2048}, {2048, 2064}} {
		if _, err := (Recipe{}).Prepare(vp8Size(t, "large.webp", size.X, size.Y)); err == nil {
			t.Errorf("large.webp passes as %v", size)
		}
	}
}

// TestLossyGreyIsNearlyGrey checks that no colour comes into a grey picture.
func TestLossyGreyIsNearlyGrey(t *testing.T) {
	m := shown(t, prepare(t, Recipe{}, testdata(t, "lossy_grey.webp")))
	for y := range 16 {
		for x := range 24 {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			if max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 1 {
				t.Fatalf("pixel %d,%d is %v", x, y, c)
			}
		}
	}
}
