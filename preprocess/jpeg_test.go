package preprocess

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// whole are the files of testdata that pass.
var whole = []string{"baseline.jpg", "restart.jpg", "progressive.jpg", "grey.jpg", "grey_progressive.jpg", "separate_scans.jpg"}

func TestJPEGPasses(t *testing.T) {
	for _, name := range whole {
		data := testdata(t, name)
		got := prepare(t, Recipe{}, data)
		want, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if got.Steps[0] != "passed" || !samePixels(shown(t, got), want) {
			t.Errorf("%s: steps %q, or the picture changed", name, got.Steps)
		}
	}
}

func TestJPEGMetadataIsCut(t *testing.T) {
	plain := encodeJPEG(t, noisy(33, 20)) // the standard library writes no metadata
	secret := []byte("Jane Doe 1970-01-01")
	exif := append([]byte("Exif\x00\x00"), exifOf("II", typeShort, 1)...)
	file := withSegments(plain, segmentOf(app0, []byte("JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00")),
		segmentOf(app1, append(exif, secret...)), segmentOf(0xe2, secret), segmentOf(0xed, secret), segmentOf(com, secret))
	file = append(file, secret...)
	got := prepare(t, Recipe{}, file)
	if !bytes.Equal(got.Data, plain) {
		t.Error("what is left is not the plain file")
	}
	want := []string{"passed", fmt.Sprintf("cut %d bytes of metadata", len(file)-len(plain))}
	if diff := cmp.Diff(want, got.Steps); diff != "" {
		t.Error(diff)
	}
	adobe := append([]byte("Adobe\x00\x64\x00\x00\x00\x00\x01"), secret...)
	got = prepare(t, Recipe{}, withSegments(plain, segmentOf(appE, adobe)))
	if want := withSegments(plain, segmentOf(appE, adobe[:12])); !bytes.Equal(got.Data, want) {
		t.Error("of the Adobe segment remains something else than its fields")
	}
}

// TestJPEGColours checks the readings of colour that markers and names decide.
func TestJPEGColours(t *testing.T) {
	rgb := testdata(t, "rgb.jpg") // Adobe's marker says 0
	jfif := segmentOf(app0, []byte("JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"))
	for name, data := range map[string][]byte{"RGB": rgb, "RGB that says JFIF": withSegments(rgb, jfif)} {
		want, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		got := prepare(t, Recipe{}, data)
		flat := image.NewRGBA(want.Bounds())
		for y := range flat.Rect.Dy() {
			for x := range flat.Rect.Dx() {
				flat.Set(x, y, want.At(x, y))
			}
		}
		if diff := cmp.Diff([]string{"re-encoded png"}, got.Steps); diff != "" || !samePixels(shown(t, got), flat) {
			t.Errorf("%s: %s, or the picture changed", name, diff)
		}
	}
}

// TestCMYK holds four even fields against the usual formula 255·(1-ink)·(1-black).
func TestCMYK(t *testing.T) {
	got := prepare(t, Recipe{}, testdata(t, "cmyk.jpg"))
	if diff := cmp.Diff([]string{"cmyk to rgb", "re-encoded png"}, got.Steps); diff != "" {
		t.Error(diff)
	}
	checkFields(t, shown(t, got), []color.RGBA{
		{0, 255, 255, 255}, {255, 127, 0, 255}, {53, 51, 49, 255}, {255, 255, 255, 255},
	})
}

// TestYCCK reads the same numbers as luma, chroma and black. The file holds 255
// less the inks of TestCMYK. Of YCCK, luma and chroma give the inks as if they
// were red, green and blue, and only black is inverted (libjpeg's jdcolor.c).
func TestYCCK(t *testing.T) {
	data := testdata(t, "cmyk.jpg")
	data[segmentAt(t, data, appE)+15] = 2 // the marker's transform
	var want []color.RGBA
	for _, ink := range [][4]byte{{255, 0, 0, 0}, {0, 128, 255, 0}, {10, 20, 30, 200}, {0, 0, 0, 0}} {
		r, g, b := color.YCbCrToRGB(255-ink[0], 255-ink[1], 255-ink[2])
		black := 255 - int(ink[3])
		want = append(want, color.RGBA{byte((255 - int(r)) * black / 255), byte((255 - int(g)) * black / 255), byte((255 - int(b)) * black / 255), 255})
	}
	checkFields(t, shown(t, prepare(t, Recipe{}, data)), want)
}

