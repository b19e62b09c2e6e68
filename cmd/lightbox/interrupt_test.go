//go:build integration && unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbox/bench"
	"lightbox/models/server"
)

// privateServer is a real server with the phantom models, for one test.
func privateServer(t *testing.T) *bench.Private {
	t.Helper()
	binary, _, err := findServer(os.Getenv("LIGHTBOX_OLLAMA"))
	if err != nil {
		t.Fatal("this test needs a real Ollama server: ", err)
	}
	p, err := bench.StartPrivate(context.Background(), server.Config{Binary: binary, Root: t.TempDir(), Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// TestInterruptKeepsTheWork sends one Ctrl-C in the middle of a run.
func TestInterruptKeepsTheWork(t *testing.T) {
	p := privateServer(t)
	out := filepath.Join(t.TempDir(), "run")
	args := []string{"run", "phantom", "--model", "phantom-vlm", "--num-predict", "32", "--host", p.Host.String(), "--out", out}
	c := lightboxCommand(t, args...)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); lines(out) < 20; {
		if time.Now().After(deadline) {
			t.Fatal("nothing was answered within a minute")
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.Process.Signal(os.Interrupt)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d; it said\n%s", code, exitInterrupted, &said)
	}
	if !strings.Contains(said.String(), "the same command goes on") {
		t.Errorf("it did not say how to go on:\n%s", &said)
	}
	kept := lines(out)
	if kept < 20 || kept >= 240 {
		t.Errorf("%d lines are kept, want some of 240", kept)
	}
	if text, err := lightboxCommand(t, args...).CombinedOutput(); err != nil {
		t.Errorf("going on: %v\n%s", err, text)
	}
	if n := lines(out); n != 240 {
		t.Errorf("%d responses after going on, want 240", n)
	}
}

func lines(out string) int {
	b, _ := os.ReadFile(filepath.Join(out, "responses.jsonl"))
	return bytes.Count(b, []byte("\n"))
}
