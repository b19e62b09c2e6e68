package preprocess

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ihdr is a PNG header chunk.
func ihdr(w, h uint32, depth, colourType, interlace byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, w)
	b = binary.BigEndian.AppendUint32(b, h)
	return chunkOf("IHDR", append(b, depth, colourType, 0, 0, interlace))
}

// deflated is raw bytes as a zlib stream.
func deflated(raw []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(raw)
	z.Close()
	return b.Bytes()
}

var iend = chunkOf("IEND", nil)

// rawPNG is a PNG of unfiltered lines, each with its filter byte.
func rawPNG(head []byte, between []byte, raw []byte) []byte {
	return pngOf(head, between, chunkOf("IDAT", deflated(raw)), iend)
}

func gama(v uint32) []byte { return chunkOf("gAMA", binary.BigEndian.AppendUint32(nil, v)) }

func TestPNGMetadataIsCut(t *testing.T) {
	plain := encodePNG(t, noisy(20, 10))
	secret := []byte("Comment\x00Jane Doe 1970-01-01")
	file := withChunks(t, plain, chunkOf("tEXt", secret), chunkOf("tIME", []byte{7, 208, 1, 1, 0, 0, 0}),
		chunkOf("iCCP", secret), chunkOf("sRGB", []byte{0}), gama(45455), chunkOf("cHRM", make([]byte, 32)),
		chunkOf("pHYs", make([]byte, 9)), chunkOf("PLTE", []byte{1, 2, 3}), chunkOf("prVt", secret), chunkOf("eXIf", secret))
	file = append(file, secret...)
	got := prepare(t, Recipe{}, file)
	if !bytes.Equal(got.Data, plain) {
		t.Error("what is left is not the plain file")
	}
	want := []string{"passed", fmt.Sprintf("cut %d bytes of metadata", len(file)-len(plain))}
	if diff := cmp.Diff(want, got.Steps); diff != "" {
		t.Error(diff)
	}
}

func TestPNGPasses(t *testing.T) {
	palette := chunkOf("PLTE", []byte{10, 20, 30, 40, 50, 60})
	cases := map[string][]byte{
		"1-bit grey":    rawPNG(ihdr(8, 1, 1, pngGrey, 0), nil, []byte{0, 0xaa}),
		"2-bit grey":    rawPNG(ihdr(4, 1, 2, pngGrey, 0), nil, []byte{0, 0x1b}),
		"4-bit grey":    rawPNG(ihdr(2, 1, 4, pngGrey, 0), nil, []byte{0, 0x5a}),
		"8-bit grey":    rawPNG(ihdr(2, 1, 8, pngGrey, 0), nil, []byte{0, 1, 2}),
		"1-bit palette": rawPNG(ihdr(8, 1, 1, pngPalette, 0), palette, []byte{0, 0xaa}),
		"8-bit palette": rawPNG(ihdr(2, 1, 8, pngPalette, 0), palette, []byte{0, 0, 1}),
		"RGB":           rawPNG(ihdr(1, 1, 8, pngRGB, 0), nil, []byte{0, 1, 2, 3}),
		"interlaced":    rawPNG(ihdr(1, 2, 8, pngGrey, 1), nil, []byte{0, 7, 0, 8}),
		"two IDAT":      splitIDAT(t, encodePNG(t, noisy(30, 30))),
	}
	for name, data := range cases {
		t.Run(name, func(t *testing.T) {
			got := prepare(t, Recipe{}, data)
			if diff := cmp.Diff([]string{"passed"}, withoutEven(got.Steps)); diff != "" || !bytes.Equal(got.Data, data) {
				t.Errorf("%s, bytes equal: %v", diff, bytes.Equal(got.Data, data))
			}
			shown(t, got)
		})
	}
}

func splitIDAT(t *testing.T, data []byte) []byte {
	t.Helper()
	_, chunks := chunksOf(t, data)
	body := chunks[1][8 : len(chunks[1])-4]
	half := len(body) / 2
	return pngOf(chunks[0], chunkOf("IDAT", body[:half]), chunkOf("IDAT", nil), chunkOf("IDAT", body[half:]), iend)
}

