//go:build unix && !integration

package bench

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
)

// Variables of the environment that tell a child process what to run.
const (
	childHost = "LIGHTBOX_BENCH_TEST_HOST"
	childOut  = "LIGHTBOX_BENCH_TEST_OUT"
)

// childLimit is the deadline of its requests.
const childLimit = 2 * time.Second

// TestStoppedProcessMissesNothing stops a process with SIGSTOP while it waits
// for a reply, for longer than its deadline, and lets it go on when the reply is
// there.
func TestStoppedProcessMissesNothing(t *testing.T) {
	if host := os.Getenv(childHost); host != "" {
		runChild(t, host, os.Getenv(childOut))
		return
	}
	t.Parallel()
	child := make(chan int, 1) // its process
	script := on(2, func(attempt int) fake.Reply {
		if attempt > 1 {
			return fake.Answer{}
		}
		pid := <-child
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * childLimit)
		time.AfterFunc(200*time.Millisecond, func() { syscall.Kill(pid, syscall.SIGCONT) })
		return fake.Answer{}
	})
	s, cfg := play(t, 4, fake.Config{Script: script})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), childHost+"="+s.Addr(), childOut+"="+cfg.Out)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child <- cmd.Process.Pid
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if n := asked(s, 2); n != 1 {
		t.Errorf("the sample was asked %d times, want once", n)
	}
	got := readAll(t, cfg.Out)
	if diff := cmp.Diff(undisturbed(t, 4), got); diff != "" {
		t.Errorf("the record differs from that of an undisturbed run:\n%s", diff)
	}
}

func runChild(t *testing.T, address, out string) {
	host, err := ollama.ParseHost(address)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), Config{
		Benchmark: questions(t, 4), Host: host, HostHidden: true, Model: "eye", Out: out, Version: "test", Timeout: childLimit,
	})
	if err != nil {
		t.Fatal(err)
	}
}
