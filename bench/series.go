package bench

import (
	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/preprocess"
)

// seriesPictures are pictures of which some are series of slices.
type seriesPictures interface {
	Pictures

	// Series reads the headers of a series; ok tells whether the reference is to one.
	Series(reference string) (s *preprocess.Series, ok bool, err error)
}

// withSeries opens pictures of a folder. A reference that names a directory is to
// a series: the single slices in it are one picture.
type withSeries struct{ *source.Folder }

// Series reads the headers of the files in a directory.
func (w withSeries) Series(reference string) (s *preprocess.Series, ok bool, err error) {
	return readSeries(w, reference)
}

// directories hold pictures.
type directories interface {
	Pictures
	List(name string) (files []string, ok bool, err error)
}

// readSeries reads the headers of the files in a directory.
func readSeries(d directories, reference string) (s *preprocess.Series, ok bool, err error) {
	names, ok, err := d.List(reference)
	if err != nil || !ok {
		return nil, ok, err
	}
	s, err = preprocess.ReadSeries(len(names), func(i int) ([]byte, error) { return d.Open(names[i]) })
	return s, true, err
}

// negative is a picture as the data have it: a file, or a series of slices.
type negative struct {
	digest infer.Digest
	data   []byte             // of a file
	series *preprocess.Series // nil: it is a file
}

// openNegative reads a file, or the headers of a series.
func openNegative(p Pictures, reference string) (negative, error) {
	if several, can := p.(seriesPictures); can {
		s, ok, err := several.Series(reference)
		if err != nil {
			return negative{}, err
		}
		if ok {
			return negative{digest: infer.Digest(s.Digest), series: s}, nil
		}
	}
	data, err := p.Open(reference)
	if err != nil {
		return negative{}, err
	}
	return negative{digest: infer.DigestOf(data), data: data}, nil
}

// measure is the size in pixels that a recipe gives the picture.
func (n negative) measure(r preprocess.Recipe) (w, h int, err error) {
	if n.series != nil {
		return r.MeasureSeries(n.series)
	}
	return r.Measure(n.data)
}

// prepare makes the picture that a model gets.
func (n negative) prepare(r preprocess.Recipe) (preprocess.Image, error) {
	if n.series != nil {
		return r.PrepareSeries(n.series)
	}
	return r.Prepare(n.data)
}

// format names the format of the files.
func (n negative) format() string {
	if n.series != nil {
		return "dicom"
	}
	return preprocess.FormatOf(n.data)
}
