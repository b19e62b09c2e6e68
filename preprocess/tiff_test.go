package preprocess

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/tiff"

	"lightbox/preprocess/dicom"
)

// tag is a field of a TIFF: whole numbers of a type of 1, 2 or 4 bytes.
type tag struct {
	id     uint16
	kind   uint16
	values []int
}

// short is a field of 16-bit numbers, long one of 32 bits.
func short(id uint16, values ...int) tag { return tag{id, typeShort, values} }
func long(id uint16, values ...int) tag  { return tag{id, typeLong, values} }

// tiffOf is a file of one directory. The places and sizes of the strips are added;
// fields given later replace earlier ones of the same number, and those without a
// type take it away.
func tiffOf(order binary.AppendByteOrder, strips [][]byte, tags ...tag) []byte {
	out := []byte("II*\x00\x00\x00\x00\x00")
	if order.String() == "BigEndian" {
		out = []byte("MM\x00*\x00\x00\x00\x00")
	}
	at, size := long(tagStripOffsets), long(tagStripCounts)
	for _, s := range strips {
		at.values, size.values = append(at.values, len(out)), append(size.values, len(s))
		out = append(out, s...)
	}
	fields := map[uint16]tag{}
	for _, f := range append([]tag{at, size}, tags...) {
		fields[f.id] = f
	}
	maps.DeleteFunc(fields, func(_ uint16, f tag) bool { return f.kind == 0 })
	directory := order.AppendUint16(nil, uint16(len(fields)))
	for _, id := range slices.Sorted(maps.Keys(fields)) {
		f := fields[id]
		directory = order.AppendUint16(directory, id)
		directory = order.AppendUint16(directory, f.kind)
		directory = order.AppendUint32(directory, uint32(len(f.values)))
		value := f.packed(order)
		if len(value) > 4 {
			directory = order.AppendUint32(directory, uint32(len(out)))
			out = append(out, value...)
		} else {
			directory = append(directory, append(value, 0, 0, 0, 0)[:4]...)
		}
	}
	order.(binary.ByteOrder).PutUint32(out[4:], uint32(len(out)))
	return order.AppendUint32(append(out, directory...), 0)
}

// packed is the values as bytes.
func (f tag) packed(order binary.AppendByteOrder) []byte {
	var b []byte
	for _, v := range f.values {
		switch fieldBytes[f.kind] {
		case 1:
			b = append(b, byte(v))
		case 2:
			b = order.AppendUint16(b, uint16(v))
		default:
			b = order.AppendUint32(b, uint32(v))
		}
	}
	return b
}

// greyTIFF is a picture of 3×2 grey pixels of 8 bits in one strip, 10 to 60, with
// fields changed or added.
func greyTIFF(tags ...tag) []byte {
	base := []tag{
		short(tagWidth, 3), short(tagHeight, 2), short(tagBits, 8), short(tagCompression, tiffPlain),
		short(tagPhotometric, blackIsZero), short(tagSamples, 1), short(tagRowsPerStrip, 2),
	}
	return tiffOf(binary.LittleEndian, [][]byte{{10, 20, 30, 40, 50, 60}}, append(base, tags...)...)
}

// pixelTIFF is one row of pixels from their bytes.
func pixelTIFF(order binary.AppendByteOrder, width, bits, samples, meaning int, data []byte, tags ...tag) []byte {
	base := []tag{
		short(tagWidth, width), short(tagHeight, 1), short(tagBits, slices.Repeat([]int{bits}, samples)...),
		short(tagPhotometric, meaning), short(tagSamples, samples),
	}
	return tiffOf(order, [][]byte{data}, append(base, tags...)...)
}

