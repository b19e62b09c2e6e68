//go:build !linux

package bundle

import "os"

// newDirect is the file itself: only Linux is known to gain from more.
func newDirect(f *os.File) *os.File { return f }
