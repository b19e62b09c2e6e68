package dicomtest

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"slices"
)

// Transfer syntaxes that Bytes writes from Pixels.
const (
	ImplicitLittle  = "1.2.840.10008.1.2"
	ExplicitLittle  = "1.2.840.10008.1.2.1"
	DeflatedLittle  = "1.2.840.10008.1.2.1.99"
	ExplicitBig     = "1.2.840.10008.1.2.2"
	RLE             = "1.2.840.10008.1.2.5"
	DeflatedFrames  = "1.2.840.10008.1.2.8.1"
	JPEGBaseline    = "1.2.840.10008.1.2.4.50" // for Fragments
	JPEG2000        = "1.2.840.10008.1.2.4.90" // for Fragments
	EncapsulatedRaw = "1.2.840.10008.1.2.1.98"
)

// File is a DICOM file to be written.
type File struct {
	Syntax string // empty: ExplicitLittle

	Rows, Columns int
	Frames        int    // 0: not said, one
	Photometric   string // empty: MONOCHROME2; YBR_FULL_422 has Pixels as YBR_FULL has
	Planar        bool
	Allocated     int // bits; 0: 16
	Stored, High  int // 0: as Allocated, and Stored-1
	Signed        bool

	// Pixels are the stored values, frame by frame and row by row, the colours of
	// a pixel side by side. Bits above High are as in the number.
	Pixels []int

	// Fragments are the pixels as they are, instead of Pixels. The first is the
	// offset table.
	Fragments [][]byte

	// More are further elements, which replace those of the same tag. One with a
	// nil Value takes an element away.
	More []Element

	NoPreamble bool // the file begins with its meta information
	NoMeta     bool // the file is the data set alone
	Open       bool // sequences and items have no length, but marks at their ends
	OffsetLess bool // the offset table is empty
}

// Bytes is the encoded file.
func (f File) Bytes() []byte {
	f.fill()
	w := writer{order: binary.LittleEndian, explicit: f.Syntax != ImplicitLittle, open: f.Open}
	if f.Syntax == ExplicitBig {
		w.order = binary.BigEndian
	}
	for _, e := range f.elements() {
		w.element(e)
	}
	if f.Fragments != nil {
		w.fragments(f.Fragments)
	} else if f.Pixels != nil {
		w.element(Element{0x7fe00010, "OW", f.pack(w.order)})
	}
	set := w.Bytes()
	if f.Syntax == DeflatedLittle {
		set = Deflate(set)
	}
	if f.NoMeta {
		return set
	}
	var out []byte
	if !f.NoPreamble {
		out = append(make([]byte, 128), "DICM"...)
	}
	return append(append(out, meta(f.Syntax)...), set...)
}

// fill spells out the defaults.
func (f *File) fill() {
	f.Syntax = cmp.Or(f.Syntax, ExplicitLittle)
	f.Photometric = cmp.Or(f.Photometric, "MONOCHROME2")
	f.Allocated = cmp.Or(f.Allocated, 16)
	f.Stored = cmp.Or(f.Stored, f.Allocated)
	f.High = cmp.Or(f.High, f.Stored-1)
	if f.Pixels == nil || f.Fragments != nil {
		return
	}
	var frame func([]int) []byte
	switch f.Syntax {
	case RLE:
		frame = f.runLengths
	case DeflatedFrames:
		frame = func(p []int) []byte { return Deflate(f.packFrame(p, binary.LittleEndian)) }
	case EncapsulatedRaw:
		frame = func(p []int) []byte { return f.packFrame(p, binary.LittleEndian) }
	default:
		return
	}
	f.Fragments = [][]byte{nil}
	at := 0
	for _, p := range f.split() {
		b := even(frame(p))
		if !f.OffsetLess {
			f.Fragments[0] = binary.LittleEndian.AppendUint32(f.Fragments[0], uint32(at))
		}
		at += 8 + len(b)
		f.Fragments = append(f.Fragments, b)
	}
}

// Samples is the number of samples of a pixel.
func (f *File) samples() int {
	switch f.Photometric {
	case "MONOCHROME1", "MONOCHROME2", "PALETTE COLOR":
		return 1
	}
	return 3
}

func (f *File) split() [][]int {
	n := f.Rows * f.Columns * f.samples()
	return slices.Collect(slices.Chunk(f.Pixels, n))
}

func meta(syntax string) []byte {
	w := writer{order: binary.LittleEndian, explicit: true}
	w.element(Element{0x00020010, "UI", syntax})
	body := w.Bytes()
	w = writer{order: binary.LittleEndian, explicit: true}
	w.element(Element{0x00020000, "UL", binary.LittleEndian.AppendUint32(nil, uint32(len(body)))})
	return append(w.Bytes(), body...)
}

func (f *File) elements() []Element {
	out := []Element{
		{0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7"},
		{0x00080018, "UI", "1.2.3.4"},
		{0x00280002, "US", []int{f.samples()}},
		{0x00280004, "CS", f.Photometric},
		{0x00280010, "US", []int{f.Rows}},
		{0x00280011, "US", []int{f.Columns}},
		{0x00280100, "US", []int{f.Allocated}},
		{0x00280101, "US", []int{f.Stored}},
		{0x00280102, "US", []int{f.High}},
		{0x00280103, "US", []int{boolean(f.Signed)}},
	}
	if f.samples() > 1 {
		out = append(out, Element{0x00280006, "US", []int{boolean(f.Planar)}})
	}
	if f.Frames > 0 {
		out = append(out, Number(0x00280008, "IS", f.Frames))
	}
	for _, e := range f.More {
		out = slices.DeleteFunc(out, func(o Element) bool { return o.Tag == e.Tag })
		if e.Value != nil {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b Element) int { return cmp.Compare(a.Tag, b.Tag) })
	return out
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Deflate packs bytes as raw deflate.
func Deflate(b []byte) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err == nil {
		_, err = w.Write(b)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return out.Bytes()
}
