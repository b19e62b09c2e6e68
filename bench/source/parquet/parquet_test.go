package parquet

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/source/parquet/parquettest"
)

// readable are the files of testdata that hold the cells of cells.json, as
// another library wrote them.
var readable = []string{"snappy", "plain", "gzip-groups", "zstd-pages", "delta", "split-pages"}

func testFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openBytes(b []byte) (*File, error) { return Open(bytes.NewReader(b), int64(len(b))) }

func mustOpen(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := openBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shown is a cell as cells.json has it.
func shown(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case []byte:
		return string(v)
	case List:
		list := []any{}
		for _, e := range v {
			list = append(list, shown(e))
		}
		return list
	}
	return v
}

func readColumn(f *File, path string) ([]any, error) {
	var all []any
	for v, err := range f.Column(path, nil) {
		if err != nil {
			return all, err
		}
		all = append(all, shown(v))
	}
	return all, nil
}

func wantCells(t testing.TB) map[string][]any {
	t.Helper()
	text, err := os.ReadFile("testdata/cells.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for i, v := range want["image.bytes"] {
		if packed, ok := v.(map[string]any); ok {
			raw, err := hex.DecodeString(packed["bytes"].(string))
			if err != nil {
				t.Fatal(err)
			}
			want["image.bytes"][i] = string(raw)
		}
	}
	return want
}

func TestColumns(t *testing.T) {
	want := wantCells(t)
	for _, name := range readable {
		t.Run(name, func(t *testing.T) {
			f := mustOpen(t, testFile(t, name))
			if f.Rows() != 40 {
				t.Errorf("%d rows", f.Rows())
			}
			columns := []Column{
				{Path: "id", Text: true},
				{Path: "text", Text: true},
				{Path: "whole"},
				{Path: "small"},
				{Path: "part"},
				{Path: "truth"},
				{Path: "image.bytes"},
				{Path: "image.path", Text: true},
				{Path: "choices.list.element", Text: true, List: true},
				{Path: "nothing", Text: true},
			}
			if diff := cmp.Diff(columns, f.Columns()); diff != "" {
				t.Fatal(diff)
			}
			for _, column := range f.Columns() {
				path := column.Path
				got, err := readColumn(f, path)
				if err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(want[path], got); diff != "" {
					t.Errorf("%s: %s", path, diff)
				}
			}
		})
	}
}

