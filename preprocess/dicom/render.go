package dicom

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"slices"
	"strings"
)

// Options are how a picture is made of a file or a series.
type Options struct {
	Window  Window  // the zero value: the file's own, else automatic
	Frame   Choice  // the zero value: the middle one
	Decoder Decoder // for transfer syntaxes that this package does not decode; may be nil

	// Touch may paint on every picture that is shown, before it becomes part of a
	// sheet; nil: nothing is painted.
	Touch func(draw.Image) error
}

// Rendering is a picture made of a file or a series.
type Rendering struct {
	Image image.Image // *image.Gray or an opaque *image.NRGBA, from (0, 0)

	// Notes say in words what was done, for the record: the frame, the window, and
	// whatever in the file was not as it should be. They hold nothing about the
	// patient.
	Notes []string

	// PixelAspect is the height of a pixel by its width; 1 is square. The picture
	// is not resampled by it.
	PixelAspect float64
}

// Render makes a picture of a file. Errors about the file are of type *Error or
// wrap one.
func (f *File) Render(o Options) (Rendering, error) {
	return (&film{
		noun: "frame", n: f.Len(), options: o,
		open: func(i int) (*File, int, error) { return f, i, nil },
	}).render()
}

// film is the frames or slices to choose from.
type film struct {
	noun    string
	n       int
	open    func(i int) (f *File, frame int, err error)
	options Options

	picks  []int
	tally  tally    // of the frames without a window of their own
	sample *sampled // of the only pick, once it is decoded
	notes  []string
	aspect float64
}

func (m *film) render() (r Rendering, err error) {
	if m.picks, err = m.options.Frame.Pick(m.n); err != nil {
		return r, err
	}
	if m.n > 1 {
		m.note(m.chosen())
	}
	if err := m.measure(); err != nil {
		return r, err
	}
	var sheet sheet
	for at, i := range m.picks {
		picture, err := m.touched(i)
		if err == nil {
			m.even(i, picture)
			err = sheet.add(picture, at, len(m.picks))
		}
		if err != nil {
			return r, m.within(i, err)
		}
	}
	if sheet.shrink > 1 {
		m.note(fmt.Sprintf("scaled down by %d for the sheet", sheet.shrink))
	}
	return Rendering{sheet.image, m.notes, m.aspect}, nil
}

// even notes a picture of one grey level, in which nothing is to be seen, or nearly
// so.
func (m *film) even(i int, picture image.Image) {
	if m.tally != nil && m.tally[0].value == m.tally[1].value { // said of the values already
		return
	}
	s := cmp.Or(Even(picture), nearlyEven(picture))
	if s != "" && len(m.picks) > 1 {
		s = fmt.Sprintf("%s %d: %s", m.noun, i+1, s)
	}
	m.note(s)
}

// within names the slice that an error is about.
func (m *film) within(i int, err error) error {
	if m.n == 1 || m.noun == "frame" {
		return err
	}
	return fmt.Errorf("%s %d of %d: %w", m.noun, i+1, m.n, err)
}

// chosen is the choice in words.
func (m *film) chosen() string {
	if m.options.Frame.Grid == 0 {
		return fmt.Sprintf("%s %d of %d", m.noun, m.picks[0]+1, m.n)
	}
	var list []string
	for _, i := range m.picks {
		list = append(list, fmt.Sprint(i+1))
	}
	across := across(len(m.picks))
	return fmt.Sprintf("%ss %s of %d, in rows of %d", m.noun, strings.Join(list, ", "), m.n, across)
}

func (m *film) note(s string) {
	if s != "" && !slices.Contains(m.notes, s) {
		m.notes = append(m.notes, s)
	}
}

// look is what one pick looks through.
type look struct {
	file     *File
	frame    int
	display  display
	modality modality
	curves   []curve // none: the automatic window
}

// look opens a pick and finds its window.
func (m *film) look(i int) (look, error) {
	f, frame, err := m.open(i)
	if err != nil {
		return look{}, err
	}
	l := look{file: f, frame: frame}
	if l.display, err = f.displayOf(frame); err != nil {
		return l, err
	}
	for _, s := range f.notes {
		m.note(s)
	}
	m.setAspect(l.display.pixelAspect())
	if !f.Header.grey() {
		m.note(colourNote(m.options.Window))
		return l, nil
	}
	if l.modality, err = f.modality(l.display); err != nil {
		return l, err
	}
	return l, m.choose(&l)
}

func colourNote(w Window) string {
	if s := w.String(); s != fileWindow && s != autoWindow {
		return "in colour, so window " + s + " does not apply"
	}
	return "in colour, no window"
}

