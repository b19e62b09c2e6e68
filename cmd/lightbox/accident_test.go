//go:build integration && unix

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKills kills lightbox at ten random moments of runs on a real server, the
// server at three, and its runner at three. lightbox is started again each time;
// what happens to the others it waits out. Each run ends in the record of an
// undisturbed one, and asks nothing again that stood in the record.
func TestKills(t *testing.T) {
	for _, tt := range []struct {
		victim string
		kills  int
	}{{victimLightbox, 10}, {victimServer, 3}, {victimRunner, 3}} {
		t.Run(tt.victim, func(t *testing.T) {
			if tt.victim == victimRunner && runtime.GOOS != "linux" {
				t.Skip("finding runners needs /proc")
			}
			c := newCampaign(t, 20)
			for range tt.kills {
				c.accident(tt.victim)
			}
			c.finish()
			t.Log(c.summary())
		})
	}
}

// TestTwoProcessesOnOneRun starts a second process beside the first. It is
// refused, and the first ends as if nothing had been.
func TestTwoProcessesOnOneRun(t *testing.T) {
	c := newCampaign(t, 20)
	c.begin()
	c.awaitLines(10)
	second := lightboxCommand(t, c.args(c.out)...)
	out, _ := second.CombinedOutput()
	if code := second.ProcessState.ExitCode(); code != exitFailure || !strings.Contains(string(out), "another process") || !strings.Contains(string(out), c.out) {
		t.Errorf("the second process: exit code %d, it said\n%s", code, out)
	}
	c.finish()
	if c.runs != 1 {
		t.Errorf("%d runs came to their end, want the first process's", c.runs)
	}
}

// TestStoppedProcesses stops lightbox, the server and its runner for some
// seconds each in the middle of a run.
func TestStoppedProcesses(t *testing.T) {
	c := newCampaign(t, 20)
	c.begin()
	c.awaitLines(10)
	pids := []int{c.cmd.Process.Pid, c.server.cmd.Process.Pid}
	for i, pid := range append(pids, c.server.runners()...) {
		c.awaitLines(10 + 15*i)
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	c.finish()
	if c.unscored > 0 || c.away > 0 {
		t.Errorf("%s", c.summary())
	}
}

// TestDiskFullUnderway fills the disk in the middle of a run, and gives room
// again.
func TestDiskFullUnderway(t *testing.T) {
	if os.Getuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("mounting a small file system needs root on Linux")
	}
	c := newCampaign(t, 20)
	disk := t.TempDir()
	mount(t, disk)
	c.out = filepath.Join(disk, "run")
	c.begin()
	c.awaitLines(10)
	ballast := filepath.Join(disk, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 16<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	<-c.done
	code := c.cmd.ProcessState.ExitCode()
	c.cmd = nil
	if said := c.said.String(); code != exitFailure || !strings.Contains(said, c.out+"/") || !strings.Contains(said, "no space left") || !strings.Contains(said, "hint: make room") {
		t.Errorf("exit code %d, it said\n%s", code, said)
	}
	c.cuts = append(c.cuts, c.look())
	if n := len(c.cuts[0].answered); n < 10 {
		t.Errorf("%d responses are kept, want 10 at least", n)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	c.finish()
}

// awaitLines waits until the run under way has so many responses, or is over.
func (c *campaign) awaitLines(n int) {
	c.t.Helper()
	for range 6000 {
		if lines(c.out) >= n {
			return
		}
		select {
		case <-c.done:
			c.t.Fatalf("the run ended before %d responses:\n%s", n, &c.said)
		case <-time.After(10 * time.Millisecond):
		}
	}
	c.t.Fatalf("no %d responses within a minute", n)
}
