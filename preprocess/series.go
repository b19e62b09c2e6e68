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
	// Digest is that of the digests of all slices: in rising order, so that names of
	// files do not matter, unless their order is all that tells slices apart.
	Digest string

	open   func(i int) ([]byte, error)
	slices []slice // in the order of the files
	order  *dicom.Series
	text   string // BurnedInAnnotation, the worst of all slices
	passed passed
}

// passed counts the files of a folder that are no slices of the series.
type passed struct{ reports, strays, localizers int }

// String says so in words; empty: there are none.
func (p passed) String() string {
	var parts []string
	for _, kind := range []struct {
		n    int
		what string
	}{{p.localizers, "localizers"}, {p.reports, "DICOM files without a picture"}, {p.strays, "files that are no DICOM"}} {
		if kind.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", kind.n, kind.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "passed over in the folder: " + strings.Join(parts, ", ")
}

// slice is a file of a series that holds a picture.
type slice struct {
	file   int // as open counts
	digest string
	header dicom.Header
}

// ReadSeries reads the headers of n files, which open gives from 0, where needed
// more than once. Files that hold no picture, such as reports and what programs
// leave in folders, are passed over, and so are localizers beside other slices.
// Pictures that are no DICOM, damaged files and slices of several series are refused.
// Errors are those of open, or of type *Error.
func ReadSeries(n int, open func(i int) ([]byte, error)) (*Series, error) {
	if n > maxSlices {
		return nil, tooLarge(formatDICOM, "a series of %d files, more than %d", n, maxSlices)
	}
	s := &Series{open: open, text: "NO"}
	var size int64
	for i := range n {
		data, err := open(i)
		if err != nil {
			return nil, err
		}
		if size += int64(len(data)); size > maxSeriesBytes {
			return nil, tooLarge(formatDICOM, "a series of more than %d GiB", maxSeriesBytes>>30)
		}
		if err := s.take(i, data); err != nil {
			return nil, dicomError(fmt.Errorf("file %d of %d: %w", i+1, n, err))
		}
	}
	if len(s.slices) == 0 {
		return nil, dicomError(fmt.Errorf("none of %d files holds a picture: %w", n, dicom.ErrNoPixels))
	}
	return s, s.arrange()
}

// take takes a file's header, or counts it as passed over.
func (s *Series) take(i int, data []byte) error {
	f, err := dicom.Read(data, dicomLimits)
	switch {
	case err == nil:
		s.slices = append(s.slices, slice{i, digest(data), f.Header})
	case errors.Is(err, dicom.ErrNoPixels):
		s.passed.reports++
	case pictureless(data):
		s.passed.strays++
	default:
		return err
	}
	return nil
}

// leaveLocalizers takes localizers out where there are other slices.
func (s *Series) leaveLocalizers() {
	others := slices.DeleteFunc(slices.Clone(s.slices), func(x slice) bool { return x.header.Localizer })
	if len(others) > 0 {
		s.passed.localizers = len(s.slices) - len(others)
		s.slices = others
	}
}

// arrange orders the slices by their headers, and names the series by their
// digests.
func (s *Series) arrange() error {
	s.leaveLocalizers()
	headers, digests := make([]dicom.Header, len(s.slices)), make([]string, len(s.slices))
	for i, x := range s.slices {
		headers[i], digests[i] = x.header, x.digest
		s.worst(x.header.BurnedInAnnotation)
	}
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

func (s stack) render(o dicom.Options) (dicom.Rendering, error) {
	r, err := s.order.Render(s.read, o)
	if note := s.passed.String(); note != "" {
		r.Notes = append([]string{note}, r.Notes...)
	}
	return r, err
}
