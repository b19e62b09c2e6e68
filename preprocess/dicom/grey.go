package dicom

import (
	"image"
	"math"
	"slices"
)

// maxTable is how many values apart the lowest and the highest stored one may be
// for a table of all between.
const maxTable = 1 << 17

// at is stored value i.
func (s *Samples) at(i int) int64 {
	if s.Bits == 32 && !s.Signed {
		return int64(uint32(s.Values[i]))
	}
	return int64(s.Values[i])
}

func (s *Samples) ends() (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for i := range s.Values {
		v := s.at(i)
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

// count calls do with each value and how often it is there.
func (s *Samples) count(do func(v int64, n int)) {
	lo, hi := s.ends()
	if hi-lo < maxTable {
		counts := make([]int, hi-lo+1)
		for i := range s.Values {
			counts[s.at(i)-lo]++
		}
		for i, n := range counts {
			if n > 0 {
				do(lo+int64(i), n)
			}
		}
		return
	}
	all := make([]int64, len(s.Values))
	for i := range all {
		all[i] = s.at(i)
	}
	slices.Sort(all)
	for i := 0; i < len(all); {
		from := i
		for i < len(all) && all[i] == all[from] {
			i++
		}
		do(all[from], i-from)
	}
}

// tone is all steps from a stored value to a grey level: modality, window, and
// last the inversion of MONOCHROME1. Padding goes the same way, as DCMTK does it.
type tone struct {
	modality modality
	curve    curve
	invert   bool
}

func (t tone) at(stored int64) byte {
	y := t.curve(t.modality.at(stored))
	if t.invert {
		return 255 - y
	}
	return y
}

// levels writes the grey levels of samples to every step-th byte of pix.
func (s *Samples) levels(t tone, pix []byte, step int) {
	lo, hi := s.ends()
	if hi-lo >= maxTable {
		for i := range s.Values {
			pix[i*step] = t.at(s.at(i))
		}
		return
	}
	table := make([]byte, hi-lo+1)
	for i := range table {
		table[i] = t.at(lo + int64(i))
	}
	for i := range s.Values {
		pix[i*step] = table[s.at(i)-lo]
	}
}

// grey makes a picture of the samples: grey by one tone, colour by three.
func (s *Samples) grey(tones []tone) image.Image {
	area := image.Rect(0, 0, s.Width, s.Height)
	if len(tones) == 1 {
		m := image.NewGray(area)
		s.levels(tones[0], m.Pix, 1)
		return m
	}
	m := image.NewNRGBA(area)
	for i, t := range tones {
		s.levels(t, m.Pix[i:], 4)
	}
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	return m
}
