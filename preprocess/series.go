package preprocess

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbox/preprocess/dicom"
)

// Limits of a series.
const (
	maxSlices      = 2000
	maxSeriesBytes = 4 << 30
)

// Series is the files of one series of single slices. Their headers are kept, the
// files are read one at a time, and those that are shown once more.
type Series struct {
	// Digest is that of the digests of all files: in rising order, so that names of
	// files do not matter, unless their order is all that tells slices apart.
	Digest string

	open   func(i int) ([]byte, error)
	slices []slice // in the order of the files
	order  *dicom.Series
	text   string // BurnedInAnnotation, the worst of all slices
}

// slice is a file of a series that holds a picture.
type slice struct {
	file   int // as open counts
	digest string
}

// ReadSeries reads the headers of n files, which open gives from 0, where needed
// more than once. Files that hold no picture, such as reports, are left out; files
// that are not DICOM and slices of several series are refused. Errors are those of
// open, or of type *Error.
func ReadSeries(n int, open func(i int) ([]byte, error)) (*Series, error) {
	if n > maxSlices {
		return nil, tooLarge(formatDICOM, "a series of %d files, more than %d", n, maxSlices)
	}
	s := &Series{open: open, text: "NO"}
	var headers []dicom.Header
	var digests []string
	var size int64
	for i := range n {
		data, err := open(i)
		if err != nil {
			return nil, err
		}
		if size += int64(len(data)); size > maxSeriesBytes {
			return nil, tooLarge(formatDICOM, "a series of more than %d GiB", maxSeriesBytes>>30)
		}
		digests = append(digests, digest(data))
		f, err := dicom.Read(data, dicomLimits)
		if errors.Is(err, dicom.ErrNoPixels) {
			continue
		}
		if err != nil {
			return nil, dicomError(fmt.Errorf("file %d of %d: %w", i+1, n, err))
		}
		s.slices = append(s.slices, slice{i, digests[i]})
		s.worst(f.Header.BurnedInAnnotation)
		headers = append(headers, f.Header)
	}
	if len(headers) == 0 {
		return nil, dicomError(fmt.Errorf("none of %d files holds a picture: %w", n, dicom.ErrNoPixels))
	}
	return s, s.arrange(headers, digests)
}

// arrange orders the slices by their headers, and names the series by the digests
// of its files.
func (s *Series) arrange(headers []dicom.Header, digests []string) error {
	var err error
	if s.order, err = dicom.NewSeries(headers); err != nil {
		return dicomError(err)
	}
	if !s.order.ByFile {
		slices.Sort(digests)
	}
	s.Digest = digest([]byte("series\n" + strings.Join(digests, "\n")))
	return nil
}

// worst takes what a slice says of burned-in text where it is worse than what the
// others say.
func (s *Series) worst(text string) {
	if text == "YES" || text == "" && s.text != "YES" {
		s.text = text
	}
}

// MeasureSeries is the width and height in pixels that PrepareSeries gives a series.
func (r Recipe) MeasureSeries(s *Series) (w, h int, err error) {
	f, err := r.openSeries(s)
	if err != nil {
		return 0, 0, err
	}
	w, h = r.Size(f.header().w, f.header().h)
	return w, h, nil
}

// PrepareSeries turns a series into the one picture that a model gets: of one
// slice, or a sheet. Errors are as those of Prepare.
func (r Recipe) PrepareSeries(s *Series) (Image, error) {
	f, err := r.openSeries(s)
	if err != nil {
		return Image{}, err
	}
	return r.normal().develop(f, s.Digest, 0)
}

func (r Recipe) openSeries(s *Series) (file, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	f, err := r.openSource(stack{s})
	if err != nil {
		return nil, err
	}
	return f, f.header().check()
}

// stack renders the slices of a series.
type stack struct{ *Series }

func (s stack) burnedIn() string { return s.text }

// read reads a slice again, which must be as it was.
func (s stack) read(i int) (*dicom.File, error) {
	data, err := s.open(s.slices[i].file)
	if err != nil { // its text can hold the name of a file
		return nil, damaged(formatDICOM, -1, "a slice cannot be read again")
	}
	if digest(data) != s.slices[i].digest {
		return nil, damaged(formatDICOM, -1, "a slice has changed while the series was read")
	}
	return dicom.Read(data, dicomLimits)
}

func (s stack) size(frame dicom.Choice) (width, height int, aspect float64, err error) {
	return s.order.Size(s.read, frame)
}

func (s stack) render(o dicom.Options) (dicom.Rendering, error) { return s.order.Render(s.read, o) }
