package dicom_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"lightbox/preprocess/dicom"
	"lightbox/preprocess/dicom/dicomtest"
)

func us(tag uint32, n int) dicomtest.Element {
	return dicomtest.Element{Tag: tag, VR: "US", Value: []int{n}}
}

// nested is sequences of undefined length within each other, without ends.
func nested(n int) []byte {
	data := dicomtest.File{Rows: 1, Columns: 1}.Bytes()
	one := []byte("\x70\x00\x01\x00SQ\x00\x00\xff\xff\xff\xff\xfe\xff\x00\xe0\xff\xff\xff\xff")
	return append(data, bytes.Repeat(one, n)...)
}

func TestHostile(t *testing.T) {
	grey := dicomtest.File{Rows: 2, Columns: 3, Frames: 2, Pixels: ramp(0, 12)}
	with := func(more ...dicomtest.Element) []byte {
		f := grey
		f.More = more
		return f.Bytes()
	}
	syntax := func(uid string) []byte {
		f := grey
		f.Syntax = uid
		return f.Bytes()
	}
	whole := grey.Bytes()
	long := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(long[len(long)-24-4:], 0xfffffffe)
	deflated := syntax(dicomtest.DeflatedLittle)
	zeros := dicomtest.File{Syntax: dicomtest.DeflatedLittle, Rows: 1, Columns: 1 << 15, Frames: 200, Pixels: make([]int, 200<<15)}.Bytes()
	is := func(s string) dicomtest.Element { return dicomtest.Element{Tag: 0x00280008, VR: "IS", Value: s} }
	tests := []struct {
		name string
		data []byte
		kind error
		want string
	}{
		{"empty", nil, dicom.ErrUnsupported, "no mark of DICOM"},
		{"mark alone", append(make([]byte, 128), "DICM"...), dicom.ErrDamaged, "no transfer syntax is named"},
		{"cut in its pixels", whole[:len(whole)-1], dicom.ErrDamaged, "(7fe0,0010) PixelData: the value has 24 bytes, but 23 are left"},
		{"cut before its pixels", whole[:len(whole)-36], dicom.ErrDamaged, "the file ends before its pixels"},
		{"cut in a header", whole[:len(whole)-30], dicom.ErrDamaged, "the data end within the header"},
		{"a length of 4 GiB", long, dicom.ErrDamaged, "the value has 4294967294 bytes, but 24 are left"},
		{"no rows", with(us(0x00280010, 0)), dicom.ErrDamaged, "the picture has no rows"},
		{"no columns", with(us(0x00280011, 0)), dicom.ErrDamaged, "the picture has no columns"},
		{"vast", with(us(0x00280010, 65535), us(0x00280011, 65535)), dicom.ErrTooLarge, "65535×65535 pixels"},
		{"large", with(us(0x00280010, 4000), us(0x00280011, 4000)), dicom.ErrDamaged, "2 frames need 64000000 bytes, but there are 24"},
		{"too many frames", with(is("3")), dicom.ErrDamaged, "3 frames need 36 bytes, but there are 24"},
		{"too few frames", with(is("1")), dicom.ErrDamaged, "1 frames need 12 bytes, but there are 24: the description is wrong"},
		{"no frames", with(is("0")), dicom.ErrDamaged, "the number of frames is 0"},
		{"frames below none", with(is("-2")), dicom.ErrDamaged, "the number of frames is -2"},
		{"frames without end", with(is("2147483647")), dicom.ErrTooLarge, "2147483647 frames, more than 100000"},
		{"frames in words", with(is("two")), dicom.ErrDamaged, "the value is not an integer"},
		{"rows of four bytes", with(dicomtest.Element{Tag: 0x00280010, VR: "US", Value: []int{2, 0}}), dicom.ErrDamaged, "(0028,0010) Rows: the value has 4 bytes, not 2"},
		{"12 bits allocated", with(us(0x00280100, 12)), dicom.ErrUnsupported, "samples of 12 bits are not read"},
		{"64 bits allocated", with(us(0x00280100, 64)), dicom.ErrUnsupported, "samples of 64 bits are not read"},
		{"more bits stored", with(us(0x00280101, 17)), dicom.ErrDamaged, "17 bits stored of 16 allocated"},
		{"high bit outside", with(us(0x00280102, 16)), dicom.ErrDamaged, "bit 16 is the highest"},
		{"high bit too low", with(us(0x00280102, 3)), dicom.ErrDamaged, "bit 3 is the highest"},
		{"no sign", with(dicomtest.Element{Tag: 0x00280103}), dicom.ErrDamaged, "whether samples have a sign is not said"},
		{"no bits", with(dicomtest.Element{Tag: 0x00280100}), dicom.ErrDamaged, "the bits of a sample are not numbered"},
		{"rows twice", append(whole[:len(whole)-36:len(whole)-36], "\x28\x00\x10\x00US\x02\x00\x09\x00"...), dicom.ErrDamaged, "(0028,0010) Rows: the element comes twice"},
		{"slope of 0", with(rescale("0", "1")...), dicom.ErrDamaged, "the slope is 0"},
		{"slope in words", with(rescale("one", "1")...), dicom.ErrDamaged, "value 1 is not a number"},
		{"slope of NaN", with(rescale("nan", "1")...), dicom.ErrDamaged, "value 1 is not a number"},
		{"window without end", with(windows(strings.Repeat(`1\`, 3000)+"1", "1", "")...), dicom.ErrDamaged, "too long for what it is"},
		{"table without data", with(dicomtest.Sequence(0x00283010, nil)), dicom.ErrDamaged, "the item has no descriptor or no table"},
		{"few groups", with(dicomtest.Sequence(0x52009230, nil)), dicom.ErrDamaged, "functional groups of 1 frames, but there are 2"},
		{"nested without end", nested(1000), dicom.ErrDamaged, "sequences are nested deeper than 32"},
		{"nested and cut", nested(20), dicom.ErrDamaged, "the data end within an item"},
		{"float pixels", with(dicomtest.Element{Tag: 0x7fe00008, VR: "OB", Value: []byte{1}}), nil, ""},
		{"unknown syntax", syntax("1.2.3.4"), dicom.ErrUnsupported, "transfer syntax 1.2.3.4 is not known"},
		{"video", syntax("1.2.840.10008.1.2.4.102"), dicom.ErrUnsupported, "1.2.840.10008.1.2.4.102 (MPEG-4 AVC/H.264 High Profile / Level 4.1) is not read"},
		{"high throughput", syntax("1.2.840.10008.1.2.4.203"), dicom.ErrDamaged, "1.2.840.10008.1.2.4.203 (High-Throughput JPEG 2000)"},
		{"deflated and cut", deflated[:len(deflated)-9], dicom.ErrDamaged, "inflating the data set failed: unexpected EOF"},
		{"deflated to much", zeros, dicom.ErrTooLarge, "there is more in it than allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := dicom.Limits{Bytes: 8 << 20}
			f, err := dicom.Read(tt.data, l)
			if err == nil {
				_, err = f.Render(dicom.Options{})
			}
			if tt.kind == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *dicom.Error
			if !errors.As(err, &e) || !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %v with %q", err, tt.kind, tt.want)
			}
		})
	}
}

func TestNoPixels(t *testing.T) {
	f := dicomtest.File{More: []dicomtest.Element{{Tag: 0x00280010}, {Tag: 0x00280011}, {Tag: 0x00080060, VR: "CS", Value: "SR"}}}
	for want, data := range map[string][]byte{
		"the file has no picture (modality SR)":                                             f.Bytes(),
		"(7fe0,0008) FloatPixelData: pixels of floating point are not read":                 dicomtest.File{More: []dicomtest.Element{{Tag: 0x7fe00008, VR: "OB", Value: []byte{1}}}}.Bytes(),
		"reading dicom at byte 312, (7fe0,0010) PixelData: the file ends before its pixels": dicomtest.File{Rows: 1, Columns: 1}.Bytes(),
	} {
		_, err := dicom.Read(data, dicom.Limits{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if got := errors.Is(err, dicom.ErrNoPixels); got != strings.Contains(want, "no picture") {
			t.Errorf("%v: no pixels is %v", err, got)
		}
	}
}

// TestCutAnywhere cuts files at every byte: none may be taken.
func TestCutAnywhere(t *testing.T) {
	group := dicomtest.Sequence(0x52009230, group("1", "2", `1\1`), group("1", "2", `1\1`))
	for _, syntax := range []string{dicomtest.ExplicitLittle, dicomtest.ImplicitLittle, dicomtest.ExplicitBig, dicomtest.RLE, dicomtest.DeflatedLittle} {
		f := dicomtest.File{Syntax: syntax, Rows: 2, Columns: 3, Frames: 2, Pixels: ramp(0, 12), Open: true, More: []dicomtest.Element{group}}
		data := f.Bytes()
		render(t, data, dicom.Options{})
		for n := range data {
			refused(t, data[:n], dicom.Options{})
		}
	}
}

// TestSpareBytes: what stands behind the pixels does no harm, and is noted.
func TestSpareBytes(t *testing.T) {
	f := dicomtest.File{Rows: 2, Columns: 3, Allocated: 8, Pixels: ramp(0, 6), More: windows("128", "256", "")}
	r := render(t, append(f.Bytes(), make([]byte, 100)...), dicom.Options{})
	if got := said(r.Notes); !strings.Contains(got, "left out 100 bytes behind the pixels") {
		t.Errorf("notes %q", got)
	}
	f.Pixels = append(f.Pixels, 0, 0, 0)
	if got := said(render(t, f.Bytes(), dicom.Options{}).Notes); !strings.Contains(got, "left out spare bytes within the pixels") {
		t.Errorf("notes %q", got)
	}
}

func TestRLERefused(t *testing.T) {
	good := dicomtest.PackBits([]byte{1, 1, 1, 2, 3, 4})
	tests := []struct {
		name  string
		frame []byte
		want  string
	}{
		{"cut header", make([]byte, 62), "the RLE header is cut"},
		{"two segments", dicomtest.RLEFrame([][]byte{good, good}), "2 RLE segments, not 1"},
		{"segment outside", append([]byte{1, 0, 0, 0, 0xff, 0xff, 0, 0}, make([]byte, 60)...), "RLE segment 1 lies outside of its frame"},
		{"segment in the header", append([]byte{1, 0, 0, 0, 8, 0, 0, 0}, make([]byte, 60)...), "RLE segment 1 lies outside of its frame"},
		{"short", dicomtest.RLEFrame([][]byte{{0x80, 0x80}}), "an RLE segment ends after 0 of 6 bytes"},
		{"run over the end", dicomtest.RLEFrame([][]byte{{256 - 6, 9}}), "an RLE run at byte 0 of 6 is too long"},
		{"literal over the end", dicomtest.RLEFrame([][]byte{{6, 1, 2, 3, 4, 5, 6, 7}}), "an RLE run at byte 0 of 6 is too long"},
		{"literal without bytes", dicomtest.RLEFrame([][]byte{{5, 1, 2, 3}}), "an RLE run at byte 0 of 6 is too long"},
		{"more behind it", dicomtest.RLEFrame([][]byte{append(good, 9, 9)}), "an RLE segment has 2 bytes behind its 6"},
	}
	for _, tt := range tests {
		f := dicomtest.File{Syntax: dicomtest.RLE, Rows: 2, Columns: 3, Allocated: 8, Fragments: [][]byte{nil, tt.frame}}
		if err := refused(t, f.Bytes(), dicom.Options{}); !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestMemory holds hostile files against the bytes they make us allocate.
func TestMemory(t *testing.T) {
	tiny := dicomtest.RLEFrame([][]byte{{0x81, 7}})
	tests := map[string][]byte{
		"nested":     nested(1 << 20),
		"rle":        dicomtest.File{Syntax: dicomtest.RLE, Rows: 8000, Columns: 8000, Allocated: 8, Fragments: [][]byte{nil, tiny}}.Bytes(),
		"deflated":   dicomtest.File{Syntax: dicomtest.DeflatedFrames, Rows: 8000, Columns: 8000, Allocated: 8, Fragments: [][]byte{nil, dicomtest.Deflate(nil)}}.Bytes(),
		"jpeg":       dicomtest.File{Syntax: dicomtest.JPEGBaseline, Rows: 8000, Columns: 8000, Allocated: 8, Fragments: [][]byte{nil, vastJPEG}}.Bytes(),
		"empty item": dicomtest.File{Rows: 1, Columns: 1, Frames: 1, Fragments: make([][]byte, 1<<18), Syntax: dicomtest.RLE}.Bytes(),
	}
	for name, data := range tests {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		refused(t, data, dicom.Options{})
		runtime.ReadMemStats(&after)
		if n, limit := after.TotalAlloc-before.TotalAlloc, uint64(20*len(data)+1<<18); n > limit {
			t.Errorf("%s: %d bytes allocated for a file of %d, more than %d", name, n, len(data), limit)
		}
	}
}

// vastJPEG has the head of a picture of 8000×8000 and no data.
var vastJPEG = []byte("\xff\xd8\xff\xc0\x00\x0b\x08\x1f\x40\x1f\x40\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\xff\xd9")

// TestNothingOfThePatient plants a name in every element that is not on the
// allow-list, and in those that are but hold free text, and looks for it in all
// that comes out.
func TestNothingOfThePatient(t *testing.T) {
	const name = "Roe^Jane"
	person := func(tag uint32, vr string) dicomtest.Element { return dicomtest.Element{Tag: tag, VR: vr, Value: name} }
	planted := []dicomtest.Element{
		person(0x00080050, "SH"), person(0x00081030, "LO"), person(0x00100010, "PN"), person(0x00100020, "LO"), person(0x00104000, "LT"),
		person(0x00204000, "LT"), person(0x00091001, "LO"), person(0x00281055, "LO"), person(0x00080060, "CS"), person(0x00280301, "CS"),
		person(0x00120062, "CS"), person(0x0020000e, "UI"), person(0x00080016, "UI"), person(0x00281056, "CS"), person(0x00281054, "LO"),
		person(0x00200013, "IS"), person(0x00200032, "DS"), person(0x00280030, "DS"),
		dicomtest.Sequence(0x00081140, []dicomtest.Element{person(0x00100010, "PN")}),
		{Tag: 0x00281050, VR: "DS", Value: "40"},
		{Tag: 0x00281051, VR: "DS", Value: "80"},
	}
	f := dicomtest.File{Rows: 2, Columns: 2, Pixels: ramp(0, 4), More: planted}
	outputs := map[string]string{}
	for _, w := range dicom.WindowNames()[:4] {
		w, _, _ = strings.Cut(w, " ")
		outputs["notes of "+w] = said(render(t, f.Bytes(), dicom.Options{Window: window(t, w)}).Notes)
	}
	data := f.Bytes()
	for n := range data {
		if _, err := dicom.Read(data[:n], dicom.Limits{}); err != nil {
			outputs["errors"] += err.Error() + "\n"
		}
	}
	for _, tag := range []uint32{0x00020010, 0x00280004, 0x00280008, 0x00280010, 0x00281050, 0x00281053, 0x00280120} {
		f := f
		f.More = append(f.More[:len(f.More):len(f.More)], person(tag, "LO"))
		if _, err := dicom.Read(f.Bytes(), dicom.Limits{}); err != nil {
			outputs["errors of values"] += err.Error() + "\n"
		}
	}
	f.Syntax = name
	outputs["error of syntax"] = refused(t, f.Bytes(), dicom.Options{}).Error()
	for where, s := range outputs {
		if s == "" || strings.Contains(s, "Roe") || strings.Contains(s, "Jane") {
			t.Errorf("%s: %s", where, s)
		}
	}
}
