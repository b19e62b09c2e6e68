package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"lightbox/bench/source/parquet"
	"lightbox/bench/source/parquet/parquettest"
)

// hub is a data set as the datasets library writes it.
const hub = "testdata/hub"

func openTable(t testing.TB, path string) *Table {
	t.Helper()
	table, err := OpenTable(path, TableOptions{Picture: "image"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return table
}

// lay writes files below a new folder and gives its path.
func lay(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func link(t testing.TB, dir, name, target string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.FromSlash(target), path); err != nil {
		t.Skipf("this system makes no symbolic links: %v", err)
	}
}

func TestHubParquet(t *testing.T) {
	table := openTable(t, hub)
	if diff := cmp.Diff([]string{"data/train-00000-of-00001.parquet"}, table.Files); diff != "" {
		t.Error(diff)
	}
	columns := []string{
		"problem_id", "order", "image", "image_url", "question", "answer", "speciality", "flag_answer_format", "flag_image_type",
		"flag_cognitive_process", "flag_rarity", "flag_difficulty_llms",
	}
	if diff := cmp.Diff(columns, table.Columns); diff != "" {
		t.Error(diff)
	}
	if len(table.Rows) != 10 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	want := Record{
		"problem_id": "a", "order": int64(3), "image": table.Rows[2]["image"], "image_url": "picture 2", "question": "Is it healed?\n", "answer": "No",
		"speciality": "dermatology", "flag_answer_format": "binary(yes/no)", "flag_image_type": "Photograph",
		"flag_cognitive_process": "classification/diagnosis", "flag_rarity": nil, "flag_difficulty_llms": "medium",
	}
	if diff := cmp.Diff(want, table.Rows[2]); diff != "" {
		t.Error(diff)
	}
	// The widths that make.py gave the pictures; equal pictures are one.
	for row, width := range []int{24, 25, 26, 27, 27, 28, 29, 0, 30, 24} {
		reference, ok := table.Rows[row]["image"].(string)
		if width == 0 {
			if ok {
				t.Errorf("row %d has a picture", row)
			}
			continue
		}
		data, err := table.Open(reference)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != width {
			t.Errorf("row %d: width %d, error %v", row, c.Width, err)
		}
	}
	if table.Rows[0]["image"] != table.Rows[9]["image"] || table.Rows[0]["image"] == table.Rows[1]["image"] {
		t.Error("references are not one a picture")
	}
	var pe *PictureError
	if _, err := table.Open("no picture"); !errors.As(err, &pe) || pe.Problem != "missing" {
		t.Errorf("error %v", err)
	}
}

// TestLayouts finds the same rows wherever they are.
func TestLayouts(t *testing.T) {
	raw, err := os.ReadFile(hub + "/data/train-00000-of-00001.parquet")
	if err != nil {
		t.Fatal(err)
	}
	file := string(raw)
	blob := strings.Repeat("ab", 32)
	cache := func(ref string, snapshots ...string) string {
		dir := lay(t, map[string]string{"hub/datasets--org--name/blobs/" + blob: file, "hub/datasets--org--name/refs/main": ref})
		for _, s := range snapshots {
			link(t, dir, "hub/datasets--org--name/snapshots/"+s+"/data/train-00000-of-00001.parquet", "../../../blobs/"+blob)
		}
		return dir
	}
	one, two := cache("x1", "x1"), cache("x2", "x1", "x2")
	linked := lay(t, map[string]string{"x": ""})
	link(t, linked, "mine", filepath.Join(one, "hub/datasets--org--name/snapshots/x1"))
	tests := []struct{ name, path string }{
		{"a file", filepath.Join(hub, "data", "train-00000-of-00001.parquet")},
		{"a folder", hub},
		{"the folder of the files", filepath.Join(hub, "data")},
		{"a file at the top", lay(t, map[string]string{"test-00000-of-00001-0123456789abcdef.parquet": file, "README.md": "", "dataset_infos.json": "{}"})},
		{"a file of any name", lay(t, map[string]string{"SMMILE.PARQUET": file})},
		{"ModelScope", lay(t, map[string]string{"data/train-00000-of-00001.parquet": file, "configuration.json": "{}", "._____temp/data/x.parquet": "", ".mdl": ""})},
		{"converted", lay(t, map[string]string{"default/train/0000.parquet": file})},
		{"local download", lay(t, map[string]string{"data/train-00000-of-00001.parquet": file, ".cache/huggingface/download/x.parquet": ""})},
		{"cache", filepath.Join(one, "hub/datasets--org--name")},
		{"cache with several snapshots", filepath.Join(two, "hub/datasets--org--name")},
		{"snapshot", filepath.Join(two, "hub/datasets--org--name/snapshots/x1")},
		{"file of a snapshot", filepath.Join(one, "hub/datasets--org--name/snapshots/x1/data/train-00000-of-00001.parquet")},
		{"link to a snapshot", filepath.Join(linked, "mine")},
	}
	want := openTable(t, hub)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := openTable(t, tt.path)
			if diff := cmp.Diff(want.Rows, got.Rows); diff != "" {
				t.Error(diff)
			}
			if got.Digest != want.Digest {
				t.Errorf("digest %s, want %s", got.Digest, want.Digest)
			}
			if _, err := got.Open(got.Rows[0]["image"].(string)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSplits(t *testing.T) {
	file := func(id string) string {
		return string(parquettest.File([]parquettest.Column{{Path: "id", Cells: []any{id}}}, 1))
	}
	dir := lay(t, map[string]string{
		"data/train-00000-of-00002.parquet": file("a"), "data/train-00001-of-00002.parquet": file("b"),
		"data/test-00000-of-00001.parquet": file("c"),
	})
	for split, want := range map[string]string{"train": "[a b]", "test": "[c]"} {
		table, err := OpenTable(dir, TableOptions{Split: split})
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		var ids []any
		for _, r := range table.Rows {
			ids = append(ids, r["id"])
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("split %s: %s, want %s", split, got, want)
		}
	}
	for _, split := range []string{"", "validation"} {
		if _, err := OpenTable(dir, TableOptions{Split: split}); err == nil || !strings.Contains(err.Error(), "several sets of rows") {
			t.Errorf("split %q: error %v", split, err)
		}
	}
}

func TestUnusableLayouts(t *testing.T) {
	outside := lay(t, map[string]string{"secret.parquet": string(parquettest.File([]parquettest.Column{{Path: "id", Cells: []any{"a"}}}, 1))})
	leading := lay(t, map[string]string{"README.md": ""})
	link(t, leading, "data/train.parquet", filepath.Join(outside, "secret.parquet"))
	escaping := lay(t, map[string]string{"c/blobs/x": "", "c/refs/main": "x1"})
	link(t, escaping, "c/snapshots/x1/train.parquet", "../../../../"+filepath.Base(outside)+"/secret.parquet")
	dangling := lay(t, map[string]string{"blobs/x": "", "refs/main": "x1"})
	link(t, dangling, "snapshots/x1/train.parquet", "../../blobs/gone")
	tests := []struct{ name, path, want string }{
		{"nothing there", filepath.Join(outside, "none"), "none"},
		{"nothing in it", lay(t, map[string]string{"README.md": "", "a.png": ""}), "holds no .parquet, .jsonl or .json file"},
		{"another kind of file", filepath.Join(lay(t, map[string]string{"a.txt": ""}), "a.txt"), "neither a .parquet nor a .jsonl, .json or .csv file"},
		{"parts missing", lay(t, map[string]string{"train-00001-of-00003.parquet": "", "train-00000-of-00003.parquet": ""}), "2 of 3 parts are there: train-00000"},
		{"two sets", lay(t, map[string]string{"a.parquet": "", "b.parquet": ""}), "several sets of rows, of which none or more than one is meant; name a file: a.parquet, b.parquet"},
		{"two files of rows", lay(t, map[string]string{"a.jsonl": "", "b.json": ""}), "several files of rows; name one: a.jsonl, b.json"},
		{"several data sets", lay(t, map[string]string{"datasets--a--b/refs/main": "", "datasets--a--c/refs/main": ""}), "name one: datasets--a--b, datasets--a--c"},
		{"no snapshot", lay(t, map[string]string{"refs/main": "x", "snapshots/.keep": ""}), "the cache holds no snapshot"},
		{"which snapshot", lay(t, map[string]string{"refs/main": "x", "snapshots/a/x": "", "snapshots/b/x": ""}), "name one: a, b"},
		{"link out of the folder", leading, "outside the data folder"},
		{"link out of the cache", filepath.Join(escaping, "c"), "outside the data folder"},
		{"blob missing", dangling, "missing"},
		{"pointer", lay(t, map[string]string{"a.parquet": "version https://git-lfs.example/spec/v1\noid sha256:00\nsize 1\n"}), "pointer of Git LFS"},
		{"no rows", lay(t, map[string]string{"a.jsonl": "\n"}), "no rows"},
		{"not a list", lay(t, map[string]string{"a.json": `{"a":1}`}), "want a list of objects"},
		{"cut list", lay(t, map[string]string{"a.json": `[{"a":1}`}), "EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := OpenTable(tt.path, TableOptions{}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestArrow(t *testing.T) {
	tests := []struct {
		name, at string
		files    []string
		want     string
	}{
		{"saved to disk", "", []string{"data-00000-of-00001.arrow", "dataset_info.json", "state.json"}, "datasets.load_from_disk(r'PATH').to_parquet('data.parquet')"},
		{"several splits", "", []string{"dataset_dict.json", "train/data-00000-of-00001.arrow", "train/state.json"}, "datasets.concatenate_datasets(list(datasets.load_from_disk(r'PATH').values()))"},
		{"cache", "", []string{"default/0.0.0/x/smmile-train.arrow", "default/0.0.0/x/dataset_info.json"}, "glob.glob(r'PATH/**/*.arrow', recursive=True)"},
		{"a file", "smmile-train.arrow", []string{"smmile-train.arrow"}, "glob.glob(r'PATH/**/*.arrow', recursive=True)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range tt.files {
				files[name] = "ARROW1"
			}
			dir := lay(t, files)
			_, err := OpenTable(filepath.Join(dir, tt.at), TableOptions{})
			var ae *ArrowError
			if !errors.As(err, &ae) {
				t.Fatalf("error %v, want an ArrowError", err)
			}
			if want := strings.ReplaceAll(tt.want, "PATH", dir); !strings.Contains(ae.Convert, want) {
				t.Errorf("command %s, want %s in it", ae.Convert, want)
			}
		})
	}
}

func TestPicturesByPath(t *testing.T) {
	rows := func(paths ...any) string {
		ids := make([]any, len(paths))
		nulls := make([]any, len(paths))
		for i := range ids {
			ids[i] = fmt.Sprint(i)
		}
		return string(parquettest.File([]parquettest.Column{{Path: "id", Cells: ids}, {Path: "image.bytes", Cells: nulls}, {Path: "image.path", Cells: paths}}, 2))
	}
	dir := lay(t, map[string]string{
		"data/train.parquet": rows("pics/a.png", "b.png", "c.png", "gone.png", nil, "/home/other/d.png", "../x.png"),
		"pics/a.png":         "A", "data/b.png": "B", "images/c.png": "C",
	})
	table := openTable(t, dir)
	for i, want := range []any{"A", "B", "C", "missing", nil, "not a path below the data folder", "not a path below the data folder"} {
		reference, ok := table.Rows[i]["image"].(string)
		if !ok {
			if want != nil {
				t.Errorf("row %d has no picture", i)
			}
			continue
		}
		data, err := table.Open(reference)
		var pe *PictureError
		if errors.As(err, &pe) {
			data = []byte(pe.Problem)
		}
		if string(data) != want {
			t.Errorf("row %d: %q, want %q", i, data, want)
		}
	}
}

func TestJSONTables(t *testing.T) {
	lines := `{"problem_id":"p","order":1,"part":0.5,"image":{"bytes":null,"path":"a.png"},"choices":["x",2]}
{"problem_id":"q","order":2.0,"image":"images/a.png","more":null}
{"problem_id":"r","file_name":"a.png"}
{"problem_id":"s","image":null}`
	list := "[" + strings.ReplaceAll(lines, "\n", ",\n") + "]\n"
	want := []Record{
		{"problem_id": "p", "order": int64(1), "part": 0.5, "image": "images/a.png", "choices": []any{"x", int64(2)}},
		{"problem_id": "q", "order": 2.0, "image": "images/a.png", "more": nil},
		{"problem_id": "r", "file_name": "a.png", "image": "images/a.png"},
		{"problem_id": "s", "image": nil},
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, lines)
	w.Close()
	for name, text := range map[string]string{"problems.jsonl": lines, "all.json": list, "problems.jsonl.gz": packed.String()} {
		t.Run(name, func(t *testing.T) {
			dir := lay(t, map[string]string{name: text, "images/a.png": "A"})
			for _, path := range []string{dir, filepath.Join(dir, name)} {
				table := openTable(t, path)
				if diff := cmp.Diff(want, table.Rows); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff([]string{"problem_id", "order", "part", "image", "choices", "more", "file_name"}, table.Columns); diff != "" {
					t.Error(diff)
				}
				if data, err := table.Open("images/a.png"); err != nil || string(data) != "A" {
					t.Errorf("%q, error %v", data, err)
				}
			}
		})
	}
}

func TestBadJSONRows(t *testing.T) {
	dir := lay(t, map[string]string{"problems.jsonl": "{\"a\":1}\n\n7\n{\"a\":1,\"a\":2}\n{\"a\":\"\\ud83d\"}\n{\"a\":\"\xff\"}\n{"})
	_, err := OpenTable(dir, TableOptions{})
	for _, want := range []string{"row 3 of", "is a number, want an object", "row 4 of", `key "a": stands there twice`, "row 5 of", "half a character", "row 6 of", "not valid UTF-8", "row 7 of", "is not JSON"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestBadParquet(t *testing.T) {
	good, err := os.ReadFile(hub + "/data/train-00000-of-00001.parquet")
	if err != nil {
		t.Fatal(err)
	}
	text := parquettest.File([]parquettest.Column{{Path: "id", Cells: []any{"a", "\xff"}}}, 2)
	tests := []struct {
		name, file string
		structure  bool
		want       string
	}{
		{"cut", string(good[:len(good)/2]), true, "is it cut short?"},
		{"empty", "", true, "too few"},
		{"text that is none", string(text), false, `reading row 2 of`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := OpenTable(lay(t, map[string]string{"a.parquet": tt.file}), TableOptions{})
			var pe *parquet.Error
			if err == nil || errors.As(err, &pe) != tt.structure || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if !strings.Contains(fmt.Sprint(err), "a.parquet") {
				t.Errorf("error %v does not name the file", err)
			}
		})
	}
}

// TestTableDigest: the digest follows every value and picture, not the files.
func TestTableDigest(t *testing.T) {
	base := []parquettest.Column{{Path: "id", Cells: []any{"a", "b"}}, {Path: "n", Cells: []any{int64(1), nil}}, {Path: "image.bytes", Cells: []any{"x", "y"}}}
	digest := func(perGroup int, columns []parquettest.Column) string {
		return string(openTable(t, lay(t, map[string]string{"a.parquet": string(parquettest.File(columns, perGroup))})).Digest)
	}
	want := digest(1, base)
	if digest(2, base) != want {
		t.Error("the digest depends on row groups")
	}
	for i, cell := range []any{"c", int64(2), "z"} {
		changed := append([]parquettest.Column{}, base...)
		changed[i].Cells = []any{base[i].Cells[0], cell}
		if digest(1, changed) == want {
			t.Errorf("column %s changes and the digest does not", base[i].Path)
		}
	}
}

// TestChangedUnderneath: a picture that is another than at first is refused.
func TestChangedUnderneath(t *testing.T) {
	file := parquettest.File([]parquettest.Column{{Path: "image.bytes", Cells: []any{"first picture"}}}, 1)
	dir := lay(t, map[string]string{"a.parquet": string(file)})
	table := openTable(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "a.parquet"), bytes.Replace(file, []byte("first"), []byte("later"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	var pe *PictureError
	if _, err := table.Open(table.Rows[0]["image"].(string)); !errors.As(err, &pe) || pe.Detail() != "picture file changed in the Parquet file" {
		t.Errorf("error %v", err)
	}
}

func TestTableClosed(t *testing.T) {
	table, err := OpenTable(hub, TableOptions{Picture: "image"})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	var pe *PictureError
	if _, err := table.Open(table.Rows[0]["image"].(string)); !errors.As(err, &pe) {
		t.Errorf("error %v", err)
	}
}

// FuzzTable: whatever a file holds, rows come or an error does, and every
// reference opens or says why not.
func FuzzTable(f *testing.F) {
	f.Add(true, parquettest.File([]parquettest.Column{{Path: "id", Cells: []any{"a"}}, {Path: "image.bytes", Cells: []any{"x"}}, {Path: "image.path", Cells: []any{"y"}}}, 1))
	f.Add(false, []byte(`{"id":"a","image":{"path":"x"},"n":[1,2.5,{"a":null}]}`))
	f.Add(false, []byte(`{"file_name":"../x"}`))
	f.Fuzz(func(t *testing.T, isParquet bool, data []byte) {
		name := "a.jsonl"
		if isParquet {
			name = "a.parquet"
			if p, err := parquet.Open(bytes.NewReader(data), int64(len(data))); err == nil && p.Rows() > 5000 {
				return
			}
		}
		table, err := OpenTable(lay(t, map[string]string{name: string(data)}), TableOptions{Picture: "image"})
		if err != nil {
			return
		}
		defer table.Close()
		for _, r := range table.Rows {
			if _, err := json.Marshal(jsonable(r)); err != nil {
				t.Error(err)
			}
			reference, ok := r["image"].(string)
			if _, err := table.Open(reference); ok && err != nil {
				var pe *PictureError
				if !errors.As(err, &pe) {
					t.Errorf("error %v", err)
				}
			}
		}
	})
}
