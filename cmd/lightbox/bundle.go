package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/bundle"
	"lightbox/bench/record"
	"lightbox/models/phantom"
	"lightbox/models/server"
)

const bundleDescription = `Carries models, data and lightbox itself to a machine without a network, in one
.tar.zst file. (zstd and tar unpack it as well; SHA256SUMS in it is for sha256sum.)

pack takes models out of Ollama's model directory, checked by their digests, and
data sets, cards and this program as they are. verify reads all of FILE and names
what is wrong. unpack puts the models into a model directory, or gives them to a
running server where that directory is not yours (--host); data, cards and program
go below --out. It checks all of FILE before anything is seen in its place; what is
there already is kept if it is the same, and never replaced if it is not.

A server writes its own list of a model's files, so the digest of a model that it
was given is a new one. Both are printed, after template, parameters and tensors
have been compared.

EXAMPLES:
   lightbox bundle pack --model gemma3:4b --model llama3.3 --data SMMILE --binary --out kit.tar.zst
   lightbox bundle verify kit.tar.zst
   lightbox bundle unpack kit.tar.zst --out kit
   lightbox bundle unpack kit.tar.zst --out kit --host 127.0.0.1:11434
   lightbox bundle pack --demo --binary --out demo.tar.zst`

// paths is the value of an option that can be given several times. Unlike the
// library's it leaves commas alone: paths may hold them.
type paths []string

// Set adds a value.
func (p *paths) Set(s string) error {
	if s == "" {
		return errors.New("a value is missing")
	}
	*p = append(*p, s)
	return nil
}

// String is for the library's help, which is not shown.
func (p *paths) String() string { return strings.Join(*p, " ") }

// bundleVerbs are the options of each verb.
var bundleVerbs = map[string][]string{
	"pack":   {"model", "data", "card", "binary", "demo", "ollama", "models", "out", "json"},
	"verify": {"json"},
	"unpack": {"models", "host", "out", "json"},
}

func bundleFlags() []cli.Flag {
	const packed, places = "what is packed", "where"
	return []cli.Flag{
		&cli.GenericFlag{Name: "model", Category: packed, Value: &paths{}, Usage: "`NAME` of a model, as in: ollama list; can be given several times, as --data and --card can"},
		&cli.GenericFlag{Name: "data", Category: packed, Value: &paths{}, Usage: "`PATH` of a file, or of a directory with all that is in it"},
		&cli.GenericFlag{Name: "card", Category: packed, Value: &paths{}, Usage: "`FILE` of a card"},
		&cli.BoolFlag{Name: "binary", Category: packed, Usage: "this program too"},
		&cli.BoolFlag{Name: "demo", Category: packed, Usage: "the models of lightbox demo too; they are made by an Ollama that is started for it"},
		&cli.StringFlag{Name: "ollama", Category: packed, Usage: "`PATH` of the ollama program for --demo, unless found by itself"},
		&cli.StringFlag{Name: "models", Category: places, Usage: "`DIR` of Ollama's models, unless OLLAMA_MODELS, the service's or ~/.ollama/models"},
		&cli.StringFlag{Name: "host", Category: places, Usage: "`URL` of a running server that the models are given to"},
		&cli.StringFlag{Name: "out", Category: places, Usage: "`PATH` of the file to pack, or of the directory for data, cards and program"},
		&cli.BoolFlag{Name: "json", Category: places, Usage: "print JSON"},
	}
}

func bundleCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "bundle", Usage: "carry models and data to a machine without a network",
		ArgsUsage: "pack|verify|unpack [FILE] [OPTIONS]", Description: bundleDescription,
		Flags: bundleFlags(),
		Action: func(c *cli.Context) error {
			verb, err := bundleVerb(c)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
			defer stop()
			c.Context = ctx
			switch verb {
			case "pack":
				err = t.pack(c)
			case "verify":
				err = t.verify(c, c.Args().Get(1))
			case "unpack":
				err = t.unpack(c, c.Args().Get(1))
			}
			return bundleFailure(err)
		},
	}
}

// bundleVerb checks the form of the command line.
func bundleVerb(c *cli.Context) (string, error) {
	const hint = "lightbox bundle --help shows examples"
	verb := c.Args().First()
	allowed, ok := bundleVerbs[verb]
	switch {
	case verb == "":
		return "", usage(hint, "pack, verify or unpack is missing")
	case !ok:
		return "", unknownVerb("bundle", verb, "pack", "verify", "unpack")
	case verb == "pack" && c.NArg() > 1:
		return "", usage("the file to pack goes into --out", "unexpected argument %q", c.Args().Get(1))
	case verb != "pack" && c.NArg() != 2:
		return "", usage(hint, "one file is wanted, %d are given", c.NArg()-1)
	}
	for _, name := range c.LocalFlagNames() {
		if !slices.Contains(allowed, name) {
			return "", usage(hint, "--%s is no option of lightbox bundle %s", name, verb)
		}
	}
	return verb, nil
}

