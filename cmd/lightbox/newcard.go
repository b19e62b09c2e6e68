package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/record"
	"lightbox/bench/source"
)

// newCard writes the card of a sheet of questions.
func (t terminal) newCard(c *cli.Context) error {
	const hint = "as in: lightbox benchmarks new --data cases.csv --out cases.json"
	data := c.String("data")
	switch {
	case c.NArg() != 1:
		return usage(hint, "one verb is wanted, %q follows it", c.Args().Get(1))
	case data == "":
		return usage(hint, "--data is missing")
	case !source.IsSheet(data):
		return usage(hint, "--data %s: want a .csv file of questions", data)
	}
	encoding, err := encodingOf(c, true)
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(filepath.Base(data), ".")
	out := c.String("out")
	if out == "" {
		out = name + ".json"
	}
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		return usage("name another file with --out", "%s is there already", out)
	}
	text, how, err := bench.NewCard(name, data, source.Options{Columns: c.StringSlice("column"), Encoding: encoding}, time.Now())
	if err != nil {
		return err
	}
	if err := record.Export(out, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	t.tell(how)
	asRead := ""
	if encoding != "" {
		asRead = " --encoding " + encoding
	}
	t.tell(fmt.Sprintf("wrote %s; look at it, then: lightbox run %s --data %s%s --model NAME", out, out, data, asRead))
	return nil
}
