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
