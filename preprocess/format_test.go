package preprocess

import (
	"encoding/binary"
	"image"
	"runtime"
	"testing"
)

func TestUnknownFormats(t *testing.T) {
	dicom := append(make([]byte, dicomAt), "DICM\x02\x00\x00\x00"...)
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
		{"gif", []byte("GIF89a\x01\x00\x01\x00"), ErrUnsupported},
		{"webp", []byte("RIFF\x10\x00\x00\x00WEBPVP8 "), ErrUnsupported},
		{"tiff", []byte("II*\x00\x08\x00\x00\x00"), ErrUnsupported},
		{"bmp", []byte("BM\x10\x00\x00\x00"), ErrUnsupported},
		{"dicom", dicom, ErrUnsupported},
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
	lyingPNG := pngOf(ihdr(9000, 9000, 8, pngRGB, 0), chunkOf("IDAT", deflated([]byte{0, 7})), iend)
	for name, data := range map[string][]byte{"jpeg": lyingJPEG, "png": lyingPNG} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Recipe{MaxSide: 72}.Prepare(data)
		runtime.ReadMemStats(&after)
		checkError(t, err, name, ErrDamaged, "")
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
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
