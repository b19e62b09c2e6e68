package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/phantom"
	"lightbox/bench/smmile"
	"lightbox/bench/source"
	"lightbox/score"
)

// Phantom is the embedded benchmark.
func Phantom() (Benchmark, error) {
	text, err := fs.ReadFile(phantom.Files(), phantom.Problems)
	if err != nil {
		return Benchmark{}, fmt.Errorf("reading the embedded benchmark: %w", err)
	}
	set, err := source.Parse(phantom.Problems, text, source.Options{KeepNames: true})
	if err != nil {
		return Benchmark{}, err
	}
	samples, err := phantom.Subsets(set.Samples)
	if err != nil {
		return Benchmark{}, err
	}
	return Benchmark{
		Name: phantom.Name, Version: phantom.Version, Digest: set.Digest,
		Samples: samples, Pictures: source.NewFolder(phantom.Files()), Primary: score.Judged, About: phantom.About,
	}, nil
}

// ownName is what a record calls questions of the user's own. The name of their
// file can be that of a patient.
const ownName = "own questions"

// Own names a benchmark of the user's own.
type Own struct {
	Path      string   // of the questions: JSON Lines or a sheet
	Data      string   // directory of the pictures; may be empty where there are none
	KeepNames bool     // names of the file and its samples may stand in records
	Columns   []string // of a sheet, each "field=column"; the others are guessed by their names
	Encoding  string   // of a sheet, as [source.Options] has it
}

// OwnQuestions reads a benchmark of the user's own. What was made of a sheet's
// columns is in its About.
func OwnQuestions(own Own) (Benchmark, error) {
	o := source.Options{KeepNames: own.KeepNames, Columns: own.Columns, Encoding: own.Encoding}
	var folder *source.Folder
	noFolder := error(fail(Usage, dataHint, "--data is missing"))
	if own.Data != "" {
		if folder, noFolder = source.OpenFolder(own.Data); noFolder != nil {
			noFolder = &Failure{Kind: WrongData, Hint: dataHint, Err: noFolder}
		} else {
			o.Check = folder.Check
		}
	}
	set, err := source.Load(own.Path, o)
	if err != nil && folder != nil {
		err = errors.Join(err, folder.Close())
	}
	var picture *source.PictureError
	switch {
	case err == nil:
	case errors.As(err, &picture):
		return Benchmark{}, &Failure{Kind: WrongData, Hint: dataHint + "; nothing is asked before all of them are there", Err: err}
	case errors.Is(err, fs.ErrNotExist):
		return Benchmark{}, &Failure{Kind: WrongData, Hint: "look at the path of the file", Err: err}
	default:
		hint := "each line is a JSON object with question, answer and image; README.md lists the fields"
		if source.IsSheet(own.Path) {
			hint = "--column FIELD=NAME names a column, the field one of " + strings.Join(source.FieldNames(), ", ")
		}
		return Benchmark{}, &Failure{Kind: WrongData, Hint: hint, Err: err}
	}
	b := Benchmark{
		Name: ownName, Digest: set.Digest, Samples: set.Samples, Pictures: source.NewFolder(noFiles{}),
		Primary: score.Judged, Pooled: true, About: set.How, Encoding: own.Encoding,
	}
	if own.KeepNames {
		b.Name, _, _ = strings.Cut(filepath.Base(own.Path), ".")
	}
	if !slices.ContainsFunc(b.Samples, func(s card.Sample) bool { return s.Subset != "" }) {
		for i := range b.Samples {
			b.Samples[i].Subset = "all"
		}
	}
	if set.How == "" {
		b.About = withoutPicture(set.Samples)
	}
	if alone := unordered(set.Samples); alone > 0 {
		b.Warnings = append(b.Warnings, fmt.Sprintf("%d rows share a problem_id with others but have no order: each was asked on its own, without demonstrations", alone))
	}
	switch needed := needsVision(set.Samples); {
	case needed && noFolder != nil:
		return Benchmark{}, noFolder
	case folder != nil:
		b.Pictures = withSeries{folder}
	}
	return b, nil
}

const dataHint = "--data names the directory that the image fields are relative to"

// withoutPicture says how many questions have no picture where others have one;
// "" where all are alike.
func withoutPicture(samples []card.Sample) string {
	n := 0
	for _, s := range samples {
		if len(s.Pictures) == 0 {
			n++
		}
	}
	if n == 0 || n == len(samples) {
		return ""
	}
	return fmt.Sprintf("%d of %d questions have no picture", n, len(samples))
}

// unordered counts the samples of problems that are several samples.
func unordered(samples []card.Sample) int {
	sizes := map[string]int{}
	for _, s := range samples {
		sizes[s.Group]++
	}
	n := 0
	for _, size := range sizes {
		if size > 1 {
			n += size
		}
	}
	return n
}

// noFiles is a directory with nothing in it.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// SMMILE reads SMMILE or SMMILE++, which name says, from a path as
// [source.OpenTable] takes it. Both "train" and "test" name its one split.
func SMMILE(name, path, split string) (Benchmark, error) {
	about, ok := smmile.ByName(name)
	if !ok {
		return Benchmark{}, fail(Usage, "", "no benchmark is called %q", name)
	}
	if split != "" && split != "train" && split != "test" {
		return Benchmark{}, fail(Usage, "leave --split out", "split %q: %s has one, which both train and test mean", split, name)
	}
	table, err := source.OpenTable(path, source.TableOptions{Split: split, Picture: smmile.PictureColumn})
	if err != nil {
		return Benchmark{}, wrongData(err, smmileHint(about))
	}
	samples, note, err := smmileSamples(table, path, about)
	if err != nil {
		return Benchmark{}, errors.Join(wrongData(err, smmileHint(about)), table.Close())
	}
	b := Benchmark{
		Name: about.Name, Version: about.Version, Digest: table.Digest, Samples: samples, Pictures: table, Files: table.Files,
		Primary: score.Judged, Pooled: true, Shown: smmile.Shown,
		About: joined(note, unlike(name, about.Differences(smmile.Count(samples)))),
	}
	return b, nil
}

// smmileSamples are the samples of a table, which must be of the benchmark that
// is meant; those of SMMILE++ are made of SMMILE's where the table holds these,
// and the note says so.
func smmileSamples(table *source.Table, path string, about smmile.Benchmark) (samples []card.Sample, note string, err error) {
	if err := checkColumns(table, path, smmile.Columns); err != nil {
		return nil, "", err
	}
	if samples, err = smmile.Problems(table.Rows); err != nil {
		return nil, "", smmileFaults(table, err)
	}
	if about.Name == smmile.NamePlus && !slices.ContainsFunc(samples, isPermuted) {
		samples, note = permute(samples)
	}
	for _, s := range samples {
		if plus := isPermuted(s); plus != (about.Name == smmile.NamePlus) {
			return nil, "", fmt.Errorf("reading %q: problem %q is not one of %s: ids of smmile++ end in _perm_ and a number, those of smmile do not", path, s.ID, about.Name)
		}
	}
	return samples, note, nil
}

// smmileFaults says where in the files the rows with errors stand.
func smmileFaults(table *source.Table, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var all []error
	for _, e := range joined.Unwrap() {
		var panel *smmile.PanelError
		if errors.As(e, &panel) {
			e = table.Fault(panel.Row, panel.Column, panel.Err)
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}

// smmileHint says what data of a benchmark look like.
func smmileHint(about smmile.Benchmark) string {
	return fmt.Sprintf("--data names the downloaded data set %s: its folder, a .parquet or a .jsonl file", about.DataID)
}
