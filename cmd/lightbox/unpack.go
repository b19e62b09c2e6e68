package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/bundle"
	"lightbox/infer"
	"lightbox/infer/ollama"
)

func (t terminal) unpack(c *cli.Context, path string) error {
	file, size, err := openBundle(path)
	if err != nil {
		return err
	}
	defer file.Close()
	target, err := t.unpackTarget(c)
	if err != nil {
		return err
	}
	if target.Server != nil {
		defer target.Server.Close()
	}
	progress := newProgress(t.err)
	done, err := bundle.Unpack(c.Context, file, size, target, progress.bytes("unpacked"))
	progress.clear()
	if err != nil {
		return err
	}
	return t.showUnpacked(done, target, c.Bool("json"))
}

// unpackTarget chooses where a bundle goes.
func (t terminal) unpackTarget(c *cli.Context) (bundle.Target, error) {
	target := bundle.Target{Out: c.String("out"), ModelDir: c.String("models")}
	switch {
	case c.IsSet("models") && c.IsSet("host"):
		return target, usage("lightbox bundle --help shows examples", "--models and --host: only one can take the models")
	case c.IsSet("models"):
		return target, nil
	case c.IsSet("host"):
		return throughServer(c, target)
	}
	dirs := modelDirs()
	if len(dirs) == 0 {
		return target, usage("--models DIR names one", "no model directory is known")
	}
	target.ModelDir = dirs[0]
	if os.Getenv("OLLAMA_MODELS") != "" {
		return target, nil
	}
	for _, dir := range dirs { // the last one is the service's
		if _, err := os.Stat(dir); err == nil || errors.Is(err, fs.ErrPermission) {
			target.ModelDir = dir
		}
	}
	if writable(target.ModelDir) {
		return target, nil
	}
	t.tell("note:", target.ModelDir, "belongs to another user, so the models are given to its server")
	return throughServer(c, target)
}

// throughServer makes a running server the target of models.
func throughServer(c *cli.Context, target bundle.Target) (bundle.Target, error) {
	var cfg bench.Config
	if err := chooseHost(c, &cfg); err != nil {
		return target, err
	}
	client, err := ollama.New(ollama.Config{
		Host: cfg.Host, AllowPrivate: cfg.AllowPrivate, AskTimeout: 24 * time.Hour, // for an upload
	})
	if err != nil {
		return target, &exitError{exitNotLocal, "", err}
	}
	target.Server, target.ModelDir = client, ""
	return target, nil
}

// modelDirs are the directories where Ollama keeps models: the one that is named,
// else the user's and the service's.
func modelDirs() []string {
	if dir := os.Getenv("OLLAMA_MODELS"); dir != "" {
		return []string{dir}
	}
	var dirs []string
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".ollama", "models"))
	}
	if runtime.GOOS == "linux" {
		dirs = append(dirs, "/usr/share/ollama/.ollama/models")
	}
	return dirs
}

// dirWith is the first directory that holds all of the models, else the first.
func dirWith(dirs, models []string) string {
	for _, dir := range dirs {
		all := true
		for _, m := range models {
			all = all && bundle.Has(dir, m)
		}
		if all {
			return dir
		}
	}
	if len(dirs) == 0 {
		return ""
	}
	return dirs[0]
}

// writable tells whether files can be made in a directory, or that it can be made.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".lightbox-test-*")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// bundleFailure gives errors their exit codes and hints.
func bundleFailure(err error) error {
	var own *exitError
	var failure *bench.Failure
	if err == nil || errors.As(err, &own) || errors.As(err, &failure) {
		return err
	}
	code, hint := bundleExit(err)
	if code == exitInterrupted {
		err = errors.New("interrupted; nothing was changed")
	}
	return &exitError{code, hint, err}
}

// bundleExit is the exit code of an error, and what can be done about it.
func bundleExit(err error) (code int, hint string) {
	var damage *bundle.Damage
	var conflict *bundle.Conflict
	var missing *bundle.MissingModel
	var changed *bundle.Changed
	var room *bundle.NoRoom
	var fault *infer.Fault
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted, ""
	case errors.As(err, &damage):
		return exitData, "lightbox bundle verify FILE names all that is wrong"
	case errors.As(err, &conflict) && conflict.Model != "":
		return exitModel, "where the other one may go: ollama rm " + conflict.Model
	case errors.As(err, &conflict):
		return exitFailure, "move it away, or choose another directory"
	case errors.As(err, &missing):
		return exitModel, "--models DIR names another model directory"
	case errors.Is(err, bundle.ErrElsewhere):
		return exitNotLocal, "choose a model whose files are on this machine: ollama list shows a size for those"
	case errors.As(err, &changed) && changed.Blob():
		return exitModel, "bring the model in again, with: ollama pull NAME"
	case errors.As(err, &changed):
		return exitData, "pack again when nothing else writes there"
	case errors.As(err, &room), errors.Is(err, syscall.ENOSPC):
		return exitFailure, "make room on the disk"
	case errors.Is(err, bundle.ErrNoOut):
		return exitUsage, "--out DIR names one"
	case errors.Is(err, fs.ErrPermission):
		return exitFailure, "models in another user's directory: --host 127.0.0.1:11434 gives them to its server"
	case errors.As(err, &fault) && fault.Reason == infer.ReasonConnection:
		return exitUnreachable, "start it with: ollama serve   (another address goes into --host)"
	case errors.As(err, &fault) && fault.Reason == infer.ReasonRemote:
		return exitNotLocal, ""
	}
	return exitFailure, ""
}
