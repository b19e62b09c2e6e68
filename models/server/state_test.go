//go:build linux || darwin

package server

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// owner is a process that owns a server, as lightbox does.
type owner struct {
	cmd          *exec.Cmd
	address, dir string // the server's
}

func startOwner(t *testing.T, root, binary string) owner {
	t.Helper()
	cmd := exec.Command(standIn(t, "owner"), binary, root)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the owner did not start its server: %v", err)
	}
	address, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
	t.Cleanup(func() { endAll(dir) })
	return owner{cmd, address, dir}
}

// kill ends the owner as kill -9 does.
func (o owner) kill() {
	o.cmd.Process.Kill()
	o.cmd.Wait()
}

// living are the processes of a server's directory.
func living(dir string) (n int) {
	for _, pid := range processes() {
		if marked(pid, dir) {
			n++
		}
	}
	return n
}

func TestServerDiesWithItsKilledOwner(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a signal for it")
	}
	o := startOwner(t, t.TempDir(), standIn(t, "ollama"))
	if got := living(o.dir); got != 2 {
		t.Fatalf("%d processes before, want the server and its runner", got)
	}
	o.kill()
	eventually(t, "server and runner ended", func() bool { return living(o.dir) == 0 })
}

func TestStartClearsWhatAKilledOwnerLeft(t *testing.T) {
	root := t.TempDir()
	// A server that does not answer the death signal stands for what survives.
	o := startOwner(t, root, standIn(t, "ollama-stubborn"))
	o.kill()
	if got := living(o.dir); got != 2 {
		t.Fatalf("%d processes left by the owner, want the server and its runner", got)
	}
	s := startIn(t, root, "ollama")
	if got := living(o.dir); got != 0 {
		t.Errorf("%d processes of the killed owner live on", got)
	}
	if diff := cmp.Diff([]string{filepath.Base(s.state.dir)}, servers(t, root)); diff != "" {
		t.Errorf("directories (-want +got):\n%s", diff)
	}
}

func TestStartSparesServersOfLivingOwners(t *testing.T) {
	root := t.TempDir()
	o := startOwner(t, root, standIn(t, "ollama"))
	startIn(t, root, "ollama")
	if got := living(o.dir); got != 2 {
		t.Errorf("%d processes of a living owner, want the server and its runner", got)
	}
}

func TestEndAllSparesOthers(t *testing.T) {
	dir := t.TempDir()
	other := exec.Command("sleep", "60")
	other.Env = []string{mark + "=" + dir + "x", "OTHER=" + mark + "=" + dir}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	ours := exec.Command("sleep", "60")
	ours.Env = []string{mark + "=" + dir}
	if err := ours.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- ours.Wait() }()

	endAll(dir)
	if err := <-ended; err == nil || err.Error() != "signal: killed" {
		t.Errorf("the marked process ended with %v, want it killed", err)
	}
	if !marked(other.Process.Pid, dir+"x") {
		t.Error("a process of another directory was ended")
	}
}

func TestAbandoned(t *testing.T) {
	old := time.Now().Add(-2 * foreignAge)
	tests := []struct {
		name, dir string
		changed   time.Time
		want      bool
	}{
		{"ours, unlocked", hostPrefix() + "1", time.Now(), true},
		{"another machine's", "elsewhere" + hostPrefix() + "1", time.Now(), false},
		{"another machine's, its name begins as ours", hostPrefix() + "b-1", time.Now(), false},
		{"another machine's, long ago", "elsewhere-1", old, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), tt.dir)
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(dir, tt.changed, tt.changed); err != nil {
				t.Fatal(err)
			}
			if got := abandoned(dir); got != tt.want {
				t.Errorf("abandoned = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestDirectoryIsPrivate(t *testing.T) {
	s := startIn(t, filepath.Join(t.TempDir(), "a", "b"), "ollama")
	for _, path := range []string{s.state.dir, filepath.Dir(s.state.dir), s.state.logPath()} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, want none for others", filepath.Base(path), info.Mode().Perm())
		}
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}
