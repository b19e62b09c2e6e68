package record

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// syncEvery is the least time between two syncs that appending brings about.
const syncEvery = time.Second

// journal is an append-only file of lines and what it holds. It is safe for
// concurrent use.
type journal[T any, P entry[T]] struct {
	mu     sync.Mutex
	path   string
	file   *os.File // nil: opened for reading
	lines  []T
	size   int64     // bytes of whole lines in the file
	torn   bool      // bytes may stand behind size
	synced time.Time // when the file was last synced
	dirty  bool      // appended to since
	failed error     // why nothing can be appended any more
}

// readJournal reads the journal at path without changing it. A missing file is
// an empty journal.
func readJournal[T any, P entry[T]](path string) (*journal[T, P], error) {
	j := &journal[T, P]{path: path, failed: ErrReadOnly}
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return j, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := decodeJournal[T, P](filepath.Base(path), f)
	if err != nil {
		return nil, err
	}
	j.lines = d.lines
	return j, nil
}

// openJournal opens the journal at path for appending, creates it where it is
// missing, and cuts off a torn tail, whose size it returns.
func openJournal[T any, P entry[T]](path string) (j *journal[T, P], tail int64, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	d, err := decodeJournal[T, P](filepath.Base(path), f)
	if err != nil {
		return nil, 0, err
	}
	j = &journal[T, P]{path: path, file: f, lines: d.lines, size: d.size, torn: d.tail > 0}
	return j, d.tail, j.cut()
}

// cut removes what stands behind the whole lines. By path, because Windows does
// not let a file opened for appending be cut.
func (j *journal[T, P]) cut() error {
	if !j.torn {
		return nil
	}
	if err := os.Truncate(j.path, j.size); err != nil {
		return fmt.Errorf("cutting the torn tail off %q: %w", j.path, err)
	}
	j.torn, j.dirty = false, true
	return nil
}

// append writes v as one line. Where that fails, what was written of the line
// is cut off again, and a later append can succeed.
func (j *journal[T, P]) append(v T) error {
	line, err := encodeLine[T, P](v)
	if err != nil {
		return fmt.Errorf("appending to %q: %w", j.path, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed != nil {
		return fmt.Errorf("appending to %q: %w", j.path, j.failed)
	}
	if err := j.cut(); err != nil {
		return err
	}
	if _, err := j.file.Write(line); err != nil {
		j.torn = true
		_ = j.cut() // the next append tries again
		return fmt.Errorf("appending to %q: %w", j.path, err)
	}
	j.lines, j.size, j.dirty = append(j.lines, v), j.size+int64(len(line)), true
	if time.Since(j.synced) < syncEvery {
		return nil
	}
	return j.flush()
}

// flush makes the file survive a dying machine. After a failed sync the system
// may have dropped what was to be written, and a second sync would say that all
// is well; so the journal takes no more lines.
func (j *journal[T, P]) flush() error {
	if !j.dirty || j.failed != nil {
		return j.failed
	}
	j.synced = time.Now()
	if err := j.file.Sync(); err != nil {
		j.failed = fmt.Errorf("syncing %q: %w", j.path, err)
		return j.failed
	}
	j.dirty = false
	return nil
}

// sync is flush for callers outside.
func (j *journal[T, P]) sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.flush()
}

// close syncs and closes. It may be called twice.
func (j *journal[T, P]) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := j.flush()
	if closing := j.file.Close(); err == nil {
		err = closing
	}
	j.file, j.failed = nil, os.ErrClosed
	return err
}

// all are the lines so far, in the order of the file.
func (j *journal[T, P]) all() []T {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.lines)
}
