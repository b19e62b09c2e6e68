package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestServerEnvironment(t *testing.T) {
	s, err := Start(t.Context(), Config{
		Binary: standIn(t, "ollama"), Root: t.TempDir(), Ready: ready,
		Env: []string{
			"PATH=/bin", "LD_LIBRARY_PATH=/opt/lib", "CUDA_VISIBLE_DEVICES=1", "OLLAMA_GPU_OVERHEAD=5", "EMPTY=",
			"HOME=/home/a", "OLLAMA_HOST=0.0.0.0:11434", "OLLAMA_MODELS=/big", "OLLAMA_NUM_PARALLEL=4",
			"OLLAMA_FLASH_ATTENTION=1", "OLLAMA_KV_CACHE_TYPE=q4_0", "OLLAMA_DEBUG=1", "OLLAMA_REMOTES=x",
			"LLAMA_ARG_FLASH_ATTN=on", "HTTPS_PROXY=http://proxy", "http_proxy=http://proxy", "ALL_PROXY=socks5://proxy",
			"SSH_AUTH_SOCK=/run/agent", "AWS_SECRET_ACCESS_KEY=secret",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop(t.Context())
	body, err := get(t.Context(), s.Address(), "/env")
	if err != nil {
		t.Fatal(err)
	}
	dir := s.state.dir
	got := strings.Split(body, "\n")
	slices.Sort(got)
	want := []string{
		"CUDA_VISIBLE_DEVICES=1",
		"HOME=" + dir,
		"LD_LIBRARY_PATH=/opt/lib",
		"LIGHTBOX_PRIVATE_SERVER=" + dir,
		"LLAMA_ARG_CACHE_RAM=0",
		"OLLAMA_GPU_OVERHEAD=5",
		"OLLAMA_HOST=" + s.Address(),
		"OLLAMA_MODELS=models",
		"OLLAMA_NO_CLOUD=1",
		"OLLAMA_NUM_PARALLEL=1",
		"PATH=/bin",
		"TMPDIR=" + filepath.Join(dir, "tmp"),
	}
	if runtime.GOOS == "windows" {
		t.Skip("more variables are needed there")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestStartAddsLoopbackPort(t *testing.T) {
	root := t.TempDir()
	a, b := startIn(t, root, "ollama"), startIn(t, root, "ollama")
	for _, s := range []*Server{a, b} {
		if !strings.HasPrefix(s.Address(), "127.0.0.1:") {
			t.Errorf("address %q is not on 127.0.0.1", s.Address())
		}
	}
	if a.Address() == b.Address() {
		t.Errorf("two servers have the address %s", a.Address())
	}
	// The second start must not have swept the first server away.
	if err := ready(t.Context(), a.Address()); err != nil {
		t.Errorf("the first server no longer answers: %v", err)
	}
}

func TestStartTriesAnotherPort(t *testing.T) {
	s := startIn(t, t.TempDir(), "ollama-busy")
	if _, err := os.Stat(filepath.Join(s.state.dir, "tried")); err != nil {
		t.Errorf("the stand-in did not lose its first port: %v", err)
	}
}

func TestStartReportsDeath(t *testing.T) {
	root := t.TempDir()
	_, err := Start(t.Context(), Config{Binary: standIn(t, "ollama-dies"), Root: root, Ready: ready})
	if err == nil {
		t.Fatal("no error from a server that dies at its start")
	}
	for _, want := range []string{"ollama-dies", "exit status 7", "Error: something is missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q lacks %q", err, want)
		}
	}
	if left := servers(t, root); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestStartReportsMissingBinary(t *testing.T) {
	root := t.TempDir()
	_, err := Start(t.Context(), Config{Binary: filepath.Join(root, "none"), Root: root, Ready: ready})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want one that says the file does not exist", err)
	}
	if left := servers(t, root); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestStartStopsWithItsContext(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	never := func(context.Context, string) error {
		cancel()
		return errors.New("still loading")
	}
	_, err := Start(ctx, Config{Binary: standIn(t, "ollama"), Root: root, Ready: never})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "still loading") {
		t.Errorf("error %v, want the cancellation and what the server last said", err)
	}
	if left := servers(t, root); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	root := t.TempDir()
	s := startIn(t, root, "ollama")
	for call := range 2 {
		if err := s.Stop(t.Context()); err != nil {
			t.Errorf("stop %d: %v", call+1, err)
		}
	}
	if left := servers(t, root); len(left) != 0 {
		t.Errorf("directories left behind: %q", left)
	}
	if err := ready(t.Context(), s.Address()); err == nil {
		t.Error("the server still answers")
	}
	eventually(t, "goroutines ended", func() bool { return runtime.NumGoroutine() <= before })
}

func TestStopReportsEarlierDeath(t *testing.T) {
	root := t.TempDir()
	s := startIn(t, root, "ollama")
	if err := s.process.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.process.done
	first := s.Stop(t.Context())
	if first == nil || !strings.Contains(first.Error(), "the server ended") {
		t.Errorf("error %v, want one that says the server had ended", first)
	}
	if again := s.Stop(t.Context()); again != first {
		t.Errorf("second stop: %v, want the first one's error", again)
	}
	if left := servers(t, root); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestStopKillsAfterItsContext(t *testing.T) {
	root := t.TempDir()
	s := startIn(t, root, "ollama-stubborn")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Stop(ctx); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("error %v, want one that says the server was killed", err)
	}
	if left := servers(t, root); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}