// checkFields compares the middle of four 8×8 fields, with what the
// quantisation of the file can move.
func checkFields(t *testing.T, m image.Image, want []color.RGBA) {
	t.Helper()
	for i, w := range want {
		c := color.RGBAModel.Convert(m.At(8*(i%2)+4, 8*(i/2)+4)).(color.RGBA)
		for _, pair := range [][2]byte{{c.R, w.R}, {c.G, w.G}, {c.B, w.B}} {
			if d := int(pair[0]) - int(pair[1]); d < -3 || d > 3 {
				t.Errorf("field %d is %v, want %v", i, c, w)
			}
		}
	}
}

// TestJPEGCut cuts files at every byte, the end marker's included.
func TestJPEGCut(t *testing.T) {
	for _, name := range append([]string{"cmyk.jpg", "rgb.jpg"}, whole...) {
		data := testdata(t, name)
		for n := range data {
			if _, err := (Recipe{}).Prepare(data[:n]); err == nil {
				t.Errorf("%s passes with %d of %d bytes", name, n, len(data))
			}
			// The same with an end marker, as careless programs repair it.
			if mended := append(slices.Clone(data[:n]), 0xff, eoi); n < len(data)-2 {
				if _, err := (Recipe{}).Prepare(mended); err == nil {
					t.Errorf("%s passes with %d of %d bytes and an end marker", name, n, len(data))
				}
			}
		}
	}
}

// TestJPEGLies changes the size in the frame header by one row or column of
// blocks, which leaves data over or takes blocks away.
func TestJPEGLies(t *testing.T) {
	for _, name := range whole {
		for _, change := range []struct{ at, by int }{{5, -8}, {5, 8}, {7, -8}, {7, 8}, {5, -16}, {7, 16}} {
			data := testdata(t, name)
			frame := bytes.Index(data, []byte{0xff, sof0})
			if frame < 0 {
				frame = bytes.Index(data, []byte{0xff, sof2})
			}
			field := data[frame+change.at:]
			old := binary.BigEndian.Uint16(field)
			binary.BigEndian.PutUint16(field, uint16(int(old)+change.by))
			if change.by == 8 || change.by == -8 {
				// Files with subsampled colours count in blocks of 16.
				if h, ok := (Recipe{}).open(data); ok == nil && h.(*jpegFile).frame.hmax*h.(*jpegFile).frame.vmax > 1 {
					continue
				}
			}
			if _, err := (Recipe{}).Prepare(data); err == nil {
				t.Errorf("%s passes with %d changed to %d", name, old, int(old)+change.by)
			}
		}
	}
}

