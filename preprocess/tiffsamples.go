package preprocess

// Values of the tag of photometric interpretation.
const (
	whiteIsZero = 0
	blackIsZero = 1
	tiffRGB     = 2
	tiffPalette = 3
	tiffCMYK    = 5
)

// colourNames are the interpretations that are not read.
var colourNames = map[int]string{
	4: "transparency mask", 6: "YCbCr", 8: "CIE Lab", 9: "ICC Lab", 10: "ITU Lab",
	32803: "colour filter array", 32844: "LogL", 32845: "LogLuv", 34892: "linear raw",
}

// formatNames are the formats of samples that are not read.
var formatNames = map[int]string{2: "signed", 3: "floating-point", 5: "complex whole", 6: "complex"}

// Kinds of extra samples.
const (
	extraAssociated = 1 // alpha, with which the colours are multiplied
	extraAlpha      = 2
)

// samples is what the samples of a TIFF's pixels mean.
type samples struct {
	bits       int // of a sample
	perPixel   int
	meaning    int // photometric interpretation
	target     []int
	channels   int // of the pixels that are made
	alpha      bool
	associated bool
	left       int // samples that are left out
}

// readSamples reads what samples there are. target is where each goes: 0 the
// grey or the index of a colour, or 0 to 2 the colours, 3 alpha or black, -1
// nowhere.
func (t *tiffFile) readSamples() error {
	s := &t.samples
	s.bits, s.perPixel = t.number(tagBits, 1), t.number(tagSamples, 1)
	if s.perPixel < 1 || s.perPixel > maxSamples {
		return unsupported("tiff", -1, "%d samples a pixel", s.perPixel)
	}
	for i := range s.perPixel {
		format := t.fields[tagSampleFormats].at(i)
		if name := formatNames[format]; name != "" {
			return unsupported("tiff", -1, "%s samples of %d bits", name, s.bits)
		}
		if depths := t.fields[tagBits]; depths.count > 1 && depths.at(i) != s.bits {
			return unsupported("tiff", -1, "samples of %d bits beside %d", depths.at(i), s.bits)
		}
	}
	if _, ok := t.fields[tagPhotometric]; !ok {
		return damaged("tiff", -1, "nothing says what the samples mean")
	}
	s.meaning = t.number(tagPhotometric, 0)
	colours := map[int]int{whiteIsZero: 1, blackIsZero: 1, tiffRGB: 3, tiffPalette: 1, tiffCMYK: 4}[s.meaning]
	if colours == 0 {
		name := colourNames[s.meaning]
		if name == "" {
			name = "unknown"
		}
		return unsupported("tiff", -1, "%s colours (%d)", name, s.meaning)
	}
	if s.perPixel < colours {
		return damaged("tiff", -1, "%d samples a pixel for %d colours", s.perPixel, colours)
	}
	t.readExtra(colours)
	return t.checkSamples()
}

// readExtra reads what the samples beyond the colours mean.
func (t *tiffFile) readExtra(colours int) {
	s := &t.samples
	for i := range s.perPixel {
		to := i
		if i >= colours {
			to = -1
			kind := t.fields[tagExtraSamples].at(i - colours)
			if !s.alpha && (kind == extraAssociated || kind == extraAlpha) {
				s.alpha, s.associated, to = true, kind == extraAssociated, 3
			} else {
				s.left++
			}
		}
		s.target = append(s.target, to)
	}
	s.channels = 4
	if colours == 1 && !s.alpha {
		s.channels = 1
	}
}

// checkSamples refuses what is not read.
func (t *tiffFile) checkSamples() error {
	s := t.samples
	ok := false
	switch {
	case s.meaning == tiffCMYK:
		if inks := t.number(tagInks, 1); inks != 1 || s.alpha {
			return unsupported("tiff", -1, "inks other than CMYK, or with alpha")
		}
		ok = s.bits == 8
	case s.meaning == tiffPalette:
		if s.perPixel > 1 {
			return unsupported("tiff", -1, "a palette with %d samples a pixel", s.perPixel)
		}
		ok = s.bits == 1 || s.bits == 2 || s.bits == 4 || s.bits == 8
		if colours := t.fields[tagColours]; ok && (colours.kind != typeShort || colours.count != 3<<s.bits) {
			return damaged("tiff", -1, "a palette of %d numbers for %d bits", colours.count, s.bits)
		}
	case s.meaning == whiteIsZero && s.alpha:
		return unsupported("tiff", -1, "white as zero, with alpha")
	case s.perPixel > 1:
		ok = s.bits == 8 || s.bits == 16
	default:
		ok = s.bits == 1 || s.bits == 2 || s.bits == 4 || s.bits == 8 || s.bits == 16
	}
	if !ok {
		return unsupported("tiff", -1, "%d-bit samples", s.bits)
	}
	return nil
}
