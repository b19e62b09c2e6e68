package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// maxPicture is the size of the largest picture file in bytes.
const maxPicture = 256 << 20

// Folder opens the pictures of a benchmark. It is safe for concurrent use.
type Folder struct {
	files fs.FS
	below string   // path of the folder in files
	root  *os.Root // nil: files are not on disk
}

// OpenFolder opens a data folder. No picture is read from outside of it,
// whatever a path says and wherever a symbolic link leads.
//
// The download cache of Hugging Face holds links that lead from a snapshot's
// folder to a store beside it, see [OpenTable]; links of such a folder may lead
// to anywhere in its repository.
func OpenFolder(dir string) (*Folder, error) {
	bound, below, err := boundary(dir)
	if err != nil {
		return nil, fmt.Errorf("opening data folder %q: %w", dir, err)
	}
	root, err := os.OpenRoot(bound)
	if err != nil {
		return nil, fmt.Errorf("opening data folder %q: %w", dir, err)
	}
	return &Folder{root.FS(), below, root}, nil
}

// NewFolder is a folder of files that are not on disk, such as embedded ones.
func NewFolder(files fs.FS) *Folder { return &Folder{files: files, below: "."} }

// Close gives the folder back. Pictures cannot be opened afterwards.
func (f *Folder) Close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}

// Open reads the picture file at a path with slashes relative to the folder, of
// 256 MiB at most. Its error is a [PictureError].
func (f *Folder) Open(name string) ([]byte, error) {
	clean, err := picturePath(name)
	if err != nil || !fs.ValidPath(clean) {
		return nil, &PictureError{name, "not a path below the data folder", err}
	}
	clean = path.Join(f.below, clean)
	info, err := fs.Stat(f.files, clean)
	switch {
	case err != nil:
		return nil, &PictureError{name, problemOf(err), err}
	case !info.Mode().IsRegular(): // opening a pipe would wait for ever
		return nil, &PictureError{name, "not a file", nil}
	case info.Size() > maxPicture:
		return nil, &PictureError{name, "larger than 256 MiB", nil}
	}
	file, err := f.files.Open(clean)
	if err != nil {
		return nil, &PictureError{name, problemOf(err), err}
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxPicture+1))
	switch {
	case err != nil:
		return nil, &PictureError{name, problemOf(err), err}
	case len(data) > maxPicture:
		return nil, &PictureError{name, "larger than 256 MiB", nil}
	}
	return data, nil
}

// Check tells what is wrong with the path of a picture, or of a directory, that
// is to be opened, as a [*PictureError]. It reads no file.
func (f *Folder) Check(name string) error {
	clean, err := picturePath(name)
	if err != nil {
		return &PictureError{name, "not a path below the data folder", err}
	}
	if _, err := fs.Stat(f.files, path.Join(f.below, clean)); err != nil {
		return &PictureError{name, problemOf(err), err}
	}
	return nil
}

// List names the files of a directory at a path as Open takes it, in order; ok
// tells whether there is a directory. What begins with a dot belongs to tools.
func (f *Folder) List(name string) (files []string, ok bool, err error) {
	clean, err := picturePath(name)
	if err != nil || !fs.ValidPath(clean) {
		return nil, false, &PictureError{name, "not a path below the data folder", err}
	}
	at := path.Join(f.below, clean)
	info, err := fs.Stat(f.files, at)
	if err != nil || !info.IsDir() {
		return nil, false, nil // Open says what is wrong
	}
	entries, err := fs.ReadDir(f.files, at)
	if err != nil {
		return nil, true, &PictureError{name, problemOf(err), err}
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !e.IsDir() {
			files = append(files, path.Join(clean, e.Name()))
		}
	}
	return files, true, nil
}

// picturePath checks that a name can only be that of a file below a folder, on
// any system.
func picturePath(name string) (string, error) {
	switch {
	case strings.Contains(name, `\`):
		return "", fmt.Errorf("is %q, want a path with forward slashes", name)
	case strings.Contains(name, "://"):
		return "", fmt.Errorf("is %q, an address; want a path below the data folder", name)
	case strings.Contains(name, "\x00"), strings.HasPrefix(name, "/"), slices.Contains(strings.Split(name, "/"), ".."), path.Clean(name) == ".":
		return "", fmt.Errorf("is %q, want a path below the data folder", name)
	}
	return path.Clean(name), nil
}

// problemOf says in words without a file name what went wrong.
func problemOf(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case errors.Is(err, fs.ErrPermission):
		return "not readable by this user"
	case errors.Is(err, fs.ErrClosed):
		return "data folder closed"
	case strings.HasSuffix(err.Error(), "path escapes from parent"): // os.Root has no value for it
		return "outside the data folder"
	}
	return "not readable"
}

// PictureError reports a picture file that could not be read.
type PictureError struct {
	Name    string // as the data give it
	Problem string // in words that name no file
	Err     error  // what lies beneath, or nil
}

// Error tells people which file it is. It stays out of records, since file
// names can name patients.
func (e *PictureError) Error() string {
	return fmt.Sprintf("opening picture %q: %s", e.Name, e.Problem)
}

// Detail tells the problem for records, without the file's name.
func (e *PictureError) Detail() string { return "picture file " + e.Problem }

// Unwrap is what lies beneath.
func (e *PictureError) Unwrap() error { return e.Err }
