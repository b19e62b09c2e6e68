package dicom_test

import (
	"errors"
	"runtime"
	"testing"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

// fuzzSamples keeps fuzzed pictures quick; the limits have their own tests.
const fuzzSamples = 1 << 16

// FuzzRead reads and renders a file in every way. Whatever comes of it, errors are
// of the package, pictures are as large as the header says, and what is allocated
// is within reason.
func FuzzRead(f *testing.F) {
	for _, k := range kinds() {
		for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ImplicitLittle, dicomtest.ExplicitBig, dicomtest.RLE, dicomtest.DeflatedLittle} {
			k.Syntax = syntax
			f.Add(k.Bytes())
		}
	}
	groups := dicomtest.File{Rows: 1, Columns: 2, Frames: 2, Pixels: ramp(0, 4), Open: true}
	groups.More = []dicomtest.Element{
		dicomtest.Sequence(0x00283000, lutItem("US", 0, 16, 1, 2, 3)), dicomtest.Sequence(0x00283010, lutItem("US", 0, 16, 1, 2, 3)),
		dicomtest.Sequence(0x52009229, group("1", "2", `1\1`)), dicomtest.Sequence(0x52009230, group("1", "2", `1\1`), nil),
	}
	f.Add(groups.Bytes())
	palette := dicomtest.File{Rows: 1, Columns: 3, Allocated: 8, Photometric: "PALETTE COLOR", Pixels: ramp(0, 3)}
	palette.More = tables("US", []int{2, 0, 8}, []int{1, 2}, []int{3, 4}, []int{5, 6})
	f.Add(palette.Bytes())
	f.Add(jpegFile(f, "YBR_FULL_422", encode(f, soft(35, 19, false))).Bytes())
	f.Add(nested(40))
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tryAll(t, data)
		runtime.ReadMemStats(&after)
		// Five renderings of a picture and of a sheet of 25, inflated files and tables.
		if n, limit := after.TotalAlloc-before.TotalAlloc, uint64(2000*len(data)+64<<20+5*26*24*fuzzSamples); n > limit {
			t.Errorf("%d bytes allocated for a file of %d", n, len(data))
		}
	})
}

func tryAll(t *testing.T, data []byte) {
	f, err := dicom.Read(data, dicom.Limits{Bytes: 1 << 20, Samples: fuzzSamples})
	if err != nil {
		var e *dicom.Error
		if !errors.As(err, &e) {
			t.Fatalf("error of type %T: %v", err, err)
		}
		return
	}
	for _, w := range []string{"file", "auto", "medgemma", "lung"} {
		for _, c := range []dicom.Choice{{}, {Grid: 25}} {
			r, err := f.Render(dicom.Options{Window: window(t, w), Frame: c})
			if err != nil {
				var e *dicom.Error
				if !errors.As(err, &e) {
					t.Fatalf("error of type %T: %v", err, err)
				}
				continue
			}
			size := r.Image.Bounds().Size()
			if c.Grid == 0 && (size.X != f.Header.Columns || size.Y != f.Header.Rows) {
				t.Fatalf("picture of %v, header says %d×%d", size, f.Header.Columns, f.Header.Rows)
			}
			if r.PixelAspect < 0.05 || r.PixelAspect > 20 || len(r.Notes) == 0 {
				t.Fatalf("aspect %v, notes %q", r.PixelAspect, r.Notes)
			}
		}
	}
}

// FuzzElement puts any value into an element of files that are right otherwise,
// which FuzzRead would seldom find.
func FuzzElement(f *testing.F) {
	for _, tag := range []uint32{
		0x00280002, 0x00280004, 0x00280006, 0x00280008, 0x00280010, 0x00280011, 0x00280030, 0x00280034, 0x00280100, 0x00280101, 0x00280102,
		0x00280103, 0x00280120, 0x00281050, 0x00281051, 0x00281052, 0x00281053, 0x00281055, 0x00281056, 0x00281101, 0x00281201, 0x00281221,
		0x00283000, 0x00283010, 0x52009229, 0x52009230, 0x7fe00001, 0x7fe00002, 0x7fe00010,
	} {
		f.Add(tag, []byte{2, 0}, byte(tag))
		f.Add(tag, []byte("\xfe\xff\x00\xe0\x1c\x00\x00\x00\x28\x00\x02\x30\x06\x00\x00\x00\x02\x00\x00\x00\x10\x00\x28\x00\x06\x30\x04\x00\x00\x00\x01\x00\x02\x00"), byte(tag>>16))
		f.Add(tag, []byte(`3\-0.5`), byte(tag>>4))
	}
	f.Fuzz(func(t *testing.T, tag uint32, value []byte, how byte) {
		file := dicomtest.File{Rows: 3, Columns: 4, Frames: 2, Allocated: 8 << (how & 1), Signed: how&2 != 0}
		file.Syntax = []string{dicomtest.ExplicitLittle, dicomtest.ImplicitLittle, dicomtest.ExplicitBig, dicomtest.RLE}[how>>2&3]
		file.Photometric = []string{"MONOCHROME2", "MONOCHROME1", "PALETTE COLOR", "RGB"}[how>>4&3]
		file.Pixels = ramp(0, 24)
		if file.Photometric == "RGB" {
			file.Pixels, file.Signed = ramp(0, 72), false
		}
		if file.Photometric == "PALETTE COLOR" {
			file.More = tables("US", []int{3, 0, 16}, []int{1, 2, 3}, []int{4, 5, 6}, []int{7, 8, 9})
		}
		vr := "UN"
		if how&64 != 0 {
			vr = "OW"
		}
		if how&128 != 0 && len(value) < 1<<15 {
			vr = "US"
		}
		file.More = append(file.More, dicomtest.Element{Tag: tag, VR: vr, Value: value})
		tryAll(t, file.Bytes())
	})
}

// FuzzRLE packs and unpacks, and unpacks what was not packed.
func FuzzRLE(f *testing.F) {
	f.Add([]byte{1, 1, 1, 2, 3, 4, 4, 4, 4, 4}, []byte{2, 1, 2, 3, 0xfe, 9, 0x80, 0})
	f.Add(make([]byte, 300), []byte{0x81, 0, 0x81, 0, 0x81, 0})
	f.Fuzz(func(t *testing.T, plane, packed []byte) {
		if len(plane) == 0 || len(plane) > fuzzSamples/2 {
			t.Skip()
		}
		file := dicomtest.File{Syntax: dicomtest.RLE, Rows: 1, Columns: len(plane), Allocated: 8, More: windows("128", "256", "")}
		for _, v := range plane {
			file.Pixels = append(file.Pixels, int(v))
		}
		if got := pixels(t, render(t, file.Bytes(), dicom.Options{}).Image); string(got) != string(plane) {
			t.Errorf("packed %v, unpacked %v", plane, got)
		}
		file.Fragments = [][]byte{nil, dicomtest.RLEFrame([][]byte{packed})}
		if r, err := dicom.Read(file.Bytes(), dicom.Limits{}); err == nil {
			if _, err := r.Render(dicom.Options{}); err == nil && (len(packed)+len(packed)%2)*64 < len(plane) { // the file makes it even
				t.Errorf("%d bytes became %d", len(packed), len(plane))
			}
		}
	})
}
