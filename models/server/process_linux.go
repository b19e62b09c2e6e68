package server

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
)

// attributes puts a server in a process group of its own, so that Ctrl-C in the
// terminal does not reach it, and has the kernel end it with its parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// processes are the numbers of all processes.
func processes() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// marked tells whether a process carries the mark of a private server's
// directory. Those of other users, and dead ones, do not show theirs.
func marked(pid int, dir string) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	want := []byte(mark + "=" + dir)
	return slices.ContainsFunc(bytes.Split(b, []byte{0}), func(entry []byte) bool {
		return bytes.Equal(entry, want)
	})
}
