package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/card"
	"lightbox/bench/phantom"
)

const benchmarksDescription = `Without SHOW it lists the benchmarks. With it, it says where the data come from,
and with --data what is in a downloaded data set: counts, pictures (each is
decoded whole), and what differs from the data that were published. NAME can be
the file of a card, card.json: what it asks for and how it is scored are shown,
and with --data whether the data fit it, and the first prompt. new writes a card for
a .csv of questions, to be changed and shared.

EXAMPLES:
   lightbox benchmarks
   lightbox benchmarks new --data cases.csv --out cases.json
   lightbox benchmarks show cases.json --data cases.csv
   lightbox benchmarks show smmile
   lightbox benchmarks show smmile --data SMMILE
   lightbox benchmarks show slake --data SLAKE --split validation`

func benchmarksCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "benchmarks", Usage: "list the benchmarks, or check a downloaded one", ArgsUsage: "[show NAME|card.json [--data PATH [--split NAME]] | new --data FILE.csv] [OPTIONS]",
		Description: benchmarksDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "data", Usage: "`PATH` of the downloaded data set"},
			&cli.StringFlag{Name: "split", Usage: "`NAME` of a part of the data set; test unless given"},
			&cli.StringFlag{Name: "out", Usage: "`FILE` that new writes"},
			&cli.StringSliceFlag{Name: "column", Usage: "`FIELD=NAME` of a column, for new; the others are guessed by their names"},
			encodingFlag(""),
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			switch {
			case len(args) == 0 && !c.IsSet("data"):
				return t.listBenchmarks(c.Bool("json"))
			case len(args) == 0 || args[0] == "show" && len(args) != 2:
				return usage("as in: lightbox benchmarks show smmile --data PATH", "the name of one benchmark is wanted")
			case args[0] == "new":
				return t.newCard(c)
			case args[0] != "show":
				return unknownVerb("benchmarks", args[0], "show", "new")
			}
			encoding, err := encodingOf(c, isCard(args[1]))
			if err != nil {
				return err
			}
			if c.IsSet("split") && !c.IsSet("data") {
				return usage("--data names the downloaded data set", "--split is given without --data")
			}
			if isCard(args[1]) {
				return t.showCard(args[1], bench.CardData{Path: c.String("data"), Split: c.String("split"), KeepNames: true, Encoding: encoding}, c.Bool("json"))
			}
			return t.showBenchmark(args[1], c.String("data"), c.String("split"), c.Bool("json"))
		},
	}
}

// unknownVerb is the error that a command has no such verb.
func unknownVerb(command, verb string, known ...string) error {
	hint := fmt.Sprintf("lightbox %s --help explains it", command)
	if near := card.Nearest(verb, known); near != "" {
		hint = fmt.Sprintf("did you mean: lightbox %s %s", command, near)
	}
	return usage(hint, "unknown command %q of lightbox %s", verb, command)
}

// shownBenchmark is a benchmark for people and programs.
type shownBenchmark struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Data    string `json:"data"`
	Size    string `json:"size"`
	Licence string `json:"licence"`
	Source  string `json:"source"`

	Files       []string         `json:"files,omitempty"`
	Digest      string           `json:"digest,omitempty"`
	Counts      any              `json:"counts,omitempty"`
	Published   any              `json:"published,omitempty"`
	Pictures    *bench.Inventory `json:"pictures,omitempty"`
	Differences []string         `json:"differences,omitempty"`
	AsPublished *bool            `json:"as_published,omitempty"`

	found found
}

func shownBenchmarks() []shownBenchmark {
	all := []shownBenchmark{{
		Name: phantom.Name, Title: "made-up pictures that show lightbox works", Data: "embedded, no download",
		Size: "240 questions about 60 pictures", Licence: "MIT", Source: "made for lightbox",
	}}
	for _, p := range publishedBenchmarks() {
		all = append(all, p.about)
	}
	return all
}

func benchmarkNames() []string {
	var names []string
	for _, b := range shownBenchmarks() {
		names = append(names, b.Name)
	}
	return names
}

