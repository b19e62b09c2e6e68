package bundle

import "golang.org/x/sys/windows"

// FreeBytes is the room for this user on the file system of a directory; ok is
// false where it cannot be told.
func FreeBytes(dir string) (n int64, ok bool) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(free), true
}
