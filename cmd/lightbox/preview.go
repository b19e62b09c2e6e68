package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/record"
	"lightbox/models"
)

const previewDescription = `Shows what lightbox run would send of one sample: every message in order with its
text, and every picture with its size, what was done to it and the tokens that it
takes. --out writes the pictures, byte for byte as they are sent. Nothing is sent to a
model: with --model its server is asked for the facts of it; without, pictures are as
for a model that is not known. It takes the options of lightbox run, and --ids, --limit
and --subset say which run: its longest prompt decides about the context of all.

EXAMPLES:
   lightbox preview smmile --data SMMILE --model gemma3:4b
   lightbox preview cases.csv --data pictures --id 3 --out shown`

// previewLess are the options of a run that a preview has no use for.
var previewLess = []string{"judge", "judge-protocol", "until", "parallel", "keep-names", "no-probe", "out", "json"}

func previewCommand(t terminal) *cli.Command {
	flags := slices.DeleteFunc(runFlags(), func(f cli.Flag) bool { return slices.Contains(previewLess, f.Names()[0]) })
	return &cli.Command{
		Name: "preview", Usage: "show what would be sent of a sample", ArgsUsage: "BENCH --data PATH [--id ID] [OPTIONS]",
		Description: previewDescription,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "id", Category: groupAsked, Usage: "`ID` or row number of the sample; the first unless given"},
			&cli.StringFlag{Name: "out", Category: groupRun, Usage: "`DIR` that the pictures are written to"},
			&cli.BoolFlag{Name: "json", Category: groupRun, Usage: "print JSON"},
		}, flags...),
		Action: t.preview,
	}
}

func (t terminal) preview(c *cli.Context) error {
	if c.NArg() != 1 {
		return usage("as in: lightbox preview cases.csv --data pictures", "one benchmark is wanted, %d are given", c.NArg())
	}
	cfg, err := configOf(c, c.Args().First())
	if err != nil {
		return err
	}
	defer cfg.Benchmark.Close()
	if cfg.Model == "" && c.IsSet("host") {
		return usage("name the model too", "--host is given without --model")
	}
	progress := newProgress(t.err)
	cfg.Watch = progress.watch
	v, err := bench.Show(c.Context, cfg, c.String("id"))
	progress.clear()
	if err != nil {
		return orWithoutModel(err)
	}
	written, err := writePictures(c.String("out"), v)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(t.out, v)
	}
	return t.tellPreview(v, written)
}

// writePictures writes the pictures of a preview into a directory, unless it has
// no name; the same picture once.
func writePictures(dir string, v bench.Preview) (written map[string]string, err error) {
	written = map[string]string{}
	if dir == "" {
		return written, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory: %w", err)
	}
	n := 0
	for _, m := range v.Messages {
		for _, p := range m.Pictures {
			n++
			if written[string(p.Digest)] != "" {
				continue
			}
			path := filepath.Join(dir, fmt.Sprintf("%03d-%s.%s", n, p.Digest.Short(), strings.TrimPrefix(p.MediaType, "image/")))
			if err := record.Export(path, func(w io.Writer) error { _, err := w.Write(p.Data); return err }); err != nil {
				return nil, err
			}
			written[string(p.Digest)] = path
		}
	}
	return written, nil
}

// tellPreview prints a preview for people.
func (t terminal) tellPreview(v bench.Preview, written map[string]string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "sample %s", v.ID)
	if v.Subset != "" {
		fmt.Fprintf(&b, " of %s", v.Subset)
	}
	fmt.Fprintf(&b, ": %d to %d tokens of prompt, context %d\npictures by recipe %s\n", v.Low, v.High, v.Context, v.Recipe)
	b.WriteString(unknownModel(v.Profile, v.MaxSide))
	switch {
	case v.Refused != "":
		fmt.Fprintf(&b, "it would not be sent: %s\n", v.Refused)
	case v.Tight:
		fmt.Fprintf(&b, "it may not fit: up to %d tokens with %d of reply, and the context has %d\n", v.High+v.Reply+1, v.Reply, v.Context)
	}
	for _, m := range v.Messages {
		fmt.Fprintf(&b, "\n%s\n", m.Role)
		for _, p := range m.Pictures {
			fmt.Fprintf(&b, "   [picture %s  %dx%d from %dx%d, %d to %d tokens; %s]\n", p.Digest.Short(), p.Width, p.Height, p.SourceWidth, p.SourceHeight, p.TokensLow, p.TokensHigh, strings.Join(p.Steps, "; "))
			if path := written[string(p.Digest)]; path != "" {
				fmt.Fprintf(&b, "   [written to %s]\n", path)
			}
		}
		for line := range strings.SplitSeq(m.Text, "\n") {
			fmt.Fprintf(&b, "   %s\n", line)
		}
	}
	_, err := io.WriteString(t.text(), b.String())
	return err
}

// unknownModel says what pictures are made for where the model's family is not
// known, else nothing.
func unknownModel(profile string, maxSide int) string {
	if profile != models.UnknownFamily {
		return ""
	}
	return fmt.Sprintf("for a model whose family is not known: pictures of %d pixels a side at most, tokens within wide bounds\n", maxSide)
}

// orWithoutModel adds to the failure to reach a server that none is needed.
func orWithoutModel(err error) error {
	var failure *bench.Failure
	if errors.As(err, &failure) && failure.Kind == bench.Unreachable {
		return &bench.Failure{Kind: failure.Kind, Err: failure.Err, Hint: failure.Hint + "; without --model no server is asked, and pictures are as for a model that is not known"}
	}
	return err
}
