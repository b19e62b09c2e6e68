package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer/ollama/fake"
)

// page is the unit in which a tmpfs gives its space away, in bytes.
const page = 4096

// TestDiskFullAtAnyWrite gives the run directory a file system with room for one
// page, two, three, until a run fits. Each run that does not fit ends with an
// error that names the file, and when there is room again the record becomes
// that of an undisturbed run, without asking for what it holds.
func TestDiskFullAtAnyWrite(t *testing.T) {
	s, cfg := play(t, 30, fake.Config{})
	cfg.Judge = "judge"
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	whole := readAll(t, cfg.Out)
	full := map[string]int{} // by the file that could not be written
	for pages := 1; ; pages++ {
		cfg.Out = filepath.Join(smallDisk(t), "run")
		ballast := fill(t, filepath.Dir(cfg.Out), pages)
		_, err := Run(context.Background(), cfg)
		if err == nil {
			break
		}
		var failure *Failure
		if !errors.Is(err, syscall.ENOSPC) || !errors.As(err, &failure) || failure.Kind != Failed || failure.Hint == "" {
			t.Fatalf("%d pages: %v, want that the disk is full", pages, err)
		}
		name := named(err, cfg.Out)
		if name == "" {
			t.Fatalf("%d pages: %v, which names no file", pages, err)
		}
		full[name]++
		kept := 0
		for _, line := range linesOf(t, cfg.Out) {
			if line.Fault != nil {
				t.Errorf("%d pages: sample %s is written off: %+v", pages, line.ID, line.Fault)
			}
			kept++
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		before := len(s.Chats())
		if _, err := Run(context.Background(), cfg); err != nil {
			t.Fatalf("%d pages, going on: %v", pages, err)
		}
		if diff := cmp.Diff(whole, readAll(t, cfg.Out)); diff != "" {
			t.Fatalf("%d pages, going on: the record differs:\n%s", pages, diff)
		}
		samples := 0
		for _, name := range chatNames(s, before) {
			if strings.HasPrefix(name, "question ") {
				samples++
			}
		}
		if samples != 30-kept {
			t.Errorf("%d pages: %d samples were asked after %d were kept", pages, samples, kept)
		}
	}
	t.Logf("full at %v", full)
	for _, name := range []string{"manifest.json", "responses.jsonl", "timings.jsonl", "verdicts.jsonl", "report.json", "report.html"} {
		if full[name] == 0 {
			t.Errorf("the disk was never full at %s", name)
		}
	}
}

// named is the file of a run that an error names.
func named(err error, dir string) string {
	for _, name := range []string{"manifest.json", "responses.jsonl", "verdicts.jsonl", "timings.jsonl", "report.json", "report.html"} {
		if strings.Contains(err.Error(), filepath.Join(dir, name)) {
			return name
		}
	}
	return ""
}

// smallDisk mounts a file system of 4 MB in memory.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m,mode=0700"); err != nil {
		if errors.Is(err, syscall.EPERM) {
			t.Skip("mounting a small file system is not allowed here: ", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill leaves room for that many pages and gives the file that takes the rest.
func fill(t *testing.T, dir string, pages int) string {
	t.Helper()
	path := filepath.Join(dir, "ballast")
	var space syscall.Statfs_t
	if err := syscall.Statfs(dir, &space); err != nil {
		t.Fatal(err)
	}
	room := int(space.Bavail)*int(space.Bsize) - pages*page
	if err := os.WriteFile(path, make([]byte, room), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
