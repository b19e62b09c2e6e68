//go:build linux || darwin

package bundle

import "golang.org/x/sys/unix"

// FreeBytes is the room for this user on the file system of a directory; ok is
// false where it cannot be told.
func FreeBytes(dir string) (n int64, ok bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
