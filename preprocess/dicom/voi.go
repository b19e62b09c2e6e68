package dicom

import (
	"fmt"
	"math"
)

// curve turns a rescaled value into a grey level from 0 to 255.
type curve func(x float64) byte

// level rounds to the nearest grey level, halves up.
func level(x float64) byte {
	return byte(min(max(math.Floor(x+0.5), 0), 255))
}

// linear is the function LINEAR of PS3.3, C.11.2.1.2.1; w is at least 1.
func linear(c, w float64) curve {
	return func(x float64) byte {
		switch {
		case x <= c-0.5-(w-1)/2:
			return 0
		case x > c-0.5+(w-1)/2:
			return 255
		}
		return level(((x-(c-0.5))/(w-1) + 0.5) * 255)
	}
}

// linearExact is the function LINEAR_EXACT of PS3.3, C.11.2.1.3.2; w is above 0.
func linearExact(c, w float64) curve {
	return func(x float64) byte {
		switch {
		case x <= c-w/2:
			return 0
		case x > c+w/2:
			return 255
		}
		return level(((x-c)/w + 0.5) * 255)
	}
}

// sigmoid is the function SIGMOID of PS3.3, C.11.2.1.3.1; w is above 0.
func sigmoid(c, w float64) curve {
	return func(x float64) byte { return level(255 / (1 + math.Exp(-4*(x-c)/w))) }
}

// between maps lo to black and hi to white.
func between(lo, hi float64) curve {
	return func(x float64) byte {
		switch {
		case x <= lo:
			return 0
		case x >= hi:
			return 255
		}
		return level((x - lo) / (hi - lo) * 255)
	}
}

// minWidth is far below the widths of diffusion maps, whose values are small.
const minWidth = 1e-12

// curve of a window in the file, with the function's name. why is not empty where
// the window cannot be used.
func (w proposal) curve(function string) (c curve, name, why string) {
	if beyond(w.Center, w.Width) {
		return nil, "", "no picture has values as large"
	}
	if math.IsNaN(w.Center) || math.IsNaN(w.Width) {
		return nil, "", "it is not two numbers"
	}
	switch function {
	case "", "LINEAR":
		if w.Width < 1 {
			return nil, "", "its width is below 1"
		}
		return linear(w.Center, w.Width), "LINEAR", ""
	case "LINEAR_EXACT", "SIGMOID":
		if w.Width <= 0 {
			return nil, "", "its width is not above 0"
		}
		if w.Width < minWidth {
			return nil, "", "its width is next to 0"
		}
		if function == "SIGMOID" {
			return sigmoid(w.Center, w.Width), function, ""
		}
		return linearExact(w.Center, w.Width), function, ""
	}
	return nil, "", "its function is none of DICOM"
}

// curve of a VOI lookup table, its entries brought from their bits to 8.
func (t *lut) curve() curve {
	white := float64(uint(1)<<t.bits - 1)
	return func(x float64) byte {
		x = min(max(math.Floor(x+0.5), -1<<32), 1<<32) // tables have less
		return level(float64(t.at(int64(x))) / white * 255)
	}
}

// own is the file's own curve for a frame: its first window that can be used,
// else its first table. c is nil where there is none.
func (f *File) own(d display, m modality) (c curve, note string, err error) {
	windows := d.windows()
	for i, w := range windows {
		c, name, why := w.curve(d.function)
		if why != "" {
			note += fmt.Sprintf("file window %d of %d left out: %s; ", i+1, len(windows), why)
			continue
		}
		note += fmt.Sprintf("file window %d of %d ", i+1, len(windows))
		if w.explanation != "" {
			note += "(" + w.explanation + ") "
		}
		note += w.numbers() + " " + name
		if d.voi != nil {
			note += ", before the file's table (VOI LUT)"
		}
		return c, note, nil
	}
	if d.voi == nil {
		return nil, note, nil
	}
	t, n, err := f.readLUT(*d.voi, m.negative)
	if err != nil || t == nil {
		return nil, note, err
	}
	if m.table != nil && t.first < 0 { // written as the stored values are, but a table gives no value below zero
		t.first += 1 << 16
	}
	return t.curve(), note + fmt.Sprintf("file table 1 of %d (VOI LUT of %d entries of %d bits)", n, len(t.entries), t.bits), nil
}
