package dicom

import "math"

// modality turns stored values into those that windows are in, such as
// Hounsfield units (PS3.3, C.11.1).
type modality struct {
	table            *lut
	slope, intercept float64
	given            bool // the file says it
	negative         bool // results may be below zero
}

// modality of a frame. A table goes before a rescale.
func (f *File) modality(d display) (modality, error) {
	m := modality{slope: 1}
	if d.modality != nil {
		t, _, err := f.readLUT(*d.modality, f.Header.Signed)
		if err != nil {
			return m, err
		}
		if t != nil {
			m.table, m.given = t, true
			return m, nil
		}
	}
	if d.intercept != nil {
		m.intercept, m.given = *d.intercept, true
	}
	if d.slope != nil {
		m.slope, m.given = *d.slope, true
	}
	if m.slope == 0 {
		return m, damaged(-1, tagSlope, "the slope is 0, which makes all values one")
	}
	if !m.tells(f.Header.BitsStored) {
		return m, damaged(-1, tagSlope, "slope %s and intercept %s make no values that can be told apart", decimal(m.slope), decimal(m.intercept))
	}
	m.negative = f.Header.Signed || m.slope < 0 || m.intercept < 0
	return m, nil
}

// maxRescaled is the largest value whose differences are numbers too.
const maxRescaled = 1e300

// tells is whether a rescale keeps stored values of so many bits apart, also the
// ends of what these can be.
func (m modality) tells(bits int) bool {
	end := int64(1) << bits
	lo, hi := m.at(-end), m.at(end)
	return math.Abs(lo) < maxRescaled && math.Abs(hi) < maxRescaled && lo != m.at(1-end) && hi != m.at(end-1)
}

func (m modality) at(stored int64) float64 {
	if m.table != nil {
		return float64(m.table.at(stored))
	}
	return float64(stored)*m.slope + m.intercept
}
