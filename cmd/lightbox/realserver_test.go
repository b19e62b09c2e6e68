//go:build integration && unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lightbox/bench"
	"lightbox/infer/ollama"
)

// realServer is a real Ollama that keeps its address and models when it is
// killed and started again.
type realServer struct {
	t       testing.TB
	binary  string
	dir     string
	address string
	cmd     *exec.Cmd
}

// startReal starts one with the phantom models.
func startReal(t testing.TB) *realServer {
	t.Helper()
	s := startEmpty(t, t.TempDir())
	client := s.client()
	defer client.Close()
	if _, err := bench.CreatePhantoms(context.Background(), client); err != nil {
		t.Fatal(err)
	}
	return s
}

// startEmpty starts one with the models that are in dir/models.
func startEmpty(t testing.TB, dir string) *realServer {
	t.Helper()
	binary, _, err := findServer(os.Getenv("LIGHTBOX_OLLAMA"))
	if err != nil {
		t.Fatal("this test needs a real Ollama server: ", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &realServer{t: t, binary: binary, dir: dir, address: listener.Addr().String()}
	listener.Close()
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *realServer) client() *ollama.Client {
	host, err := ollama.ParseHost(s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	client, err := ollama.New(ollama.Config{Host: host})
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}

// start starts the server and waits until it answers.
func (s *realServer) start() {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.Command(s.binary, "serve")
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "TMPDIR=" + s.dir, "OLLAMA_HOST=" + s.address,
		"OLLAMA_MODELS=" + filepath.Join(s.dir, "models"), "OLLAMA_NO_CLOUD=1", "OLLAMA_NUM_PARALLEL=1",
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	client := s.client()
	defer client.Close()
	for range 600 {
		if _, err = client.Version(context.Background()); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatal("the server does not answer: ", err)
}

// kill ends the server with SIGKILL, and the runners that it leaves.
func (s *realServer) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
	for _, pid := range s.runners() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// runners are the processes that run models for this server.
func (s *realServer) runners() []int {
	var pids []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		command, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		environ, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		model := bytes.Contains(command, []byte("\x00runner\x00")) && bytes.Contains(command, []byte("\x00--model\x00"))
		if model && bytes.Contains(environ, fmt.Appendf(nil, "OLLAMA_HOST=%s\x00", s.address)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// age is how long a process has lived, by the kernel's clock of 100 ticks a
// second; 0 where it is gone.
func age(pid int) time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	up, _ := os.ReadFile("/proc/uptime")
	_, rest, _ := strings.Cut(string(stat), ") ") // the name before it can hold blanks
	fields := strings.Fields(rest)
	if len(fields) < 20 || len(up) == 0 {
		return 0
	}
	started, err := strconv.ParseFloat(fields[19], 64)
	now, err2 := strconv.ParseFloat(strings.Fields(string(up))[0], 64)
	if err != nil || err2 != nil {
		return 0
	}
	return time.Duration((now - started/100) * float64(time.Second))
}
