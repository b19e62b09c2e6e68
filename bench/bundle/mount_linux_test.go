package bundle

import (
	"errors"
	"syscall"
	"testing"
)

// mount puts a file system of 4 MB in memory at a directory.
func mount(t *testing.T, dir string) {
	t.Helper()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m,mode=0700")
	if errors.Is(err, syscall.EPERM) {
		t.Skip("mounting a small file system is not allowed here: ", err)
	}
	check(t, err)
	t.Cleanup(func() { check(t, syscall.Unmount(dir, 0)) })
}
