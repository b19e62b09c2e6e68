// Tables writes the test split of a made-up ScienceQA of the size of the published
// one, 4241 questions and 2017 pictures in 122 MB, to a directory:
//
//	tables DIR
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
	perGroup  = 50  // rows, so that a page of pictures has about the usual 1 MB
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: tables DIR")
	}
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
				return err
			}
			row[0], row[1] = picture, "image.png"
		}
		for c := range columns {
			columns[c].Cells = append(columns[c].Cells, row[c])
		}
	}
	if err := os.MkdirAll(args[0], 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(args[0], "test-00000-of-00001.parquet"), parquettest.File(columns, perGroup), 0o600)
}

func noise(random *rand.ChaCha8) ([]byte, error) {
	m := image.NewGray(image.Rect(0, 0, side, side))
	random.Read(m.Pix)
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}
