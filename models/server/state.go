package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Names under the root and under a server's directory.
const (
	lockFile = "lock"
	logFile  = "server.log"
)

// foreignAge is how long the directory of a server of another machine is left
// alone where machines share a home directory: locks may not reach that far.
const foreignAge = 7 * 24 * time.Hour

// state is the directory of one private server. Its lock says that the process
// that started the server is alive; the kernel frees it when that process ends
// in any way.
type state struct {
	dir  string
	lock *flock.Flock

	quit       chan struct{} // closed to end the goroutine that bounds the log
	background sync.WaitGroup
}

// lockRoot makes the root, replaces it by its one absolute path and locks it
// against other starts.
func lockRoot(ctx context.Context, root *string) (unlock func(), err error) {
	path, err := filepath.Abs(*root)
	if err == nil {
		err = os.MkdirAll(path, 0o700)
	}
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return nil, fmt.Errorf("making a directory for private servers: %w", err)
	}
	lock := flock.New(filepath.Join(path, lockFile), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, askPause); err != nil {
		return nil, fmt.Errorf("locking %q: %w", path, err)
	}
	*root = path
	return func() { lock.Close() }, nil
}

// newState makes a directory with a name that no other has. The root is locked.
func newState(root string) (*state, error) {
	dir, err := os.MkdirTemp(root, hostPrefix()+"*")
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "tmp"), 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("making a private server's directory: %w", err)
	}
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); !ok || err != nil {
		return nil, fmt.Errorf("locking a private server's directory %q: %w", dir, err)
	}
	return &state{dir: dir, lock: lock, quit: make(chan struct{})}, nil
}

func (s *state) logPath() string { return filepath.Join(s.dir, logFile) }

// boundLog keeps the log small until remove is called.
func (s *state) boundLog() {
	s.background.Go(func() { boundLog(s.logPath(), s.quit) })
}

// remove takes the directory away. The server has ended.
func (s *state) remove() error {
	close(s.quit)
	s.background.Wait()
	// An open file cannot be removed on Windows, so the lock goes first.
	if err := s.lock.Close(); err != nil {
		return fmt.Errorf("unlocking a private server's directory: %w", err)
	}
	return removeDir(s.dir)
}

// removeDir retries: files of a process that was killed a moment ago may be held
// a little longer.
func removeDir(dir string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(askPause)
	}
	return fmt.Errorf("removing a private server's directory: %w", err)
}

// sweep ends the servers under a root whose owners are gone, and removes their
// directories. What cannot be removed is left to the next sweep. The root is
// locked.
func sweep(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		if !e.IsDir() || !abandoned(dir) {
			continue
		}
		endAll(dir)
		_ = removeDir(dir)
	}
}

// abandoned tells whether the process that made a server's directory is gone.
func abandoned(dir string) bool {
	if host, _, _ := cutLast(filepath.Base(dir), "-"); host+"-" != hostPrefix() {
		info, err := os.Stat(dir)
		return err == nil && time.Since(info.ModTime()) > foreignAge
	}
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))
	free, err := lock.TryLock()
	lock.Close()
	return free && err == nil
}

// hostPrefix begins the names of this machine's directories: its name without
// what file names cannot hold.
func hostPrefix() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "localhost"
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, host) + "-"
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
