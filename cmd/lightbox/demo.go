package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/infer/ollama"
	"lightbox/models/phantom"
	"lightbox/models/server"
)

const demoDescription = `Starts an Ollama server of its own on this machine, with its own models, asks a
tiny vision model 240 questions about made-up pictures, judges the answers with
a second model, prints the report, and stops the server. Your own server and
models are not touched.

Where a server has the demo's models already, from a kit (lightbox bundle pack
--demo), --host uses them and leaves them there. --models serves a directory that
such a kit was unpacked into.

The figures show that lightbox works. They say nothing about real models.`

func demoCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "demo", Usage: "see all of it work on an embedded model and benchmark", ArgsUsage: "[OPTIONS]",
		Description: demoDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "ollama", Usage: "`PATH` of the ollama program, unless found by itself"},
			&cli.StringFlag{Name: "host", Usage: "`URL` of a running server to use instead; models that it did not have are removed again"},
			&cli.StringFlag{Name: "models", Usage: "`DIR` with the demo's models, unpacked from a kit, to be served instead of embedded ones"},
			&cli.StringFlag{Name: "out", Usage: "run `DIR`; unless given, a new one below runs/"},
			&cli.BoolFlag{Name: "json", Usage: "print the report as JSON"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("lightbox demo --help lists its options", "unexpected argument %q", c.Args().First())
			}
			return t.demo(c)
		},
	}
}

func (t terminal) demo(c *cli.Context) (err error) {
	benchmark, err := bench.Phantom()
	if err != nil {
		return err
	}
	cfg := bench.Config{
		Benchmark: benchmark, Model: phantom.Model, Judge: phantom.Judge, NumPredict: phantomPredict,
		KeepNames: true, Version: version(), Out: c.String("out"),
	}
	if cfg.Out == "" {
		cfg.Out = filepath.Join("runs", "demo-"+time.Now().Format("20060102-150405.000"))
	}
	remove, err := t.phantomHost(c, &cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	err = t.evaluate(c.Context, cfg, c.Bool("json"), &alarm{})
	var failure *bench.Failure
	if errors.As(err, &failure) && !c.IsSet("out") { // the same command takes a new directory
		return &bench.Failure{Kind: failure.Kind, Err: failure.Err, Hint: "go on with: lightbox demo --out " + cfg.Out}
	}
	return err
}

// phantomPredict is enough for every reply of the phantom.
const phantomPredict = 32

// phantomHost sees to a server with the phantom models. What it returns takes
// them away again, and the server where it is private.
func (t terminal) phantomHost(c *cli.Context, cfg *bench.Config) (remove func() error, err error) {
	if c.IsSet("host") && c.IsSet("models") {
		return nil, usage("lightbox demo --help explains the options", "--host and --models: only one can hold the models")
	}
	if c.IsSet("host") {
		return t.userHost(c, cfg)
	}
	if dir := c.String("models"); c.IsSet("models") {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() { // a server would make it
			return nil, &exitError{exitModel, "unpack a kit there first: lightbox bundle unpack FILE --models " + dir, fmt.Errorf("there is no model directory %q", dir)}
		}
	}
	binary, root, err := findServer(c.String("ollama"))
	if err != nil {
		return nil, err
	}
	t.tell("starting a private server:", binary)
	private, err := bench.StartPrivate(c.Context, server.Config{Binary: binary, Root: root, Env: os.Environ(), Models: c.String("models")})
	var failure *bench.Failure
	if errors.As(err, &failure) {
		return nil, err
	}
	if err != nil {
		return nil, &exitError{exitUnreachable, "try it by hand with: " + binary + " serve", err}
	}
	cfg.Host, cfg.HostHidden = private.Host, true
	return private.Stop, nil
}

// findServer is where an Ollama is, and the directory for private ones.
func findServer(explicit string) (binary, root string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", "", fmt.Errorf("finding the cache directory: %w", err)
	}
	home, _ := os.UserHomeDir() // its absence only means one place less to look at
	binary, err = server.Finder{
		Explicit: explicit, Path: filepath.SplitList(os.Getenv("PATH")), Home: home, Cache: cache,
	}.Find()
	if errors.Is(err, server.ErrNotFound) {
		return "", "", &exitError{exitUnreachable, "install Ollama, or name it with --ollama PATH, or build it with: make demo", err}
	}
	return binary, filepath.Join(cache, "lightbox", "private"), err
}

// userHost creates the phantom models on a server of the user's.
func (t terminal) userHost(c *cli.Context, cfg *bench.Config) (remove func() error, err error) {
	if err := chooseHost(c, cfg); err != nil {
		return nil, err
	}
	client, err := ollama.New(ollama.Config{Host: cfg.Host, AllowPrivate: cfg.AllowPrivate})
	if err != nil {
		return nil, &exitError{exitNotLocal, "", err}
	}
	created, err := bench.CreatePhantoms(c.Context, client)
	if err != nil {
		return nil, err
	}
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		defer client.Close()
		return bench.RemovePhantoms(ctx, client, created)
	}, nil
}
