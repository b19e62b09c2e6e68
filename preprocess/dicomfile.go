package preprocess

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strings"

	"lightbox/preprocess/codec"
	"lightbox/preprocess/dicom"
)

// formatDICOM is what messages call the format.
const formatDICOM = "dicom"

// BurnedInUnknown is the step of pictures whose files do not say whether text is
// burned into the pixels. Such text can name a patient.
const BurnedInUnknown = "the file does not say whether text is burned in"

// dicomFile is a DICOM file or a series of single slices. It never passes:
// servers know nothing of DICOM.
type dicomFile struct {
	reworked
	source dicomSource
	recipe Recipe
	head   header
	w, h   int // of the rendering, before its pixels are made square
	marks  []string
}

// dicomSource renders a file or a series.
type dicomSource interface {
	size(frame dicom.Choice) (width, height int, aspect float64, err error)
	render(o dicom.Options) (dicom.Rendering, error)
	header() dicom.Header // of the file, or of the first slice
}

// dicomLimits keep a file within what other pictures may take.
var dicomLimits = dicom.Limits{Bytes: maxFileBytes, Samples: maxHeavyPixels, Frames: 100_000}

func (r Recipe) openDICOM(data []byte) (file, error) {
	source, err := readDICOM(data)
	if err != nil {
		return nil, dicomError(err)
	}
	f := &dicomFile{source: source, recipe: r}
	switch source.header().BurnedInAnnotation {
	case "YES":
		if !r.AllowBurnedIn {
			return nil, unsupported(formatDICOM, -1, "text is burned into the picture (BurnedInAnnotation is YES), which can name a patient; --allow-burned-in takes it")
		}
		f.marks = append(f.marks, "text is burned in, as the file says")
	case "":
		f.marks = append(f.marks, BurnedInUnknown)
	}
	var aspect float64
	if f.w, f.h, aspect, err = source.size(r.Frame); err != nil {
		return nil, dicomError(err)
	}
	square := squared(image.Pt(f.w, f.h), aspect)
	f.head = header{format: formatDICOM, w: square.X, h: square.Y, orientation: 1, heavy: true}
	return f, nil
}

// squared is the size of a picture once its pixels are square: the longer side of
// a pixel is kept, so that nothing is lost.
func squared(p image.Point, aspect float64) image.Point {
	switch {
	case aspect > 1.001:
		p.Y = int(math.Round(float64(p.Y) * aspect))
	case aspect < 0.999 && aspect > 0:
		p.X = int(math.Round(float64(p.X) / aspect))
	}
	return p
}

func (f *dicomFile) header() header { return f.head }

// pixels renders the file through the recipe's window.
func (f *dicomFile) pixels() (image.Image, []string, error) {
	r, err := f.source.render(dicom.Options{Window: f.recipe.Window, Frame: f.recipe.Frame, Decoder: codecs{}})
	if err != nil {
		return nil, nil, dicomError(err)
	}
	steps := append(append([]string{}, f.marks...), r.Notes...)
	size := image.Pt(f.head.w, f.head.h)
	if size == r.Image.Bounds().Size() {
		return r.Image, steps, nil
	}
	return flattened(scale(r.Image, size)), append(steps, fmt.Sprintf("pixels made square: %s to %s", by(r.Image.Bounds().Size()), by(size))), nil
}

// flattened is flatten's picture as an image.
func flattened(m image.Image) image.Image { return flatten(m) }

// codecs decodes the compressed syntaxes.
type codecs struct{}

func (codecs) Decode(syntax string, frame []byte, want dicom.Description) (dicom.Samples, error) {
	s, err := codec.Decode(syntax, frame, codec.Description(want))
	switch {
	case errors.Is(err, codec.ErrUnsupported):
		err = fmt.Errorf("%w: %w", dicom.ErrUnsupported, err)
	case errors.Is(err, codec.ErrTooLarge):
		err = fmt.Errorf("%w: %w", dicom.ErrTooLarge, err)
	}
	return dicom.Samples(s), err
}

// dicomError is an error of the package dicom as one of this package.
func dicomError(err error) error {
	out := &Error{Kind: ErrDamaged, Format: formatDICOM, Offset: -1, Problem: strings.TrimPrefix(strings.TrimPrefix(err.Error(), "reading dicom: "), "reading dicom ")}
	switch {
	case errors.Is(err, dicom.ErrUnsupported), errors.Is(err, dicom.ErrNoPixels):
		out.Kind = ErrUnsupported
	case errors.Is(err, dicom.ErrTooLarge):
		out.Kind = ErrTooLarge
	}
	return out
}
