package preprocess

import (
	"encoding/binary"
	"image"
	"runtime"
	"testing"
)

func TestUnknownFormats(t *testing.T) {
	dicom := append(make([]byte, 128), "DICM\x02\x00\x00\x00"...)
	cases := []struct {
		format string
		data   []byte
		kind   error
	}{
		{"unknown", nil, ErrDamaged},
		{"png", []byte("\x89PNG"), ErrDamaged},
		{"jpeg", []byte("\xff"), ErrDamaged},
		{"jpeg", []byte("\xff\xd8"), ErrDamaged},
		{"unknown", []byte("hello"), ErrUnsupported},
		{"gif", []byte("GIF89a\x01\x00\x01\x00"), ErrDamaged},
		{"webp", []byte("RIFF\x10\x00\x00\x00WEBPVP8 "), ErrDamaged},
		{"tiff", []byte("II*\x00\x08\x00\x00\x00"), ErrDamaged},
		{"tiff", []byte("MM\x00*"), ErrDamaged},
		{"bmp", []byte("BM\x10\x00\x00\x00"), ErrDamaged},
		{"bigtiff", []byte("II+\x00\x08\x00\x00\x00"), ErrUnsupported},
		{"dicom", dicom, ErrDamaged},
	}
	for _, c := range cases {
		_, err := Recipe{}.Prepare(c.data)
		checkError(t, err, c.format, c.kind, "reading "+c.format+" picture")
	}
}

func TestFileTooLarge(t *testing.T) {
	data := make([]byte, maxFileBytes+1)
	copy(data, pngSignature)
	_, err := Recipe{}.Prepare(data)
	checkError(t, err, "png", ErrTooLarge, "268435457 bytes")
}

// TestLyingHeadersCostNothing checks that a small file which declares a large
// picture is refused before memory is taken for it.
func TestLyingHeadersCostNothing(t *testing.T) {
	lyingJPEG := testdata(t, "baseline.jpg")
	size := lyingJPEG[segmentAt(t, lyingJPEG, sof0)+5:]
	binary.BigEndian.PutUint16(size, 9000)
	binary.BigEndian.PutUint16(size[2:], 9000)
	sized := func(tags ...tag) []byte {
		return greyTIFF(append(tags, long(tagWidth, 9000), long(tagHeight, 9000), long(tagRowsPerStrip, 9000))...)
	}
	alpha := append([]byte{1}, pictureOf(t, "lossless.webp")[8:]...)
	cases := []struct {
		name, format string
		data         []byte
	}{
		{"JPEG", "jpeg", lyingJPEG},
		{"PNG", "png", pngOf(ihdr(9000, 9000, 8, pngRGB, 0), chunkOf("IDAT", deflated([]byte{0, 7})), iend)},
		{"TIFF", "tiff", sized()},
		{"TIFF with LZW", "tiff", sized(short(tagCompression, tiffLZW))},
		{"TIFF with deflate", "tiff", sized(short(tagCompression, tiffDeflate))},
		{"TIFF with PackBits", "tiff", sized(long(tagCompression, tiffPackBits))},
		{"TIFF with Group 4", "tiff", sized(short(tagCompression, tiffGroup4), short(tagBits, 1))},
		{"TIFF of many samples", "tiff", sized(short(tagSamples, maxSamples))},
		{"TIFF of many strips", "tiff", sized(long(tagRowsPerStrip, 1))},
		{"TIFF of one large tile", "tiff", greyTIFF(long(tagTileWidth, 9000), long(tagTileHeight, 9000), long(tagTileOffsets, 8), long(tagTileCounts, 6))},
		{"TIFF with a long field", "tiff", greyTIFF(tag{tagStripOffsets, typeLong, nil}, tag{700, 1, make([]int, 5)})},
		{"WebP", "webp", vp8Size(t, "lossy.webp", 9000, 9000)},
		{"WebP without loss", "webp", vp8lSize(t, "lossless.webp", 7000, 7000)},
		{"WebP with alpha", "webp", webpOf(webpChunk("ALPH", alpha), vp8Size(t, "lossy.webp", 7000, 7000)[webpHead:])},
		{"WebP canvas", "webp", webpOf(extended(2, 9000, 9000), frameOf(0, 0, 24, 16, pictureOf(t, "lossy.webp")))},
		{"BMP", "bmp", bmpOf(bmpInfo, 9000, 9000, 24, 0, 0, nil, nil, make([]byte, 90))},
		{"GIF", "gif", []byte("GIF89a\x28\x23\x28\x23\x80\x00\x00\x00\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x28\x23\x28\x23\x00\x02\x01\x44\x00;")},
	}
	for _, c := range cases {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Recipe{MaxSide: 72}.Prepare(c.data)
		runtime.ReadMemStats(&after)
		checkError(t, err, c.format, ErrDamaged, "")
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", c.name, n)
		}
	}
}

// TestDecoderPanics checks the one place where a panic becomes an error.
func TestDecoderPanics(t *testing.T) {
	_, _, err := decode(panicking{})
	checkError(t, err, "png", ErrDamaged, "the decoder gave up: panic: index out of range")
}

type panicking struct{ file }

func (panicking) header() header { return header{format: "png", w: 1, h: 1, orientation: 1} }

func (panicking) pixels() (image.Image, []string, error) { panic("index out of range") }
