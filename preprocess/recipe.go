package preprocess

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"slices"

	"lightbox/preprocess/dicom"
)

// recipeVersion changes whenever the same file and the same fields of a Recipe
// give other pixels than before.
const recipeVersion = 1

// Recipe is how a picture is prepared. The zero value keeps the size.
type Recipe struct {
	MaxSide int    // longer side at most, pixels; 0: any
	MinSide int    // shorter side at least, pixels, padded up to it; 0: any
	Fit     Fit    // how MaxSide is reached; empty is Keep
	Format  Format // how a picture is encoded; empty is Auto

	// Window of DICOM; the zero value: the file's own, else automatic. A centre and
	// width are taken for 16-bit PNG and TIFF too, in their own values.
	Window        dicom.Window
	Frame         dicom.Choice // of DICOM files with several frames and of series; the zero value: the middle one
	Masks         []Mask       // made black before anything else
	AllowBurnedIn bool         // DICOM files that say that text is burned into them are taken
}

// Fit is how a picture is brought within MaxSide.
type Fit string

// The ways to fit. All scale a picture down until its longer side is MaxSide and
// never enlarge it. Keep leaves its aspect, Pad adds black until it is square, and
// Squash makes it square by changing its aspect, as some servers do.
const (
	Keep   Fit = "keep"
	Pad    Fit = "pad"
	Squash Fit = "squash"
)

// Format is the encoding of prepared pictures.
type Format string

// The encodings. A picture that is in the wanted one and needs no change
// passes; Auto takes both and encodes what it has to as PNG, which loses
// nothing.
const (
	Auto Format = "auto"
	PNG  Format = "png"
	JPEG Format = "jpeg" // quality 95
)

// Validate tells what is wrong with a recipe.
func (r Recipe) Validate() error {
	r = r.normal()
	switch {
	case r.MaxSide < 0 || r.MinSide < 0:
		return fmt.Errorf("checking picture recipe: a side is negative (max %d, min %d)", r.MaxSide, r.MinSide)
	case r.MaxSide > 0 && r.MinSide > r.MaxSide:
		return fmt.Errorf("checking picture recipe: min side %d is above max side %d", r.MinSide, r.MaxSide)
	case r.MinSide > maxPad:
		return fmt.Errorf("checking picture recipe: min side %d is above %d", r.MinSide, maxPad)
	case r.Fit != Keep && r.Fit != Pad && r.Fit != Squash:
		return fmt.Errorf("checking picture recipe: unknown fit %q", r.Fit)
	case r.Format != Auto && r.Format != PNG && r.Format != JPEG:
		return fmt.Errorf("checking picture recipe: unknown format %q", r.Format)
	}
	for _, m := range r.Masks {
		if err := m.check(); err != nil {
			return err
		}
	}
	if _, err := dicom.ParseWindow(r.Window.String()); err != nil {
		return fmt.Errorf("checking picture recipe: %w", err)
	}
	if _, err := r.Frame.Pick(max(1, r.Frame.Number)); err != nil {
		return fmt.Errorf("checking picture recipe: %w", err)
	}
	return nil
}

// normal spells out the defaults.
func (r Recipe) normal() Recipe {
	if r.Fit == "" {
		r.Fit = Keep
	}
	if r.Format == "" {
		r.Format = Auto
	}
	return r
}

