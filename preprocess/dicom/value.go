package dicom

import (
	"math"
	"strconv"
	"strings"
)

// value is the encoded value of an element of the allow-list.
type value struct {
	element
	bytes []byte
}

func (p parser) value(e element) value { return value{e, p.data[e.body:e.end]} }

func (v value) bad(problem string, args ...any) error {
	return damaged(v.at, v.tag, problem, args...)
}

// text is the value without what pads it.
func (v value) text() (string, error) {
	if v.open || len(v.bytes) > maxText {
		return "", v.bad("the value is too long for what it is")
	}
	return strings.Trim(string(v.bytes), " \x00"), nil
}

// code is a text of the characters that a code string or a UID may have, or
// empty: free text must not pass for a code (PS3.5, 6.2).
func (v value) code() (string, error) {
	s, err := v.text()
	if err != nil || len(s) > 16 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ") != "" {
		return "", err
	}
	return s, nil
}

func (v value) uid() (string, error) {
	s, err := v.text()
	if err != nil || len(s) > 64 || strings.Trim(s, "0123456789.") != "" {
		return "", err
	}
	return s, nil
}

// floats reads decimal strings. None is fine.
func (v value) floats() ([]float64, error) {
	s, err := v.text()
	if err != nil || s == "" {
		return nil, err
	}
	var out []float64
	for i, part := range strings.Split(s, `\`) {
		x, ok := decimalString(part)
		if !ok {
			return nil, v.bad("value %d is not a number", i+1)
		}
		out = append(out, x)
	}
	return out, nil
}

// numbers reads decimal strings. One that is none is not a number.
func (v value) numbers() ([]float64, error) {
	s, err := v.text()
	if err != nil || s == "" {
		return nil, err
	}
	var out []float64
	for part := range strings.SplitSeq(s, `\`) {
		x, ok := decimalString(part)
		if !ok {
			x = math.NaN()
		}
		out = append(out, x)
	}
	return out, nil
}

// decimalString reads a decimal string; ok is false where it is none.
func decimalString(s string) (x float64, ok bool) {
	s = strings.Trim(s, " \x00")
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && strings.Trim(s, "0123456789+-.eE") == "" && !math.IsInf(x, 0)
}

// float reads one decimal string; ok is false where there is none.
func (v value) float() (x float64, ok bool, err error) {
	all, err := v.floats()
	if err != nil || len(all) == 0 {
		return 0, false, err
	}
	return all[0], true, nil
}

// integer reads one integer string; ok is false where there is none.
func (v value) integer() (n int, ok bool, err error) {
	s, err := v.text()
	if err != nil || s == "" {
		return 0, false, err
	}
	x, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, false, v.bad("the value is not an integer")
	}
	return int(x), true, nil
}

// shorts reads n unsigned numbers of 16 bits.
func (v value) shorts(n int) ([]int, error) {
	if len(v.bytes) != 2*n {
		return nil, v.bad("the value has %d bytes, not %d", len(v.bytes), 2*n)
	}
	out := make([]int, n)
	for i := range out {
		out[i] = int(v.enc.order.Uint16(v.bytes[2*i:]))
	}
	return out, nil
}
