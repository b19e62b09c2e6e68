package bench

import (
	"lightbox/bench/source"
	"lightbox/preprocess"
)

// Limits of a series.
const (
	maxSlices      = 2000
	maxSeriesBytes = 256 << 20
)

// withSeries opens pictures of a folder. A reference that names a directory is to
// a series: the single slices in it are one picture.
type withSeries struct{ *source.Folder }

// Open reads a picture, or all files of a series.
func (w withSeries) Open(reference string) ([]byte, error) {
	names, isSeries, err := w.List(reference)
	if err != nil {
		return nil, err
	}
	if !isSeries {
		return w.Folder.Open(reference)
	}
	return w.join(reference, names)
}

// OpenSeries joins the files of a directory in a folder to a series.
func OpenSeries(folder *source.Folder, name string) ([]byte, error) {
	return withSeries{folder}.Open(name)
}

// join joins the files of a series.
func (w withSeries) join(reference string, names []string) ([]byte, error) {
	if len(names) > maxSlices {
		return nil, &source.PictureError{Name: reference, Problem: "of more than 2000 slices"}
	}
	var files [][]byte
	size := 0
	for _, name := range names {
		data, err := w.Folder.Open(name)
		if err != nil {
			return nil, err
		}
		if size += len(data); size > maxSeriesBytes {
			return nil, &source.PictureError{Name: reference, Problem: "of more than 256 MiB"}
		}
		files = append(files, data)
	}
	return preprocess.Series(files), nil
}
