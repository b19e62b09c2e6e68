package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/slake"
	"lightbox/bench/source"
	"lightbox/score"
)

// slakeHint says what data of SLAKE look like.
const slakeHint = "--data names the downloaded data set " + slake.DataID + ": the folder with test.json and imgs.zip, or the .json file itself"

// SLAKE reads a split of SLAKE from a path as [source.OpenTable] takes it, test
// unless named otherwise. Its pictures are in imgs.zip or in the folder imgs
// beside the rows. Demonstrations are drawn from the train split there.
func SLAKE(path, split string) (Benchmark, error) {
	if split != "" && !slices.Contains(slake.Splits, source.CanonicalSplit(split)) {
		return Benchmark{}, fail(Usage, "the splits are "+strings.Join(slake.Splits, ", "), "split %q: %s has none of this name", split, slake.Name)
	}
	table, split, err := openSplit(path, split, source.TableOptions{})
	if err != nil {
		return Benchmark{}, wrongData(err, slakeHint)
	}
	pictures, err := table.Packed(slake.Folder)
	if err != nil {
		return Benchmark{}, errors.Join(wrongData(err, slakeHint), table.Close())
	}
	samples, err := slakeSamples(table, path, split, pictures)
	if err != nil {
		return Benchmark{}, errors.Join(wrongData(err, slakeHint), pictures.Close())
	}
	b := Benchmark{
		Name: slake.Name, Version: slake.Version, Digest: table.Digest, Split: split, Samples: samples, Pictures: pictures, Files: table.Files,
		Open: rulesNamed(score.RuleSlake, score.RuleSlakeEvalscope), Pooled: true, About: slake.About,
		Pool: func() (Pool, error) { return slakePool(path, split, pictures) },
	}
	b.Primary = b.Open[0].Metric
	if differ := unlike(slake.Name, slake.PublishedSplits[split].Differences(slake.Count(samples))); differ != "" {
		b.About += "; " + differ
	}
	return b, nil
}

// slakeSamples are the samples of a table.
func slakeSamples(table *source.Table, path, split string, pictures *source.Packed) ([]card.Sample, error) {
	if err := checkColumns(table, path, slake.Columns); err != nil {
		return nil, err
	}
	samples, err := slake.Samples(table.Rows, split, pictures.Has)
	if err != nil {
		return nil, rowFaults(table, err)
	}
	return samples, nil
}

// slakePool reads the train split, which demonstrations are drawn from.
func slakePool(path, asked string, pictures *source.Packed) (Pool, error) {
	const hint = "put train.json beside the rows, or leave --shots out"
	table, err := trainSplit(path, asked, source.TableOptions{})
	if err != nil {
		return Pool{}, wrongData(err, hint)
	}
	defer table.Close() // read whole, and pictures has its own
	samples, err := slakeSamples(table, path, "train", pictures)
	if err != nil {
		return Pool{}, wrongData(fmt.Errorf("reading the train split: %w", err), hint)
	}
	return Pool{Samples: samples, Digest: table.Digest, Warning: slake.ShotsWarning}, nil
}
