// Prompts makes questions with a picture each, and plays the server that is asked
// them:
//
//	prompts make DIR N
//	prompts serve
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"lightbox/infer/ollama/fake"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "prompts:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "serve":
		fmt.Println(fake.Start(fake.Config{Discard: true}).Addr())
		select {}
	case len(args) == 3 && args[0] == "make":
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return makeCases(args[1], n)
	}
	return errors.New("usage: prompts make DIR N, or prompts serve")
}

// makeCases writes n questions and n pictures that differ.
func makeCases(dir string, n int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewWriter(f)
	encoder := json.NewEncoder(lines)
	random := rand.NewChaCha8([32]byte{1})
	for i := range n {
		name := fmt.Sprintf("%05d.png", i)
		if err := writeNoise(filepath.Join(dir, name), random); err != nil {
			return err
		}
		if err := encoder.Encode(map[string]string{"question": fmt.Sprintf("Which finding is shown in picture %d?", i+1), "answer": "effusion", "image": name}); err != nil {
			return err
		}
	}
	return lines.Flush()
}

func writeNoise(path string, random *rand.ChaCha8) error {
	m := image.NewGray(image.Rect(0, 0, 40, 32))
	random.Read(m.Pix)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		return err
	}
	return f.Close()
}
