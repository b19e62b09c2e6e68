package dicom

import (
	"slices"
	"strings"
)

// proposal is a window that a file proposes (PS3.3, C.11.2).
type proposal struct {
	Window
	explanation string // of the words of [spoken], or empty
}

// display is how stored values become grey: of the whole file, or of a frame.
type display struct {
	slope, intercept *float64
	rescaleType      string // HU, OD, US or another; empty: not said
	modality         *element
	centers, widths  []float64
	explanations     []string
	function         string
	voi              *element
	spacing, imager  []float64 // row, column
	scanned, aspect  []float64
}

// set takes an element of the allow-list. ok is false for any other.
func (d *display) set(v value) (ok bool, err error) {
	switch v.tag {
	case tagSlope:
		d.slope, err = number(v)
	case tagIntercept:
		d.intercept, err = number(v)
	case tagRescaleType:
		d.rescaleType, err = v.term(rescaleTypes, "US")
	case tagModalityLUT:
		d.modality = &v.element
	case tagVOILUT:
		d.voi = &v.element
	case tagWindowCenter:
		d.centers, err = v.numbers()
	case tagWindowWidth:
		d.widths, err = v.numbers()
	case tagWindowExplanation:
		d.explanations = explanations(v)
	case tagVOIFunction:
		d.function, err = v.code()
	case tagSpacing:
		d.spacing = pair(v)
	case tagImagerSpacing:
		d.imager = pair(v)
	case tagScannedSpacing:
		d.scanned = pair(v)
	case tagAspect:
		d.aspect = pair(v)
	default:
		return false, nil
	}
	return true, err
}

func number(v value) (*float64, error) {
	x, ok, err := v.float()
	if err != nil || !ok {
		return nil, err
	}
	return &x, nil
}

// pair is two sizes; others are as none, and the pixels square.
func pair(v value) []float64 {
	all, err := v.floats()
	if err != nil || len(all) != 2 || all[0] <= 0 || all[1] <= 0 {
		return nil
	}
	return all
}

// macro takes the elements of a functional group. What it says of windows, or of
// the rescale, replaces what was said of them as a whole.
func (d *display) macro(p parser, e element) error {
	return p.items(e, func(s span) error {
		var n display
		err := p.elements(s, e.enc, func(e element) error {
			_, err := n.set(p.value(e))
			return err
		})
		if n.centers != nil || n.widths != nil || n.voi != nil {
			d.centers, d.widths, d.explanations, d.function, d.voi = n.centers, n.widths, n.explanations, n.function, n.voi
		}
		if n.slope != nil || n.intercept != nil {
			d.slope, d.intercept, d.rescaleType, d.modality = n.slope, n.intercept, n.rescaleType, nil
		}
		if n.spacing != nil {
			d.spacing = n.spacing
		}
		return err
	})
}

// group takes the functional groups of one item: those of all frames or of one
// (PS3.3, C.7.6.16).
func (d *display) group(p parser, s span, enc encoding) error {
	return p.elements(s, enc, func(e element) error {
		switch e.tag {
		case tagPixelMeasures, tagFrameVOI, tagPixelTransform:
			return d.macro(p, e)
		}
		return nil
	})
}

// windows pairs centres and widths.
func (d *display) windows() []proposal {
	out := make([]proposal, min(len(d.centers), len(d.widths)))
	for i := range out {
		out[i].Center, out[i].Width = d.centers[i], d.widths[i]
		if i < len(d.explanations) {
			out[i].explanation = d.explanations[i]
		}
	}
	return out
}

// pixelAspect is the height of a pixel by its width. The order of precedence is
// from what is exact to what is not.
func (d *display) pixelAspect() float64 {
	for _, s := range [][]float64{d.spacing, d.imager, d.scanned, d.aspect} {
		if s != nil {
			return s[0] / s[1]
		}
	}
	return 1
}

// explanations are only shown. They are free text, which can name a patient: what
// is not made of the words of [spoken] is left out.
func explanations(v value) []string {
	s, err := v.text()
	if err != nil {
		return nil
	}
	out := strings.Split(s, `\`)
	for i := range out {
		out[i] = explanation(out[i])
	}
	return out
}

// explanation is one of a window, or empty.
func explanation(s string) string {
	s = strings.Trim(s, " \x00")
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" _-", r) })
	for _, word := range words {
		word = strings.ToUpper(strings.TrimRight(word, "0123456789"))
		if len(s) > 32 || word != "" && !slices.Contains(spoken, word) {
			return ""
		}
	}
	return s
}
