package preprocess

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
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

// NothingButGrey is the step of a picture that is of one grey, neither black nor
// white.
const NothingButGrey = dicom.NothingButGrey

// ShowsNothing tells whether a step says that a picture, or a frame of it, came out
// of one grey.
func ShowsNothing(step string) bool { return dicom.IsEven(step) }

// WindowOf is the window that a step says was used, in short; empty: it says none.
func WindowOf(step string) string {
	if at := strings.LastIndex(step, "; "); at >= 0 { // behind those that were left out
		step = step[at+2:]
	}
	if strings.Contains(step, " does not apply") || strings.Contains(step, " is for CT") {
		return ""
	}
	for _, beginning := range []string{"window ", "windowed ", "file window ", "file table ", "automatic window "} {
		if strings.HasPrefix(step, beginning) {
			end := strings.IndexAny(step+",", ",:")
			return strings.TrimSuffix(step[:end], " LINEAR")
		}
	}
	return ""
}

// dicomFile is a DICOM file or a series of single slices. It never passes:
// servers know nothing of DICOM.
type dicomFile struct {
	reworked
	source dicomSource
	recipe Recipe
	head   header
	marks  []string
}

// dicomSource renders a file or a series.
type dicomSource interface {
	size(frame dicom.Choice) (width, height int, aspect float64, err error)
	render(o dicom.Options) (dicom.Rendering, error)
	burnedIn() string // what the file says, or the worst that a slice says
}

// dicomLimits keep a file within what other pictures may take.
var dicomLimits = dicom.Limits{Bytes: maxFileBytes, Samples: maxHeavyPixels, Frames: 100_000}

func (r Recipe) openDICOM(data []byte) (file, error) {
	f, err := dicom.Read(data, dicomLimits)
	if err != nil {
		return nil, dicomError(err)
	}
	return r.openSource(single{f})
}

// openSource holds a file or series against the recipe.
func (r Recipe) openSource(source dicomSource) (file, error) {
	f := &dicomFile{source: source, recipe: r}
	switch source.burnedIn() {
	case "YES":
		if !r.AllowBurnedIn {
			return nil, unsupported(formatDICOM, -1, "text is burned into the picture (BurnedInAnnotation is YES), which can name a patient; --allow-burned-in takes it")
		}
		f.marks = append(f.marks, "text is burned in, as the file says")
	case "":
		f.marks = append(f.marks, BurnedInUnknown)
	}
	w, h, aspect, err := source.size(r.Frame)
	if err != nil {
		return nil, dicomError(err)
	}
	square := squared(image.Pt(w, h), aspect)
	f.head = header{format: formatDICOM, w: square.X, h: square.Y, orientation: 1, heavy: true, masked: true}
	if r.Frame.Grid > 0 {
		if w, h, _, err = source.size(dicom.Choice{}); err != nil {
			return nil, dicomError(err)
		}
	}
	f.head.stored = image.Pt(w, h)
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

// pixels renders the file through the recipe's window, and masks it.
func (f *dicomFile) pixels() (image.Image, []string, error) {
	o := dicom.Options{Window: f.recipe.Window, Frame: f.recipe.Frame, Decoder: codecs{}}
	masks := f.recipe.Masks
	if len(masks) > 0 {
		o.Touch = func(m draw.Image) error {
			if err := blacken(m, masks); err != nil {
				return unsupported(formatDICOM, -1, "%v", err)
			}
			return nil
		}
	}
	r, err := f.source.render(o)
	if err != nil {
		return nil, nil, dicomError(err)
	}
	steps := append(append([]string{}, f.marks...), r.Notes...)
	if len(masks) > 0 {
		steps = append(steps, f.recipe.masked())
	}
	size, square := r.Image.Bounds().Size(), image.Pt(f.head.w, f.head.h)
	if size == square {
		return r.Image, steps, nil
	}
	return flatten(scale(r.Image, square)), append(steps, fmt.Sprintf("pixels made square: %s to %s", by(size), by(square))), nil
}

// single is one file.
type single struct{ *dicom.File }

func (s single) burnedIn() string { return s.Header.BurnedInAnnotation }

func (s single) size(frame dicom.Choice) (width, height int, aspect float64, err error) {
	return s.Size(frame)
}

func (s single) render(o dicom.Options) (dicom.Rendering, error) { return s.Render(o) }

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
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	out := &Error{Kind: ErrDamaged, Format: formatDICOM, Offset: -1, Problem: strings.TrimLeft(strings.TrimPrefix(err.Error(), "reading dicom"), ":, ")}
	switch {
	case errors.Is(err, dicom.ErrUnsupported), errors.Is(err, dicom.ErrNoPixels):
		out.Kind = ErrUnsupported
	case errors.Is(err, dicom.ErrTooLarge):
		out.Kind = ErrTooLarge
	}
	return out
}
