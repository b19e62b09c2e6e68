//go:build integration

package main

import (
	"errors"
	"syscall"
	"testing"
)

// mount puts a file system of 8 MB in memory at a directory.
func mount(t *testing.T, dir string) {
	t.Helper()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m,mode=0700")
	if errors.Is(err, syscall.EPERM) {
		t.Skip("mounting a small file system is not allowed here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}
