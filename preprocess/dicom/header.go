package dicom

import (
	"slices"
	"strings"
)

// Header is what is known of a file's picture: the allow-list of elements whose
// values are read at all. It shares no memory with the file. Its fields are
// named by the keywords of PS3.6. UIDs identify a study, and must not be printed.
type Header struct {
	TransferSyntaxUID string
	SOPClassUID       string
	SOPInstanceUID    string
	SeriesInstanceUID string

	Modality               string // a defined term, OT for any other, or empty: not said
	Localizer              bool   // ImageType says that other pictures are planned on this one
	BurnedInAnnotation     string // YES, NO, or empty: not said
	PatientIdentityRemoved string // YES, NO, or empty: not said

	InstanceNumber          *int
	ImagePositionPatient    []float64 // x, y, z in mm, or nil
	ImageOrientationPatient []float64 // of the rows, then of the columns, or nil

	Rows, Columns   int
	NumberOfFrames  int // at least 1
	SamplesPerPixel int
	Photometric     string // PhotometricInterpretation
	Planar          bool   // PlanarConfiguration 1: a plane for each colour
	BitsAllocated   int
	BitsStored      int
	HighBit         int
	Signed          bool // PixelRepresentation 1

	Padding *Padding // stored values that are no measurements, or nil
}

// Padding is the range of stored values, both ends included, that fill what was
// not measured (PixelPaddingValue and PixelPaddingRangeLimit).
type Padding struct{ Low, High int }

// header is a Header under way.
type header struct {
	Header
	sign, high, frames bool // were there
	padding            []int
	float              Tag // of pixels of floating point
}

// set takes an element of the allow-list. ok is false for any other.
func (h *header) set(v value) (ok bool, err error) {
	switch v.tag {
	case tagRows, tagColumns, tagSamples, tagPlanar, tagBitsAllocated, tagBitsStored, tagHighBit, tagRepresentation,
		tagPadding, tagPaddingLimit:
		return true, h.setShort(v)
	case tagImageType:
		h.Localizer = localizes(v)
	case tagSOPClassUID:
		h.SOPClassUID, err = v.uid()
	case tagSOPInstanceUID:
		h.SOPInstanceUID, err = v.uid()
	case tagSeriesInstanceUID:
		h.SeriesInstanceUID, err = v.uid()
	case tagModality:
		h.Modality, err = v.term(modalities, "OT")
	case tagBurnedIn:
		h.BurnedInAnnotation, err = v.code()
	case tagIdentityRemoved:
		h.PatientIdentityRemoved, err = v.code()
	case tagPhotometric:
		h.Photometric, err = v.code()
	case tagFrames:
		h.NumberOfFrames, h.frames, err = v.integer()
	case tagInstanceNumber:
		h.InstanceNumber = instance(v)
	case tagPosition:
		h.ImagePositionPatient = coordinates(v, 3)
	case tagOrientation:
		h.ImageOrientationPatient = coordinates(v, 6)
	case tagFloatPixels, tagDoublePixels:
		h.float = v.tag
	default:
		return false, nil
	}
	return true, err
}

