package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/bench/phantom"
	"lightbox/bench/scienceqa"
	"lightbox/bench/smmile"
	"lightbox/bench/source"
	"lightbox/infer/ollama"
)

func runCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "ask a model the questions of a benchmark and score its answers",
		ArgsUsage: "BENCH --model NAME --data PATH [OPTIONS]", Description: runDescription, Flags: runFlags(),
		Action: func(c *cli.Context) error {
			until, err := untilOf(c)
			if err != nil {
				return err
			}
			cfg, err := runConfig(c)
			if err != nil {
				return err
			}
			return errors.Join(t.evaluate(c.Context, cfg, c.Bool("json"), until), cfg.Benchmark.Close())
		},
	}
}

// untilOf is the alarm that the command line sets.
func untilOf(c *cli.Context) (*alarm, error) {
	if !c.IsSet("until") {
		return &alarm{}, nil
	}
	at, err := nextTime(c.String("until"), time.Now())
	if err != nil {
		return nil, err
	}
	return newAlarm(at), nil
}

// runConfig turns the command line into a run.
func runConfig(c *cli.Context) (bench.Config, error) {
	if c.NArg() != 1 {
		return bench.Config{}, usage("lightbox run --help shows examples", "one benchmark is wanted, %d are given", c.NArg())
	}
	return runConfigOf(c, c.Args().First())
}

// runConfigOf is the run of a benchmark that the options say.
func runConfigOf(c *cli.Context, name string) (bench.Config, error) {
	if c.String("model") == "" {
		return bench.Config{}, usage("ollama list shows the models of the server", "--model is missing")
	}
	return configOf(c, name)
}

// configOf is what the options say of a benchmark, and maybe of no model.
func configOf(c *cli.Context, name string) (bench.Config, error) {
	cfg := bench.Config{
		Model: c.String("model"), Judge: c.String("judge"), JudgeProtocol: c.String("judge-protocol"),
		Temperature: c.Float64("temperature"), Seed: c.Int("seed"), NumPredict: c.Int("num-predict"),
		Think: c.String("think"), ImageBudget: c.Bool("image-budget"), NoProbe: c.Bool("no-probe"), EscapeControl: c.Bool("escape-control"),
		Parallel: c.Int("parallel"), KeepNames: c.Bool("keep-names"), Version: version(),
		Selection: card.Selection{IDs: c.StringSlice("ids"), Subsets: c.StringSlice("subset"), Limit: c.Int("limit")},
	}
	if err := checkNumbers(c, &cfg); err != nil {
		return cfg, err
	}
	var err error
	if cfg.Recipe, err = recipeOf(c); err != nil {
		return cfg, err
	}
	if cfg.Model != "" {
		if err := chooseHost(c, &cfg); err != nil {
			return cfg, err
		}
	}
	if err := chooseShown(c, &cfg); err != nil {
		return cfg, err
	}
	var public bool
	if cfg.Benchmark, public, err = benchmark(c, cfg, name); err != nil {
		return cfg, err
	}
	if c.String("format") == bench.FormatLogprob {
		cfg.Benchmark, cfg.NumPredict = bench.ByLogprobs(cfg.Benchmark), 1
	}
	if public && name != phantom.Name && !c.Bool("no-cache") {
		cfg.Cache = replyCache()
	}
	cfg.KeepNames = cfg.KeepNames || public
	asTheCardSays(c, &cfg)
	if cfg.Out = c.String("out"); cfg.Out == "" {
		cfg.Out = filepath.Join("runs", runName(cfg))
	}
	return cfg, nil
}

// checkNumbers refuses options outside of what they can be.
func checkNumbers(c *cli.Context, cfg *bench.Config) error {
	hint := explained(c)
	if text := c.String("num-ctx"); text != "auto" {
		if _, err := fmt.Sscanf(text+"\n", "%d\n", &cfg.NumCtx); err != nil || cfg.NumCtx < 1 {
			return usage(hint, "--num-ctx %q: want auto or a number above 0", text)
		}
	}
	for _, n := range []struct {
		name  string
		least int
	}{{"num-predict", 1}, {"parallel", 1}, {"limit", 1}} {
		if c.IsSet(n.name) && c.Int(n.name) < n.least {
			return usage(hint, "--%s %d: want %d or more", n.name, c.Int(n.name), n.least)
		}
	}
	if most := bench.MostTokens; cfg.NumCtx > most || cfg.NumPredict > most {
		return usage(hint, "--num-ctx and --num-predict: want %d or less", most)
	}
	if t := cfg.Temperature; !(t >= 0 && t <= 10) {
		return usage(hint, "--temperature %v: want 0 to 10", t)
	}
	if err := oneOf(c, "think", "auto", "on", "off"); err != nil {
		return err
	}
	if err := oneOf(c, "judge-protocol", "strict", "official", "card", "llm_recall"); err != nil {
		return err
	}
	if c.IsSet("judge-protocol") && cfg.Judge == "" {
		return usage("add --judge MODEL, or leave --judge-protocol out", "--judge-protocol %s: no --judge is named", c.String("judge-protocol"))
	}
	system := c.String("model-system")
	cfg.KeepSystem = system == "keep"
	return oneOf(c, "model-system", "refuse", "keep")
}