func TestPNGIsReworked(t *testing.T) {
	palette := chunkOf("PLTE", []byte{10, 10, 10, 40, 40, 40})
	opaque := rawPNG(ihdr(2, 1, 8, pngRGBAlpha, 0), nil, []byte{0, 9, 9, 9, 255, 200, 200, 200, 255})
	cases := []struct {
		name  string
		data  []byte
		want  []byte
		steps []string
	}{
		{
			"grey with alpha", rawPNG(ihdr(3, 1, 8, pngGreyAlpha, 0), nil, []byte{0, 100, 255, 100, 0, 100, 128}),
			[]byte{100, 255, 177},
			[]string{"composited on white"},
		},
		{"opaque alpha", opaque, []byte{9, 200}, []string{"composited on white"}},
		{
			"grey with a transparent value", rawPNG(ihdr(2, 1, 8, pngGrey, 0), chunkOf("tRNS", []byte{0, 5}), []byte{0, 5, 6}),
			[]byte{255, 6},
			[]string{"composited on white"},
		},
		{
			"1-bit with a transparent value", rawPNG(ihdr(2, 1, 1, pngGrey, 0), chunkOf("tRNS", []byte{0, 0}), []byte{0, 0x40}),
			[]byte{255, 255},
			[]string{"composited on white"},
		},
		{
			"palette with alpha", rawPNG(ihdr(2, 1, 8, pngPalette, 0), append(slices.Clone(palette), chunkOf("tRNS", []byte{0})...), []byte{0, 0, 1}),
			[]byte{255, 40},
			[]string{"composited on white"},
		},
		{
			"RGB with a transparent colour", rawPNG(ihdr(2, 1, 8, pngRGB, 0), chunkOf("tRNS", []byte{0, 1, 0, 1, 0, 1}), []byte{0, 1, 1, 1, 2, 2, 2}),
			[]byte{255, 2},
			[]string{"composited on white"},
		},
		{
			"linear grey", rawPNG(ihdr(3, 1, 8, pngGrey, 0), gama(100000), []byte{0, 0, 64, 255}),
			[]byte{0, 136, 255},
			[]string{"gamma 1.00000 to 0.45455"},
		}, // 255·(64/255)^0.45455 = 136.02
		{
			"linear palette", rawPNG(ihdr(2, 1, 8, pngPalette, 0), append(gama(100000), palette...), []byte{0, 0, 1}),
			[]byte{59, 110},
			[]string{"gamma 1.00000 to 0.45455"},
		},
		{
			"animation", rawPNG(ihdr(1, 1, 8, pngGreyAlpha, 0), chunkOf("acTL", make([]byte, 8)), []byte{0, 3, 255}),
			[]byte{3},
			[]string{"first frame of an animation", "composited on white"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := prepare(t, Recipe{}, c.data)
			if diff := cmp.Diff([][]byte{c.want}, rows(t, shown(t, got))); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(append(c.steps, "re-encoded png"), withoutEven(got.Steps)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPNGAnimationPasses(t *testing.T) {
	plain := encodePNG(t, noisy(9, 9))
	names, chunks := chunksOf(t, withChunks(t, plain, chunkOf("acTL", make([]byte, 8)), chunkOf("fcTL", make([]byte, 26))))
	last := len(chunks) - 1
	file := pngOf(append(slices.Clone(chunks[:last]), chunkOf("fdAT", []byte("0000frame")), chunks[last])...)
	got := prepare(t, Recipe{}, file)
	if !bytes.Equal(got.Data, plain) {
		t.Errorf("%v: frames are left", names)
	}
}

func TestPNGGamma(t *testing.T) {
	linear := func(between []byte) []byte {
		return rawPNG(ihdr(1, 1, 8, pngGrey, 0), between, []byte{0, 64})
	}
	cases := []struct {
		name    string
		between []byte
		want    byte
	}{
		{"none", nil, 64},
		{"screen", gama(45455), 64},
		{"linear", gama(100000), 136},
		{"linear beside sRGB", append(gama(100000), chunkOf("sRGB", []byte{0})...), 64},
		{"linear beside a profile", append(gama(100000), chunkOf("iCCP", []byte("x"))...), 64},
		{"old Macintosh", gama(55556), 82}, // 255·(64/255)^0.81818 = 82.3
	}
	for _, c := range cases {
		if got := rows(t, shown(t, prepare(t, Recipe{}, linear(c.between)))); got[0][0] != c.want {
			t.Errorf("%s: 64 becomes %d, want %d", c.name, got[0][0], c.want)
		}
	}
}

func TestGammaTable(t *testing.T) {
	for i, v := range gammaTable(screenGamma) {
		if int(v) != i {
			t.Errorf("the screen's own gamma changes %d to %d", i, v)
		}
	}
	for _, g := range []int{minGamma, 30000, 100000, maxGamma} {
		table := gammaTable(g)
		if table[0] != 0 || table[255] != 255 || !slices.IsSorted(table[:]) {
			t.Errorf("gamma %d: not from black to white", g)
		}
	}
}

func TestOverRounds(t *testing.T) {
	for v := range 256 {
		for a := range 256 {
			exact := float64(v*a+255*(255-a)) / 255
			if got := float64(over(byte(v), byte(a))); got-exact > 0.5 || exact-got > 0.5 {
				t.Fatalf("%d at alpha %d is %v, exactly %v", v, a, got, exact)
			}
		}
	}
}

// TestPNGCut cuts a file at every byte.
func TestPNGCut(t *testing.T) {
	for name, data := range map[string][]byte{
		"grey": encodePNG(t, grey(noisy(12, 9))), "two IDAT": splitIDAT(t, encodePNG(t, noisy(6, 5))),
	} {
		for n := range data {
			if _, err := (Recipe{}).Prepare(data[:n]); err == nil {
				t.Errorf("%s passes with %d of %d bytes", name, n, len(data))
			}
		}
	}
}

// TestPNGFlip changes every bit: the checksums cover them all.
func TestPNGFlip(t *testing.T) {
	data := withChunks(t, encodePNG(t, grey(noisy(12, 9))), chunkOf("tEXt", []byte("a\x00b")))
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			if _, err := (Recipe{}).Prepare(data); err == nil {
				t.Errorf("passes with bit %d of byte %d changed", bit, i)
			}
			data[i] ^= 1 << bit
		}
	}
}

func TestPNGRefused(t *testing.T) {
	one := chunkOf("IDAT", deflated([]byte{0, 7}))
	dot := ihdr(1, 1, 8, pngGrey, 0)
	stream := deflated([]byte{0, 7})
	badSum := slices.Clone(stream)
	badSum[len(badSum)-1]++
	many := append([][]byte{dot, one}, slices.Repeat([][]byte{chunkOf("tEXt", nil)}, maxChunks)...)
	cases := []struct {
		name string
		data []byte
		kind error
		want string
	}{
		{"no data", pngOf(dot, iend), ErrDamaged, "no picture data"},
		{"no header", pngOf(one, iend), ErrDamaged, "not a header"},
		{"two headers", pngOf(dot, dot, one, iend), ErrDamaged, "chunk IHDR out of place"},
		{"width 0", pngOf(ihdr(0, 1, 8, 0, 0), one, iend), ErrDamaged, "no pixels"},
		{"width 2^31", pngOf(ihdr(1<<31, 1, 8, 0, 0), one, iend), ErrDamaged, "above 2^31-1"},
		{"a long side", pngOf(ihdr(65501, 1, 8, 0, 0), one, iend), ErrTooLarge, "above 65500"},
		{"many pixels", pngOf(ihdr(20000, 20000, 8, pngPalette, 0), chunkOf("PLTE", []byte{0, 0, 0}), one, iend), ErrTooLarge, "more than 100 million"},
		{"many deep pixels", pngOf(ihdr(8000, 8000, 16, 0, 0), one, iend), ErrTooLarge, "more than 50 million"},
		{"more pixels than data", pngOf(ihdr(9000, 9000, 8, 0, 0), one, iend), ErrDamaged, "cannot hold"},
		{"colour type 5", pngOf(ihdr(1, 1, 8, 5, 0), one, iend), ErrDamaged, "colour type 5"},
		{"depth 3", pngOf(ihdr(1, 1, 3, 0, 0), one, iend), ErrUnsupported, "bit depth 3"},
		{"no palette", pngOf(ihdr(1, 1, 8, pngPalette, 0), one, iend), ErrDamaged, "no palette"},
		{"palette of a grey picture", pngOf(dot, chunkOf("PLTE", []byte{1, 2, 3}), one, iend), ErrDamaged, "forbids"},
		{"index beyond the palette", pngOf(ihdr(1, 1, 8, pngPalette, 0), chunkOf("PLTE", make([]byte, 21)), one, iend), ErrDamaged, "palette of 7"},
		{"alpha twice", pngOf(ihdr(1, 1, 8, pngGreyAlpha, 0), chunkOf("tRNS", []byte{0, 1}), one, iend), ErrDamaged, "forbids"},
		{"unknown critical chunk", pngOf(dot, chunkOf("CgBI", nil), one, iend), ErrUnsupported, "critical chunk CgBI"},
		{"data apart", pngOf(dot, one, chunkOf("tEXt", nil), one, iend), ErrDamaged, "not in one piece"},
		{"end not empty", pngOf(dot, one, chunkOf("IEND", []byte{1})), ErrDamaged, "not empty"},
		{"no end", pngOf(dot, one), ErrDamaged, "before its IEND"},
		{"too few lines", pngOf(ihdr(1, 2, 8, 0, 0), one, iend), ErrDamaged, "not enough pixel data"},
		{"too many lines", pngOf(dot, chunkOf("IDAT", deflated([]byte{0, 7, 0, 7})), iend), ErrDamaged, "too much pixel data"},
		{"bytes behind the data", pngOf(dot, chunkOf("IDAT", append(slices.Clone(stream), 1)), iend), ErrDamaged, "too much pixel data"},
		{"a chunk behind the data", pngOf(dot, one, chunkOf("IDAT", []byte("name")), iend), ErrDamaged, "too much pixel data"},
		{"wrong sum of the data", pngOf(dot, chunkOf("IDAT", badSum), iend), ErrDamaged, "invalid checksum"},
		{"gamma 0", pngOf(dot, gama(0), one, iend), ErrDamaged, "not plausible"},
		{"gamma of 3 bytes", pngOf(dot, chunkOf("gAMA", make([]byte, 3)), one, iend), ErrDamaged, "3 bytes"},
		{"many chunks", pngOf(append(many, iend)...), ErrTooLarge, "more than 100000 chunks"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Recipe{}.Prepare(c.data)
			checkError(t, err, "png", c.kind, c.want)
		})
	}
}

func checkError(t *testing.T, err error, format string, kind error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v (%T)", err, err)
	}
	if e.Format != format || !errors.Is(err, kind) || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, kind %v; want %q of kind %v", err, e.Kind, want, kind)
	}
	for _, other := range []error{ErrDamaged, ErrTooLarge, ErrUnsupported} {
		if errors.Is(err, other) != (other == kind) {
			t.Errorf("error is of kind %v as well", other)
		}
	}
}

// TestPaletteKeepsItsLook compares a scaled palette picture with the same one in
// true colours.
func TestPaletteKeepsItsLook(t *testing.T) {
	colours := color.Palette{color.RGBA{200, 10, 10, 255}, color.RGBA{10, 200, 10, 255}, color.RGBA{10, 10, 200, 255}}
	p := image.NewPaletted(image.Rect(0, 0, 40, 40), colours)
	full := image.NewRGBA(p.Rect)
	for y := range 40 {
		for x := range 40 {
			p.SetColorIndex(x, y, byte((x/7+y/5)%3))
			full.Set(x, y, p.At(x, y))
		}
	}
	r := Recipe{MaxSide: 20}
	a, b := prepare(t, r, encodePNG(t, p)), prepare(t, r, encodePNG(t, full))
	if a.Digest != b.Digest {
		t.Error("the palette changes the picture")
	}
	if m, _ := png.Decode(bytes.NewReader(prepare(t, Recipe{}, encodePNG(t, p)).Data)); !samePixels(m, full) {
		t.Error("passing changes the picture")
	}
}
