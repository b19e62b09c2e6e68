package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"lightbox/bench/source/parquet"
	"lightbox/infer"
)

// maxTexts is how many bytes of text a table may hold in all.
const maxTexts = 512 << 20

// shelf is a Parquet file as its columns make up a record.
type shelf struct {
	name, path string // below the folder, and on disk
	file       *parquet.File
	rows       []Record
	texts      int // bytes of all cells
	made       int // bytes of all texts, of which cells can share some
}

// readParquet appends the rows of a file. Texts are read column by column;
// pictures stay where they are, only their digests are taken.
func (t *Table) readParquet(f *os.File, name, onDisk, picture string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if isPointer(f) {
		return fmt.Errorf("reading %q: it is a pointer of Git LFS, not the data; git lfs pull fetches them", onDisk)
	}
	file, err := parquet.Open(f, info.Size())
	if err != nil {
		return fmt.Errorf("reading %q: %w", onDisk, err)
	}
	if int(file.Rows()) > usual.rows-len(t.Rows) {
		return fmt.Errorf("reading %q: more than %d rows", onDisk, usual.rows)
	}
	s := &shelf{name: name, path: onDisk, file: file, rows: make([]Record, file.Rows())}
	for i := range s.rows {
		s.rows[i] = Record{}
	}
	for _, c := range file.Columns() {
		top, _, _ := strings.Cut(c.Path, ".")
		switch {
		case top == picture && c.List:
			err = s.fault(0, c.Path, errors.New("is a list of pictures, which is read from JSON rows only"))
		case top == picture:
			t.addColumns(top)
			err = t.readPictures(s, c)
		default:
			err = s.readColumn(c)
			t.addColumns(s.key(c))
		}
		if err != nil {
			return err
		}
	}
	for i, r := range s.rows {
		if err := t.add(r, onDisk, i+1); err != nil {
			return err
		}
	}
	return nil
}

// isPointer tells whether a file is a small text in the place of a large one.
func isPointer(r io.ReaderAt) bool {
	head := make([]byte, 64)
	n, _ := r.ReadAt(head, 0)
	return bytes.HasPrefix(head[:n], []byte("version ")) && bytes.Contains(head[:n], []byte("git-lfs"))
}

// readColumn puts the cells of a column into the rows: lists under their own
// name, parts of structures under their path.
func (s *shelf) readColumn(c parquet.Column) error {
	key := s.key(c)
	row := 0
	for cell, err := range s.file.Column(c.Path, s.text) {
		if err == nil {
			s.rows[row][key], err = s.value(cell)
		}
		if err != nil {
			return s.fault(row, c.Path, err)
		}
		row++
	}
	return nil
}

// key is the name under which a column stands in records.
func (s *shelf) key(c parquet.Column) string {
	if c.List {
		top, _, _ := strings.Cut(c.Path, ".")
		return top
	}
	return c.Path
}

// fault names the file, and the row where an error is about its content.
func (s *shelf) fault(row int, column string, err error) error {
	var broken *parquet.Error
	if errors.As(err, &broken) {
		return fmt.Errorf("reading %q: %w", s.path, err)
	}
	return &RowError{s.path, row + 1, column, err}
}

var (
	errMuchText = fmt.Errorf("brings the texts to more than %d bytes", maxTexts)
	errNotText  = errors.New("is not valid UTF-8")
)

// text makes texts of bytes, all of which are taken for text, or the error of the
// cells with them.
func (s *shelf) text(value any) any {
	b, ok := value.([]byte)
	if !ok {
		return value
	}
	if s.made += len(b); s.made > maxTexts {
		return errMuchText
	}
	if !utf8.Valid(b) {
		return errNotText
	}
	return string(b)
}

// value is what a record holds of a cell whose bytes are texts.
func (s *shelf) value(cell any) (any, error) {
	switch v := cell.(type) {
	case error:
		return nil, v
	case string:
		if s.texts += len(v); s.texts > maxTexts {
			return nil, errMuchText
		}
	case parquet.List:
		for _, e := range v {
			if _, err := s.value(e); err != nil {
				return nil, err
			}
		}
		return []any(v), nil
	}
	return cell, nil
}

// reference is that to a picture with the bytes of a cell.
func reference(cell any) any {
	if b, ok := cell.([]byte); ok {
		return string(infer.DigestOf(b))
	}
	return nil
}

// pathText is the path that a cell holds.
func pathText(cell any) any {
	if b, ok := cell.([]byte); ok {
		return string(b)
	}
	return nil
}

// readPictures reads a column of pictures: their bytes, or paths of files. Of a
// structure with both, as the datasets library writes it, bytes come first.
func (t *Table) readPictures(s *shelf, c parquet.Column) error {
	top, part, _ := strings.Cut(c.Path, ".")
	isPath := part == "path" || part == "" && c.Text
	if part != "" && part != "bytes" && part != "path" {
		return nil
	}
	cursor, err := s.file.Cursor(c.Path)
	if err != nil {
		return s.fault(0, c.Path, err)
	}
	row := 0
	keep := reference
	if isPath {
		keep = pathText
	}
	for cell, err := range s.file.Column(c.Path, keep) {
		if err != nil {
			return s.fault(row, c.Path, err)
		}
		held, _ := s.rows[row][top].(string)
		found, ok := cell.(string)
		switch {
		case !ok && held == "":
			s.rows[row][top] = nil
		case ok && isPath && held == "":
			s.rows[row][top] = t.locate(found, s.name)
		case ok && !isPath:
			t.vault.keep(found, slot{cursor, int64(row)})
			s.rows[row][top] = found
		}
		row++
	}
	return nil
}

// locate finds the file, or the directory, that a path in the data means: data
// sets name their pictures relative to the folder, to the file with the rows, or
// to a folder of images beside it. A path that is nowhere stays as it is.
func (t *Table) locate(name, rows string) string {
	below := path.Dir(rows)
	places := []string{"", below}
	if !strings.HasPrefix(path.Clean(name), "..") {
		places = append(places, "images", path.Join(below, "images"))
	}
	for _, place := range places {
		if clean, err := picturePath(path.Join(place, name)); err == nil && (t.folder.has(clean) || t.folder.hasDir(clean)) {
			return clean
		}
	}
	return name
}

// has tells whether there is a file at a path that picturePath made.
func (f *Folder) has(clean string) bool {
	info, err := fs.Stat(f.files, path.Join(f.below, clean))
	return err == nil && info.Mode().IsRegular()
}

// hasDir tells whether there is a folder at a path that picturePath made.
func (f *Folder) hasDir(clean string) bool {
	info, err := fs.Stat(f.files, path.Join(f.below, clean))
	return err == nil && info.IsDir()
}