// chooseShown reads what is shown beside the question.
func chooseShown(c *cli.Context, cfg *bench.Config) (err error) {
	hint := explained(c)
	if err := oneOf(c, "format", bench.FormatOpen, bench.FormatMCQA, bench.FormatLogprob); err != nil {
		return err
	}
	if cfg.Shots, err = card.ParseShots(c.String("shots")); err != nil {
		return usage(hint, "--shots: %w", err)
	}
	if err = chooseArrangement(c, cfg); err != nil {
		return usage(hint, "%w", err)
	}
	if cfg.Family, err = smmile.FamilyOf(c.String("family")); err != nil {
		return usage(hint, "--family: %w", err)
	}
	return nil
}

// chooseArrangement reads how demonstrations and the query's picture are shown.
func chooseArrangement(c *cli.Context, cfg *bench.Config) error {
	cfg.Arrangement = icl.Arrangement{Order: c.String("order"), Distract: c.String("distract"), DistractCount: c.Int("distract-count")}
	if text := c.String("ablate"); text != "" {
		how, ok := strings.CutPrefix(text, "image=")
		if !ok {
			return fmt.Errorf("--ablate %q: want image=none, image=blank or image=swapped", text)
		}
		cfg.Arrangement.Ablate = how
	}
	if c.IsSet("distract-count") && (c.Int("distract-count") < 1 || c.String("distract") == icl.None) {
		return fmt.Errorf("--distract-count %d: want 1 or more, beside --distract random or targeted", c.Int("distract-count"))
	}
	if err := cfg.Arrangement.Check(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// oneOf refuses an option whose value is none of those that are allowed.
func oneOf(c *cli.Context, name string, allowed ...string) error {
	value := c.String(name)
	if slices.Contains(allowed, value) || !c.IsSet(name) { // not every command has it
		return nil
	}
	return usage(explained(c), "--%s %q: want %s", name, value, strings.Join(allowed, " or "))
}

// explained is the hint to the help of the command that was called.
func explained(c *cli.Context) string {
	return fmt.Sprintf("lightbox %s --help explains the options", c.Command.Name)
}

// chooseHost takes the server from --host, else from OLLAMA_HOST. An address
// that is not this machine's must be named with --host.
func chooseHost(c *cli.Context, cfg *bench.Config) error {
	named := c.IsSet("host")
	text := c.String("host")
	if !named {
		text = os.Getenv("OLLAMA_HOST")
	}
	host, err := ollama.ParseHost(text)
	if err != nil {
		return &exitError{exitNotLocal, "name an address of this machine, such as 127.0.0.1:11434", err}
	}
	if !host.Loopback() && !named {
		return &exitError{exitNotLocal, "--host " + host.String() + " allows it for this run", fmt.Errorf("OLLAMA_HOST is %s, which is not this machine", host)}
	}
	cfg.Host, cfg.AllowPrivate = host, named
	return nil
}

// benchmark opens what the command line names. The ids of public benchmarks name
// nobody and are kept in records.
func benchmark(c *cli.Context, cfg bench.Config, name string) (b bench.Benchmark, public bool, err error) {
	data := c.String("data")
	encoding, err := encodingOf(c, source.IsSheet(name) || isCard(name))
	if err != nil {
		return b, false, err
	}
	set, isPublished := publishedNamed(name)
	switch {
	case c.IsSet("column") && !source.IsSheet(name):
		return b, false, usage("leave --column out", "--column: %s is no .csv file", name)
	case c.IsSet("split") && !isPublished && !isCard(name):
		return b, false, usage("leave --split out", "--split %s: %s has no splits", c.String("split"), name)
	case c.String("format") == bench.FormatMCQA && name != smmile.Name && name != smmile.NamePlus:
		return b, false, usage("leave --format out", "--format %s: the questions of %s are asked as the data have them", c.String("format"), name)
	case c.IsSet("prompt") && name != scienceqa.Name:
		return b, false, usage("leave --prompt out", "--prompt %s: %s is asked in one way", c.String("prompt"), name)
	}
	switch {
	case name == phantom.Name:
		b, err = bench.Phantom()
		return b, true, err
	case isPublished && data == "":
		return b, false, usage("--data names the downloaded data set "+set.dataID+" (lightbox benchmarks show "+name+")", "--data is missing")
	case name == scienceqa.Name:
		b, err = bench.ScienceQAPrompt(data, c.String("split"), c.String("prompt"))
		return b, true, err
	case isPublished:
		b, err = set.open(data, c.String("split"))
		isSMMILE := name == smmile.Name || name == smmile.NamePlus
		if err == nil && isSMMILE && (c.String("format") == bench.FormatMCQA || c.String("format") == bench.FormatLogprob) {
			b, err = bench.AsMultipleChoice(b, cfg.Family)
		}
		return b, true, err
	case isCard(name) && c.IsSet("family"):
		return b, false, usage("leave --family out", "--family: the card has prompts of its own")
	case isCard(name):
		b, err = bench.OpenCard(name, bench.CardData{
			Path: data, Split: c.String("split"), Subsets: cfg.Selection.Subsets, KeepNames: cfg.KeepNames, Encoding: encoding,
		})
		return b, false, err
	case !jsonLines.MatchString(name) && !source.IsSheet(name):
		return b, false, usage(unknownBenchmark(name), "unknown benchmark %q", name)
	}
	b, err = bench.OwnQuestions(bench.Own{Path: name, Data: data, KeepNames: c.Bool("keep-names"), Columns: c.StringSlice("column"), Encoding: encoding})
	return b, false, err
}

// unknownBenchmark says what might have been meant.
func unknownBenchmark(name string) string {
	names := benchmarkNames()
	if near := card.Nearest(name, names); near != "" {
		return "did you mean: " + near
	}
	return "give a .csv or .jsonl file of questions, a card.json, or one of " + strings.Join(names, ", ")
}

var (
	jsonLines = regexp.MustCompile(`\.jsonl(\.gz|\.zst)?$`)
	unsafe    = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
)

// isCard tells whether a benchmark is named by the file of its card.
func isCard(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".json") }

// asTheCardSays takes from the benchmark's card what the command line leaves open.
func asTheCardSays(c *cli.Context, cfg *bench.Config) {
	b := cfg.Benchmark
	if b.JudgeProtocol != "" && !c.IsSet("judge-protocol") {
		cfg.JudgeProtocol = b.JudgeProtocol
	}
	if b.Shots > 0 && !c.IsSet("shots") {
		cfg.Shots = card.FirstShots(b.Shots)
	}
	cfg.Recipe.MaxSide = cmp.Or(cfg.Recipe.MaxSide, b.Recipe.MaxSide)
	cfg.Recipe.MinSide = cmp.Or(cfg.Recipe.MinSide, b.Recipe.MinSide)
}

// runName names a run directory by benchmark, model, and a digest of the data
// and settings, so that the same command finds its directory again.
func runName(cfg bench.Config) string {
	all := []any{
		cfg.Selection, cfg.Shots.String(), cfg.Arrangement.String(), cfg.Family.Name, cfg.Judge, cfg.JudgeProtocol, cfg.Temperature, cfg.Seed, cfg.NumPredict, cfg.NumCtx, cfg.Think, cfg.KeepSystem,
		cfg.Benchmark.Digest, cfg.Benchmark.Prompt, cfg.Benchmark.Format, cfg.NoProbe, cfg.EscapeControl, cfg.Recipe, cfg.ImageBudget, cfg.Parallel, cfg.KeepNames, cfg.Host.String(),
	}
	if cfg.Benchmark.Card != "" {
		all = append(all, cfg.Benchmark.Card)
	}
	if cfg.Benchmark.Encoding != "" {
		all = append(all, cfg.Benchmark.Encoding)
	}
	settings, err := json.Marshal(all)
	if err != nil { // plain values always encode
		panic(err)
	}
	sum := sha256.Sum256(settings)
	name := fmt.Sprintf("%s-%s-%x", strings.Fields(cfg.Benchmark.Name)[0], cfg.Model, sum[:4])
	return unsafe.ReplaceAllString(name, "-")
}