func TestTIFFSamples(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	colours := make([]int, 3*256)
	for i := range 256 {
		colours[i], colours[256+i], colours[512+i] = 257*i, 256*(255-i), 256*(i/2)
	}
	small := make([]int, 3*4)
	for i := range small {
		small[i] = 20 * i // a palette of 8-bit numbers
	}
	cases := []struct {
		name  string
		data  []byte
		want  []color.RGBA
		steps []string
	}{
		{"1 bit", pixelTIFF(le, 3, 1, 1, blackIsZero, []byte{0xa0}), greyRow(255, 0, 255), nil},
		{"1 bit, white is zero", pixelTIFF(le, 3, 1, 1, whiteIsZero, []byte{0xa0}), greyRow(0, 255, 0), []string{"inverted: white is zero"}},
		{"2 bits", pixelTIFF(le, 4, 2, 1, blackIsZero, []byte{0x1b}), greyRow(0, 85, 170, 255), nil},
		{"4 bits", pixelTIFF(le, 3, 4, 1, blackIsZero, []byte{0x5a, 0xf0}), greyRow(85, 170, 255), nil},
		{"8 bits, white is zero", pixelTIFF(le, 3, 8, 1, whiteIsZero, []byte{0, 1, 255}), greyRow(255, 254, 0), []string{"inverted: white is zero"}},
		{"lowest bit first", pixelTIFF(le, 3, 8, 1, blackIsZero, []byte{0x01, 0x80, 0x13}, short(tagFillOrder, 2)), greyRow(0x80, 0x01, 0xc8), nil},
		{
			"grey with alpha", pixelTIFF(le, 3, 8, 2, blackIsZero, []byte{100, 255, 100, 0, 100, 128}, short(tagExtraSamples, extraAlpha)),
			greyRow(100, 255, 177),
			[]string{"composited on white"},
		},
		{
			"grey with something", pixelTIFF(le, 2, 8, 2, blackIsZero, []byte{100, 255, 101, 0}, short(tagExtraSamples, 0)),
			greyRow(100, 101),
			[]string{"left out samples: 1 of 2"},
		},
		{"RGB", pixelTIFF(le, 1, 8, 3, tiffRGB, []byte{1, 2, 3}), []color.RGBA{{1, 2, 3, 255}}, nil},
		{
			"RGB with three more", pixelTIFF(le, 1, 8, 6, tiffRGB, []byte{1, 2, 3, 4, 128, 6}, short(tagExtraSamples, 0, extraAlpha, 0)),
			[]color.RGBA{{128, 128, 129, 255}},
			[]string{"left out samples: 2 of 6", "composited on white"},
		},
		{
			"RGB multiplied by alpha", pixelTIFF(le, 3, 8, 4, tiffRGB, []byte{10, 60, 100, 100, 9, 9, 9, 0, 1, 2, 3, 255}, short(tagExtraSamples, extraAssociated)),
			[]color.RGBA{{165, 215, 255, 255}, {255, 255, 255, 255}, {1, 2, 3, 255}},
			[]string{"composited on white"},
		},
		{
			"CMYK", pixelTIFF(le, 3, 8, 4, tiffCMYK, []byte{255, 0, 0, 0, 0, 128, 255, 0, 0, 0, 0, 255}),
			[]color.RGBA{{0, 255, 255, 255}, {255, 127, 0, 255}, {0, 0, 0, 255}},
			[]string{"cmyk to rgb"},
		},
		{"palette", pixelTIFF(be, 2, 8, 1, tiffPalette, []byte{7, 200}, short(tagColours, colours...)), []color.RGBA{{7, 248, 3, 255}, {200, 55, 100, 255}}, nil},
		{"palette of 8 bits", pixelTIFF(le, 2, 2, 1, tiffPalette, []byte{0x60}, short(tagColours, small...)), []color.RGBA{{20, 100, 180, 255}, {40, 120, 200, 255}}, nil},
		{"no compression said", pixelTIFF(be, 1, 8, 1, blackIsZero, []byte{9}), greyRow(9), nil},
		{"one depth for all", pixelTIFF(le, 1, 8, 3, tiffRGB, []byte{1, 2, 3}, short(tagBits, 8)), []color.RGBA{{1, 2, 3, 255}}, nil},
		{
			"PackBits", pixelTIFF(le, 7, 8, 1, blackIsZero, []byte{0x80, 2, 1, 2, 3, 0xfe, 4, 0, 5}, long(tagCompression, tiffPackBits)),
			greyRow(1, 2, 3, 4, 4, 4, 5), nil,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := prepare(t, Recipe{}, c.data)
			if diff := cmp.Diff(append(c.steps, "re-encoded png"), withoutEven(got.Steps)); diff != "" {
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

func greyRow(values ...byte) []color.RGBA {
	var out []color.RGBA
	for _, v := range values {
		out = append(out, color.RGBA{v, v, v, 255})
	}
	return out
}

// TestDeepPicturesComeOutBright checks that pictures of 12 bits in 16 use the
// whole range afterwards, whatever the format, the order of bytes and the alpha.
func TestDeepPicturesComeOutBright(t *testing.T) {
	const w, h = 64, 50
	value := func(x, y int) uint16 { return uint16((x + w*y) * 4095 / (w*h - 1)) }
	grey := image.NewGray16(image.Rect(0, 0, w, h))
	rgb := image.NewRGBA64(grey.Rect)
	for y := range h {
		for x := range w {
			v := value(x, y)
			grey.SetGray16(x, y, color.Gray16{v})
			rgb.SetRGBA64(x, y, color.RGBA64{v, v / 2, v, 65535})
		}
	}
	file := func(order binary.AppendByteOrder, samples, meaning int, extra ...tag) []byte {
		var data []byte
		for y := range h {
			for x := range w {
				v := value(x, y)
				for i := range samples {
					data = order.AppendUint16(data, []uint16{v, v / 2, v, 65535}[i%4])
				}
			}
		}
		tags := []tag{
			short(tagWidth, w), short(tagHeight, h), short(tagBits, slices.Repeat([]int{16}, samples)...),
			short(tagPhotometric, meaning), short(tagSamples, samples),
		}
		return tiffOf(order, [][]byte{data}, append(tags, extra...)...)
	}
	le, be := binary.LittleEndian, binary.BigEndian
	for name, data := range map[string][]byte{
		"grey PNG": encodePNG(t, grey), "RGB PNG": encodePNG(t, rgb),
		"grey TIFF": file(le, 1, blackIsZero), "grey TIFF, big-endian": file(be, 1, blackIsZero),
		"RGB TIFF": file(le, 3, tiffRGB), "RGB TIFF, big-endian": file(be, 3, tiffRGB),
		"RGBA TIFF": file(le, 4, tiffRGB, short(tagExtraSamples, extraAlpha)),
	} {
		got := prepare(t, Recipe{}, data)
		m := shown(t, got)
		first, last := color.NRGBAModel.Convert(m.At(0, 0)).(color.NRGBA), color.NRGBAModel.Convert(m.At(w-1, h-1)).(color.NRGBA)
		if first.R != 0 || last.R <= 250 || last.B <= 250 {
			t.Errorf("%s: from %v to %v, steps %q", name, first, last, got.Steps)
		}
	}
	dark := shown(t, prepare(t, Recipe{}, file(be, 1, whiteIsZero)))
	if a, b := rows(t, dark)[0][0], rows(t, dark)[h-1][w-1]; a <= 250 || b != 0 {
		t.Errorf("white is zero: from %d to %d", a, b)
	}
}

// TestTIFFAgainstTheDecoder compares with another reader of the format, in what
// that one reads.
func TestTIFFAgainstTheDecoder(t *testing.T) {
	for _, name := range []string{"grey_lzw.tiff", "white_is_zero.tiff", "tiles.tiff", "group4.tiff", "pages.tiff"} {
		data := testdata(t, name)
		want, err := tiff.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if !samePixels(shown(t, prepare(t, Recipe{}, data)), want) {
			t.Errorf("%s: another picture", name)
		}
	}
	colour := noisy(37, 29)
	for _, o := range []tiff.Options{{}, {Compression: tiff.Deflate}, {Compression: tiff.Deflate, Predictor: true}} {
		var b bytes.Buffer
		if err := tiff.Encode(&b, colour, &o); err != nil {
			t.Fatal(err)
		}
		if got := prepare(t, Recipe{}, b.Bytes()); !samePixels(shown(t, got), colour) {
			t.Errorf("%+v: another picture", o)
		}
	}
}

func TestTIFFRefused(t *testing.T) {
	good := greyTIFF()
	bigtiff := append([]byte("II+\x00\x08\x00\x00\x00"), make([]byte, 16)...)
	circle := slices.Clone(good)
	copy(circle[len(circle)-4:], circle[4:8])
	beyond := slices.Clone(good)
	copy(beyond[len(beyond)-4:], "\xff\xff\xff\x7f")
	nowhere := append([]byte("II*\x00"), 0, 0, 0, 0)
	twice := tiffOf(binary.LittleEndian, [][]byte{{1}}, short(tagWidth, 1), short(tagHeight, 1), short(tagBits, 8), short(tagPhotometric, 1))
	copy(twice[int(binary.LittleEndian.Uint32(twice[4:]))+2+12:], "\x00\x01") // height becomes a second width
	zip := deflated([]byte{10, 20, 30, 40, 50, 60})
	badSum := slices.Clone(zip)
	badSum[len(badSum)-1]++
	strip := func(data []byte, tags ...tag) []byte {
		base := []tag{short(tagWidth, 3), short(tagHeight, 2), short(tagBits, 8), short(tagPhotometric, blackIsZero)}
		return tiffOf(binary.LittleEndian, [][]byte{data}, append(base, tags...)...)
	}
	cases := []struct {
		name string
		data []byte
		kind error
		want string
	}{
		{"cut in the header", good[:6], ErrDamaged, "ends in its header"},
		{"no directory", nowhere, ErrDamaged, "no picture data"},
		{"directories in a circle", circle, ErrDamaged, "in a circle"},
		{"a second directory behind the end", beyond, ErrDamaged, "behind the end"},
		{"a field twice", twice, ErrDamaged, "field 256 comes twice"},
		{"width 0", greyTIFF(short(tagWidth, 0)), ErrDamaged, "no pixels"},
		{"a long side", greyTIFF(long(tagWidth, 65501)), ErrTooLarge, "above 65500"},
		{"many pixels", greyTIFF(long(tagWidth, 20000), long(tagHeight, 20000)), ErrTooLarge, "more than 100 million"},
		{"many deep pixels", greyTIFF(long(tagWidth, 8000), long(tagHeight, 8000), short(tagBits, 16)), ErrTooLarge, "more than 50 million"},
		{"12 bits", greyTIFF(short(tagBits, 12)), ErrUnsupported, "12-bit samples"},
		{"32 bits", greyTIFF(short(tagBits, 32)), ErrUnsupported, "32-bit samples"},
		{"floating point", greyTIFF(short(tagBits, 32), short(tagSampleFormats, 3)), ErrUnsupported, "floating-point samples of 32 bits"},
		{"signed", greyTIFF(short(tagBits, 16), short(tagSampleFormats, 2)), ErrUnsupported, "signed samples of 16 bits"},
		{"depths that differ", greyTIFF(short(tagBits, 5, 6, 5), short(tagSamples, 3), short(tagPhotometric, tiffRGB)), ErrUnsupported, "6 bits beside 5"},
		{"RGB of 4 bits", greyTIFF(short(tagBits, 4, 4, 4), short(tagSamples, 3), short(tagPhotometric, tiffRGB)), ErrUnsupported, "4-bit samples"},
		{"CMYK of 16 bits", greyTIFF(short(tagBits, 16), short(tagSamples, 4), short(tagPhotometric, tiffCMYK)), ErrUnsupported, "16-bit samples"},
		{"CMYK with alpha", greyTIFF(short(tagSamples, 5), short(tagPhotometric, tiffCMYK), short(tagExtraSamples, 2)), ErrUnsupported, "with alpha"},
		{"other inks", greyTIFF(short(tagSamples, 4), short(tagPhotometric, tiffCMYK), short(tagInks, 2)), ErrUnsupported, "inks"},
		{"white as zero with alpha", greyTIFF(short(tagSamples, 2), short(tagPhotometric, whiteIsZero), short(tagExtraSamples, 2)), ErrUnsupported, "with alpha"},
		{"many samples", greyTIFF(short(tagSamples, 17)), ErrUnsupported, "17 samples"},
		{"no meaning", greyTIFF(tag{id: tagPhotometric}), ErrDamaged, "nothing says"},
		{"YCbCr", greyTIFF(short(tagPhotometric, 6)), ErrUnsupported, "YCbCr colours"},
		{"filter array", greyTIFF(long(tagPhotometric, 32803)), ErrUnsupported, "colour filter array"},
		{"unknown colours", greyTIFF(short(tagPhotometric, 77)), ErrUnsupported, "unknown colours (77)"},
		{"RGB of one sample", greyTIFF(short(tagPhotometric, tiffRGB)), ErrDamaged, "1 samples a pixel for 3 colours"},
		{"no palette", greyTIFF(short(tagPhotometric, tiffPalette)), ErrDamaged, "a palette of 0 numbers"},
		{"palette with more samples", greyTIFF(short(tagPhotometric, tiffPalette), short(tagSamples, 2)), ErrUnsupported, "a palette with 2 samples"},
		{"JPEG", greyTIFF(short(tagCompression, 7)), ErrUnsupported, "JPEG compression"},
		{"unknown compression", greyTIFF(short(tagCompression, 99)), ErrUnsupported, "unknown compression (99)"},
		{"fax of grey", greyTIFF(short(tagCompression, tiffGroup4)), ErrDamaged, "fax compression of 1 samples of 8 bits"},
		{"fax in two dimensions", greyTIFF(short(tagBits, 1), short(tagCompression, tiffGroup3), long(tagFax3, 1)), ErrUnsupported, "fax compression with options"},
		{"floating-point predictor", greyTIFF(short(tagCompression, tiffLZW), short(tagPredictor, 3)), ErrUnsupported, "predictor 3"},
		{"a small copy", greyTIFF(long(tagSubfile, 1)), ErrUnsupported, "small copy"},
		{"no rows a strip", greyTIFF(short(tagRowsPerStrip, 0)), ErrDamaged, "strips or tiles of 3x0"},
		{"too few strips", greyTIFF(short(tagRowsPerStrip, 1)), ErrDamaged, "1 places and 1 sizes for 2"},
		{"no strips", greyTIFF(tag{id: tagStripOffsets}), ErrDamaged, "0 places"},
		{"no sizes", greyTIFF(tag{id: tagStripCounts}), ErrDamaged, "0 sizes"},
		{"a strip behind the file", greyTIFF(long(tagStripOffsets, 4000)), ErrDamaged, "ends behind the file"},
		{"a large strip", greyTIFF(long(tagStripCounts, math.MaxUint32)), ErrDamaged, "ends behind the file"},
		{"an empty strip", greyTIFF(long(tagStripCounts, 0)), ErrDamaged, "is missing"},
		{"a short strip", greyTIFF(long(tagStripCounts, 5)), ErrDamaged, "cannot hold"},
		{"a row too many", strip(make([]byte, 9)), ErrDamaged, "more than its rows"},
		{"strips that share bytes", greyTIFF(long(tagHeight, 80), short(tagRowsPerStrip, 2), long(tagStripOffsets, slices.Repeat([]int{8}, 40)...), long(tagStripCounts, slices.Repeat([]int{60}, 40)...)), ErrDamaged, "share bytes"},
		{"large tiles", greyTIFF(long(tagTileWidth, 65500), long(tagTileHeight, 65500)), ErrTooLarge, "tiles of 65500x65500"},
		{"a wrong checksum", strip(badSum, short(tagCompression, tiffDeflate)), ErrDamaged, "to its end: zlib: invalid checksum"},
		{"no checksum", strip(zip[:len(zip)-4], short(tagCompression, tiffDeflate)), ErrDamaged, "to its end: unexpected EOF"},
		{"cut deflate", strip(zip[:6], short(tagCompression, tiffDeflate)), ErrDamaged, "before its last row"},
		{"no deflate", strip([]byte("abcdefgh"), short(tagCompression, tiffDeflate)), ErrDamaged, "cannot be unpacked"},
		{"cut PackBits", strip([]byte{5, 1, 2, 3, 4, 5}, long(tagCompression, tiffPackBits)), ErrDamaged, "before its last row"},
		{"wrong LZW", strip([]byte{0xff, 0xff, 0xff}, short(tagCompression, tiffLZW)), ErrDamaged, "lzw: invalid code"},
		{"cut fax", pixelTIFF(binary.LittleEndian, 90, 1, 1, whiteIsZero, []byte{0x20}, short(tagCompression, tiffGroup4)), ErrDamaged, "before its last row"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Recipe{}.Prepare(c.data)
			checkError(t, err, "tiff", c.kind, c.want)
		})
	}
	_, err := Recipe{}.Prepare(bigtiff)
	checkError(t, err, "bigtiff", ErrUnsupported, "not read")
}

// TestTIFFLies changes the numbers that say how large a picture is. Some lies
// cannot be told from the truth: tiles are filled up beyond the picture's edges,
// rows of 4 bits to a whole byte, and the last run of a Group 4 row says that it
// goes to the edge, not where that is.
func TestTIFFLies(t *testing.T) {
	for _, c := range made {
		data := testdata(t, c.name)
		f, err := Recipe{}.open(data)
		if _, is := f.(*tiffFile); err != nil || !is {
			continue
		}
		for _, tag := range []uint16{tagWidth, tagHeight, tagBits, tagSamples, tagCompression, tagRowsPerStrip, tagStripCounts} {
			for _, by := range []int{-8, -1, 1, 8, 300} {
				lie := changedField(t, data, tag, by)
				hidden := c.name == "tiles.tiff" && by < 300 ||
					tag == tagWidth && (c.name == "group4.tiff" && by > 0 || c.name == "palette_packbits.tiff" && by == -1)
				if lie == nil || hidden {
					continue
				}
				if got, err := (Recipe{}).Prepare(lie); err == nil && !sameLook(t, c.name, got) {
					t.Errorf("%s passes with field %d changed by %d: %q", c.name, tag, by, got.Steps)
				}
			}
		}
	}
}

// sameLook tells whether a prepared picture is the one of the file: some lies
// change nothing.
func sameLook(t *testing.T, name string, got Image) bool {
	return samePixels(shown(t, got), shown(t, prepare(t, Recipe{}, testdata(t, name))))
}

// changedField is a copy of the file with another first value of a field, nil
// where there is no such field.
func changedField(t *testing.T, data []byte, id uint16, by int) []byte {
	t.Helper()
	out := slices.Clone(data)
	f, err := openTIFF(out, dicom.Window{})
	if err != nil {
		t.Fatal(err)
	}
	field, ok := f.fields[id]
	if !ok {
		return nil
	}
	v := field.at(0) + by // the field's bytes are those of out
	switch order := f.order; field.kind {
	case typeShort:
		order.PutUint16(field.data, uint16(v))
	case typeLong:
		order.PutUint32(field.data, uint32(v))
	}
	return out
}

// TestLZWWithoutEnd accepts what some writers leave out when all rows are there.
func TestLZWWithoutEnd(t *testing.T) {
	var b bytes.Buffer
	w := lzw.NewWriter(&b, lzw.MSB, 8) // the same as in TIFF for so few codes
	fmt.Fprint(w, "abcdef")
	w.Close()
	file := func(data []byte) []byte {
		return tiffOf(binary.LittleEndian, [][]byte{data}, short(tagWidth, 3), short(tagHeight, 2), short(tagBits, 8),
			short(tagPhotometric, blackIsZero), short(tagCompression, tiffLZW))
	}
	want := [][]byte{[]byte("abc"), []byte("def")}
	for n := len(b.Bytes()); n >= len(b.Bytes())-1; n-- {
		if diff := cmp.Diff(want, rows(t, shown(t, prepare(t, Recipe{}, file(b.Bytes()[:n]))))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOrientedTIFF(t *testing.T) {
	for value, want := range upright {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, kind := range []uint16{typeShort, typeLong} {
				got := prepare(t, Recipe{}, tiffOf(order, [][]byte{{1, 2, 3, 4, 5, 6}}, short(tagWidth, 3), short(tagHeight, 2), short(tagBits, 8),
					short(tagPhotometric, blackIsZero), tag{orientationTag, kind, []int{value}}))
				if diff := cmp.Diff(want, rows(t, shown(t, got))); diff != "" {
					t.Errorf("orientation %d: %s", value, diff)
				}
			}
		}
	}
}
