package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/record"
)

const planDescription = `Runs the arms of a plan one after the other on BENCH and compares them. The plan icl
asks zero-shot, in context, with a demonstration of another problem put in, with the
one that has the right answer first and last, shuffled, and with the query's picture
taken away, greyed and swapped; beside them stand a majority and a random guess. All
arms are asked, then all are judged: each model loads once, and equal requests of
different arms are sent once. The table has each arm's score and its difference to the
reference with interval and p, and the plan's questions are answered in words.

PLAN is the name of a plan (%s) or a .json file, as in
   {"name": "mine", "reference": "plain", "arms": [{"name": "plain"}, {"name": "two", "shots": "2"},
    {"name": "noise", "distract": "random", "distract_count": 2, "order": "shuffle", "ablate": "blank"}]}

It takes the options of lightbox run, but for those that its arms set; --shots is for
arms that do not say, and needed where demonstrations are drawn. A question is answered
with yes or no only where the interval of a difference leaves out zero and p is below
0.05. The same command goes on where it was stopped.

EXAMPLES:
   lightbox plan icl smmile --data SMMILE --model gemma3:4b --judge llama3.3
   lightbox plan icl slake --data SLAKE --shots 4 --model gemma3:4b
   lightbox plan mine.json cases.jsonl --data pictures --model gemma3:4b`

// armFlags are the options of a run that the arms of a plan set.
var armFlags = []string{"order", "distract", "distract-count", "ablate"}

func planFlags() []cli.Flag {
	flags := slices.DeleteFunc(runFlags(), func(f cli.Flag) bool {
		return slices.Contains(armFlags, f.Names()[0]) || f.Names()[0] == "json"
	})
	return append(flags,
		&cli.BoolFlag{Name: "markdown", Category: groupRun, Usage: "print the comparison as Markdown"},
		&cli.BoolFlag{Name: "json", Category: groupRun, Usage: "print the comparison as JSON"})
}

func planCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "run a plan of several settings and compare them",
		ArgsUsage:   "PLAN BENCH --model NAME --data PATH [OPTIONS]",
		Description: fmt.Sprintf(planDescription, strings.Join(bench.StudyNames(), ", ")), Flags: planFlags(),
		Action: t.plan,
	}
}

func (t terminal) plan(c *cli.Context) error {
	if c.NArg() != 2 {
		return usage("as in: lightbox plan icl smmile --data SMMILE --model NAME", "a plan and a benchmark are wanted, %d arguments are given", c.NArg())
	}
	study, err := bench.OpenStudy(c.Args().First())
	if err != nil {
		return err
	}
	until, err := untilOf(c)
	if err != nil {
		return err
	}
	cfg, err := runConfigOf(c, c.Args().Get(1))
	if err != nil {
		return err
	}
	if !c.IsSet("out") {
		cfg.Out = filepath.Join("runs", "plan-"+study.Name+"-"+filepath.Base(cfg.Out))
	}
	results, err := t.studied(c.Context, study, cfg, until)
	if err = errors.Join(err, cfg.Benchmark.Close()); err != nil {
		return err
	}
	report := study.Report(results)
	if err := record.Export(filepath.Join(cfg.Out, "plan.json"), func(w io.Writer) error { return writeJSON(w, report) }); err != nil {
		return err
	}
	show := report.Text
	switch {
	case c.Bool("json"):
		show = func(w io.Writer) error { return writeJSON(w, report) }
	case c.Bool("markdown"):
		show = report.Markdown
	}
	if err := t.show(show, false); err != nil {
		return err
	}
	t.tell("the runs and plan.json are in", cfg.Out)
	if slices.ContainsFunc(report.Arms, func(a bench.ArmScore) bool { return a.Unscored > 0 }) {
		return &exitError{code: exitUnscored}
	}
	return nil
}

// studied runs the arms, with progress.
func (t terminal) studied(ctx context.Context, study bench.Study, cfg bench.Config, until *alarm) ([]bench.ArmResult, error) {
	ctx, stop, release := interruptible(ctx, t, until)
	defer release()
	defer t.stayAwake()()
	progress := newProgress(t.err)
	cfg.Stop, cfg.Watch = stop, progress.watch
	defer progress.clear()
	return bench.RunStudy(ctx, study, cfg)
}