// setAspect takes the first one. Real ones are near 1.
func (m *film) setAspect(a float64) {
	if a < 0.05 || a > 20 {
		m.note("pixels of an implausible shape taken as square")
		a = 1
	}
	if m.aspect == 0 {
		m.aspect = a
	} else if a/m.aspect < 0.99 || a/m.aspect > 1.01 {
		m.note("the shapes of the pixels differ, the first was taken")
	}
}

// choose finds the curves of a pick, and says in words which they are.
func (m *film) choose(l *look) error {
	w := m.options.Window
	for _, p := range presets {
		if w.Name == p.Name {
			m.note("window " + p.Name + " " + p.numbers() + " LINEAR")
			m.note(l.unfit("window " + p.Name))
			l.curves = []curve{linear(p.Center, p.Width)}
			return nil
		}
	}
	switch {
	case w.Name == medgemmaWindow:
		m.note("window medgemma: red -1024..1024, green -135..215, blue 0..80")
		m.note(l.unfit("window medgemma"))
		for _, ends := range medgemma {
			l.curves = append(l.curves, between(ends[0], ends[1]))
		}
	case w.Name == autoWindow: // the note comes with the numbers
	case w.Name == "" && w.Width >= 1:
		m.note("window " + w.numbers() + " LINEAR")
		l.curves = []curve{linear(w.Center, w.Width)}
	case w.Name == fileWindow || w.Name == "" && w.Width == 0:
		c, note, err := l.file.own(l.display, l.modality)
		if err != nil {
			return err
		}
		if c == nil {
			m.note(note + "no window in the file that can be used")
			return nil
		}
		m.note(note)
		l.curves = []curve{c}
	default:
		return fmt.Errorf("rendering dicom: there is no window %+v", w)
	}
	return nil
}

// unfit tells why a window in Hounsfield units may not be right for a file.
func (l *look) unfit(window string) string {
	h := &l.file.Header
	switch {
	case h.Modality != "" && h.Modality != "CT":
		return window + " is for CT, but the modality is " + h.Modality
	case !l.modality.given:
		return window + " is for CT, but the file has no rescale: its values are taken as Hounsfield units"
	case l.display.rescaleType != "" && l.display.rescaleType != "HU":
		return window + " is for CT, but the values are of type " + l.display.rescaleType
	}
	return ""
}

// measure counts the values of all picks that have no window, so that they get
// the same one.
func (m *film) measure() error {
	for _, i := range m.picks {
		l, err := m.look(i)
		if err == nil && l.file.Header.grey() && l.curves == nil {
			var s sampled
			if s, err = m.samples(l); err == nil {
				err = m.tally.add(&s, l.modality, l.file.Header.Padding)
			}
		}
		if err != nil {
			return m.within(i, err)
		}
	}
	if m.tally == nil {
		return nil
	}
	lo, hi := m.tally.ends()
	m.note(fmt.Sprintf("automatic window %s..%s, the 0.5 to 99.5 percentile", decimal(lo), decimal(hi)))
	if lo == hi {
		m.note(sameValues)
	}
	m.tally = tally{{lo, 1}, {hi, 1}}
	return nil
}

// samples decodes a pick, the only one once.
func (m *film) samples(l look) (sampled, error) {
	if m.sample != nil {
		return *m.sample, nil
	}
	s, err := l.file.frame(l.frame, m.options.Decoder)
	if err == nil && len(m.picks) == 1 {
		m.sample = &s
	}
	return s, err
}

// touched is one pick with what is painted on it.
func (m *film) touched(i int) (image.Image, error) {
	picture, err := m.picture(i)
	if err != nil || m.options.Touch == nil {
		return picture, err
	}
	canvas, ok := picture.(draw.Image)
	if !ok {
		return nil, fmt.Errorf("rendering dicom: nothing can be painted on a picture of type %T", picture)
	}
	return picture, m.options.Touch(canvas)
}

// picture is one pick as it is shown.
func (m *film) picture(i int) (image.Image, error) {
	l, err := m.look(i)
	if err != nil {
		return nil, err
	}
	s, err := m.samples(l)
	if err != nil {
		return nil, err
	}
	if s.RGB && l.file.syntax.way == jpeg8 {
		m.note("header says RGB, JPEG says YCbCr, read as that")
	}
	if !l.file.Header.grey() {
		return l.file.colour(s)
	}
	if l.curves == nil {
		if m.tally == nil {
			return nil, errors.New("rendering dicom: the file changed while it was read")
		}
		l.curves = []curve{between(m.tally[0].value, m.tally[1].value)}
	}
	invert := l.file.Header.Photometric == "MONOCHROME1"
	if invert {
		m.note("inverted, as MONOCHROME1")
	}
	var tones []tone
	for _, c := range l.curves {
		tones = append(tones, tone{l.modality, c, invert})
	}
	return s.grey(tones), nil
}
