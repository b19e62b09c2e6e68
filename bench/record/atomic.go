package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// Names of files that are being written. Those that a dead process left are
// removed on opening.
const (
	unfinishedPrefix = ".unfinished-"
	unfinishedSuffix = ".tmp"
)

// writeAtomic replaces the file at path: it holds the old bytes or all of the
// new ones, whatever happens.
func writeAtomic(path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, unfinishedPrefix+"*"+unfinishedSuffix) // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 64<<10)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// Export writes a file for a user, mode 0600: it holds the old bytes or all of
// the new ones. It refuses to replace what is not a plain file, such as a
// device, and files of a record.
func Export(path string, write func(io.Writer) error) error {
	err := exportable(path)
	if err == nil {
		err = writeAtomic(path, write)
	}
	if err != nil {
		return fmt.Errorf("writing %q: %w", path, err)
	}
	return nil
}

func exportable(path string) error {
	name := filepath.Base(path)
	_, noRecord := os.Lstat(filepath.Join(filepath.Dir(path), manifestFile))
	if name == manifestFile || noRecord == nil && slices.Contains(ownFiles, name) {
		return errors.New("a record has files of this name; choose another")
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it is there and not a plain file")
	}
	return err
}

// syncDir makes the names in a directory survive a dying machine. Windows has
// no such call; there the file system's own journal does it.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // a network file system that cannot
	}
	if err != nil {
		return fmt.Errorf("syncing directory %q: %w", dir, err)
	}
	return nil
}

// removeUnfinished removes what writers that died left behind.
func removeUnfinished(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinishedPrefix) && strings.HasSuffix(e.Name(), unfinishedSuffix) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
