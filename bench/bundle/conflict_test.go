package bundle

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestWhatIsThereAlreadyStays(t *testing.T) {
	b := pack(t, contents(t))
	whole := filepath.Join(t.TempDir(), "whole")
	full := Target{ModelDir: filepath.Join(whole, "models"), Out: filepath.Join(whole, "out")}
	_, err := unpack(b, full)
	check(t, err)
	eye, err := store(full.ModelDir).open("eye")
	check(t, err)
	blob := eye.manifest.Layers[0]

	tests := []struct {
		name   string
		before func(t *testing.T, to Target)
		path   func(to Target) string
		model  string
	}{
		{
			"a different model of that name",
			func(t *testing.T, to Target) {
				putModel(t, to.ModelDir, "eye", map[string][]byte{"model": noise(8, 50)})
			},
			func(to Target) string { return store(to.ModelDir).manifestPath(eye.name) }, "eye:latest",
		},
		{
			"one in another letter case",
			func(t *testing.T, to Target) {
				putModel(t, to.ModelDir, "Eye", map[string][]byte{"model": noise(8, 50)})
			},
			nil, "eye:latest",
		},
		{
			"a damaged blob",
			func(t *testing.T, to Target) {
				put(t, store(to.ModelDir).blobPath(blob), make([]byte, blob.Size))
			},
			func(to Target) string { return store(to.ModelDir).blobPath(blob) }, "",
		},
		{
			"other data",
			func(t *testing.T, to Target) {
				put(t, filepath.Join(to.Out, "data", "set", "images", "a.png"), []byte("mine"))
			},
			func(to Target) string { return filepath.Join(to.Out, "data", "set", "images", "a.png") }, "",
		},
		{
			"a directory in a file's place",
			func(t *testing.T, to Target) { put(t, filepath.Join(to.Out, "cards", "card.json", "x"), nil) },
			func(to Target) string { return filepath.Join(to.Out, "cards", "card.json") }, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			to, root, _ := target(t)
			tt.before(t, to)
			before := tree(t, root)
			_, err := unpack(b, to)
			var conflict *Conflict
			if !errors.As(err, &conflict) || conflict.Model != tt.model || tt.path != nil && conflict.Path != tt.path(to) {
				t.Errorf("error %v (%+v)", err, conflict)
			}
			unchanged(t, root, before)
		})
	}
}

// TestFailureWhileMovingInIsTakenBack has a file in the place of a directory,
// which is met only when some files have been moved in.
func TestFailureWhileMovingInIsTakenBack(t *testing.T) {
	b := handMade(t, framed(t, listing(t, twisted), twisted))
	to, root, before := target(t)
	if _, err := unpack(b, to); err == nil {
		t.Error("a file and a directory of one name were unpacked")
	}
	unchanged(t, root, before)
}

var twisted = []entry{{name: "cards/a", content: "x"}, {name: "data/s", content: "file"}, {name: "data/s/a", content: "below it"}}

func TestNoDirectoryForFiles(t *testing.T) {
	to, root, before := target(t)
	to.Out = ""
	if _, err := unpack(pack(t, contents(t)), to); !errors.Is(err, ErrNoOut) {
		t.Errorf("error %v", err)
	}
	unchanged(t, root, before)
}

func TestClaimBeyondTheDisk(t *testing.T) {
	to, root, before := target(t)
	x := listing(t, []entry{{name: "data/a", content: "a"}})
	x.Files[0].Size = maxTotal
	_, err := unpack(handMade(t, framed(t, x, nil)), to)
	var room *NoRoom
	if !errors.As(err, &room) || room.Need < maxTotal || room.Free <= 0 {
		t.Errorf("error %v", err)
	}
	unchanged(t, root, before)
}

// TestFullDisk fills a small file system: it is noticed before anything is
// written, and where that was not possible, all that was written goes again.
func TestFullDisk(t *testing.T) {
	if os.Getuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("mounting a small file system needs root on Linux")
	}
	disk := t.TempDir()
	mount(t, disk)
	dir := t.TempDir()
	put(t, filepath.Join(dir, "set", "first"), noise(1, 3<<20))
	put(t, filepath.Join(dir, "set", "second"), noise(2, 3<<20))
	b := pack(t, Contents{Data: []string{filepath.Join(dir, "set")}})
	put(t, filepath.Join(disk, "mine"), []byte("mine"))
	before := tree(t, disk)

	_, err := unpack(b, Target{Out: filepath.Join(disk, "out")})
	var room *NoRoom
	if !errors.As(err, &room) {
		t.Errorf("error %v", err)
	}
	unchanged(t, disk, before)

	put(t, filepath.Join(dir, "set", "second"), noise(2, 500<<10))
	b = pack(t, Contents{Data: []string{filepath.Join(dir, "set")}})
	_, err = Unpack(context.Background(), bytes.NewReader(b), int64(len(b)), Target{Out: filepath.Join(disk, "out")}, func(done, _ int64) {
		if done > 3<<20 { // another program takes what is left
			_ = os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 8<<20), 0o600)
		}
	})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "second") {
		t.Errorf("error %v", err)
	}
	check(t, os.Remove(filepath.Join(disk, "ballast")))
	unchanged(t, disk, before)
}
