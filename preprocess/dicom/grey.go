package dicom

import (
	"image"
	"math"
	"slices"
)

// maxTable is how many values apart the lowest and the highest stored one may be
// for a table of all between.
const maxTable = 1 << 17

// value is a value of [Samples.Values] as a number.
func (s *sampled) value(v int32) int64 {
	if s.Bits == 32 && !s.Signed {
		return int64(uint32(v))
	}
	return int64(v)
}

func (s *sampled) ends() (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	s.rows(func(_ int, values []int32) {
		for _, v := range values {
			lo, hi = min(lo, s.value(v)), max(hi, s.value(v))
		}
	})
	return lo, hi
}

// count calls do with each value and how often it is there.
func (s *sampled) count(do func(v int64, n int)) {
	lo, hi := s.ends()
	if hi-lo < maxTable {
		counts := make([]int, hi-lo+1)
		s.rows(func(_ int, values []int32) {
			for _, v := range values {
				counts[s.value(v)-lo]++
			}
		})
		for i, n := range counts {
			if n > 0 {
				do(lo+int64(i), n)
			}
		}
		return
	}
	all := make([]int64, 0, s.len())
	s.rows(func(_ int, values []int32) {
		for _, v := range values {
			all = append(all, s.value(v))
		}
	})
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
func (s *sampled) levels(t tone, pix []byte, step int) {
	lo, hi := s.ends()
	if hi-lo >= maxTable {
		s.rows(func(at int, values []int32) {
			for i, v := range values {
				pix[(at+i)*step] = t.at(s.value(v))
			}
		})
		return
	}
	table := make([]byte, hi-lo+1)
	for i := range table {
		table[i] = t.at(lo + int64(i))
	}
	s.rows(func(at int, values []int32) {
		for i, v := range values {
			pix[(at+i)*step] = table[s.value(v)-lo]
		}
	})
}

// grey makes a picture of the samples: grey by one tone, colour by three.
func (s *sampled) grey(tones []tone) image.Image {
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
