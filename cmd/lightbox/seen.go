package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lightbox/bench"
	"lightbox/bench/record"
	"lightbox/bench/source"
	"lightbox/preprocess"
)

// seen is what became of a file.
type seen struct {
	File         string   `json:"file"` // as the command line names it
	Written      string   `json:"written,omitempty"`
	Digest       string   `json:"digest,omitempty"`
	Recipe       string   `json:"recipe,omitempty"`
	Profile      string   `json:"profile,omitempty"` // of the model; unknown: none is known
	Width        int      `json:"width,omitempty"`
	Height       int      `json:"height,omitempty"`
	SourceWidth  int      `json:"source_width,omitempty"`
	SourceHeight int      `json:"source_height,omitempty"`
	Bytes        int      `json:"bytes,omitempty"`
	TokensLow    int      `json:"tokens_low"`
	TokensHigh   int      `json:"tokens_high"`
	Steps        []string `json:"steps,omitempty"`
	Refused      string   `json:"refused,omitempty"`
	Hint         string   `json:"hint,omitempty"`
}

// see prepares a file, or the slices in a folder.
func see(viewer bench.Viewer, name string) (s seen, data []byte) {
	s = seen{File: name}
	shown, err := show(viewer, name)
	if err != nil {
		s.Refused, s.Hint = err.Error(), pictureHint(err)
		return s, nil
	}
	s.Digest, s.Recipe, s.Steps, s.Profile = shown.Digest, shown.Recipe, shown.Steps, viewer.Profile.Family
	s.Width, s.Height, s.SourceWidth, s.SourceHeight = shown.Width, shown.Height, shown.SourceWidth, shown.SourceHeight
	s.Bytes, s.TokensLow, s.TokensHigh = len(shown.Data), shown.TokensLow, shown.TokensHigh
	return s, shown.Data
}

// pictureHint is what can be done about a file that is refused.
func pictureHint(err error) string {
	var content *preprocess.Error
	isDICOM := errors.As(err, &content) && content.Format == "dicom"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "look at the path"
	case errors.Is(err, preprocess.ErrDamaged):
		return "copy or export it again from where it came from"
	case errors.Is(err, preprocess.ErrTooLarge):
		return "make it smaller"
	case errors.Is(err, preprocess.ErrUnsupported) && !isDICOM:
		return "save it as PNG"
	}
	return ""
}

// show shows a file, or the slices in a folder.
func show(viewer bench.Viewer, name string) (bench.ShownPicture, error) {
	if _, err := os.Stat(name); err != nil {
		return bench.ShownPicture{}, err
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return bench.ShownPicture{}, err
	}
	folder, err := source.OpenFolder(filepath.Dir(path))
	if err != nil {
		return bench.ShownPicture{}, err
	}
	defer folder.Close()
	return viewer.Show(folder, filepath.Base(path))
}

// write writes the picture as it is sent.
func (s *seen) write(dir string, at int, data []byte, keepName bool) error {
	name := strings.TrimPrefix(s.Digest, "sha256:")[:12]
	if keepName {
		base := filepath.Base(filepath.Clean(s.File))
		name += "-" + strings.TrimSuffix(base, filepath.Ext(base))
	}
	kind := "png"
	if strings.HasPrefix(string(data), "\xff\xd8") {
		kind = "jpg"
	}
	s.Written = filepath.Join(dir, fmt.Sprintf("%03d-%s.%s", at, name, kind))
	return record.Export(s.Written, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// captions are the lines below a thumbnail but for the first: the window, where
// there is one, and what else changes what is to be seen.
func captions(steps []string) []string {
	var windows, other []string
	for _, s := range steps {
		switch used := preprocess.WindowOf(s); {
		case used != "":
			windows = append(windows, used)
		case preprocess.ShowsNothing(s):
			other = append(other, s)
		case strings.HasPrefix(s, "masked"):
			other = append(other, "masked")
		}
	}
	if n := len(windows); n > 1 {
		windows = []string{fmt.Sprintf("%s and %d more", windows[0], n-1)}
	}
	return append(windows, strings.Join(other, ", "))
}
