package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"lightbox/bench/card"
	"lightbox/bench/scienceqa"
	"lightbox/bench/source"
	"lightbox/infer"
	"lightbox/score"
)

// scienceQAHint says what data of ScienceQA look like.
const scienceQAHint = "--data names the downloaded data set " + scienceqa.DataID + ": its folder or a .parquet file; or the authors' folder with problems.json"

// hubSplits are the splits that the data set on Hugging Face has.
var hubSplits = []string{"train", "validation", "test"}

// ScienceQA reads a split of ScienceQA from a path as [source.OpenTable] takes
// it, test unless named otherwise: Parquet files of Hugging Face, or the authors'
// problems.json with pid_splits.json and folders of pictures. Demonstrations are
// drawn from the train split there.
func ScienceQA(path, split string) (Benchmark, error) { return ScienceQAPrompt(path, split, "") }

// ScienceQAPrompt is [ScienceQA] asked in a way that [scienceqa.Prompts] names;
// empty: the usual.
func ScienceQAPrompt(path, split, prompt string) (Benchmark, error) {
	asked, err := scienceqa.PromptNamed(prompt)
	if err != nil {
		return Benchmark{}, &Failure{Kind: Usage, Err: err}
	}
	s := &scienceQA{path: path, prompt: asked, pictures: &tables{}}
	table, split, err := openSplit(path, split, scienceQATable)
	if err != nil {
		return Benchmark{}, wrongData(err, scienceQAHint)
	}
	s.pictures.add(table)
	samples, digest, err := s.samples(table, split)
	if err != nil {
		return Benchmark{}, errors.Join(wrongData(err, scienceQAHint), s.pictures.Close())
	}
	b := Benchmark{
		Name: scienceqa.Name, Version: scienceqa.Version, Digest: digest, Split: split, Prompt: asked.Name,
		Samples: samples, Pictures: s.pictures, Files: table.Files,
		Choice: scienceQARules(asked), Pooled: true, Pool: func() (Pool, error) { return s.pool(split) },
	}
	b.Primary = b.Choice[0].Metric
	if odd := scienceqa.Undecided(samples); len(odd) > 0 {
		b.Warnings = append(b.Warnings, fmt.Sprintf("%d questions have one choice, or some that are empty or look the same: %s", len(odd), firstOf(odd)))
	}
	if published, ok := scienceqa.PublishedSplits[split]; ok {
		b.About = unlike(scienceqa.Name, published.Differences(scienceqa.Count(samples)))
	}
	return b, nil
}

// firstOf are the first of some IDs, and how many more there are.
func firstOf(ids []string) string {
	const most = 10
	if more := len(ids) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), more)
	}
	return strings.Join(ids, ", ")
}

// scienceQATable are the options of reading either layout.
var scienceQATable = source.TableOptions{Picture: scienceqa.PictureColumn, Key: scienceqa.KeyColumn}

// scienceQARules are the rules, the one that reads what is asked for first.
func scienceQARules(p scienceqa.Prompt) []score.Rule {
	names := []string{score.RuleScienceQALmms, score.RuleScienceQAOfficial, score.RuleScienceQALlava}
	slices.SortStableFunc(names, func(a, b string) int {
		switch p.Rule {
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
	return rulesNamed(names...)
}

// scienceQA is a data set that is being read.
type scienceQA struct {
	path     string
	prompt   scienceqa.Prompt
	pictures *tables
}

// samples are those of a split in a table, with the digest of all that they are
// made from.
func (s *scienceQA) samples(table *source.Table, split string) ([]card.Sample, infer.Digest, error) {
	if err := checkColumns(table, s.path, scienceqa.Columns); err != nil {
		return nil, "", err
	}
	rows, digest, err := s.rows(table, split)
	if err != nil {
		return nil, "", rowFaults(table, err)
	}
	samples, err := scienceqa.Samples(rows, split, s.prompt, table.Has)
	if err != nil {
		return nil, "", rowFaults(table, err)
	}
	return samples, digest, nil
}

func (s *scienceQA) rows(table *source.Table, split string) ([]scienceqa.Row, infer.Digest, error) {
	if !slices.Contains(table.Columns, scienceqa.KeyColumn) {
		if !slices.Contains(hubSplits, split) {
			return nil, "", fmt.Errorf("choosing split %q: the splits are %s", split, strings.Join(hubSplits, ", "))
		}
		return scienceqa.HubRows(table.Rows), table.Digest, nil
	}
	var splits map[string][]string
	text, err := table.ReadBeside(scienceqa.SplitsFile)
	if err == nil {
		splits, err = scienceqa.ParseSplits(text)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, "", err
	}
	rows, err := scienceqa.OriginalRows(table.Rows, splits, split, table.Find)
	if err != nil {
		return nil, "", err
	}
	ids := []string{string(table.Digest)}
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return rows, infer.DigestOf([]byte(strings.Join(ids, "\n"))), nil
}

// pool reads the train split, which demonstrations are drawn from.
func (s *scienceQA) pool(asked string) (Pool, error) {
	const hint = "put the train split beside the rows, or leave --shots out"
	table, err := trainSplit(s.path, asked, scienceQATable)
	if err != nil {
		return Pool{}, wrongData(err, hint)
	}
	s.pictures.add(table)
	samples, digest, err := s.samples(table, "train")
	if err != nil {
		return Pool{}, wrongData(fmt.Errorf("reading the train split: %w", err), hint)
	}
	return Pool{Samples: samples, Digest: digest}, nil
}

// tables opens the pictures of several tables.
type tables struct {
	mu  sync.Mutex
	all []*source.Table
}

func (t *tables) add(table *source.Table) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, table)
}

// Open reads a picture from the table that has it.
func (t *tables) Open(reference string) ([]byte, error) {
	t.mu.Lock()
	all := t.all
	t.mu.Unlock()
	for _, table := range all {
		if table.Has(reference) {
			return table.Open(reference)
		}
	}
	return all[0].Open(reference) // says what is wrong
}

// Close gives the tables back.
func (t *tables) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var errs []error
	for _, table := range t.all {
		errs = append(errs, table.Close())
	}
	return errors.Join(errs...)
}
