package preprocess

import (
	"encoding/binary"
	"errors"
	"image"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fuzzPixels keeps a fuzzed picture quick; the limits have their own tests.
const fuzzPixels = 1 << 22

func FuzzPrepare(f *testing.F) {
	for _, name := range append([]string{"cmyk.jpg", "rgb.jpg", "progressive_restart.jpg", "arithmetic.jpg"}, whole...) {
		f.Add(testdata(f, name), 20, 8, 0)
	}
	f.Add(encodePNG(f, noisy(9, 7)), 5, 3, 1)
	f.Add(encodePNG(f, deepRamp(8, 8, 300)), 0, 28, 2)
	f.Add(rawPNG(ihdr(2, 1, 8, pngPalette, 0), append(chunkOf("PLTE", []byte{1, 2, 3}), chunkOf("tRNS", []byte{9})...), []byte{0, 0, 0}), 1, 1, 0)
	f.Add(rawPNG(ihdr(1, 2, 8, pngGrey, 1), append(gama(100000), chunkOf("eXIf", exifOf("MM", typeShort, 7))...), []byte{0, 7, 0, 8}), 1, 1, 0)
	f.Fuzz(func(t *testing.T, data []byte, maxSide, minSide, format int) {
		r := Recipe{MaxSide: maxSide & 0xff, MinSide: minSide & 0x3f, Format: []Format{Auto, PNG, JPEG}[uint(format)%3]}
		checkPrepared(t, r, data)
	})
}

// FuzzPNG makes files whose checksums and compression are right, which FuzzPrepare
// would not find.
func FuzzPNG(f *testing.F) {
	f.Add(uint16(2), uint16(2), byte(8), byte(pngGrey), byte(0), "gAMA", []byte{0, 1, 0x86, 0xa0}, []byte{0, 1, 2, 0, 3, 4})
	f.Add(uint16(2), uint16(1), byte(8), byte(pngPalette), byte(0), "PLTE", []byte{1, 2, 3}, []byte{0, 0, 0})
	f.Add(uint16(1), uint16(2), byte(16), byte(pngGreyAlpha), byte(1), "eXIf", exifOf("II", typeShort, 5), []byte{0, 1, 2, 3, 4, 0, 1, 2, 3, 4})
	f.Add(uint16(1), uint16(1), byte(8), byte(pngRGB), byte(0), "tRNS", []byte{0, 1, 0, 2, 0, 3}, []byte{4, 1, 2, 3})
	f.Fuzz(func(t *testing.T, w, h uint16, depth, colourType, interlace byte, name string, body, raw []byte) {
		if len(name) != 4 {
			t.Skip()
		}
		head := ihdr(uint32(w), uint32(h), depth, colourType, interlace)
		checkPrepared(t, Recipe{MaxSide: 40, MinSide: 4}, rawPNG(head, chunkOf(name, body), raw))
	})
}

// fuzzFormat fuzzes the files of one format, seeded with those of testdata that
// end in ext, and with more.
func fuzzFormat(f *testing.F, ext, format string, more ...[]byte) {
	for _, c := range made {
		if strings.HasSuffix(c.name, ext) && c.name != "large.webp" {
			f.Add(testdata(f, c.name))
		}
	}
	for _, data := range more {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if sniff(data) != format {
			t.Skip()
		}
		checkPrepared(t, Recipe{MaxSide: 40, MinSide: 4}, data)
	})
}

func FuzzTIFF(f *testing.F) {
	fuzzFormat(f, ".tiff", "tiff", greyTIFF(), greyTIFF(short(tagFillOrder, 2), short(tagExtraSamples, 2)),
		pixelTIFF(binary.BigEndian, 2, 16, 4, tiffRGB, make([]byte, 16), short(tagExtraSamples, 1)),
		pixelTIFF(binary.LittleEndian, 2, 8, 4, tiffCMYK, make([]byte, 8), short(orientationTag, 5)))
}

func FuzzWebP(f *testing.F) {
	fuzzFormat(f, ".webp", "webp", testdata(f, "three.webp"),
		webpOf(extended(8, 3, 2), pictureOf(f, "three.webp"), webpChunk("EXIF", exifOf("II", typeShort, 7))))
}

func FuzzBMP(f *testing.F) {
	fuzzFormat(f, ".bmp", "bmp", bmpOf(bmpInfo, 2, -1, 32, bmpFields, 3, rgbMasks, nil, make([]byte, 8)))
}

func FuzzGIF(f *testing.F) {
	fuzzFormat(f, ".gif", "gif", gifOf(f, 4, 3, indices(image.Rect(1, 1, 3, 2), 0, 3)))
}

// checkPrepared holds what comes of a file against the package's promises.
func checkPrepared(t *testing.T, r Recipe, data []byte) {
	t.Helper()
	if file, err := (Recipe{}).open(data); err == nil && file.header().w*file.header().h > fuzzPixels {
		t.Skip()
	}
	got, err := r.Prepare(data)
	if err != nil {
		checkRefusal(t, r, err)
		return
	}
	shown(t, got)
	if r.MaxSide > 0 && max(got.Width, got.Height) > r.MaxSide || min(got.Width, got.Height) < r.MinSide {
		t.Errorf("%dx%d for %+v", got.Width, got.Height, r)
	}
	if w, h, err := r.Measure(data); err != nil || w != got.Width || h != got.Height {
		t.Errorf("measured %dx%d (%v), prepared %dx%d", w, h, err, got.Width, got.Height)
	}
	// What was prepared is prepared: it passes unchanged.
	again, err := r.Prepare(got.Data)
	if err != nil || again.Digest != got.Digest {
		t.Errorf("preparing the result again: %v, %s", err, cmp.Diff(got.Steps, again.Steps))
	}
	if got.Steps[0] == "passed" {
		checkSameLook(t, data, got)
	}
}

// checkRefusal holds an error against its promise.
func checkRefusal(t *testing.T, r Recipe, err error) {
	t.Helper()
	var e *Error
	if r.Validate() == nil && !errors.As(err, &e) {
		t.Errorf("error of type %T", err)
	}
	kinds := 0
	for _, kind := range []error{ErrDamaged, ErrTooLarge, ErrUnsupported} {
		if errors.Is(err, kind) {
			kinds++
		}
	}
	if r.Validate() == nil && kinds != 1 {
		t.Errorf("%v is of %d kinds", err, kinds)
	}
}

// checkSameLook compares the picture of the file with that of what passed.
func checkSameLook(t *testing.T, data []byte, got Image) {
	t.Helper()
	f, err := Recipe{}.open(data)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if !samePixels(m, shown(t, got)) {
		t.Error("passing changed the picture")
	}
}