func (t terminal) listBenchmarks(asJSON bool) error {
	all := shownBenchmarks()
	if asJSON {
		for i := range all {
			all[i].Published = nil
		}
		return writeJSON(t.out, all)
	}
	w := tabwriter.NewWriter(t.text(), 0, 0, 2, ' ', 0)
	for _, b := range all {
		fmt.Fprintf(w, "%s\t%s: %s; %s; %s\n", b.Name, b.Title, b.Size, b.Data, b.Licence)
	}
	return w.Flush()
}

func (t terminal) showBenchmark(name, data, split string, asJSON bool) error {
	for _, b := range shownBenchmarks() {
		if b.Name != name {
			continue
		}
		if data != "" {
			if err := t.inspect(&b, data, split); err != nil {
				return err
			}
		}
		if asJSON {
			return writeJSON(t.out, b)
		}
		_, err := io.WriteString(t.text(), b.text(data))
		return err
	}
	return usage(unknownBenchmark(name), "unknown benchmark %q", name)
}

// inspect reads a downloaded data set and all of its pictures.
func (t terminal) inspect(b *shownBenchmark, data, split string) error {
	set, ok := publishedNamed(b.Name)
	if !ok {
		return usage("leave --data out", "benchmark %q has no data to download", b.Name)
	}
	opened, err := set.open(data, split)
	if err != nil {
		return err
	}
	progress := newProgress(t.err)
	inventory := bench.Inspect(opened, progress.watch)
	progress.clear()
	b.found = set.count(opened)
	b.Files, b.Digest, b.Counts, b.Published, b.Pictures = opened.Files, string(opened.Digest), b.found.counts, b.found.published, &inventory
	b.Differences = b.found.differences
	as := len(b.Differences) == 0 && len(b.found.absent) == 0 && len(inventory.Unreadable) == 0
	b.AsPublished = &as
	return opened.Close()
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// text is the benchmark for people.
func (b shownBenchmark) text(data string) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %s\n", b.Name, b.Title)
	for _, line := range [][2]string{{"data", b.Data}, {"size", b.Size}, {"licence", b.Licence}, {"source", b.Source}} {
		fmt.Fprintf(w, "  %s\t%s\n", line[0], line[1])
	}
	if b.Counts != nil {
		fmt.Fprintf(w, "\n%s: %s\n", data, strings.Join(b.Files, ", "))
		for _, line := range b.lines() {
			fmt.Fprintf(w, "  %s\t%s\n", line[0], line[1])
		}
	}
	w.Flush() // into memory
	if b.AsPublished != nil {
		out.WriteString("\n" + b.verdict())
	}
	return out.String()
}

// verdict says whether the data are those that were published.
func (b shownBenchmark) verdict() string {
	if *b.AsPublished {
		return "all counts are as published, and every picture can be read\n"
	}
	var out strings.Builder
	out.WriteString("not as published:\n")
	for _, d := range b.Differences {
		fmt.Fprintf(&out, "  %s\n", d)
	}
	for _, line := range b.found.absent {
		fmt.Fprintf(&out, "  %s\n", line)
	}
	for _, u := range b.Pictures.Unreadable {
		fmt.Fprintf(&out, "  %s %s: %s\n", b.found.unit, u.ID, u.Detail)
	}
	return out.String()
}

// lines are the counts of a data set with their names, and what its pictures are.
func (b shownBenchmark) lines() [][2]string {
	p := *b.Pictures
	lines := append(slices.Clone(b.found.lines), [2]string{"pictures", picturesLine(p)},
		[2]string{"missing", fmt.Sprintf("%d %ss have no picture that they name, %d pictures cannot be read", len(b.found.absent), b.found.unit, len(p.Unreadable))})
	if b.found.repeated != "" {
		lines = append(lines, [2]string{"repeated", b.found.repeated})
	}
	return lines
}

func picturesLine(p bench.Inventory) string {
	if p.Smallest == nil {
		return fmt.Sprintf("%d different, %.1f MB", p.Different, float64(p.Bytes)/1e6)
	}
	return fmt.Sprintf("%d different, %.1f MB, %d×%d to %d×%d pixels, %s", p.Different, float64(p.Bytes)/1e6, p.Smallest[0], p.Smallest[1], p.Largest[0], p.Largest[1],
		histogram(p.Formats, func(format string, n int) string { return fmt.Sprintf("%s %d", format, n) }))
}
