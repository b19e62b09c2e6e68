package dicom

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Window is the choice of which values become black and which white. The zero
// value is the same as "file".
type Window struct {
	// Name is "file", "auto", "medgemma", a preset, or empty: the centre and width
	// given, or the file's own where the width is 0.
	Name string

	Center, Width float64 // in the units of the rescaled values
}

// presets are windows for CT, in Hounsfield units.
var presets = []Window{
	{"brain", 40, 80},
	{"subdural", 75, 215},
	{"stroke", 40, 40},
	{"lung", -600, 1500},
	{"mediastinum", 50, 350},
	{"abdomen", 40, 400},
	{"liver", 60, 160},
	{"bone", 500, 2000},
}

// medgemma are the lowest and highest Hounsfield units of red, green and blue
// that MedGemma was trained on for CT, as its makers' notebook shows them.
var medgemma = [3][2]float64{{-1024, 1024}, {-135, 215}, {0, 80}}

const (
	fileWindow     = "file"
	autoWindow     = "auto"
	medgemmaWindow = "medgemma"
)

// ParseWindow reads a window: "file" or empty (the file's own first window or
// table, else as auto), "auto" (0.5 to 99.5 percentile), "medgemma" (three
// windows as colours), a preset's name, or CENTRE/WIDTH.
func ParseWindow(text string) (Window, error) {
	switch text {
	case "", fileWindow:
		return Window{Name: fileWindow}, nil
	case autoWindow, medgemmaWindow:
		return Window{Name: text}, nil
	}
	for _, p := range presets {
		if p.Name == text {
			return p, nil
		}
	}
	if c, w, ok := strings.Cut(text, "/"); ok {
		center, err1 := strconv.ParseFloat(c, 64)
		width, err2 := strconv.ParseFloat(w, 64)
		if err1 == nil && err2 == nil && finite(center) && finite(width) {
			if width < 1 {
				return Window{}, fmt.Errorf("reading window %q: the width is below 1", text)
			}
			if beyond(center, width) {
				return Window{}, fmt.Errorf("reading window %q: no picture has values as large", text)
			}
			return Window{Center: center, Width: width}, nil
		}
	}
	return Window{}, fmt.Errorf("reading window %q: it is none of %s, nor CENTRE/WIDTH", text, strings.Join(WindowNames(), ", "))
}

// Level is the grey level, from black 0 to white 255, of a value through the
// window's centre and width; LINEAR, as every window that is asked for. The width is
// at least 1.
func (w Window) Level(value float64) byte { return linear(w.Center, w.Width)(value) }

// maxWindow is above the values of any picture, and far below where their sums and
// differences lose what tells them apart.
const maxWindow = 1e12

func beyond(center, width float64) bool { return math.Abs(center) > maxWindow || width > maxWindow }

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// WindowNames are the names that ParseWindow knows; presets have their centre and
// width behind them.
func WindowNames() []string {
	out := []string{fileWindow, autoWindow, medgemmaWindow}
	for _, p := range presets {
		out = append(out, p.Name+" "+p.numbers())
	}
	return out
}

// String is the window as ParseWindow reads it.
func (w Window) String() string {
	switch {
	case w.Name != "":
		return w.Name
	case w.Width == 0:
		return fileWindow
	}
	return w.numbers()
}

func (w Window) numbers() string { return decimal(w.Center) + "/" + decimal(w.Width) }

// decimal writes a number as briefly as it can be.
func decimal(x float64) string {
	if x == 0 {
		return "0" // not -0
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if len(s) > 12 { // digits of a rescale that are nobody's
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	return s
}
