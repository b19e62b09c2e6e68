package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zip"
)

// Limits of an archive of pictures.
const (
	maxZipEntries = 200_000
	maxZipName    = 1024     // bytes
	maxZipIndex   = 32 << 20 // bytes of its directory
	maxZipRatio   = 200      // of sizes, for entries above ratioFrom
	ratioFrom     = 16 << 20 // bytes; what is smaller may be blank
)

// ZipError reports an archive that cannot be read, or an entry for which it is
// refused. Entries that would lie outside of a folder when unpacked, links,
// entries of the same name, encrypted ones, and those too large or packed too
// tightly for a picture are refused whether or not they are asked for.
type ZipError struct {
	Path    string
	Entry   string // empty: the whole archive
	Problem string
	Err     error // what lies beneath, or nil
}

// Error names the archive and the entry.
func (e *ZipError) Error() string {
	entry, beneath := "", ""
	if e.Entry != "" {
		entry = fmt.Sprintf(" entry %q:", e.Entry)
	}
	if e.Err != nil {
		beneath = ": " + e.Err.Error()
	}
	return fmt.Sprintf("reading archive %q:%s %s%s", e.Path, entry, e.Problem, beneath)
}

// Unwrap is what lies beneath.
func (e *ZipError) Unwrap() error { return e.Err }

// Zip opens pictures in a zip archive where they lie: only its directory and the
// pictures under way are in memory. It is safe for concurrent use.
type Zip struct {
	path    string
	entries map[string]*zip.File // by clean path
	close   func() error
}

// NewZip reads the directory of an archive of size bytes; name stands in errors,
// which are [*ZipError]. What macOS adds to archives (__MACOSX, ._ files) is
// passed over.
func NewZip(name string, r io.ReaderAt, size int64) (*Zip, error) {
	z := &Zip{path: name, entries: map[string]*zip.File{}, close: func() error { return nil }}
	bounded := &boundedReader{r: r, left: maxZipIndex}
	count := 0
	directory, err := zip.NewReaderWithOptions(bounded, size, zip.ReaderOptions{NameDecoder: func(h *zip.FileHeader) error {
		if count++; count > maxZipEntries {
			return fmt.Errorf("more than %d entries", maxZipEntries)
		}
		return nil
	}})
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are looked at below
		return nil, &ZipError{name, "", "not a whole zip archive; is it cut short?", err}
	}
	bounded.lift()
	for _, f := range directory.File {
		if err := z.add(f); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// boundedReader fails when more bytes are read than may be.
type boundedReader struct {
	r    io.ReaderAt
	left int64
	free bool
}

func (b *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	if !b.free {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, fmt.Errorf("a directory of more than %d bytes", maxZipIndex)
		}
	}
	return b.r.ReadAt(p, at)
}

// lift takes the bound away, before there is a second user.
func (b *boundedReader) lift() { b.free = true }

// add takes an entry into the index, or says why the archive is refused for it.
func (z *Zip) add(f *zip.File) error {
	refuse := func(problem string) error { return &ZipError{z.path, f.Name, problem, nil} }
	clean := path.Clean(f.Name)
	switch {
	case len(f.Name) > maxZipName:
		return &ZipError{z.path, f.Name[:60] + "…", fmt.Sprintf("a name of more than %d bytes", maxZipName), nil}
	case strings.Contains(f.Name, `\`):
		return refuse("a name with a backslash")
	case strings.Contains(f.Name, "\x00"), f.Name == "", clean == "." && !strings.HasSuffix(f.Name, "/"):
		return refuse("a name that is no path")
	case strings.HasPrefix(f.Name, "/"), len(f.Name) > 1 && f.Name[1] == ':':
		return refuse("an absolute path")
	case slices.Contains(strings.Split(f.Name, "/"), ".."):
		return refuse("a path out of the archive")
	case strings.HasSuffix(f.Name, "/"), f.Mode().IsDir(), isShadow(clean):
		return nil
	case f.Mode()&fs.ModeSymlink != 0:
		return refuse("a symbolic link")
	case !f.Mode().IsRegular():
		return refuse("not a file")
	case f.Flags&1 != 0:
		return refuse("encrypted; unpack it and pack it again without a password")
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return refuse(fmt.Sprintf("packed by method %d, which is not read; unpack it and pack it again, or leave it unpacked", f.Method))
	case f.UncompressedSize64 > maxPicture:
		return refuse("larger than 256 MiB")
	case f.UncompressedSize64 > ratioFrom && f.UncompressedSize64/maxZipRatio > f.CompressedSize64:
		return refuse(fmt.Sprintf("packed more than %d to 1, which no picture is", maxZipRatio))
	case z.entries[clean] != nil:
		return refuse("a second entry of this name")
	}
	z.entries[clean] = f
	return nil
}

// isShadow tells whether an entry is one that macOS puts beside files.
func isShadow(clean string) bool {
	return strings.HasPrefix(clean, "__MACOSX/") || strings.HasPrefix(path.Base(clean), "._")
}

// Has tells whether there is an entry of a path with slashes.
func (z *Zip) Has(name string) bool { return z.entries[path.Clean(name)] != nil }

// Open unpacks the entry of a path with slashes, of 256 MiB at most. Its error is
// a [*PictureError].
func (z *Zip) Open(name string) ([]byte, error) {
	clean, err := picturePath(name)
	if err != nil {
		return nil, &PictureError{name, "not a path below the data folder", err}
	}
	f := z.entries[clean]
	if f == nil {
		return nil, &PictureError{name, "missing in the archive", fs.ErrNotExist}
	}
	packed, err := f.Open()
	if err != nil {
		return nil, &PictureError{name, zipProblem(err), err}
	}
	defer packed.Close()
	// The library compares size and checksum with those of the directory; the
	// limit holds whatever it does.
	data, err := io.ReadAll(io.LimitReader(packed, int64(f.UncompressedSize64)+1))
	if err == nil && uint64(len(data)) != f.UncompressedSize64 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, &PictureError{name, zipProblem(err), err}
	}
	return data, nil
}

// zipProblem says in words without a file name why an entry cannot be unpacked.
func zipProblem(err error) string {
	if errors.Is(err, fs.ErrClosed) {
		return problemOf(err)
	}
	return "damaged in the archive"
}

// Close gives the archive back. Pictures cannot be opened afterwards.
func (z *Zip) Close() error { return z.close() }
