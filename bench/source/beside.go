package source

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
)

// maxBeside is the size in bytes of the largest file beside rows that is read.
const maxBeside = 64 << 20

// Split is the split that the names of the files with rows say they are of:
// "train", "validation" or "test", else "".
func (t *Table) Split() string { return splitOf(t.Files[0]) }

// below is the directory of the files with rows, below the data folder.
func (t *Table) below() string { return path.Dir(t.Files[0]) }

// Find is the first of some paths, relative to the data folder or to the files
// with rows, that a file is at; "" where there is none. [Table.Open] takes it.
func (t *Table) Find(names ...string) string {
	for _, name := range names {
		for _, dir := range []string{t.below(), "."} {
			if clean, err := picturePath(path.Join(dir, name)); err == nil && t.folder.has(clean) {
				return clean
			}
		}
	}
	return ""
}

// Has tells whether there is a picture, by what the picture column of a row
// holds. It does not read it.
func (t *Table) Has(reference string) bool {
	if t.vault.has(reference) {
		return true
	}
	clean, err := picturePath(reference)
	return err == nil && t.folder.has(clean)
}

// Check tells what is wrong with what the picture column of a row holds, without
// reading the picture.
func (t *Table) Check(reference string) error {
	if t.vault.has(reference) {
		return nil
	}
	return t.folder.Check(reference)
}

// List names the files of a directory as [Folder.List] does.
func (t *Table) List(name string) (files []string, ok bool, err error) {
	if t.vault.has(name) {
		return nil, false, nil
	}
	return t.folder.List(name)
}

// ReadBeside reads a file of 64 MiB at most that lies beside those with rows,
// without a byte order mark before it.
func (t *Table) ReadBeside(name string) ([]byte, error) {
	f, onDisk, err := t.openBeside(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBeside+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %q: %w", onDisk, err)
	case len(data) > maxBeside:
		return nil, fmt.Errorf("reading %q: larger than %d bytes", onDisk, maxBeside)
	}
	return bytes.TrimPrefix(data, []byte(byteOrderMark)), nil
}

// openBeside opens a file beside those with rows, and gives its path on disk.
func (t *Table) openBeside(name string) (fs.File, string, error) {
	onDisk := filepath.Join(t.dir, filepath.FromSlash(path.Join(t.below(), name)))
	clean := path.Join(t.below(), name)
	if !t.folder.has(clean) {
		return nil, onDisk, fmt.Errorf("opening %q: %w", onDisk, fs.ErrNotExist)
	}
	f, err := t.folder.files.Open(path.Join(t.folder.below, clean))
	if err != nil {
		return nil, onDisk, fmt.Errorf("opening %q: %s", onDisk, problemOf(err))
	}
	return f, onDisk, nil
}
