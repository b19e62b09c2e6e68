//go:build linux || darwin

package record

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// childDir names, in a child process, the directory that its parent test chose.
const childDir = "LIGHTBOX_RECORD_TEST_DIR"

// child is a command that runs the named test of this binary in its own process.
func child(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	check(t, err)
	cmd := exec.Command(exe, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	return cmd
}

// TestKilledWriter kills a process that holds the lock: the directory is locked
// until then, free afterwards, and holds every line that was appended.
func TestKilledWriter(t *testing.T) {
	if dir := os.Getenv(childDir); dir != "" {
		r := create(t, dir)
		for _, resp := range someResponses(5) {
			check(t, r.AppendResponse(resp))
		}
		os.Stdout.WriteString("\nappended\n")
		select {}
	}
	dir := t.TempDir()
	cmd := child(t, dir)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "appended"; {
		said = append(said, lines.Text())
	}
	if _, err := Open(dir); !errors.Is(err, ErrLocked) {
		t.Fatalf("opening beside the child: %v\nchild: %s", err, strings.Join(said, "\n"))
	}
	check(t, cmd.Process.Kill())
	cmd.Wait()
	r := create(t, dir)
	if diff := cmp.Diff(someResponses(5), r.Responses()); diff != "" {
		t.Error(diff)
	}
}

// TestDiskFull fills a process's allowance of bytes a file in the middle of a
// line. The write then ends as on a full disk: short, and with an error.
func TestDiskFull(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		if out, err := child(t, t.TempDir()).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	r := create(t, dir)
	path := filepath.Join(dir, responsesFile)
	all := someResponses(4)
	check(t, r.AppendResponse(all[0]))
	one := read(t, path)

	var limit syscall.Rlimit
	check(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	full := limit
	full.Cur = uint64(len(one) + 20)
	check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full))
	for range 2 {
		err := r.AppendResponse(all[1])
		if !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), responsesFile) {
			t.Errorf("appending to a full disk: %v", err)
		}
	}
	if got := read(t, path); got != one {
		t.Errorf("a part of the line stayed: %s", got)
	}
	if n := len(r.Responses()); n != 1 {
		t.Errorf("%d responses, want 1", n)
	}
	check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	for _, resp := range all[1:] {
		check(t, r.AppendResponse(resp))
	}
	check(t, r.Close())
	want, _ := journalOf(t, all)
	if got := read(t, path); got != string(want) {
		t.Errorf("journal after the disk was full:\n%s", got)
	}
}

func TestModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	top := t.TempDir()
	r := create(t, filepath.Join(top, "runs", "one"))
	check(t, r.WriteManifest(someManifest))
	check(t, r.WriteFile(ReportHTML, someManifest.encode))
	check(t, r.Close())
	want := map[string]fs.FileMode{
		"runs": fs.ModeDir | 0o700, "runs/one": fs.ModeDir | 0o700,
		"runs/one/manifest.json": 0o600, "runs/one/responses.jsonl": 0o600, "runs/one/verdicts.jsonl": 0o600,
		"runs/one/timings.jsonl": 0o600, "runs/one/report.html": 0o600, "runs/one/lock": 0o600,
	}
	got := map[string]fs.FileMode{}
	check(t, fs.WalkDir(os.DirFS(top), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		i, err := d.Info()
		got[path] = i.Mode()
		return err
	}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
