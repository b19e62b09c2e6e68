package source

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSONSplits(t *testing.T) {
	row := func(id string) string { return `[{"id":"` + id + `"}]` }
	three := map[string]string{
		"train.json": row("a"), "validate.json": row("b"), "test.json": row("c"),
		"imgs/xmlab0/question.json": "[]", "imgs/xmlab0/test.json": "[]", "dataset_infos.json": "{}",
	}
	deeper := map[string]string{"data/train.jsonl": `{"id":"a"}`, "data/test.jsonl": `{"id":"c"}`}
	tests := []struct {
		name, split, want string
		files             map[string]string
	}{
		{"train", "train", "a", three},
		{"validation by its other name", "validation", "b", three},
		{"asked for by its other name", "val", "b", three},
		{"test", "test", "c", three},
		{"lines", "test", "c", deeper},
		{"whole data set in one file", "test", "x", map[string]string{"problems.json": row("x"), "pid_splits.json": "{}"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := OpenTable(lay(t, tt.files), TableOptions{Split: tt.split})
			if err != nil {
				t.Fatal(err)
			}
			defer table.Close()
			if got := table.Rows[0]["id"]; got != tt.want {
				t.Errorf("row %v, want %s", got, tt.want)
			}
			want := CanonicalSplit(tt.split)
			if tt.want == "x" {
				want = ""
			}
			if got := table.Split(); got != want {
				t.Errorf("split %q, want %q", got, want)
			}
		})
	}
	if _, err := OpenTable(lay(t, three), TableOptions{Split: "dev"}); err == nil || !strings.Contains(err.Error(), "name one: test.json, train.json, validate.json") {
		t.Errorf("error %v", err)
	}
}

func TestParquetSplit(t *testing.T) {
	if got := openTable(t, hub).Split(); got != "train" {
		t.Errorf("split %q", got)
	}
}

func TestKeyedRows(t *testing.T) {
	dir := lay(t, map[string]string{"problems.json": `{"7": {"question": "q", "choices": ["a"]}, "3": {"pid": "x", "question": "r"}}`})
	table, err := OpenTable(dir, TableOptions{Key: "pid"})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	want := []Record{{"pid": "7", "question": "q", "choices": []any{"a"}}, {"pid": "3", "question": "r"}}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
		t.Error(diff)
	}
	if err := table.Fault(1, "question", errors.New("is odd")); !strings.Contains(err.Error(), `reading row 2 of`) {
		t.Errorf("error %v", err)
	}
	for _, text := range []string{`{"7": {"question": "q"}`, `{"7": {"question"`, `{"7"`, `{"7": {}} {"8": {}}`, `[{"a":1}][{"a":2}]`, `{"7": 3}`, `"x"`} {
		if _, err := OpenTable(lay(t, map[string]string{"a.json": text}), TableOptions{Key: "pid"}); err == nil {
			t.Errorf("%s is no error", text)
		}
	}
}

func TestBeside(t *testing.T) {
	outside := lay(t, map[string]string{"secret": "s"})
	dir := lay(t, map[string]string{"d/rows.jsonl": `{"id":"a"}`, "d/b.txt": "B", "d/images/x.png": "X", "y.png": "Y"})
	link(t, dir, "d/out.txt", filepath.Join(outside, "secret"))
	table := openTable(t, dir)
	if data, err := table.ReadBeside("b.txt"); err != nil || string(data) != "B" {
		t.Errorf("%q, error %v", data, err)
	}
	if _, err := table.ReadBeside("none"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join(dir, "d", "none")) {
		t.Errorf("error %v", err)
	}
	if data, err := table.ReadBeside("out.txt"); err == nil {
		t.Errorf("a link out of the folder gave %q", data)
	}
	for want, names := range map[string][]string{
		"d/images/x.png": {"none.png", "images/x.png", "y.png"}, "y.png": {"../y.png", "y.png"}, "": {"../secret", "../../y.png", "images"},
	} {
		if got := table.Find(names...); got != want {
			t.Errorf("%v: %q, want %q", names, got, want)
		}
	}
	for name, want := range map[string]bool{"y.png": true, "none.png": false, "../y.png": false, "d": false} {
		if got := table.Has(name); got != want {
			t.Errorf("has %s: %v", name, got)
		}
	}
	kept := openTable(t, hub)
	if !kept.Has(kept.Rows[0]["image"].(string)) {
		t.Error("a picture in a Parquet file is not there")
	}
}
