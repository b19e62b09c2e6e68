package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Packed opens pictures that are published as an archive: in the archive, or in
// the folder that unpacking it leaves. It is safe for concurrent use.
type Packed struct {
	table *Table
	dir   string // that references begin with
	loose string // what stands before references, or in the place of dir, where unpacked
	bare  bool   // loose stands in the place of dir
	zip   *Zip   // nil: there is none
}

// Packed finds the pictures that rows name below a directory, such as imgs, with
// paths such as imgs/a/b.jpg: in the folder imgs beside the rows, else in the
// archive imgs.zip there, with or without imgs before the entries' names; where
// there is neither, right beside the rows. Closing it closes the table too.
func (t *Table) Packed(dir string) (*Packed, error) {
	p := &Packed{table: t, dir: dir, loose: t.below()}
	unpacked := t.folder.hasDir(path.Join(t.below(), dir))
	f, onDisk, err := t.openBeside(dir + ".zip")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.bare = !unpacked
		return p, nil
	case err != nil:
		return nil, err
	}
	if p.zip, err = openZip(f, onDisk); err != nil {
		err = errors.Join(err, f.Close())
	}
	if err != nil && !unpacked { // where pictures are unpacked the archive may be a rest
		return nil, err
	}
	return p, nil
}

// openZip reads the archive in a file, which the archive then owns.
func openZip(f fs.File, onDisk string) (*Zip, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, ok := f.(io.ReaderAt)
	if !ok {
		return nil, fmt.Errorf("opening archive %q: not a file on disk", onDisk)
	}
	if isPointer(r) {
		return nil, fmt.Errorf("reading %q: it is a pointer of Git LFS, not the data; git lfs pull fetches them", onDisk)
	}
	z, err := NewZip(onDisk, r, info.Size())
	if err != nil {
		return nil, err
	}
	z.close = f.Close
	return z, nil
}

// unpacked is where a picture lies below the data folder.
func (p *Packed) unpacked(reference string) string {
	if p.bare {
		reference = strings.TrimPrefix(reference, p.dir+"/")
	}
	return path.Join(p.loose, reference)
}

// entry is the name of a picture in the archive; ok is false where it is not there.
func (p *Packed) entry(reference string) (name string, ok bool) {
	for _, name := range []string{reference, strings.TrimPrefix(reference, p.dir+"/")} {
		if p.zip != nil && p.zip.Has(name) {
			return name, true
		}
	}
	return "", false
}

// Has tells whether there is a picture. It does not read it.
func (p *Packed) Has(reference string) bool {
	if _, err := picturePath(reference); err != nil {
		return false
	}
	_, packed := p.entry(reference)
	return packed || p.table.Has(p.unpacked(reference))
}

// Open reads a picture. Its error is a [*PictureError].
func (p *Packed) Open(reference string) ([]byte, error) {
	if _, err := picturePath(reference); err != nil {
		return nil, &PictureError{reference, "not a path below the data folder", err}
	}
	if name, packed := p.entry(reference); packed && !p.table.Has(p.unpacked(reference)) {
		return p.zip.Open(name)
	}
	return p.table.Open(p.unpacked(reference))
}

// Close gives the archive and the table back.
func (p *Packed) Close() error {
	if p.zip == nil {
		return p.table.Close()
	}
	return errors.Join(p.zip.Close(), p.table.Close())
}
