package bundle

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncsAll tells that there is a syncAll: one call for thousands of files.
const syncsAll = true

// syncAll flushes the file system of a directory.
func syncAll(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}

// early is a file whose bytes the disk is given as they are written, and not only
// when all are flushed.
type early struct {
	file *os.File
	at   int64
}

func newEarly(f *os.File) *early { return &early{file: f} }

func (e *early) Write(p []byte) (int, error) {
	n, err := e.file.Write(p)
	// What fails here, fails when all are flushed.
	_ = unix.SyncFileRange(int(e.file.Fd()), e.at, int64(n), unix.SYNC_FILE_RANGE_WRITE)
	e.at += int64(n)
	return n, err
}
