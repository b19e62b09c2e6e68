package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lightbox/bench"
	"lightbox/bench/scienceqa"
	"lightbox/bench/slake"
	"lightbox/bench/smmile"
)

// published is a benchmark whose data are downloaded.
type published struct {
	about  shownBenchmark
	dataID string

	// open reads a split, "": the usual one, from a path.
	open func(path, split string) (bench.Benchmark, error)

	// count says what is in the data.
	count func(b bench.Benchmark) found
}

// found is what a downloaded data set holds.
type found struct {
	counts, published any         // for programs
	lines             [][2]string // the counts for people, by name
	differences       []string    // from what was published
	absent            []string    // what is not there, in a line each
	unit              string      // what a picture belongs to
	repeated          string      // how often the data repeat themselves; empty: not counted
}

// publishedBenchmarks are in the order in which they are listed.
func publishedBenchmarks() []published {
	var all []published
	for _, b := range smmile.Benchmarks {
		all = append(all, published{
			about: shownBenchmark{
				Name: b.Name, Title: b.Title, Data: b.DataID + " on Hugging Face", Size: b.Size, Licence: b.Licence, Source: b.Source, Published: b.Counts,
			},
			dataID: b.DataID,
			open:   func(path, split string) (bench.Benchmark, error) { return bench.SMMILE(b.Name, path, split) },
			count:  func(opened bench.Benchmark) found { return smmileFound(b, opened) },
		})
	}
	return append(all,
		published{
			about: shownBenchmark{
				Name: slake.Name, Title: slake.Title, Data: slake.DataID + " on Hugging Face", Size: slake.Size, Licence: slake.Licence, Source: slake.Source,
				Published: slake.PublishedSplits["test"],
			},
			dataID: slake.DataID, open: bench.SLAKE, count: slakeFound,
		},
		published{
			about: shownBenchmark{
				Name: scienceqa.Name, Title: scienceqa.Title, Data: scienceqa.DataID + " on Hugging Face", Size: scienceqa.Size, Licence: scienceqa.Licence, Source: scienceqa.Source,
				Published: scienceqa.PublishedSplits["test"],
			},
			dataID: scienceqa.DataID, open: bench.ScienceQA, count: scienceQAFound,
		})
}

// publishedNamed finds a benchmark by its name.
func publishedNamed(name string) (published, bool) {
	all := publishedBenchmarks()
	i := slices.IndexFunc(all, func(p published) bool { return p.about.Name == name })
	if i < 0 {
		return published{}, false
	}
	return all[i], true
}

func smmileFound(b smmile.Benchmark, opened bench.Benchmark) found {
	c := smmile.Count(opened.Samples)
	f := found{counts: c, published: b.Counts, differences: b.Differences(c), unit: "panel"}
	f.add("problems", fmt.Sprint(c.Problems))
	f.add("panels", fmt.Sprint(c.Panels))
	f.add("demonstrations", histogram(c.Demonstrations, func(k, n int) string { return fmt.Sprintf("%d with %d", n, k) }))
	f.addTags(smmile.TagNames(), c.Tags)
	for _, panel := range c.NoPicture {
		f.absent = append(f.absent, "panel "+panel+": it has no picture")
	}
	f.repeated = fmt.Sprintf("%d panels are in their problem already", c.Repeated)
	return f
}

func slakeFound(opened bench.Benchmark) found {
	c, p := slake.Count(opened.Samples), slake.PublishedSplits[opened.Split]
	f := found{counts: c, published: p, differences: p.Differences(c), unit: "question"}
	f.add("split", opened.Split)
	f.add("questions", fmt.Sprint(c.Questions))
	f.add("prompts", c.Prompts.String())
	for _, subset := range slake.Subsets {
		f.add(subset, c.Subsets[subset].String())
	}
	f.addTags(slake.TagNames(), c.Tags)
	return f
}

func scienceQAFound(opened bench.Benchmark) found {
	c := scienceqa.Count(opened.Samples)
	f := found{counts: c, unit: "question", differences: []string{"no counts were published of split " + opened.Split}}
	if p, ok := scienceqa.PublishedSplits[opened.Split]; ok {
		f.published, f.differences = p, p.Differences(c)
	}
	f.add("split", opened.Split)
	f.add("questions", fmt.Sprintf("all %d, image %d, text %d", c.Questions, c.Subsets[scienceqa.SubsetImage], c.Subsets[scienceqa.SubsetText]))
	f.add("choices", histogram(c.Choices, func(k, n int) string { return fmt.Sprintf("%d with %d", n, k) }))
	f.add("keys", histogram(c.Keys, func(k string, n int) string { return fmt.Sprintf("%s %d", k, n) }))
	f.addTags(scienceqa.TagNames(), c.Tags)
	return f
}

// add notes a count for people.
func (f *found) add(name, value string) { f.lines = append(f.lines, [2]string{name, value}) }

// addTags notes how many samples there are by the values of tags.
func (f *found) addTags(names []string, tags map[string]map[string]int) {
	for _, name := range names {
		if values := tags[name]; values != nil {
			f.add(strings.ReplaceAll(name, "_", " "), histogram(values, func(v string, n int) string { return fmt.Sprintf("%s %d", v, n) }))
		}
	}
}

// histogram writes counts by rising number, or by the alphabet.
func histogram[K cmp.Ordered](counts map[K]int, write func(K, int) string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, write(key, counts[key]))
	}
	return strings.Join(parts, ", ")
}
