package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/record"
	"lightbox/preprocess"
	"lightbox/score/report"
)

const imageDescription = `Writes what a model would get of each FILE, byte for byte, to --out: a PNG, JPEG, WebP,
TIFF, BMP or GIF, a DICOM file, or a folder with the slices of a series. With --model
a server is asked what the model sees, and nothing is sent to it; without, pictures are
as for a model that is not known. Files are named by their place and digest, because
names of files can name patients, unless --keep-names. --sheet puts all of them on one
page to look at. A file that is refused is named with the reason; the others go on.

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
			&cli.BoolFlag{Name: "keep-names", Usage: "name what is written by its file too"},
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

func (t terminal) image(c *cli.Context) error {
	const hint = "as in: lightbox image chest.dcm --out seen"
	switch n := c.NArg(); {
	case n == 0:
		return usage(hint, "a file is missing")
	case c.String("out") == "":
		return usage(hint, "--out is missing")
	case c.Bool("sheet") && n > preprocess.MaxThumbnails:
		return usage("show them in several sheets", "--sheet: %d pictures, %d at most", n, preprocess.MaxThumbnails)
	}
	viewer, err := viewerOf(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.String("out"), 0o700); err != nil {
		return fmt.Errorf("making the directory: %w", err)
	}
	all, err := seeAll(c, viewer)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = writeJSON(t.out, all)
	} else {
		err = t.tellSeen(all, viewer)
	}
	refused := func(s seen) bool { return s.Refused != "" }
	if err == nil && slices.ContainsFunc(all, refused) {
		return &exitError{code: exitUnscored}
	}
	return err
}

// viewerOf is the viewer that the options say.
func viewerOf(c *cli.Context) (bench.Viewer, error) {
	recipe, err := recipeOf(c)
	if err != nil {
		return bench.Viewer{}, err
	}
	var cfg bench.Config
	switch {
	case c.String("model") != "":
		if err := chooseHost(c, &cfg); err != nil {
			return bench.Viewer{}, err
		}
	case c.IsSet("host"):
		return bench.Viewer{}, usage("name the model too", "--host is given without --model")
	}
	viewer, err := bench.NewViewer(c.Context, cfg.Host, cfg.AllowPrivate, c.String("model"), recipe)
	return viewer, orWithoutModel(err)
}

// seeAll prepares the files and writes them, and the sheet.
func seeAll(c *cli.Context, viewer bench.Viewer) ([]seen, error) {
	out := c.String("out")
	var all []seen
	var thumbnails []preprocess.Thumbnail
	for i, name := range c.Args().Slice() {
		s, data := see(viewer, name)
		if s.Refused == "" {
			if err := s.write(out, i+1, data, c.Bool("keep-names")); err != nil {
				return nil, err
			}
			if c.Bool("sheet") {
				t, err := preprocess.NewThumbnail(data, append([]string{fmt.Sprintf("%d  %dx%d", i+1, s.Width, s.Height)}, captions(s.Steps)...)...)
				if err != nil {
					return nil, err
				}
				thumbnails = append(thumbnails, t)
			}
		}
		all = append(all, s)
	}
	if len(thumbnails) == 0 {
		return all, nil
	}
	return all, record.Export(filepath.Join(out, "sheet.png"), func(w io.Writer) error { return preprocess.ContactSheet(w, thumbnails) })
}

// tellSeen prints what was done, for people.
func (t terminal) tellSeen(all []seen, viewer bench.Viewer) error {
	var b strings.Builder
	b.WriteString(unknownModel(viewer.Profile.Family, viewer.Recipe.MaxSide))
	for i, s := range all {
		fmt.Fprintf(&b, "%d  %s\n", i+1, report.Plain(s.File))
		if s.Refused != "" {
			fmt.Fprintf(&b, "   refused: %s\n", s.Refused)
			if s.Hint != "" {
				fmt.Fprintf(&b, "   hint: %s\n", s.Hint)
			}
			continue
		}
		fmt.Fprintf(&b, "   %dx%d to %dx%d, %d bytes, %d to %d tokens\n", s.SourceWidth, s.SourceHeight, s.Width, s.Height, s.Bytes, s.TokensLow, s.TokensHigh)
		fmt.Fprintf(&b, "   %s\n   %s  %s\n   recipe %s\n", strings.Join(s.Steps, "; "), report.Plain(s.Written), s.Digest, s.Recipe)
	}
	_, err := io.WriteString(t.text(), b.String())
	return err
}
