package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/record"
)

const reportDescription = `Counts the record of each run again and prints its report. It needs the run's
directory and nothing else: no data, no server. Of a run that is under way or was
interrupted it says how many samples there are so far.

--csv has a row for every sample and metric with the response's text: UTF-8 with
a byte order mark, for spreadsheets (in Python: encoding="utf-8-sig"). A cell
that a spreadsheet would take for a formula has an apostrophe before it.

EXAMPLES:
   lightbox report runs/cases-gemma3-4b-1a2b3c4d
   lightbox report runs/* --markdown
   lightbox report runs/demo --html report.html --csv samples.csv`

func reportCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "print the report of a run again, or of one under way",
		ArgsUsage: "RUN... [OPTIONS]", Description: reportDescription,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print the report as JSON, as in report.json"},
			&cli.BoolFlag{Name: "markdown", Usage: "print the table of scores as Markdown"},
			&cli.StringFlag{Name: "html", Usage: "write the page to `FILE`; it holds the texts of questions and responses"},
			&cli.StringFlag{Name: "csv", Usage: "write a table of samples to `FILE`; it holds the texts of responses"},
		},
		Action: func(c *cli.Context) error {
			if err := checkReport(c); err != nil {
				return err
			}
			for i, dir := range c.Args().Slice() {
				if err := t.showRun(c, dir, i > 0); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// checkReport refuses command lines that ask for what cannot be.
func checkReport(c *cli.Context) error {
	const hint = "lightbox report --help shows examples"
	switch n := c.NArg(); {
	case n == 0:
		return usage(hint, "a run's directory is missing")
	case c.Bool("json") && c.Bool("markdown"):
		return usage(hint, "--json and --markdown: only one can be printed")
	case n > 1 && (c.IsSet("html") || c.IsSet("csv")):
		return usage(hint, "--html and --csv write the file of one run, %d are given", n)
	}
	for _, name := range []string{"html", "csv"} {
		if c.IsSet(name) && c.String(name) == "" {
			return usage(hint, "--%s: a file is missing", name)
		}
	}
	return nil
}

// showRun writes the files that are asked for and prints the report of one run.
func (t terminal) showRun(c *cli.Context, dir string, another bool) error {
	r, err := bench.ReportOf(dir)
	if err != nil {
		return err
	}
	for _, file := range []struct {
		path  string
		write func(io.Writer) error
	}{{c.String("html"), r.HTML}, {c.String("csv"), r.CSV}} {
		if file.path == "" {
			continue
		}
		if err := record.Export(file.path, file.write); err != nil {
			return err
		}
		t.tell("wrote", file.path)
	}
	show := r.Text
	switch {
	case c.Bool("json"):
		show = r.JSON
	case c.Bool("markdown"):
		show = r.Markdown
	}
	return t.show(show, another && !c.Bool("json"))
}

// show prints a report, after an empty line where another stands before it.
func (t terminal) show(write func(io.Writer) error, another bool) error {
	if another {
		fmt.Fprintln(t.out)
	}
	if err := write(t.out); err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	return nil
}
