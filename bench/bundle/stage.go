package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
)

// stage is a directory beside a target that files are written to before they are
// moved in. It is on the target's file system, so that moving is renaming.
type stage struct {
	target            string
	dirMode, fileMode fs.FileMode

	dir   string // empty until it is made
	lock  *flock.Flock
	files []move
	need  int64 // bytes that will be written
}

// move is a file that waits to be moved in.
type move struct{ from, to string }

// Names within and of a stage's directory.
const (
	stagePrefix = ".lightbox-unpack-"
	stageLock   = "lock"
)

// directSize is how many bytes a file has at least that goes past the system's
// cache.
const directSize = 8 << 20

// staleAge is how old a directory without an owner is when it is removed: one
// that is being made has no lock for a moment.
const staleAge = time.Minute

// Conflict is something else that stands in the target where a file or model of
// the bundle belongs.
type Conflict struct {
	Path  string // of the file; empty where only a server knows
	Model string // name of the model; empty: it is no model's
	What  string
}

// Error names it.
func (c *Conflict) Error() string {
	if c.Model != "" {
		return fmt.Sprintf("unpacking model %q: %s", c.Model, c.What)
	}
	return fmt.Sprintf("unpacking to %q: %s", c.Path, c.What)
}

// NoRoom is a file system that has not enough room.
type NoRoom struct {
	Dir        string
	Need, Free int64 // bytes
}

// Error says how much is missing.
func (e *NoRoom) Error() string {
	return fmt.Sprintf("unpacking to %q: %d MB are needed and %d MB are free", e.Dir, e.Need/1e6+1, e.Free/1e6)
}

// there tells whether a file is in the target already, the very same; another
// thing in its place is a conflict.
func (s *stage) there(ctx context.Context, path string, f File) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("unpacking: %w", err)
	case !info.Mode().IsRegular() || info.Size() != f.Size:
		return false, &Conflict{Path: path, What: "something else is there already"}
	}
	_, digest, err := copyFrom(&counter{ctx: ctx}, path)
	if err != nil {
		return false, fmt.Errorf("unpacking: %w", err)
	}
	if digest != f.SHA256 {
		return false, &Conflict{Path: path, What: "a file with other bytes is there already"}
	}
	return true, nil
}

// open makes the directory, if there is anything to write and room for it.
func (s *stage) open() error {
	if s.need == 0 {
		return nil
	}
	parent := nearest(s.target)
	sweep(parent)
	if free, ok := FreeBytes(parent); ok && free < s.need {
		return &NoRoom{s.target, s.need, free}
	}
	dir, err := os.MkdirTemp(parent, stagePrefix+"*") // mode 0700
	if err != nil {
		return fmt.Errorf("unpacking to %q: %w", s.target, err)
	}
	s.dir, s.lock = dir, flock.New(filepath.Join(dir, stageLock))
	if ok, err := s.lock.TryLock(); !ok || err != nil {
		return fmt.Errorf("unpacking to %q: its lock is not to be had: %w", s.target, err)
	}
	return nil
}

// nearest is the directory itself, or the next above it that exists.
func nearest(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}

// sweep removes what processes left behind that were killed.
func sweep(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, stagePrefix+"*")) // none where the path has a wrong pattern
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < staleAge {
			continue
		}
		lock := flock.New(filepath.Join(dir, stageLock))
		free, err := lock.TryLock()
		lock.Close()
		if free && err == nil {
			_ = os.RemoveAll(dir)
		}
	}
}

// write puts a file of size bytes into the stage.
func (s *stage) write(to string, size int64, content io.Reader, mode fs.FileMode) error {
	from := filepath.Join(s.dir, strconv.Itoa(len(s.files)))
	f, err := os.OpenFile(from, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return fmt.Errorf("unpacking to %q: %w", to, err)
	}
	var w io.Writer = f
	if size >= directSize {
		w = newDirect(f)
	}
	_, err = io.Copy(w, content)
	if err == nil && !syncsAll {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("unpacking to %q: %w", to, err)
	}
	s.files = append(s.files, move{from, to})
	return nil
}

// close removes the stage with all that was not moved in.
func (s *stage) close() error {
	if s.dir == "" {
		return nil
	}
	s.lock.Close() // an open file cannot be removed on Windows
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("removing what was unpacked: %w", err)
	}
	return nil
}
