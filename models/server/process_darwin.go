package server

import (
	"bytes"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes puts a server in a process group of its own, so that Ctrl-C in the
// terminal does not reach it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// processes are the numbers of this user's processes.
func processes() []int {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Getuid())
	if err != nil {
		return nil
	}
	pids := make([]int, len(list))
	for i, p := range list {
		pids[i] = int(p.Proc.P_pid)
	}
	return pids
}

// marked tells whether a process carries the mark of a private server's
// directory. kern.procargs2 gives its arguments and environment, each ended by
// a zero byte.
func marked(pid int, dir string) bool {
	b, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return false
	}
	want := []byte(mark + "=" + dir)
	return slices.ContainsFunc(bytes.Split(b, []byte{0}), func(entry []byte) bool {
		return bytes.Equal(entry, want)
	})
}
