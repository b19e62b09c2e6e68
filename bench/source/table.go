package source

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lightbox/infer"
	"lightbox/infer/template"
)

// Record is a row of a table, by column: nil, bool, int64, float64, string, a
// []any of those, or a *template.Mapping. A structure of a Parquet file stands
// there as its parts, "column.part". The picture column is a string that
// [Table.Open] takes, a []any of such, or nil where the row has none.
type Record = map[string]any

// Table is the rows of a published data set, with the pictures that they name or
// that stand in the same files. It is safe for concurrent use.
type Table struct {
	Columns []string
	Rows    []Record
	Digest  infer.Digest // of all rows, with the digests of pictures among them
	Files   []string     // that the rows are in, by path below the folder
	Guessed []string     // what was guessed of sheets, in words

	dir    string // of the folder, on disk
	folder *Folder
	named  bool    // the one file was named by the user, who may mean a link
	places []place // of the rows
	files  []*os.File
	vault  vault
}

// place is where a row stands, for messages.
type place struct {
	path string
	row  int // from 1
}

// TableOptions say what is read of a data set.
type TableOptions struct {
	Split   string // picks one where there are several; empty: there is one
	Picture string // the column with pictures; empty: none, see [Table.Find]
	Key     string // the column that takes the keys of a JSON object of rows; empty: such a file is refused

	// Encoding is that of sheets, one of [sheet.Encodings]; empty: it is found.
	Encoding string
}

// OpenTable reads the rows of a data set at a path: a Parquet or JSON file, a
// folder with such files, or a data set in a hub's download cache, as a whole
// or one snapshot of it. Pictures are read when they are asked for.
//
// Errors about rows are [*RowError], about the structure of a Parquet file
// [*parquet.Error]; Arrow files are an [*ArrowError].
func OpenTable(name string, o TableOptions) (*Table, error) {
	dir, names, err := filesOf(name, o.Split)
	if err != nil {
		return nil, err
	}
	folder, err := OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	t := &Table{dir: dir, folder: folder, Files: names, named: dir != name}
	if err := t.read(dir, o); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// filesOf is the folder of a data set, and its files with rows in it.
func filesOf(name, split string) (dir string, names []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", nil, err
	}
	if !info.IsDir() {
		base := filepath.Base(name)
		switch {
		case strings.HasSuffix(strings.ToLower(base), ".arrow"):
			return "", nil, arrowError(filepath.Dir(name), func(f string) bool { return isFile(filepath.Join(filepath.Dir(name), f)) })
		case !strings.HasSuffix(strings.ToLower(base), ".parquet") && !isRows(base) && !IsSheet(base):
			return "", nil, fmt.Errorf("reading %q: neither a .parquet nor a .jsonl, .json or .csv file", name)
		}
		return filepath.Dir(name), []string{base}, nil
	}
	folder, err := OpenFolder(name)
	if err != nil {
		return "", nil, err
	}
	defer folder.Close()
	files, err := folder.look()
	if err == nil {
		names, err = files.choose(split)
	}
	var arrow *ArrowError
	if errors.As(err, &arrow) {
		return "", nil, arrowError(name, func(f string) bool { return isFile(filepath.Join(name, f)) })
	}
	if err != nil {
		return "", nil, fmt.Errorf("reading data set %q: %w", name, err)
	}
	return name, names, nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// read fills the table from its files.
func (t *Table) read(dir string, o TableOptions) error {
	for _, name := range t.Files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		f, err := t.open(name, path)
		if err != nil {
			return fmt.Errorf("opening %q: %w", path, err)
		}
		t.files = append(t.files, f)
		if strings.HasSuffix(strings.ToLower(name), ".parquet") {
			err = t.readParquet(f, name, path, o.Picture)
		} else if IsSheet(name) {
			err = t.readSheet(f, name, path, o)
		} else {
			err = t.readJSON(f, name, path, o)
		}
		if err != nil {
			return err
		}
	}
	if len(t.Rows) == 0 {
		return fmt.Errorf("reading data set %q: no rows", dir)
	}
	t.Digest = digestRows(t.Rows)
	return nil
}

// open opens a file with rows. Links of a folder may not lead out of it.
func (t *Table) open(name, onDisk string) (*os.File, error) {
	stat, open, at := os.Stat, os.Open, onDisk
	if !t.named {
		stat, open = t.folder.root.Stat, t.folder.root.Open
		at = filepath.Join(filepath.FromSlash(t.folder.below), filepath.FromSlash(name))
	}
	info, err := stat(at)
	if err != nil {
		return nil, errors.New(problemOf(err))
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return nil, errors.New("not a file")
	}
	return open(at)
}

// digestRows names the content of rows. Keys stand in order in JSON.
func digestRows(rows []Record) infer.Digest {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, r := range rows {
		if err := enc.Encode(jsonable(r)); err != nil { // jsonable leaves nothing that cannot be encoded
			panic(fmt.Sprintf("encoding a row: %v", err))
		}
	}
	return infer.Digest("sha256:" + hex.EncodeToString(h.Sum(nil)))
}

// jsonable writes numbers as texts: JSON has none for "not a number".
func jsonable(v any) any {
	switch v := v.(type) {
	case Record:
		m := make(map[string]any, len(v))
		for k, x := range v {
			m[k] = jsonable(x)
		}
		return m
	case *template.Mapping: // the order of its keys counts
		var list []any
		for _, k := range v.Keys() {
			x, _ := v.Get(k)
			list = append(list, []any{k, jsonable(x)})
		}
		return list
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = jsonable(x)
		}
		return list
	case float64:
		return fmt.Sprintf("%g", v)
	}
	return v
}

// addColumns notes columns in the order in which they come.
func (t *Table) addColumns(names ...string) {
	for _, name := range names {
		if !slices.Contains(t.Columns, name) {
			t.Columns = append(t.Columns, name)
		}
	}
}

// add appends a row.
func (t *Table) add(r Record, path string, row int) error {
	if len(t.Rows) == usual.rows {
		return fmt.Errorf("reading %q: more than %d rows", path, usual.rows)
	}
	t.Rows = append(t.Rows, r)
	t.places = append(t.places, place{path, row})
	return nil
}

// FileDigest is the digest of the bytes of one of the files, by its place in
// Files.
func (t *Table) FileDigest(i int) (infer.Digest, error) {
	info, err := t.files[i].Stat()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(t.files[i], 0, info.Size())); err != nil {
		return "", err
	}
	return infer.Digest("sha256:" + hex.EncodeToString(h.Sum(nil))), nil
}

// Fault is an error about a column of a row, which says where the row stands.
func (t *Table) Fault(row int, column string, err error) *RowError {
	return &RowError{t.places[row].path, t.places[row].row, column, err}
}

// Open reads a picture by what the picture column of a row holds. Its error is a
// [*PictureError].
func (t *Table) Open(reference string) ([]byte, error) {
	if data, ok, err := t.vault.open(reference); ok {
		return data, err
	}
	return t.folder.Open(reference)
}

// Close gives files back. Pictures cannot be opened afterwards.
func (t *Table) Close() error {
	t.vault.mu.Lock()
	defer t.vault.mu.Unlock()
	errs := []error{t.folder.Close()}
	for _, f := range t.files {
		errs = append(errs, f.Close())
	}
	t.files = nil
	return errors.Join(errs...)
}