func pathsOf(c *cli.Context, name string) []string { return *c.Generic(name).(*paths) }

func (t terminal) pack(c *cli.Context) error {
	out := c.String("out")
	contents := bundle.Contents{
		Models: pathsOf(c, "model"), Data: pathsOf(c, "data"), Cards: pathsOf(c, "card"), ModelDir: c.String("models"), MadeBy: version(),
	}
	switch demo := c.Bool("demo"); {
	case out == "":
		return usage("as in: --out kit.tar.zst", "--out is missing")
	case demo && (len(contents.Models) > 0 || c.IsSet("models")):
		return usage("pack them into two files", "--demo and --model: they are not in one model directory")
	case len(contents.Models)+len(contents.Data)+len(contents.Cards) == 0 && !c.Bool("binary") && !demo:
		return usage("lightbox bundle --help shows examples", "there is nothing to pack")
	case demo:
		private, err := t.demoModels(c, &contents)
		if err != nil {
			return err
		}
		return errors.Join(t.packContents(c, contents, out), private.Stop())
	}
	if contents.ModelDir == "" && len(contents.Models) > 0 {
		contents.ModelDir = dirWith(modelDirs(), contents.Models)
	}
	return t.packContents(c, contents, out)
}

// demoModels starts a private server, which makes the demo's models.
func (t terminal) demoModels(c *cli.Context, contents *bundle.Contents) (*bench.Private, error) {
	binary, root, err := findServer(c.String("ollama"))
	if err != nil {
		return nil, err
	}
	private, err := bench.StartPrivate(c.Context, server.Config{Binary: binary, Root: root, Env: os.Environ()})
	if c.Context.Err() != nil {
		return nil, errors.Join(c.Context.Err(), err)
	}
	if err != nil {
		return nil, &exitError{exitUnreachable, "try it by hand with: " + binary + " serve", err}
	}
	contents.ModelDir = private.ModelDir()
	for _, d := range phantom.Definitions() {
		contents.Models = append(contents.Models, d.Name)
	}
	return private, nil
}

func (t terminal) packContents(c *cli.Context, contents bundle.Contents, out string) error {
	if c.Bool("binary") {
		self, err := os.Executable()
		if err != nil {
			return fmt.Errorf("finding this program: %w", err)
		}
		contents.Program = self
	}
	for _, data := range contents.Data {
		if inside(data, out) {
			return usage("choose another --out", "%q lies within %q, which is to be packed", out, data)
		}
	}
	progress := newProgress(t.err)
	defer progress.clear()
	kit, err := bundle.Prepare(c.Context, contents, progress.bytes("read"))
	if err != nil {
		return err
	}
	if err := record.Export(out, func(w io.Writer) error { return kit.Pack(c.Context, w, progress.bytes("packed")) }); err != nil {
		return err
	}
	progress.clear()
	return t.showBundle(out, &kit.Index, nil, c.Bool("json"))
}

// inside tells whether a path lies below a directory.
func inside(dir, path string) bool {
	a, errA := filepath.Abs(dir)
	b, errB := filepath.Abs(path)
	if errA != nil || errB != nil {
		return false
	}
	rel, err := filepath.Rel(a, b)
	return err == nil && filepath.IsLocal(rel)
}

func (t terminal) verify(c *cli.Context, path string) error {
	file, size, err := openBundle(path)
	if err != nil {
		return err
	}
	defer file.Close()
	progress := newProgress(t.err)
	index, err := bundle.Verify(c.Context, file, size, progress.bytes("verified"))
	progress.clear()
	var damage *bundle.Damage
	if err != nil && !errors.As(err, &damage) {
		return err
	}
	if shown := t.showBundle(path, index, damage, c.Bool("json")); shown != nil {
		return shown
	}
	if damage == nil {
		return nil
	}
	n := len(damage.Problems) + damage.More
	return &exitError{exitData, "copy it again from where it was packed", fmt.Errorf("%q is damaged: %s", path, plural(n, "thing is wrong", "things are wrong"))}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func openBundle(path string) (*os.File, int64, error) {
	file, err := os.Open(path)
	if err == nil {
		var info os.FileInfo
		if info, err = file.Stat(); err == nil && info.Mode().IsRegular() {
			return file, info.Size(), nil
		}
		file.Close()
		if err == nil {
			err = errors.New("it is no plain file")
		}
	}
	return nil, 0, &exitError{exitData, "look at the path", fmt.Errorf("reading bundle %q: %w", path, err)}
}

// bytes shows how many MB are done.
func (p *progress) bytes(done string) bundle.Watch {
	return func(n, total int64) {
		e := bench.Event{Phase: "MB " + done, Done: int(n / 1e6), Total: int(total/1e6) + 1}
		if n == total {
			e.Done = e.Total
		}
		p.watch(e)
	}
}
