package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// commit is a set of files that is moved in all or not at all.
type commit struct {
	moved []move
	made  []string // directories, in the order they were made
}

// move moves files to where they belong.
func (c *commit) move(files []move, dirMode fs.FileMode) error {
	for _, m := range files {
		if err := c.mkdir(filepath.Dir(m.to), dirMode); err != nil {
			return err
		}
		switch _, err := os.Lstat(m.to); {
		case err == nil:
			return &Conflict{Path: m.to, What: "something came there meanwhile"}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if err := os.Rename(m.from, m.to); err != nil {
			return err
		}
		c.moved = append(c.moved, m)
	}
	return nil
}

// mkdir makes a directory and those above it.
func (c *commit) mkdir(dir string, mode fs.FileMode) error {
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		return nil
	}
	if err == nil {
		return &Conflict{Path: dir, What: "a file is there, and a directory is wanted"}
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := c.mkdir(parent, mode); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, mode); err != nil {
		return err
	}
	c.made = append(c.made, dir)
	return nil
}

// undo takes all of it back.
func (c *commit) undo() error {
	var problems []error
	for _, m := range c.moved {
		problems = append(problems, os.Remove(m.to))
	}
	for i := len(c.made) - 1; i >= 0; i-- {
		problems = append(problems, os.Remove(c.made[i]))
	}
	return errors.Join(problems...)
}

// flush makes the bytes of the stage's files survive a dying machine; where the
// system cannot do so for all of them together, each was flushed for itself.
func (s *stage) flush() error {
	if len(s.files) == 0 || !syncsAll {
		return nil
	}
	if err := syncAll(s.dir); err != nil {
		return fmt.Errorf("unpacking to %q: %w", s.target, err)
	}
	return nil
}

// sync makes the names survive a dying machine. Windows has no such call.
func (c *commit) sync() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dirs := map[string]bool{}
	for _, m := range c.moved {
		dirs[filepath.Dir(m.to)] = true
	}
	for _, dir := range c.made {
		dirs[filepath.Dir(dir)] = true
	}
	for dir := range dirs {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		err = d.Sync()
		d.Close()
		if err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) { // some network file systems cannot
			return fmt.Errorf("syncing directory %q: %w", dir, err)
		}
	}
	return nil
}
