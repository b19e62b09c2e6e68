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

const runDescription = `BENCH is a .csv or .jsonl file of your own questions, smmile, smmile++, slake or
scienceqa (--data names the downloaded data set), phantom (embedded), or the card of
another benchmark, card.json (--data names its data). lightbox benchmarks lists them.

A file of your own has a question a row: question, answer, image (below --data: PNG,
JPEG, WebP, TIFF, BMP or GIF), and as needed options, problem_id and order. In a .csv
these are columns, whose names are guessed and shown; in a .jsonl each line is a JSON
object. Rows of one problem_id are, by order, its demonstrations and last its query.

The same command goes on where it was stopped. Options may stand before or
behind BENCH.

EXAMPLES:
   lightbox run cases.jsonl --data pictures --model gemma3:4b
   lightbox run cases.csv --data pictures --model gemma3:4b --column answer=Befund
   lightbox run cases.jsonl --data pictures --model gemma3:4b --judge llama3.3
   lightbox run smmile --data SMMILE --model medgemma --family medgemma --judge llama3.3
   lightbox run slake --data SLAKE --subset en_open,en_closed --model medgemma

   lightbox run card.json --data PATH --split test --shots 2 --model gemma3:4b`

const (
	groupAsked = "what is asked"
	groupOwn   = "own questions"
	groupModel = "the model"
	groupJudge = "the judge"
	groupRun   = "the run"
)

func runFlags() []cli.Flag { return slices.Concat(askingFlags(), pictureFlags(), judgingFlags()) }

// askingFlags are the options of what is asked and of the model.
func askingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", Category: groupAsked, Usage: "`PATH` of the directory with the pictures, or of a downloaded data set"},
		&cli.StringFlag{Name: "split", Category: groupAsked, Usage: "`NAME` of a part of the data set, test unless given: train, validation or test; smmile and smmile++ have one, which train and test both mean"},
		&cli.StringSliceFlag{Name: "subset", Category: groupAsked, Usage: "`NAMES` of the subsets to ask, with commas between"},
		&cli.StringSliceFlag{Name: "ids", Category: groupAsked, Usage: "`IDS` or row numbers of the samples to ask, with commas between"},
		&cli.IntFlag{Name: "limit", Category: groupAsked, Usage: "only the first `N` samples of each subset"},
		&cli.StringFlag{Name: "shots", Category: groupAsked, Value: "icl", Usage: "`N` demonstrations at most, the first of each sample; icl (default) shows all, 0 none; slake, scienceqa and cards have none of their own: N are drawn from the train split"},
		&cli.StringFlag{Name: "format", Category: groupAsked, Value: bench.FormatOpen, Usage: "`FORM` of smmile's questions: open (default), or mcqa, multiple choice as its scripts make it; mcqa-logprob, of any benchmark with options: the letters' probabilities as first token decide"},
		&cli.StringFlag{Name: "order", Category: groupAsked, Value: icl.Natural, Usage: "`ORDER` of the demonstrations: " + strings.Join(icl.Orders, ", ") + "; relevant are those with the query's answer"},
		&cli.StringFlag{Name: "distract", Category: groupAsked, Value: icl.None, Usage: "`WHAT` to put among the demonstrations: none (default), random ones of other problems, or targeted ones of the same specialty"},
		&cli.IntFlag{Name: "distract-count", Category: groupAsked, Value: 1, Usage: "`N` demonstrations to put in, 1 unless given"},
		&cli.StringFlag{Name: "ablate", Category: groupAsked, Usage: "image=`HOW` to take the query's picture away: image=none, image=blank (grey), or image=swapped (another sample's)"},
		&cli.StringFlag{Name: "family", Category: groupAsked, Value: "none", Usage: "`NAME` of the models whose system text and turns the SMMILE scripts use: " + strings.Join(smmile.FamilyNames(), ", ")},
		&cli.StringFlag{Name: "prompt", Category: groupAsked, Usage: "`NAME` of the way to ask scienceqa: lmms (default), as lmms-eval does, or qcm, as its authors do"},
		&cli.IntFlag{Name: "seed", Category: groupAsked, Usage: "`N` for all that is drawn by chance"},
		&cli.StringSliceFlag{Name: "column", Category: groupOwn, Usage: "`FIELD=NAME` of a column of a sheet; its field is one of " + strings.Join(source.FieldNames(), ", ") + "; the others are guessed by their names and shown"},
		&cli.StringFlag{Name: "model", Category: groupModel, Usage: "`NAME` of the vision model, as in: ollama list"},
		&cli.Float64Flag{Name: "temperature", Category: groupModel, Usage: "`T` of sampling, 0 unless given"},
		&cli.IntFlag{Name: "num-predict", Category: groupModel, Value: bench.DefaultNumPredict, Usage: "`N` tokens of reply at most, 512 unless given"},
		&cli.StringFlag{Name: "num-ctx", Category: groupModel, Value: "auto", Usage: "`N` tokens of context; auto (default) takes what the longest prompt needs"},
		&cli.StringFlag{Name: "think", Category: groupModel, Value: "auto", Usage: "`MODE` of models that can think: auto (default) and off: no thinking; on: 4096 tokens more"},
		&cli.StringFlag{Name: "model-system", Category: groupModel, Value: "refuse", Usage: "`WHAT` to do where the model has a system text of its own: refuse (default) or keep"},
		&cli.BoolFlag{Name: "no-probe", Category: groupModel, Usage: "do not ask first whether the model sees pictures"},
		&cli.BoolFlag{Name: "escape-control", Category: groupModel, Usage: "break control tokens in the data with a zero-width space instead of leaving the sample unscored"},
	}
}

