//go:build linux || darwin

package server

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// bond is empty: on Linux the death signal is part of [attributes], and on macOS
// the next start clears.
type bond struct{}

func tie(*exec.Cmd) (bond, error) { return bond{}, nil }

func (bond) release() {}

// terminate asks a server to end; Ollama ends its runners then.
func terminate(p *process) error { return p.cmd.Process.Signal(syscall.SIGTERM) }

// endAll kills every process of a private server's directory: runners whose
// server died before it could end them, servers whose owner was killed. It
// returns when they are gone, or after a second.
func endAll(dir string) {
	for range 20 {
		if killMarked(dir) == 0 {
			return
		}
		time.Sleep(askPause)
	}
}

// killMarked kills the processes marked with dir and counts them.
func killMarked(dir string) int {
	n := 0
	for _, pid := range processes() {
		if pid == os.Getpid() || !marked(pid, dir) {
			continue
		}
		// Found first and looked at again: a handle keeps meaning the same process
		// where the number is given to another.
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if marked(pid, dir) && p.Kill() == nil {
			n++
		}
		p.Release()
	}
	return n
}
