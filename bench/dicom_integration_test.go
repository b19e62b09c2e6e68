//go:build integration

package bench

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
	"lightbox/bench/phantom"
	"lightbox/bench/record"
	"lightbox/preprocess/dicom/dicomtest"
)

// asDICOM gives pictures as DICOM files: grey ones with 12 bits and a window,
// others in colour.
type asDICOM struct {
	Pictures
	t *testing.T
}

func (a asDICOM) Open(reference string) ([]byte, error) {
	data, err := a.Pictures.Open(reference)
	if err != nil {
		return nil, err
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	size := m.Bounds().Size()
	f := dicomtest.File{Rows: size.Y, Columns: size.X, Allocated: 8, Photometric: "RGB", More: []dicomtest.Element{{Tag: 0x00280301, VR: "CS", Value: "NO"}}}
	grey := true
	for y := range size.Y {
		for x := range size.X {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			f.Pixels = append(f.Pixels, int(c.R), int(c.G), int(c.B))
			grey = grey && c.R == c.G && c.G == c.B
		}
	}
	if grey {
		all := f.Pixels
		f.Pixels = nil
		for i := 0; i < len(all); i += 3 {
			f.Pixels = append(f.Pixels, 16*all[i])
		}
		f.Photometric, f.Allocated, f.Stored = "MONOCHROME2", 16, 12
		f.More = append(f.More, dicomtest.Element{Tag: 0x00281050, VR: "DS", Value: "2040.5"}, dicomtest.Element{Tag: 0x00281051, VR: "DS", Value: "4081"})
	}
	return f.Bytes(), nil
}

// TestDICOMIsSeenAsThePictureIs: the model says the same of a picture and of a DICOM
// file with the same content.
func TestDICOMIsSeenAsThePictureIs(t *testing.T) {
	ask := func(change func(*Benchmark)) map[string]string {
		cfg := phantomConfig(t)
		cfg.Selection = card.Selection{Subsets: []string{phantom.ZeroShot}, Limit: 30}
		cfg.Judge = ""
		change(&cfg.Benchmark)
		return responsesIn(t, mustRun(t, cfg).Dir)
	}
	plain := ask(func(*Benchmark) {})
	same := ask(func(b *Benchmark) { b.Pictures = asDICOM{b.Pictures, t} })
	if diff := cmp.Diff(plain, same); diff != "" || len(plain) != 30 {
		t.Errorf("%d responses (-picture +dicom):\n%s", len(plain), diff)
	}
}

// responsesIn are the texts of a run's responses, by sample.
func responsesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for id, line := range run.Latest() {
		all[id] = line.Text
	}
	return all
}
