package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"lightbox/bench"
	"lightbox/bench/card"
	"lightbox/bench/phantom"
	"lightbox/bench/smmile"
)

const benchmarksDescription = `Without SHOW it lists the benchmarks. With it, it says where the data come from,
and with --data what is in a downloaded data set: counts, pictures (each is
decoded whole), and what differs from the data that were published. NAME can be
the file of a card, card.json: what it asks for and how it is scored are shown,
and with --data whether the data fit it, and the first prompt.

EXAMPLES:
   lightbox benchmarks
   lightbox benchmarks show card.json --data PATH
   lightbox benchmarks show smmile
   lightbox benchmarks show smmile --data SMMILE`

func benchmarksCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "benchmarks", Usage: "list the benchmarks, or check a downloaded one", ArgsUsage: "[show NAME|card.json [--data PATH]] [OPTIONS]",
		Description: benchmarksDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "data", Usage: "`PATH` of the downloaded data set"},
			&cli.StringFlag{Name: "split", Usage: "`NAME` of the split of a card's data"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			switch {
			case len(args) == 0 && !c.IsSet("data"):
				return t.listBenchmarks(c.Bool("json"))
			case len(args) == 0 || args[0] == "show" && len(args) != 2:
				return usage("as in: lightbox benchmarks show smmile --data PATH", "the name of one benchmark is wanted")
			case args[0] != "show":
				return unknownVerb("benchmarks", args[0], "show")
			}
			if isCard(args[1]) {
				return t.showCard(args[1], c.String("data"), c.String("split"), c.Bool("json"))
			}
			if c.IsSet("split") {
				return usage("leave --split out", "--split: only data of a card have splits here")
			}
			return t.showBenchmark(args[1], c.String("data"), c.Bool("json"))
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
	Counts      *smmile.Counts   `json:"counts,omitempty"`
	Published   *smmile.Counts   `json:"published,omitempty"`
	Pictures    *bench.Inventory `json:"pictures,omitempty"`
	Differences []string         `json:"differences,omitempty"`
	AsPublished *bool            `json:"as_published,omitempty"`
}

func shownBenchmarks() []shownBenchmark {
	all := []shownBenchmark{{
		Name: phantom.Name, Title: "made-up pictures that show lightbox works", Data: "embedded, no download",
		Size: "240 questions about 60 pictures", Licence: "MIT", Source: "made for lightbox",
	}}
	for _, b := range smmile.Benchmarks {
		counts := b.Counts
		all = append(all, shownBenchmark{
			Name: b.Name, Title: b.Title, Data: b.DataID + " on Hugging Face", Size: b.Size, Licence: b.Licence, Source: b.Source,
			Published: &counts,
		})
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
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, b := range all {
		fmt.Fprintf(w, "%s\t%s: %s; %s; %s\n", b.Name, b.Title, b.Size, b.Data, b.Licence)
	}
	return w.Flush()
}

func (t terminal) showBenchmark(name, data string, asJSON bool) error {
	for _, b := range shownBenchmarks() {
		if b.Name != name {
			continue
		}
		if data != "" {
			if err := t.inspect(&b, data); err != nil {
				return err
			}
		}
		if asJSON {
			return writeJSON(t.out, b)
		}
		_, err := io.WriteString(t.out, b.text(data))
		return err
	}
	return usage(unknownBenchmark(name), "unknown benchmark %q", name)
}

// inspect reads a downloaded data set and all of its pictures.
func (t terminal) inspect(b *shownBenchmark, data string) error {
	published, ok := smmile.ByName(b.Name)
	if !ok {
		return usage("leave --data out", "benchmark %q has no data to download", b.Name)
	}
	opened, err := bench.SMMILE(b.Name, data, "")
	if err != nil {
		return err
	}
	progress := newProgress(t.err)
	inventory := bench.Inspect(opened, progress.watch)
	progress.clear()
	counts := smmile.Count(opened.Samples)
	b.Files, b.Digest, b.Counts, b.Pictures = opened.Files, string(opened.Digest), &counts, &inventory
	b.Differences = published.Differences(counts)
	as := len(b.Differences) == 0 && len(counts.NoPicture) == 0 && len(inventory.Unreadable) == 0
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
		for _, line := range countLines(*b.Counts, *b.Pictures) {
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
	for _, panel := range b.Counts.NoPicture {
		fmt.Fprintf(&out, "  panel %s: it has no picture\n", panel)
	}
	for _, u := range b.Pictures.Unreadable {
		fmt.Fprintf(&out, "  panel %s: %s\n", u.ID, u.Detail)
	}
	return out.String()
}

// countLines are the counts of a data set with their names.
func countLines(c smmile.Counts, p bench.Inventory) [][2]string {
	lines := [][2]string{{"problems", fmt.Sprint(c.Problems)}, {"panels", fmt.Sprint(c.Panels)}}
	lines = append(lines, [2]string{"demonstrations", histogram(c.Demonstrations, func(k, n int) string { return fmt.Sprintf("%d with %d", n, k) })})
	for _, name := range smmile.TagNames() {
		if values := c.Tags[name]; values != nil {
			lines = append(lines, [2]string{strings.ReplaceAll(name, "_", " "), histogram(values, func(v string, n int) string { return fmt.Sprintf("%s %d", v, n) })})
		}
	}
	return append(
		lines,
		[2]string{"pictures", picturesLine(p)},
		[2]string{"missing", fmt.Sprintf("%d panels have no picture, %d pictures cannot be read", len(c.NoPicture), len(p.Unreadable))},
		[2]string{"repeated", fmt.Sprintf("%d panels are in their problem already", c.Repeated)},
	)
}

func picturesLine(p bench.Inventory) string {
	text := fmt.Sprintf("%d different, %.1f MB", p.Different, float64(p.Bytes)/1e6)
	if p.Smallest != nil {
		text += fmt.Sprintf(", %d×%d to %d×%d pixels", p.Smallest[0], p.Smallest[1], p.Largest[0], p.Largest[1])
	}
	return text
}

// histogram writes counts by rising number, or by the alphabet.
func histogram[K int | string](counts map[K]int, write func(K, int) string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, write(key, counts[key]))
	}
	return strings.Join(parts, ", ")
}
