//go:build !linux

package bundle

import "testing"

// mount knows no file system in memory that this system has.
func mount(t *testing.T, _ string) { t.Skip("mounting a small file system needs Linux") }
