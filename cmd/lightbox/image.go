package main

import (
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/record"
	"lightbox/bench/source"
	"lightbox/infer/ollama"
	"lightbox/preprocess"
)

const imageDescription = `Writes what a model would get of each FILE, byte for byte, to --out: a PNG, JPEG, WebP,
TIFF, BMP or GIF, a DICOM file, or a folder with the slices of a series. With --model
a server is asked what the model sees, and nothing is sent to it; without, pictures are
as for a model that is not known. Files are named by their place and digest, because
names of files can name patients. --sheet puts all of them on one page to look at.

EXAMPLES:
   lightbox image chest.dcm ct/ --out seen --window lung --sheet
   lightbox image *.png --out seen --model gemma3:4b`

func imageCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "image", Usage: "write what a model would see of pictures and DICOM files", ArgsUsage: "FILE... --out DIR [OPTIONS]",
		Description: imageDescription,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`DIR` that pictures are written to"},
			&cli.BoolFlag{Name: "sheet", Usage: "write sheet.png too, a page with all of them"},
			&cli.StringFlag{Name: "model", Usage: "`NAME` of the model that sees them"},
			&cli.StringFlag{Name: "host", Usage: "`URL` of the Ollama server, unless OLLAMA_HOST or 127.0.0.1:11434"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		}, withoutBudget(pictureFlags())...),
		Action: t.image,
	}
}

// withoutBudget leaves out what has a meaning for whole prompts only.
func withoutBudget(flags []cli.Flag) []cli.Flag {
	var kept []cli.Flag
	for _, f := range flags {
		if f.Names()[0] != "image-budget" {
			kept = append(kept, f)
		}
	}
	return kept
}

// seen is what became of a file.
type seen struct {
	File         string   `json:"file"` // as the command line names it
	Written      string   `json:"written,omitempty"`
	Digest       string   `json:"digest,omitempty"`
	Recipe       string   `json:"recipe,omitempty"`
	Width        int      `json:"width,omitempty"`
	Height       int      `json:"height,omitempty"`
	SourceWidth  int      `json:"source_width,omitempty"`
	SourceHeight int      `json:"source_height,omitempty"`
	Bytes        int      `json:"bytes,omitempty"`
	TokensLow    int      `json:"tokens_low"`
	TokensHigh   int      `json:"tokens_high"`
	Steps        []string `json:"steps,omitempty"`
	Refused      string   `json:"refused,omitempty"`

	data []byte
}

func (t terminal) image(c *cli.Context) error {
	const hint = "as in: lightbox image chest.dcm --out seen"
	switch {
	case c.NArg() == 0:
		return usage(hint, "a file is missing")
	case c.String("out") == "":
		return usage(hint, "--out is missing")
	}
	recipe, err := recipeOf(c)
	if err != nil {
		return err
	}
	var host ollama.Host
	cfg := bench.Config{}
	if c.String("model") != "" {
		if err := chooseHost(c, &cfg); err != nil {
			return err
		}
		host = cfg.Host
	}
	viewer, err := bench.NewViewer(c.Context, host, cfg.AllowPrivate, c.String("model"), recipe)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.String("out"), 0o700); err != nil {
		return fmt.Errorf("making the directory: %w", err)
	}
	var all []seen
	refused := 0
	for i, name := range c.Args().Slice() {
		s := see(viewer, name)
		if s.Refused == "" {
			if err := s.write(c.String("out"), i+1); err != nil {
				return err
			}
		} else {
			refused++
		}
		all = append(all, s)
	}
	if c.Bool("sheet") {
		if err := writeSheet(filepath.Join(c.String("out"), "sheet.png"), all); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		err = writeJSON(t.out, all)
	} else {
		err = t.tellSeen(all)
	}
	if err == nil && refused > 0 {
		return &exitError{code: exitUnscored}
	}
	return err
}

// see prepares a file, or the slices in a folder.
func see(viewer bench.Viewer, name string) seen {
	s := seen{File: name}
	data, err := readPicture(name)
	var shown bench.ShownPicture
	if err == nil {
		shown, err = viewer.Show(data)
	}
	if err != nil {
		s.Refused = err.Error()
		return s
	}
	s.Digest, s.Recipe, s.Steps, s.data = shown.Digest, shown.Recipe, shown.Steps, shown.Data
	s.Width, s.Height, s.SourceWidth, s.SourceHeight = shown.Width, shown.Height, shown.SourceWidth, shown.SourceHeight
	s.Bytes, s.TokensLow, s.TokensHigh = len(shown.Data), shown.TokensLow, shown.TokensHigh
	return s
}

// readPicture reads a file, or joins the files of a folder to a series.
func readPicture(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("no such file")
	}
	if err != nil {
		return nil, err
	}
	folder, err := source.OpenFolder(filepath.Dir(filepath.Clean(name)))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	if !info.IsDir() {
		return folder.Open(filepath.Base(name))
	}
	return bench.OpenSeries(folder, filepath.Base(filepath.Clean(name)))
}

// write writes the picture as it is sent.
func (s *seen) write(dir string, at int) error {
	digest := strings.TrimPrefix(s.Digest, "sha256:")
	kind := "png"
	if strings.HasPrefix(string(s.data), "\xff\xd8") {
		kind = "jpg"
	}
	s.Written = filepath.Join(dir, fmt.Sprintf("%03d-%s.%s", at, digest[:12], kind))
	return record.Export(s.Written, func(w io.Writer) error { _, err := w.Write(s.data); return err })
}

// writeSheet writes a page with the pictures that were not refused.
func writeSheet(path string, all []seen) error {
	var pictures []preprocess.Thumbnail
	for i, s := range all {
		if s.Refused == "" {
			pictures = append(pictures, preprocess.Thumbnail{Label: fmt.Sprintf("%d  %dx%d", i+1, s.Width, s.Height), Data: s.data})
		}
	}
	if len(pictures) == 0 {
		return nil
	}
	return record.Export(path, func(w io.Writer) error { return preprocess.ContactSheet(w, pictures, image.Pt(240, 240)) })
}

// tellSeen prints what was done, for people.
func (t terminal) tellSeen(all []seen) error {
	var b strings.Builder
	for i, s := range all {
		fmt.Fprintf(&b, "%d  %s\n", i+1, s.File)
		if s.Refused != "" {
			fmt.Fprintf(&b, "   refused: %s\n", s.Refused)
			continue
		}
		fmt.Fprintf(&b, "   %dx%d to %dx%d, %d bytes, %d to %d tokens\n", s.SourceWidth, s.SourceHeight, s.Width, s.Height, s.Bytes, s.TokensLow, s.TokensHigh)
		fmt.Fprintf(&b, "   %s\n   %s  %s\n   recipe %s\n", strings.Join(s.Steps, "; "), s.Written, s.Digest, s.Recipe)
	}
	_, err := io.WriteString(t.out, b.String())
	return err
}