// localizes tells whether the third value of an image type says LOCALIZER (PS3.3,
// C.8.2.1.1.1). Nothing else of it matters.
func localizes(v value) bool {
	s, err := v.text()
	parts := strings.Split(s, `\`)
	return err == nil && len(parts) > 2 && strings.Trim(parts[2], " ") == "LOCALIZER"
}

func (h *header) setShort(v value) error {
	if len(v.bytes) == 0 {
		return nil // as if it were not there
	}
	all, err := v.shorts(1)
	if err != nil {
		return err
	}
	n := all[0]
	switch v.tag {
	case tagRows:
		h.Rows = n
	case tagColumns:
		h.Columns = n
	case tagSamples:
		h.SamplesPerPixel = n
	case tagBitsAllocated:
		h.BitsAllocated = n
	case tagBitsStored:
		h.BitsStored = n
	case tagHighBit:
		h.HighBit, h.high = n, true
	case tagPlanar:
		h.Planar = n == 1
		if n > 1 {
			return v.bad("planar configuration %d is none", n)
		}
	case tagRepresentation:
		h.Signed, h.sign = n == 1, true
		if n > 1 {
			return v.bad("pixel representation %d is none", n)
		}
	case tagPadding: // comes before its limit
		h.padding = []int{n, n}
	case tagPaddingLimit:
		if h.padding != nil {
			h.padding[1] = n
		}
	}
	return nil
}

// instance is only for the order of slices: a bad one is as none.
func instance(v value) *int {
	n, ok, err := v.integer()
	if err != nil || !ok {
		return nil
	}
	return &n
}

// coordinates are only for the order of slices: bad ones are as none.
func coordinates(v value, n int) []float64 {
	all, err := v.floats()
	if err != nil || len(all) != n {
		return nil
	}
	return all
}

// finish checks the description of the pixels, and fills what may be left out.
func (h *header) finish(l Limits) error {
	if !h.frames {
		h.NumberOfFrames = 1
	}
	if h.BitsAllocated == 1 && h.BitsStored == 0 {
		h.BitsStored = 1
	}
	if !h.high {
		h.HighBit = h.BitsStored - 1
	}
	if err := h.checkSize(l); err != nil {
		return err
	}
	if err := h.checkBits(); err != nil {
		return err
	}
	if err := h.checkColour(); err != nil {
		return err
	}
	h.finishPadding()
	return nil
}

func (h *header) checkSize(l Limits) error {
	switch {
	case h.Rows < 1:
		return damaged(-1, tagRows, "the picture has no rows")
	case h.Columns < 1:
		return damaged(-1, tagColumns, "the picture has no columns")
	case h.NumberOfFrames < 1:
		return damaged(-1, tagFrames, "the number of frames is %d", h.NumberOfFrames)
	case h.NumberOfFrames > l.Frames:
		return tooLarge("%d frames, more than %d", h.NumberOfFrames, l.Frames)
	case h.SamplesPerPixel < 1:
		return damaged(-1, tagSamples, "the samples of a pixel are not numbered")
	case h.Rows*h.Columns*h.SamplesPerPixel > l.Samples:
		return tooLarge("%d×%d pixels of %d samples, more than %d samples", h.Columns, h.Rows, h.SamplesPerPixel, l.Samples)
	}
	return nil
}

func (h *header) checkBits() error {
	switch {
	case h.BitsAllocated == 0:
		return damaged(-1, tagBitsAllocated, "the bits of a sample are not numbered")
	case h.BitsAllocated != 1 && h.BitsAllocated != 8 && h.BitsAllocated != 16 && h.BitsAllocated != 32:
		return unsupported(tagBitsAllocated, "samples of %d bits are not read", h.BitsAllocated)
	case h.BitsStored < 1 || h.BitsStored > h.BitsAllocated:
		return damaged(-1, tagBitsStored, "%d bits stored of %d allocated", h.BitsStored, h.BitsAllocated)
	case h.HighBit >= h.BitsAllocated || h.HighBit < h.BitsStored-1:
		return damaged(-1, tagHighBit, "bit %d is the highest of %d bits stored, %d allocated", h.HighBit, h.BitsStored, h.BitsAllocated)
	case !h.sign:
		return damaged(-1, tagRepresentation, "whether samples have a sign is not said")
	}
	return nil
}

// checkColour takes the photometric interpretations that are read (PS3.3,
// C.7.6.3.1.2), each with its samples a pixel.
func (h *header) checkColour() error {
	want := 3
	switch h.Photometric {
	case "MONOCHROME1", "MONOCHROME2", "PALETTE COLOR":
		want = 1
	case "RGB", "YBR_FULL", "YBR_FULL_422", "YBR_RCT", "YBR_ICT":
		if h.Signed {
			return unsupported(tagRepresentation, "colours with a sign are not read")
		}
	case "":
		return damaged(-1, tagPhotometric, "the photometric interpretation is missing or none of DICOM")
	default:
		if !slices.Contains(unread, h.Photometric) {
			return unsupported(tagPhotometric, "the photometric interpretation is none of DICOM")
		}
		return unsupported(tagPhotometric, "photometric interpretation %s is not read", h.Photometric)
	}
	if h.SamplesPerPixel != want {
		return damaged(-1, tagSamples, "%d samples a pixel in %s", h.SamplesPerPixel, h.Photometric)
	}
	if h.BitsAllocated == 1 && want == 3 {
		return unsupported(tagBitsAllocated, "colours of one bit are not read")
	}
	if strings.HasPrefix(h.Photometric, "YBR_") && h.BitsStored != 8 {
		return unsupported(tagBitsStored, "%s of %d bits is not read", h.Photometric, h.BitsStored)
	}
	return nil
}

// finishPadding gives the padding values the sign of the samples. Values of more
// bits than are stored lose them as samples do.
func (h *header) finishPadding() {
	if h.padding == nil {
		return
	}
	d := h.description()
	ends := [2]int{}
	for i, n := range h.padding {
		if d.BitsStored < 16 && n>>d.BitsStored != 0 {
			n &= 1<<d.BitsStored - 1
		}
		ends[i] = n
		if bits := min(d.BitsStored, 16); d.Signed && n>>(bits-1)&1 == 1 {
			ends[i] -= 1 << bits
		}
	}
	h.Padding = &Padding{Low: min(ends[0], ends[1]), High: max(ends[0], ends[1])}
}