// TestJPEGScansAreComplete leaves out every scan of progressive files, and
// repeats it.
func TestJPEGScansAreComplete(t *testing.T) {
	for _, name := range []string{"progressive.jpg", "grey_progressive.jpg", "separate_scans.jpg"} {
		data := testdata(t, name)
		f, err := openJPEG(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.readScans(); err != nil {
			t.Fatal(err)
		}
		scans := 0
		for _, place := range f.kept {
			part := data[place[0]:place[1]]
			if part[1] != sos {
				continue
			}
			scans++
			_, err := Recipe{}.Prepare(slices.Concat(data[:place[0]], data[place[1]:]))
			if err == nil {
				t.Errorf("%s passes without scan %d", name, scans)
			}
			if _, err := (Recipe{}).Prepare(slices.Concat(data[:place[1]], part, data[place[1]:])); err == nil {
				t.Errorf("%s passes with scan %d twice", name, scans)
			}
		}
		if scans < 3 {
			t.Errorf("%s has %d scans", name, scans)
		}
	}
}

func TestJPEGRefused(t *testing.T) {
	base := testdata(t, "baseline.jpg")
	without := func(data []byte, marker byte) []byte {
		at := segmentAt(t, data, marker)
		return slices.Delete(slices.Clone(data), at, at+2+int(binary.BigEndian.Uint16(data[at+2:])))
	}
	with := func(data []byte, at int, values ...byte) []byte {
		out := slices.Clone(data)
		copy(out[at:], values)
		return out
	}
	frame := segmentAt(t, base, sof0)
	quant := segmentAt(t, base, dqt)
	huff := segmentAt(t, base, dht)
	progressive := testdata(t, "progressive.jpg")
	end := base[:len(base)-2]
	cmyk := testdata(t, "cmyk.jpg")
	cases := []struct {
		name string
		data []byte
		kind error
		want string
	}{
		{"no end marker", end, ErrDamaged, "before its end marker"},
		{"bytes left over", append(slices.Clone(end), 7, 7, 7, 7, 7, 7, 0xff, eoi), ErrDamaged, "more data than its picture has blocks"},
		{"a byte left over within", append(slices.Clone(end), 7, 0xff, com, 0, 2, 0xff, eoi), ErrDamaged, "left over within"},
		{"a byte left over of a progressive", append(slices.Clone(progressive[:len(progressive)-2]), 7, 0xff, eoi), ErrDamaged, "more data than its picture has blocks"},
		{"only tables", append(slices.Clone(base[:frame]), 0xff, eoi), ErrDamaged, "before its picture"},
		{"no frame", without(base, sof0), ErrDamaged, "without a frame"},
		{"two frames", withSegments(base, base[frame:frame+2+int(binary.BigEndian.Uint16(base[frame+2:]))]), ErrDamaged, "second frame"},
		{"no quantisation", without(without(base, dqt), dqt), ErrDamaged, "quantisation table 0 is missing"},
		{"quantised by zero", with(base, quant+5, 0), ErrDamaged, "with a zero"},
		{"no codes", without(base, dht), ErrDamaged, "Huffman table is missing"},
		{"too many codes", with(base, huff+5, 3), ErrDamaged, "not a code"},
		{"width 0", with(base, frame+7, 0, 0), ErrDamaged, "no pixels"},
		{"height 0", with(base, frame+5, 0, 0), ErrUnsupported, "told after the picture"},
		{"a long side", with(base, frame+7, 0xff, 0xff), ErrTooLarge, "above 65500"},
		{"many pixels", with(base, frame+5, 0x80, 0, 0x80, 0), ErrTooLarge, "more than 100 million"},
		{"many progressive pixels", with(progressive, segmentAt(t, progressive, sof2)+5, 0x20, 0, 0x20, 0), ErrTooLarge, "more than 50 million"},
		{"more pixels than data", with(base, frame+5, 0x20, 0, 0x20, 0), ErrDamaged, "before its last block"},
		{"12 bits", with(base, frame+4, 12), ErrUnsupported, "12-bit"},
		{"lossless", with(base, frame+1, 0xc3), ErrUnsupported, "lossless"},
		{"arithmetic", testdata(t, "arithmetic.jpg"), ErrUnsupported, "arithmetic"},
		{"JPEG-LS", with(base, frame+1, 0xf7), ErrUnsupported, "JPEG-LS"},
		{"restarts that the decoder miscounts", testdata(t, "progressive_restart.jpg"), ErrUnsupported, "restart markers"},
		{"four colours without Adobe's word", without(cmyk, appE), ErrUnsupported, "unknown color model"},
		{"bytes between segments", slices.Insert(slices.Clone(base), frame, 1, 2), ErrDamaged, "no marker"},
		{"a segment without end", withSegments(base, []byte{0xff, com, 0xff, 0xff}), ErrDamaged, "a segment of 65535 bytes"},
		{"a segment of length 1", withSegments(base, []byte{0xff, com, 0, 1}), ErrDamaged, "a segment of 1 bytes"},
		{"many segments", withSegments(base, slices.Repeat(segmentOf(com, nil), maxSegments)), ErrTooLarge, "segments"},
		{"a picture in a picture", withSegments(base, []byte{0xff, soi}), ErrDamaged, "marker 0xd8"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Recipe{}.Prepare(c.data)
			checkError(t, err, "jpeg", c.kind, c.want)
		})
	}
}

