package bundle

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestDirect writes parts past the cache, and others that no disk takes so.
func TestDirect(t *testing.T) {
	b := noise(1, 5*directBlock)
	for name, ends := range map[string][]int{
		"whole blocks":      {directBlock, 4 * directBlock, 5 * directBlock},
		"an odd end":        {4 * directBlock, 4*directBlock + 100},
		"less than a block": {100},
		"odd parts":         {100, directBlock, 2*directBlock + 1, 5 * directBlock},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x")
			f, err := os.Create(path)
			check(t, err)
			d, start := newDirect(f), 0
			for _, end := range ends {
				n, err := d.Write(b[start:end])
				check(t, err)
				if start += n; start != end {
					t.Fatalf("%d bytes are written, want %d", start, end)
				}
			}
			check(t, f.Close())
			got, err := os.ReadFile(path)
			check(t, err)
			if !bytes.Equal(got, b[:start]) {
				t.Error("it holds something else")
			}
		})
	}
}

// TestFullDiskInALargeFile fills a small file system with a file that goes past
// the cache.
func TestFullDiskInALargeFile(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	disk := t.TempDir()
	mount(t, disk)
	s := &stage{target: disk, dir: disk, fileMode: 0o600}
	err := s.write(filepath.Join(disk, "x"), directSize, bytes.NewReader(make([]byte, directSize)), 0o600)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
}
