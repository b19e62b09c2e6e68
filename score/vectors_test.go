package score

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// vectors reads a file of recorded results of the official code. The texts in
// it have licences of their own, so the files lie beside the checkout and not
// in it; a test that needs one is skipped where they are absent.
func vectors(t *testing.T, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "shared", "vectors", name)
		if b, err := os.ReadFile(path); err == nil {
			return b
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skipf("no shared/vectors/%s in any folder above the package", name)
		}
		dir = parent
	}
}

// vectorRows decodes a JSONL file of vectors. Rows end at "\n" only: other line
// separators stand inside texts.
func vectorRows[T any](t *testing.T, name string) []T {
	t.Helper()
	var rows []T
	for line := range strings.SplitSeq(string(vectors(t, name)), "\n") {
		if line == "" {
			continue
		}
		var row T
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("decoding row %d of %s: %v", len(rows)+1, name, err)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	t.Logf("%s: %d rows", name, len(rows))
	return rows
}