// TestJPEGRestarts takes away, and exchanges, restart markers.
func TestJPEGRestarts(t *testing.T) {
	data := testdata(t, "restart.jpg")
	count := 0
	for i := range data[:len(data)-1] {
		if data[i] != 0xff || data[i+1] < rst0 || data[i+1] > rst7 {
			continue
		}
		count++
		if _, err := (Recipe{}).Prepare(slices.Concat(data[:i], data[i+2:])); err == nil {
			t.Errorf("passes without the marker at %d", i)
		}
		changed := slices.Clone(data)
		changed[i+1] = rst0 + (changed[i+1]+1)%8
		if _, err := (Recipe{}).Prepare(changed); err == nil {
			t.Errorf("passes with another marker at %d", i)
		}
	}
	if count < 2 {
		t.Errorf("%d restart markers", count)
	}
	spare := append(slices.Clone(data[:len(data)-2]), 0xff, rst0, 0xff, 0xff, eoi)
	if got := prepare(t, Recipe{}, spare); !samePixels(shown(t, got), shown(t, prepare(t, Recipe{}, data))) {
		t.Error("a spare restart marker and a fill byte change the picture")
	}
}

// TestJPEGSpareBytes puts bytes between the last block and the end marker, as
// some cameras and scanners do.
func TestJPEGSpareBytes(t *testing.T) {
	// 40×24 pixels are 3×2 units of 6 blocks, each of 4 bits at least: a row has 3·24
	// bits or more, a column 2·24, so that 6 bytes could be one.
	base := testdata(t, "baseline.jpg")
	end := base[:len(base)-2]
	plain := prepare(t, Recipe{}, base)
	for name, spare := range map[string][]byte{
		"zero": {0}, "one": {0x7f}, "two": {0, 0}, "five": {1, 2, 3, 4, 5}, "a stuffed byte": {0xff, 0}, "three with one": {9, 0xff, 0, 9},
	} {
		got := prepare(t, Recipe{}, slices.Concat(end, spare, []byte{0xff, eoi}))
		n := len(spare)
		if bytes.Contains(spare, []byte{0xff, 0}) {
			n--
		}
		step := fmt.Sprintf("left out %d spare bytes before the end marker", n)
		if !bytes.Equal(got.Data, plain.Data) || got.Steps[0] != "passed" || got.Steps[1] != step {
			t.Errorf("%s: steps %q, or another picture", name, got.Steps)
		}
	}
}

// TestJPEGSpareBytesAreNoRows makes pictures smaller by a row or a column of
// blocks, of the kind that needs the fewest bits.
func TestJPEGSpareBytesAreNoRows(t *testing.T) {
	for _, size := range []image.Point{{16, 16}, {16, 64}, {64, 16}, {24, 40}, {512, 512}, {16, 2000}} {
		for name, m := range map[string]image.Image{"grey": image.NewGray(image.Rectangle{Max: size}), "colour": image.NewRGBA(image.Rectangle{Max: size})} {
			data := encodeJPEG(t, m)
			frame := segmentAt(t, data, sof0)
			by := 8
			if name == "colour" {
				by = 16
			}
			for _, at := range []int{5, 7} {
				lie := slices.Clone(data)
				side := int(binary.BigEndian.Uint16(lie[frame+at:])) - by
				binary.BigEndian.PutUint16(lie[frame+at:], uint16(side))
				if _, err := (Recipe{}).Prepare(lie); side > 0 && err == nil {
					t.Errorf("%s of %v passes with a side of %d", name, size, side)
				}
			}
		}
	}
}
