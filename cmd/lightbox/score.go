package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/answers"
	"lightbox/bench/record"
	"lightbox/bench/source"
	"lightbox/score"
)

const scoreDescription = `Scores answers that were made elsewhere by the rules of a benchmark: no model is
asked. FILE is JSON Lines or a .csv with a row a sample: id, response (may be empty)
and what the rule needs of reference, question, options (in a .csv also in columns A,
B … or option_a, option_b …), answer (letter of the right option, or its place from
0), subset or language. Result files that the authors of SMMILE published are
recognised by their columns; of a folder of them the figures are counted again and
stand beside the published ones.

--verdicts writes a JSON object a sample: id, verdict (correct, incorrect, no_answer
or unscored), answer, normalized_answer, normalized_reference, rule.

RULES:
%s
EXAMPLES:
   lightbox score --card slake --answers replies.jsonl
   lightbox score --card scienceqa --answers replies.csv --rule scienceqa-official
   lightbox score --card smmile --answers results/`

// ruleList says what the rules are, in a line each.
func ruleList() string {
	var b strings.Builder
	for _, r := range score.Rules() {
		fmt.Fprintf(&b, "   %-19s %s\n", r.Name, r.About)
	}
	return b.String()
}

func scoreCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "score", Usage: "score answers that were made elsewhere",
		ArgsUsage: "--card BENCH --answers FILE [OPTIONS]", Description: fmt.Sprintf(scoreDescription, ruleList()),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "card", Usage: "`BENCH` whose rules decide: smmile, smmile++, slake, scienceqa, or a card.json"},
			&cli.StringFlag{Name: "answers", Usage: "`FILE` of answers, or a folder of published result files"},
			encodingFlag(""),
			&cli.StringFlag{Name: "format", Value: "auto", Usage: "`FORM` of the questions: open, mcqa, or auto (default), by the fields of the rows"},
			&cli.StringFlag{Name: "rule", Usage: "`NAME` of one rule, in the place of the benchmark's"},
			&cli.StringFlag{Name: "verdicts", Usage: "write the verdict on every sample to `FILE`; - prints them in the place of the report"},
			&cli.BoolFlag{Name: "json", Usage: "print the report as JSON"},
		},
		Action: t.score,
	}
}

func (t terminal) score(c *cli.Context) error {
	const hint = "as in: lightbox score --card slake --answers replies.jsonl"
	switch {
	case c.NArg() > 0:
		return usage(hint, "no argument is wanted, %q is given", c.Args().First())
	case c.String("card") == "" && c.String("rule") == "":
		return usage(hint, "--card is missing")
	case c.String("answers") == "":
		return usage(hint, "--answers is missing")
	}
	if err := oneOf(c, "format", "auto", "open", "mcqa"); err != nil {
		return err
	}
	path := c.String("answers")
	encoding, err := encodingOf(c, source.IsSheet(path))
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil {
		return &exitError{exitData, "look at the path", fmt.Errorf("reading answers: %w", err)}
	} else if info.IsDir() {
		return t.recount(path, c.Bool("json"))
	}
	set, err := answers.Load(path, encoding)
	if err == nil {
		err = bench.CheckAnswers(c.String("card"), set)
	}
	if err != nil {
		return &exitError{exitData, "lightbox score --help says what the rows of a file hold", err}
	}
	rules, err := chooseRules(c, set)
	if err != nil {
		return err
	}
	r, decided := bench.ScoreAnswers(c.String("card"), set, rules)
	write := func(w io.Writer) error { return writeVerdicts(w, decided) }
	show := r.Text
	if c.Bool("json") {
		show = r.JSON
	}
	switch file := c.String("verdicts"); file {
	case "":
	case "-", "/dev/stdout":
		show = write
	default:
		if err := record.Export(file, write); err != nil {
			return err
		}
		t.tell("wrote", file)
	}
	if err := t.show(show, false); err != nil {
		return err
	}
	for _, d := range decided {
		if d.Outcome == string(score.Unscored) {
			return &exitError{code: exitUnscored}
		}
	}
	return nil
}

// chooseRules are the benchmark's rules, or the one that is named.
func chooseRules(c *cli.Context, set *answers.Set) (bench.Rules, error) {
	if name := c.String("rule"); name != "" {
		rule, err := score.RuleNamed(name)
		if err != nil {
			return bench.Rules{}, usage("lightbox score --help lists the rules", "--rule: %w", err)
		}
		one := []score.Rule{rule}
		if rule.Choice() {
			return bench.Rules{Choice: one}, nil
		}
		return bench.Rules{Open: one, Choice: one}, nil
	}
	rules, err := bench.RulesOf(c.String("card"), set)
	switch c.String("format") {
	case "open":
		rules.Choice = nil
	case "mcqa":
		rules.Open = nil
	}
	return rules, err
}

func writeVerdicts(w io.Writer, decided []bench.Decided) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, d := range decided {
		if err := e.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

// recount shows the figures of a folder of published files beside those that
// were published.
func (t terminal) recount(dir string, asJSON bool) error {
	results, err := answers.Folder(dir)
	if err != nil {
		return &exitError{exitData, "--answers names a file of answers, or a folder of published result files", err}
	}
	for _, r := range results {
		if r.Differs != "" {
			t.tell("warning:", r.File+":", r.Differs)
		}
	}
	if asJSON {
		e := json.NewEncoder(t.out)
		e.SetIndent("", "  ")
		return e.Encode(results)
	}
	w := tabwriter.NewWriter(t.text(), 0, 0, 2, ' ', tabwriter.AlignRight)
	longest := 0
	for _, r := range results {
		longest = max(longest, len(r.File))
	}
	fmt.Fprintf(w, "%-*s\t", longest, "file")
	fmt.Fprintln(w, "rows\tcorrect\taccuracy\tpublished\terrors\twithout them\tjudge\tpaper's judge\t")
	for _, r := range results {
		fmt.Fprintf(w, "%-*s\t%d\t%d\t%.2f %%\t%s\t%d\t%s\t%s\t%s\t\n", longest, r.File, r.Rows, r.Correct, r.Accuracy,
			percentOr(r.Published), r.Failed, percentOr(r.WithoutFailed), percentOr(r.Judged), percentOr(r.Paper))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(t.out, `
accuracy is counted again from the rows (exact match, or the letter against the key) and published is what
the authors' own evaluation says; errors are responses that are error messages and count as incorrect, as
published. The judge's figures were published; the paper's are means of a bootstrap whose seed depends on
the order of files, so that they differ from the exact ones.`)
	return err
}

func percentOr(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", *v)
}
