package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/bundle"
	"lightbox/bench/card"
	"lightbox/bench/doctor"
	"lightbox/infer/ollama"
	"lightbox/models/listener"
)

const doctorDescription = `Looks at all that a run depends on, before it: the server, who can reach it and what
it writes down, its switch for forwarding, the model and the judge, the disk, proxies.
With BENCH (as for lightbox run) also whether its largest prompt fits the model. It
reads, changes nothing, loads no model, and says which command mends what is wrong.

EXAMPLES:
   lightbox doctor
   lightbox doctor --model gemma3:4b --judge llama3.3
   lightbox doctor smmile --data SMMILE --model gemma3:4b`

func doctorCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "look at the server, the models and the machine before a run",
		ArgsUsage: "[BENCH --data PATH] [OPTIONS]", Description: doctorDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "model", Usage: "`NAME` of the vision model"},
			&cli.StringFlag{Name: "judge", Usage: "`NAME` of the judge"},
			&cli.StringFlag{Name: "data", Usage: "`PATH` of the benchmark's pictures or data set"},
			&cli.StringFlag{Name: "split", Usage: "`NAME` of a part of the data set"},
			columnFlag(""),
			encodingFlag(""),
			&cli.StringFlag{Name: "shots", Value: "icl", Usage: "`N` demonstrations at most; icl (default) shows all, 0 none"},
			&cli.StringFlag{Name: "host", Usage: "`URL` of the Ollama server, unless OLLAMA_HOST or 127.0.0.1:11434"},
			&cli.BoolFlag{Name: "json", Usage: "print the findings as JSON"},
		},
		Action: t.examine,
	}
}

// proxyNames are the environment variables that programs take proxies from.
var proxyNames = []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"}

func (t terminal) examine(c *cli.Context) error {
	if c.NArg() > 1 {
		return usage("lightbox doctor --help shows examples", "one benchmark at most is wanted, %d are given", c.NArg())
	}
	cfg := bench.Config{Model: c.String("model"), Judge: c.String("judge")}
	if err := chooseHost(c, &cfg); err != nil {
		return err
	}
	p := doctor.Patient{
		Host: cfg.Host, Model: cfg.Model, Judge: cfg.Judge, Listener: listener.On,
		Disk: func() (int64, bool) { return bundle.FreeBytes(".") },
	}
	for _, name := range proxyNames {
		if os.Getenv(name) != "" {
			p.Proxies = append(p.Proxies, name)
		}
	}
	if c.NArg() == 1 {
		var err error
		if p.Prompts, err = prompts(c, cfg); err != nil {
			return err
		}
	}
	client, err := ollama.New(ollama.Config{Host: cfg.Host, AllowPrivate: cfg.AllowPrivate, CallTimeout: 10 * time.Second})
	if err != nil {
		return &exitError{exitNotLocal, "name the server's own address with --host", err}
	}
	defer client.Close()
	return t.findings(p.Examine(c.Context, client), c.Bool("json"))
}

// prompts are what the largest prompt of the benchmark on the command line needs.
func prompts(c *cli.Context, cfg bench.Config) (*doctor.Prompts, error) {
	if cfg.Model == "" {
		return nil, usage("ollama list shows the models of the server", "--model is missing: what a prompt needs depends on it")
	}
	var err error
	if cfg.Shots, err = card.ParseShots(c.String("shots")); err != nil {
		return nil, usage("lightbox doctor --help explains the options", "--shots: %w", err)
	}
	if cfg.Benchmark, _, err = benchmark(c, cfg, c.Args().First()); err != nil {
		return nil, err
	}
	defer cfg.Benchmark.Close()
	needs, err := bench.NeedsOf(c.Context, cfg)
	return &doctor.Prompts{Benchmark: filepath.Base(c.Args().First()), Needs: needs.Context, Refused: needs.Refused, Err: err}, nil
}

// findings prints what was found; the worst decides the exit status.
func (t terminal) findings(all []doctor.Finding, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(t.out)
		e.SetIndent("", "  ")
		if err := e.Encode(all); err != nil {
			return err
		}
	} else {
		for _, f := range all {
			fmt.Fprintf(t.text(), "%-4s  %-22s %s\n", f.Level, f.Check, f.Found)
			if f.Mend != "" && f.Level != doctor.Pass {
				fmt.Fprintf(t.text(), "%-4s  %-22s %s\n", "", "", "mend: "+f.Mend)
			}
		}
	}
	return worst(all)
}

// doctorCodes are the exit statuses of failures, the worst first.
var doctorCodes = []struct {
	kind doctor.Kind
	code int
}{{doctor.NotLocal, exitNotLocal}, {doctor.Unreachable, exitUnreachable}, {doctor.WrongModel, exitModel}, {doctor.NoRoom, exitFailure}}

func worst(all []doctor.Finding) error {
	for _, c := range doctorCodes {
		failed := func(f doctor.Finding) bool { return f.Level == doctor.Fail && f.Kind == c.kind }
		if slices.ContainsFunc(all, failed) {
			return &exitError{code: c.code}
		}
	}
	return nil
}
