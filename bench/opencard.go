package bench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/preprocess"
	"lightbox/score"
)

// CardData says which data of a card's benchmark are asked, and how.
type CardData struct {
	Path      string   // of the data, as [source.OpenTable] takes it
	Split     string   // empty: test, else the first that the card names
	Subsets   []string // empty: all
	KeepNames bool     // the data's own ids may stand in records
	Encoding  string   // of sheets, as [source.TableOptions] has it
}

// LoadCard reads the card in a file, and gives the digest of its bytes. A card
// whose rules or judge protocol are unknown is an error too.
func LoadCard(path string) (*card.Card, infer.Digest, error) {
	wrong := func(err error) (*card.Card, infer.Digest, error) {
		return nil, "", &Failure{Kind: WrongData, Hint: "lightbox benchmarks show CARD checks a card; README.md lists its keys", Err: err}
	}
	f, err := os.Open(path)
	if err != nil {
		return wrong(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 2<<20)) // more than a card may have
	if err != nil {
		return wrong(fmt.Errorf("reading card %q: %w", path, err))
	}
	c, err := card.ParseCard(path, data, score.RuleNames()...)
	if err != nil {
		return wrong(err)
	}
	for _, s := range c.Subsets {
		if err := checkScoring(s); err != nil {
			return wrong(fmt.Errorf("reading card %q: subset %q: %w", path, s.Name, err))
		}
	}
	return c, infer.DigestOf(data), nil
}

// checkScoring demands that the rules of a subset exist, and are of one kind of
// question at least.
func checkScoring(s card.Subset) error {
	_, choice := choicePipeline(s)
	if _, open := openPipeline(s); open != nil && choice != nil {
		return open
	}
	if s.Judge != "" {
		_, err := score.JudgeProtocol(s.Judge)
		return err
	}
	return nil
}

func choicePipeline(s card.Subset) (score.Rule, error) {
	return score.Pipeline(s.Pipeline, score.MCQA, true)
}

// openPipeline is the pipeline for open questions, where the normalizer says
// what matches exactly.
func openPipeline(s card.Subset) (score.Rule, error) {
	names := slices.Clone(s.Pipeline)
	if at := slices.Index(names, score.RuleExactMatch); at >= 0 && s.Normalizer != "" {
		names[at] = s.Normalizer
	}
	return score.Pipeline(names, score.ExactMatch, false)
}

// OpenCard reads the benchmark of a card with its data.
func OpenCard(path string, o CardData) (Benchmark, error) {
	c, digest, err := LoadCard(path)
	if err != nil {
		return Benchmark{}, err
	}
	if o.Path == "" {
		return Benchmark{}, fail(Usage, "--data names the downloaded data: a folder, a .parquet, .jsonl or .json file", "--data is missing")
	}
	subsets, err := chosenSubsets(c, o.Subsets)
	if err != nil {
		return Benchmark{}, &Failure{Kind: Usage, Err: err}
	}
	d := &deck{card: c, data: o, pictures: &cardPictures{several: len(subsets) > 1, tables: map[string][]*source.Table{}}, labels: &card.Labels{KeepNames: o.KeepNames}}
	b := Benchmark{
		Name: c.Name, Version: c.ReleaseDate, Card: digest, Pictures: d.pictures,
		Primary: score.ExactMatch, Pooled: len(subsets) == 1, Encoding: o.Encoding,
	}
	var digests []infer.Digest
	for _, s := range subsets {
		rows, err := d.add(&b, s)
		if err != nil {
			return Benchmark{}, errors.Join(wrongCardData(err), d.pictures.Close())
		}
		digests = append(digests, rows)
	}
	b.Digest = joinDigests(digests)
	if err := scoring(&b, subsets); err != nil {
		return Benchmark{}, errors.Join(err, d.pictures.Close())
	}
	return b, nil
}

func wrongCardData(err error) error {
	var failure *Failure
	if errors.As(err, &failure) {
		return err
	}
	return wrongData(err, "--data names the data that the card describes; lightbox benchmarks show CARD says where they are published")
}

// chosenSubsets are those of the names; all where there are none.
func chosenSubsets(c *card.Card, names []string) ([]card.Subset, error) {
	for _, name := range names {
		if _, err := c.Subset(name); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(c.Subsets), func(s card.Subset) bool {
		return len(names) > 0 && !slices.Contains(names, s.Name)
	}), nil
}

