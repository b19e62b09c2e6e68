package preprocess

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"lightbox/preprocess/dicom"
)

// seriesMark begins the bytes of a series.
const seriesMark = "lightbox series\n"

// maxSlices is how many files a series can have.
const maxSlices = 2000

// Series joins the files of a folder with single slices to what Measure and
// Prepare take as one picture. Files that hold no picture, such as reports, are
// left out there.
func Series(files [][]byte) []byte {
	var b bytes.Buffer
	b.WriteString(seriesMark)
	for _, f := range files {
		b.Write(binary.BigEndian.AppendUint64(nil, uint64(len(f))))
		b.Write(f)
	}
	return b.Bytes()
}

// slices are the files that Series joined.
func slicesOf(data []byte) ([][]byte, error) {
	data = data[len(seriesMark):]
	var all [][]byte
	for len(data) > 0 {
		if len(data) < 8 {
			return nil, errors.New("the series is cut")
		}
		n := binary.BigEndian.Uint64(data)
		data = data[8:]
		if n > uint64(len(data)) {
			return nil, errors.New("the series is cut")
		}
		if all = append(all, data[:n]); len(all) > maxSlices {
			return nil, fmt.Errorf("the series has more than %d files", maxSlices)
		}
		data = data[n:]
	}
	return all, nil
}

// readDICOM reads the headers of a file or of a series.
func readDICOM(data []byte) (dicomSource, error) {
	if !bytes.HasPrefix(data, []byte(seriesMark)) {
		f, err := dicom.Read(data, dicomLimits)
		if err != nil {
			return nil, err
		}
		return single{f}, nil
	}
	all, err := slicesOf(data)
	if err != nil {
		return nil, err
	}
	var s stack
	var headers []dicom.Header
	for _, one := range all {
		f, err := dicom.Read(one, dicomLimits)
		if errors.Is(err, dicom.ErrNoPixels) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("one of %d files: %w", len(all), err)
		}
		s.files = append(s.files, one)
		headers = append(headers, f.Header)
	}
	if len(headers) == 0 {
		return nil, fmt.Errorf("none of %d files holds a picture: %w", len(all), dicom.ErrNoPixels)
	}
	if s.series, err = dicom.NewSeries(headers); err != nil {
		return nil, err
	}
	s.first = headers[0]
	for _, h := range headers {
		s.worst(h)
	}
	return s, nil
}

// single is one file.
type single struct{ *dicom.File }

func (s single) header() dicom.Header { return s.Header }

func (s single) size(frame dicom.Choice) (width, height int, aspect float64, err error) {
	return s.Size(frame)
}

func (s single) render(o dicom.Options) (dicom.Rendering, error) { return s.Render(o) }

// stack is the slices of a series.
type stack struct {
	files  [][]byte
	series *dicom.Series
	first  dicom.Header
}

// worst takes what a slice says of burned-in text where it is worse than what the
// others say.
func (s *stack) worst(h dicom.Header) {
	if h.BurnedInAnnotation == "YES" || h.BurnedInAnnotation == "" && s.first.BurnedInAnnotation != "YES" {
		s.first.BurnedInAnnotation = h.BurnedInAnnotation
	}
}

func (s stack) header() dicom.Header { return s.first }

func (s stack) open(i int) (*dicom.File, error) { return dicom.Read(s.files[i], dicomLimits) }

func (s stack) size(frame dicom.Choice) (width, height int, aspect float64, err error) {
	return s.series.Size(s.open, frame)
}

func (s stack) render(o dicom.Options) (dicom.Rendering, error) { return s.series.Render(s.open, o) }