// judgingFlags are the options of the judge and of the run.
func judgingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "judge", Category: groupJudge, Usage: "`NAME` of a model that judges the responses to open questions"},
		&cli.StringFlag{Name: "judge-protocol", Category: groupJudge, Value: "strict", Usage: "`HOW` the judge is asked: strict (default); official, as in the published evaluation, with sampling left to the server; card, in the words of the benchmark's card; llm_recall, as evalscope does: only what the rule calls wrong is judged, and can become right"},
		&cli.StringFlag{Name: "host", Category: groupRun, Usage: "`URL` of the Ollama server, unless OLLAMA_HOST or 127.0.0.1:11434"},
		&cli.IntFlag{Name: "parallel", Category: groupRun, Value: 1, Usage: "`N` requests at once; more than 1 can change answers even at temperature 0"},
		&cli.StringFlag{Name: "until", Category: groupRun, Usage: "`HH:MM` at which no further sample is asked; the same command goes on later"},
		&cli.StringFlag{Name: "out", Category: groupRun, Usage: "run `DIR`; unless given, one below runs/ that is named by the settings"},
		&cli.BoolFlag{Name: "no-cache", Category: groupRun, Usage: "ask again what the same model was asked before; replies to own questions are never kept"},
		&cli.BoolFlag{Name: "keep-names", Category: groupRun, Usage: "keep the data's own ids in the record; they can be personal"},
		&cli.BoolFlag{Name: "json", Category: groupRun, Usage: "print the report as JSON"},
	}
}

func runCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "ask a model the questions of a benchmark and score its answers",
		ArgsUsage: "BENCH --model NAME --data PATH [OPTIONS]", Description: runDescription, Flags: runFlags(),
		Action: func(c *cli.Context) error {
			cfg, err := runConfig(c)
			if err != nil {
				return err
			}
			until, err := untilOf(c)
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
	const hint = "lightbox run --help explains the options"
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
	if err := oneOf("think", cfg.Think, "auto", "on", "off"); err != nil {
		return err
	}
	if err := oneOf("judge-protocol", cmp.Or(cfg.JudgeProtocol, "strict"), "strict", "official", "card", "llm_recall"); err != nil {
		return err
	}
	system := c.String("model-system")
	cfg.KeepSystem = system == "keep"
	return oneOf("model-system", system, "refuse", "keep")
}

// chooseShown reads what is shown beside the question.
func chooseShown(c *cli.Context, cfg *bench.Config) (err error) {
	const hint = "lightbox run --help explains the options"
	if err := oneOf("format", c.String("format"), bench.FormatOpen, bench.FormatMCQA, bench.FormatLogprob); err != nil {
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

func oneOf(name, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return usage("lightbox run --help explains the options", "--%s %q: want %s", name, value, strings.Join(allowed, " or "))
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
			Path: data, Split: c.String("split"), Subsets: cfg.Selection.Subsets, KeepNames: cfg.KeepNames,
		})
		return b, false, err
	case !jsonLines.MatchString(name) && !source.IsSheet(name):
		return b, false, usage(unknownBenchmark(name), "unknown benchmark %q", name)
	}
	b, err = bench.OwnQuestions(bench.Own{Path: name, Data: data, KeepNames: c.Bool("keep-names"), Columns: c.StringSlice("column")})
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
		cfg.Benchmark.Digest, cfg.Benchmark.Prompt, cfg.NoProbe, cfg.EscapeControl, cfg.Recipe, cfg.ImageBudget, cfg.Parallel, cfg.KeepNames, cfg.Host.String(),
	}
	if cfg.Benchmark.Card != "" {
		all = append(all, cfg.Benchmark.Card)
	}
	settings, err := json.Marshal(all)
	if err != nil { // plain values always encode
		panic(err)
	}
	sum := sha256.Sum256(settings)
	name := fmt.Sprintf("%s-%s-%x", strings.Fields(cfg.Benchmark.Name)[0], cfg.Model, sum[:4])
	return unsafe.ReplaceAllString(name, "-")
}
