package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/source/parquet/parquettest"
	"lightbox/infer/template"
)

// TestObjects: objects in rows keep the order of their keys, on which the digest
// depends.
func TestObjects(t *testing.T) {
	open := func(text string) *Table {
		t.Helper()
		path := filepath.Join(t.TempDir(), "rows.jsonl")
		write(t, path, text)
		table, err := OpenTable(path, TableOptions{Picture: "image"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { table.Close() })
		return table
	}
	table := open(`{"o": {"E": "e", "A": [1, 1.5, null, {"z": true, "y": {}}], "B": null}}`)
	o := table.Rows[0]["o"].(*template.Mapping)
	if diff := cmp.Diff([]string{"E", "A", "B"}, o.Keys()); diff != "" {
		t.Error(diff)
	}
	list, _ := o.Get("A")
	deep := list.([]any)[3].(*template.Mapping)
	if got := fmt.Sprint(list.([]any)[:3], deep.Keys()); got != "[1 1.5 <nil>] [z y]" {
		t.Error(got)
	}
	turned := open(`{"o": {"A": [1, 1.5, null, {"z": true, "y": {}}], "E": "e", "B": null}}`)
	again := open(`{"o": {"E": "e", "A": [1, 1.5, null, {"z": true, "y": {}}], "B": null}}`)
	if table.Digest != again.Digest || table.Digest == turned.Digest {
		t.Errorf("digests %s, %s, %s", table.Digest, again.Digest, turned.Digest)
	}
}

// TestPictureColumn: what the picture column holds is a reference, a list of them,
// or an error; no picture is lost in silence.
func TestPictureColumn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "images", "a.png"), "a")
	tests := []struct{ cell, want string }{
		{`"a.png"`, "images/a.png"},
		{`["a.png", {"path": "b.png"}]`, "[images/a.png b.png]"},
		{`[]`, "[]"},
		{`null`, "<nil>"},
		{`""`, "<nil>"},
		{`{"path": null, "bytes": null}`, "<nil>"},
		{`{"path": null, "bytes": "iVBO"}`, `key "image": is a picture's bytes, which JSON rows cannot hold; want a path`},
		{`7`, `key "image": is not the path of a picture`},
		{`["a.png", null]`, `key "image": element 2 is missing`},
		{`["a.png", 7]`, `key "image": element 2 is not the path of a picture`},
		{`{"a": 1, "a": 2}`, `has the key "a" twice`},
	}
	for _, tt := range tests {
		path := filepath.Join(dir, "rows.jsonl")
		write(t, path, `{"image": `+tt.cell+`}`)
		table, err := OpenTable(path, TableOptions{Picture: "image"})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(table.Rows[0]["image"])
			table.Close()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.cell, got, tt.want)
		}
	}
}

// TestListOfPicturesInParquet: what cannot be read is refused.
func TestListOfPicturesInParquet(t *testing.T) {
	_, err := OpenTable("../testdata/bones/data/test-00000-of-00001.parquet", TableOptions{Picture: "choices"})
	var row *RowError
	if !errors.As(err, &row) || !strings.Contains(err.Error(), "is a list of pictures, which is read from JSON rows only") {
		t.Errorf("error %v", err)
	}
}

// TestStructures: the parts of a structure in Parquet are columns, in their order.
func TestStructures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	write(t, path, string(parquettest.File([]parquettest.Column{
		{Path: "question", Cells: []any{"q"}}, {Path: "options.E", Cells: []any{"e"}}, {Path: "options.A", Cells: []any{nil}},
	}, 1)))
	table, err := OpenTable(path, TableOptions{Picture: "image"})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if diff := cmp.Diff([]string{"question", "options.E", "options.A"}, table.Columns); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Record{"question": "q", "options.E": "e", "options.A": nil}, table.Rows[0]); diff != "" {
		t.Error(diff)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}
