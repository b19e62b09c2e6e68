// Tables writes the test split of a made-up ScienceQA of the size of the published
// one, 4241 questions and 2017 pictures in 122 MB, to a directory:
//
//	tables LAYOUT DIR
//
// Without arguments it lists the layouts, each with what it is.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"

	"lightbox/bench/source/parquet/parquettest"
)

const (
	questions = 4241
	pictures  = 2017
	side      = 245 // noise of this side is 60 kB
)

// layouts are how libraries write data sets, as they do by default and as people
// set them. Arrow's begin a page with each batch of 1024 rows at most, and put
// pictures that differ into dictionaries of the size that is set.
var layouts = []struct {
	name, label string
	parquettest.Layout
}{
	{"small", "50 rows a group, plain", parquettest.Layout{PerGroup: 50}},
	{"snappy", "one group, Snappy", parquettest.Layout{PerGroup: questions, PerPage: 1024, Codec: parquettest.Snappy}},
	{"snappy-dictionary", "one group, Snappy, dict.", parquettest.Layout{PerGroup: questions, PerPage: 1024, Codec: parquettest.Snappy, Dictionary: true}},
	{"zstd", "one group, Zstandard", parquettest.Layout{PerGroup: questions, PerPage: 1024, Codec: parquettest.Zstd}},
	{"zstd-page", "one page, Zstandard", parquettest.Layout{PerGroup: questions, Codec: parquettest.Zstd}},
	{"zstd-dictionary", "one group, Zstd, dict.", parquettest.Layout{PerGroup: questions, PerPage: 1024, Codec: parquettest.Zstd, Dictionary: true}},
	{"gzip", "one group, gzip", parquettest.Layout{PerGroup: questions, PerPage: 1024, Codec: parquettest.Gzip}},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		for _, l := range layouts {
			fmt.Printf("%s\t%s\n", l.name, l.label)
		}
		return nil
	}
	if len(args) != 2 {
		return errors.New("usage: tables [LAYOUT DIR]")
	}
	for _, l := range layouts {
		if l.name == args[0] {
			return write(args[1], l.Layout)
		}
	}
	return fmt.Errorf("there is no layout %q", args[0])
}

func write(dir string, l parquettest.Layout) error {
	columns, err := table()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "test-00000-of-00001.parquet"), l.File(columns), 0o600)
}

// table is the columns, the same at every call.
func table() ([]parquettest.Column, error) {
	names := []string{"image.bytes", "image.path", "question", "choices", "answer", "hint", "grade", "subject", "topic"}
	columns := make([]parquettest.Column, len(names))
	for i, name := range names {
		columns[i].Path = name
	}
	random := rand.NewChaCha8([32]byte{1})
	for i := range questions {
		row := []any{nil, nil, fmt.Sprintf("Which of these is number %d?", i), []string{"this one", "that one", "none"}, int64(i % 3), "", "grade3", "natural science", "physics"}
		if i*pictures/questions != (i+1)*pictures/questions {
			picture, err := noise(random)
			if err != nil {
				return nil, err
			}
			row[0], row[1] = picture, "image.png"
		}
		for c := range columns {
			columns[c].Cells = append(columns[c].Cells, row[c])
		}
	}
	return columns, nil
}

func noise(random *rand.ChaCha8) ([]byte, error) {
	m := image.NewGray(image.Rect(0, 0, side, side))
	random.Read(m.Pix)
	var b bytes.Buffer
	fast := png.Encoder{CompressionLevel: png.NoCompression} // there is nothing to compress
	err := fast.Encode(&b, m)
	return b.Bytes(), err
}