// Digest names the recipe, "sha256:" and 64 hexadecimal digits. Recipes that
// give the same pictures have the same digest.
func (r Recipe) Digest() string {
	r = r.normal()
	text := fmt.Appendf(nil, "picture recipe %d\nmax side %d\nmin side %d\nfit %s\nformat %s\n",
		recipeVersion, r.MaxSide, r.MinSide, r.Fit, r.Format)
	if w := r.Window.String(); w != "file" {
		text = fmt.Appendf(text, "window %s\n", w)
	}
	if f := r.Frame.String(); f != "middle" {
		text = fmt.Appendf(text, "frame %s\n", f)
	}
	for _, m := range r.Masks {
		text = fmt.Appendf(text, "mask %s\n", m)
	}
	if r.AllowBurnedIn {
		text = append(text, "burned-in text allowed\n"...)
	}
	return digest(text)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Measure is the width and height in pixels that Prepare gives the file, read
// from its headers alone. A file that Prepare refuses may still have a measure.
func (r Recipe) Measure(data []byte) (w, h int, err error) {
	if err := r.Validate(); err != nil {
		return 0, 0, err
	}
	f, err := r.open(data)
	if err != nil {
		return 0, 0, err
	}
	w, h = r.Size(f.header().upright().X, f.header().upright().Y)
	return w, h, nil
}

// Size is the width and height in pixels that the recipe gives an upright picture
// of w by h pixels.
func (r Recipe) Size(w, h int) (width, height int) {
	size := r.padded(r.fitted(image.Pt(w, h)))
	return size.X, size.Y
}

// Prepare turns the bytes of a file into what a model gets. Errors are of type
// *Error, but for a recipe that makes no sense. The result shares no memory
// with data.
func (r Recipe) Prepare(data []byte) (Image, error) {
	if err := r.Validate(); err != nil {
		return Image{}, err
	}
	f, err := r.open(data)
	if err != nil {
		return Image{}, err
	}
	return r.normal().develop(f, digest(data), len(data))
}

// develop makes the picture of an open file of so many bytes.
func (r Recipe) develop(f file, source string, bytes int) (Image, error) {
	pic, steps, err := decode(f)
	if err != nil {
		return Image{}, err
	}
	head := f.header()
	steps = append(steps, r.inapplicable(head)...)
	stored := head.source()
	out := Image{SourceDigest: source, SourceWidth: stored.X, SourceHeight: stored.Y, Recipe: r.Digest()}
	size := head.upright()
	steps = withEven(steps, pic)
	if f.passable() && head.orientation == 1 && len(r.Masks) == 0 && r.padded(r.fitted(size)) == size && r.takes(head.format) {
		out.Data = f.clean()
		out.Steps = append([]string{"passed"}, steps...)
		if cut := bytes - len(out.Data); cut > 0 {
			out.Steps = append(out.Steps, fmt.Sprintf("cut %d bytes of metadata", cut))
		}
		return out.sealed(head.format, size), nil
	}
	return r.rework(pic, head, steps, out)
}

// withEven are the steps, and in words that the picture is of one grey or colour,
// where none of them says it. Where pixels are transparent it is not known yet.
func withEven(steps []string, pic image.Image) []string {
	if even := dicom.Even(pic); even != "" && !slices.ContainsFunc(steps, dicom.IsEven) {
		steps = append(steps, even)
	}
	return steps
}

// inapplicable says in words what of the recipe is for other files than this one,
// so that nothing that was asked for is left out in silence.
func (r Recipe) inapplicable(head header) (steps []string) {
	if head.format == formatDICOM {
		return nil
	}
	if w := r.Window.String(); w != "file" && !(head.deep && (w == "auto" || r.Window.Name == "")) {
		steps = append(steps, "window "+w+" does not apply: "+notFor(head))
	}
	if f := r.Frame.String(); f != "middle" {
		steps = append(steps, "frame "+f+" does not apply: no DICOM")
	}
	return steps
}

// notFor is why a window does not apply to a file.
func notFor(head header) string {
	if head.deep {
		return "no DICOM, so its values are not Hounsfield units"
	}
	return "no DICOM, and of 8 bits or less"
}

// takes tells whether a file of the format may pass.
func (r Recipe) takes(format string) bool {
	return r.Format == Auto || string(r.Format) == format
}

// masked is the step of masking.
func (r Recipe) masked() string { return fmt.Sprintf("masked %v", r.Masks) }

// rework does to the decoded picture what the recipe asks, and encodes it.
func (r Recipe) rework(pic image.Image, head header, steps []string, out Image) (Image, error) {
	if head.orientation != 1 {
		pic = orient(pic, head.orientation)
		steps = append(steps, fmt.Sprintf("oriented %d", head.orientation))
	}
	if len(r.Masks) > 0 && !head.masked {
		canvas := paintable(pic)
		if err := blacken(canvas, r.Masks); err != nil {
			return Image{}, &Error{Kind: ErrUnsupported, Format: head.format, Offset: -1, Problem: err.Error()}
		}
		pic = canvas
		steps = append(steps, r.masked())
	}
	full := pic.Bounds().Size()
	fitted := r.fitted(full)
	if fitted != full {
		pic = scale(pic, fitted)
		steps = append(steps, fmt.Sprintf("resized %s to %s", by(full), by(fitted)))
	}
	flat := flatten(pic)
	steps = withEven(steps, flat)
	size := r.padded(fitted)
	if size != fitted {
		flat = pad(flat, size)
		steps = append(steps, "padded to "+by(size))
	}
	format := r.Format
	if format == Auto {
		format = PNG
	}
	data, err := encode(flat, format)
	if err != nil {
		return Image{}, &Error{Kind: ErrUnsupported, Format: head.format, Offset: -1, Problem: "encoding failed", Err: err}
	}
	out.Data, out.Steps = data, append(steps, "re-encoded "+string(format))
	return out.sealed(string(format), size), nil
}
