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
	zip   *Zip   // nil: unpacked
	below string // what stands before dir, or in the place of it, where unpacked
	bare  bool   // the place of dir is that of its content
}

// Packed finds the pictures that rows name below a directory, such as imgs, with
// paths such as imgs/a/b.jpg: in the folder imgs beside the rows, else in the
// archive imgs.zip there, with or without imgs before the entries' names, else
// right beside the rows. Closing it closes the table too.
func (t *Table) Packed(dir string) (*Packed, error) {
	p := &Packed{table: t, dir: dir, below: t.below()}
	if t.folder.hasDir(path.Join(t.below(), dir)) {
		return p, nil
	}
	f, onDisk, err := t.openBeside(dir + ".zip")
	if errors.Is(err, fs.ErrNotExist) {
		p.bare = true
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	if p.zip, err = openZip(f, onDisk); err != nil {
		return nil, errors.Join(err, f.Close())
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

// place is where a picture lies: in the archive or below the data folder.
func (p *Packed) place(reference string) string {
	bare := strings.TrimPrefix(reference, p.dir+"/")
	switch {
	case p.zip != nil && !p.zip.Has(reference) && p.zip.Has(bare):
		return bare
	case p.zip != nil:
		return reference
	case p.bare:
		return path.Join(p.below, bare)
	}
	return path.Join(p.below, reference)
}

// Has tells whether there is a picture. It does not read it.
func (p *Packed) Has(reference string) bool {
	if _, err := picturePath(reference); err != nil {
		return false
	}
	if p.zip != nil {
		return p.zip.Has(p.place(reference))
	}
	return p.table.Has(p.place(reference))
}

// Open reads a picture. Its error is a [*PictureError].
func (p *Packed) Open(reference string) ([]byte, error) {
	if _, err := picturePath(reference); err != nil {
		return nil, &PictureError{reference, "not a path below the data folder", err}
	}
	if p.zip != nil {
		return p.zip.Open(p.place(reference))
	}
	return p.table.Open(p.place(reference))
}

// Close gives the archive and the table back.
func (p *Packed) Close() error {
	if p.zip == nil {
		return p.table.Close()
	}
	return errors.Join(p.zip.Close(), p.table.Close())
}