// joinDigests is the digest of several; that of one is itself.
func joinDigests(all []infer.Digest) infer.Digest {
	if len(all) == 1 {
		return all[0]
	}
	var b strings.Builder
	for _, d := range all {
		b.WriteString(string(d) + "\n")
	}
	return infer.DigestOf([]byte(b.String()))
}

// scoring gives the benchmark the rules and settings of its subsets, which must
// be the same.
func scoring(b *Benchmark, subsets []card.Subset) error {
	first := subsets[0]
	for _, s := range subsets[1:] {
		if !scoredAlike(first, s) || s.MaxSide != first.MaxSide || s.MinSide != first.MinSide || s.FewShot != first.FewShot {
			return fail(Usage, "ask them one at a time, with --subset", "subsets %q and %q are scored or shown in different ways", first.Name, s.Name)
		}
	}
	b.JudgeProtocol, b.Shots = first.Judge, first.FewShot.Shots
	if first.Judge != "" {
		b.Primary = score.Judged
	}
	b.Recipe = preprocess.Recipe{MaxSide: first.MaxSide, MinSide: first.MinSide}
	for _, kind := range []struct {
		choice bool
		rules  *[]score.Rule
		build  func(card.Subset) (score.Rule, error)
	}{{true, &b.Choice, choicePipeline}, {false, &b.Open, openPipeline}} {
		if !slices.ContainsFunc(b.Samples, func(x card.Sample) bool { return len(x.Options) > 0 == kind.choice }) {
			continue
		}
		rule, err := kind.build(first)
		if err != nil {
			return &Failure{Kind: WrongData, Hint: "score_pipeline of the card names the rules", Err: err}
		}
		*kind.rules = []score.Rule{rule}
	}
	return nil
}

func scoredAlike(a, b card.Subset) bool {
	return slices.Equal(a.Pipeline, b.Pipeline) && a.Normalizer == b.Normalizer && a.Judge == b.Judge
}

// cardRules are the rules of the card in a file.
func cardRules(path string) (Rules, error) {
	c, _, err := LoadCard(path)
	if err != nil {
		return Rules{}, err
	}
	first := c.Subsets[0]
	for _, s := range c.Subsets[1:] {
		if !scoredAlike(first, s) {
			return Rules{}, fail(Usage, "--rule names one rule for all", "subsets %q and %q of the card are scored in different ways", first.Name, s.Name)
		}
	}
	var rules Rules
	if rule, err := choicePipeline(first); err == nil { // LoadCard has seen that there is one of the two
		rules.Choice = []score.Rule{rule}
	}
	if rule, err := openPipeline(first); err == nil {
		rules.Open = []score.Rule{rule}
	}
	return rules, nil
}

// origin is what a card says of where a subset's things are from.
func origin(c *card.Card, s card.Subset) record.Origin {
	o := record.Origin{
		ScoreProtocol: s.Protocol.String(), PromptSource: s.PromptSource.String(),
		Citation: c.Citation, Licence: c.Licence, KnownTraining: strings.Join(c.KnownTraining, ", "),
	}
	var urls []string
	for _, u := range s.Source.URLs {
		if !slices.Contains(urls, u.URL) {
			urls = append(urls, u.URL)
		}
	}
	o.Data = strings.Join(urls, ", ")
	return o
}

// joinOrigins says of both what they say, once where it is the same.
func joinOrigins(a, b record.Origin) record.Origin {
	for _, both := range [][2]*string{
		{&a.ScoreProtocol, &b.ScoreProtocol},
		{&a.PromptSource, &b.PromptSource},
		{&a.Data, &b.Data},
		{&a.Citation, &b.Citation},
		{&a.Licence, &b.Licence},
		{&a.KnownTraining, &b.KnownTraining},
	} {
		switch to, from := both[0], *both[1]; {
		case *to == "":
			*to = from
		case from != "" && from != *to:
			*to += " | " + from
		}
	}
	return a
}

// subsetPath is where the data of a subset are: those of a card with several lie
// side by side, under their names; of one that is asked alone the path can be that
// of its data.
func subsetPath(c *card.Card, path, subset string, several bool) (string, error) {
	if len(c.Subsets) == 1 {
		return path, nil
	}
	var tried []string
	for _, ending := range []string{"", ".parquet", ".jsonl", ".json"} {
		name := filepath.Join(path, subset+ending)
		if _, err := os.Stat(name); err == nil {
			return name, nil
		}
		tried = append(tried, subset+ending)
	}
	if several {
		return "", fmt.Errorf("finding the data of subset %q in %q: want %s there: %w", subset, path, strings.Join(tried, " or "), fs.ErrNotExist)
	}
	return path, nil
}