// TestCursor finds every row, forwards, backwards and leaping.
func TestCursor(t *testing.T) {
	want := wantCells(t)
	for _, name := range readable {
		f := mustOpen(t, testFile(t, name))
		for _, path := range []string{"image.bytes", "text", "small"} {
			c, err := f.Cursor(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 120 {
				row := []int{i % 40, 39 - i%40, i * 17 % 40}[i/40]
				got, err := c.At(int64(row))
				if err != nil {
					t.Fatalf("%s: %s of row %d: %v", name, path, row, err)
				}
				if diff := cmp.Diff(want[path][row], shown(got)); diff != "" {
					t.Fatalf("%s: %s of row %d: %s", name, path, row, diff)
				}
			}
			for _, row := range []int64{-1, 40} {
				if _, err := c.At(row); err == nil {
					t.Errorf("%s: row %d is no error", name, row)
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	good := testFile(t, "snappy")
	with := func(at int, text string) []byte {
		b := slices.Clone(good)
		copy(b[at:], text)
		return b
	}
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "at byte 0: 0 bytes are too few"},
		{"another kind", []byte(strings.Repeat("x", 100)), "does not begin as a Parquet file"},
		{"cut", good[:len(good)-1], "does not end as a Parquet file does; is it cut short?"},
		{"encrypted", with(0, "PARE"), "encrypted"},
		{"footer beyond the file", with(len(good)-8, "\xff\xff\xff\x00"), "a footer of 16777215 bytes is claimed"},
		{"footer of zeros", with(len(good)-8, "\x00\x00\x00\x00"), "footer: ends too early"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := openBytes(tt.file)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestUnread(t *testing.T) {
	tests := []struct{ file, column, want string }{
		{"brotli", "id", `column "id" at byte 4: dictionary: compression Brotli is not read`},
		{"streams", "part", `encoding BYTE_STREAM_SPLIT of type 5 is not read`},
		{"snappy", "image", `column "image" at byte 0: there is no such column`},
	}
	for _, tt := range tests {
		_, err := readColumn(mustOpen(t, testFile(t, tt.file)), tt.column)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.file, err, tt.want)
		}
	}
	if _, err := mustOpen(t, testFile(t, "snappy")).Cursor("choices.list.element"); err == nil {
		t.Error("a cursor of lists is no error")
	}
}

// readAll reads every cell of a file in both ways. It fails where an error is
// not an [Error], or where the two ways differ.
func readAll(t testing.TB, b []byte) error {
	f, err := openBytes(b)
	if err != nil {
		return mustBeError(t, err)
	}
	var first error
	for _, column := range f.Columns() {
		path := column.Path
		rows, cells, err := 0, "", error(nil)
		var v any
		for v, err = range f.Column(path, nil) {
			if err != nil {
				break
			}
			if rows++; rows <= 100 {
				cells += fmt.Sprintf("%v\n", v)
			}
		}
		if err == nil && int64(rows) != f.Rows() {
			t.Errorf("%s: %d rows of %d", path, rows, f.Rows())
		}
		if err != nil && first == nil {
			first = mustBeError(t, err)
		}
		again, found, complete := cursorCells(t, f, path, rows)
		if complete && err == nil && found && again != cells {
			t.Errorf("%s: the cursor finds other cells", path)
		}
	}
	return first
}

// cursorCells writes the first cells as a cursor finds them.
func cursorCells(t testing.TB, f *File, path string, rows int) (cells string, found, complete bool) {
	c, err := f.Cursor(path)
	if err != nil {
		mustBeError(t, err)
		return "", false, false
	}
	for row := range min(rows, 100) {
		v, err := c.At(int64(row))
		if err != nil {
			mustBeError(t, err)
			return cells, true, false
		}
		cells += fmt.Sprintf("%v\n", v)
	}
	return cells, true, true
}

func mustBeError(t testing.TB, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("error %v of type %T, want an *Error", err, err)
	}
	return err
}

// TestDamaged changes bytes of files and cuts them. Nothing may panic or give
// rows that are not there.
func TestDamaged(t *testing.T) {
	for _, name := range readable {
		t.Run(name, func(t *testing.T) {
			good := testFile(t, name)
			for i := range good {
				if i%101 != 0 && i < len(good)-100 { // the end at every byte
					continue
				}
				b := slices.Clone(good)
				b[i] ^= 1 << (i % 8)
				readAll(t, b)
			}
			for i := 0; i < len(good); i += 499 {
				if err := readAll(t, good[:i]); err == nil {
					t.Errorf("cut at %d it is read", i)
				}
			}
		})
	}
}

func TestChecksums(t *testing.T) {
	good := testFile(t, "plain")
	at := bytes.Index(good, []byte("row-0005"))
	bad := slices.Clone(good)
	bad[at+7] = '6'
	if _, err := readColumn(mustOpen(t, bad), "id"); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("error %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(parquettest.File([]parquettest.Column{{Path: "a", Cells: []any{"x", nil}}, {Path: "b.bytes", Cells: []any{int64(1), int64(2)}}}, 1))
	for _, codec := range []parquettest.Codec{parquettest.Snappy, parquettest.Gzip, parquettest.Zstd} {
		layout := parquettest.Layout{PerGroup: 3, PerPage: 2, Codec: codec, Dictionary: true}
		f.Add(layout.File([]parquettest.Column{{Path: "a.b", Cells: []any{"x", nil, "y", "x", "y"}}}))
	}
	f.Add(testFile(f, "snappy"))
	f.Add(testFile(f, "delta"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if f, err := openBytes(b); err == nil && f.Rows() > 5000 {
			return // a page of nulls can be long; reading it proves nothing more
		}
		readAll(t, b)
	})
}
