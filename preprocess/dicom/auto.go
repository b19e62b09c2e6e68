package dicom

import (
	"cmp"
	"slices"
)

// clipped is the part of all samples, at either end, that the automatic window
// may cut: one in 200, the 0.5 and 99.5 percentiles.
const clipped = 200

// tally counts the rescaled values of one frame or more.
type tally []counted

type counted struct {
	value float64
	n     int
}

// maxTally is how many different values an automatic window may be counted from.
const maxTally = 16 << 20

// add counts a frame's values but for its padding, unless there is nothing else.
func (t *tally) add(s *sampled, m modality, padding *Padding) error {
	n := len(*t)
	if lo, hi := s.ends(); n+int(min(hi-lo, int64(s.len()))) > maxTally {
		return tooLarge("the pictures have too many values for an automatic window: name one")
	}
	s.count(func(v int64, count int) {
		if padding == nil || v < int64(padding.Low) || v > int64(padding.High) {
			*t = append(*t, counted{m.at(v), count})
		}
	})
	if len(*t) == n && padding != nil {
		return t.add(s, m, nil)
	}
	return nil
}

// ends are the values that become black and white. Where the percentiles fall
// together, as with a small object on an even ground, they are the lowest and the
// highest.
func (t tally) ends() (lo, hi float64) {
	total := 0
	for _, c := range t {
		total += c.n
	}
	slices.SortFunc(t, func(a, b counted) int { return cmp.Compare(a.value, b.value) })
	if lo, hi = t.rank(total / clipped); lo == hi {
		lo, hi = t.rank(0)
	}
	return lo, hi
}

// rank is the lowest and the highest value that remain when skip samples are
// left out at either end; the tally is sorted.
func (t tally) rank(skip int) (lo, hi float64) {
	i, j := 0, len(t)-1
	for n := t[0].n; n <= skip; n += t[i].n {
		i++
	}
	for n := t[j].n; n <= skip; n += t[j].n {
		j--
	}
	return t[i].value, t[j].value
}
