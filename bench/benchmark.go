package bench

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"lightbox/bench/phantom"
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

// OwnQuestions reads a benchmark of the user's own: a JSON Lines file of
// questions, with pictures below the directory data.
func OwnQuestions(path, data string, keepNames bool) (Benchmark, error) {
	set, err := source.Load(path, source.Options{KeepNames: keepNames})
	if err != nil {
		return Benchmark{}, &Failure{Kind: WrongData, Hint: "each line is a JSON object with question, answer and image; README.md lists the fields", Err: err}
	}
	folder, err := source.OpenFolder(data)
	if err != nil {
		return Benchmark{}, &Failure{Kind: WrongData, Hint: "--data names the directory that the image fields are relative to", Err: err}
	}
	name := filepath.Base(path)
	name, _, _ = strings.Cut(name, ".")
	return Benchmark{
		Name: name, Digest: set.Digest, Samples: set.Samples, Pictures: folder,
		Primary: score.Judged, Pooled: true,
	}, nil
}
