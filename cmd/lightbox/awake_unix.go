//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// stayAwake keeps the machine awake until release is called.
func (t terminal) stayAwake() (release func()) {
	return t.holdAwake(awakeCommand(runtime.GOOS, os.Getpid()))
}

// holdAwake runs a command of awakeCommand until release is called.
func (t terminal) holdAwake(command []string) (release func()) {
	if len(command) == 0 {
		return func() {}
	}
	cmd := exec.Command(command[0], command[1:]...)
	// A session of its own: Ctrl-C is for us, no password is asked for on our
	// terminal, and all of it can be ended together.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	ours, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		var missing *exec.Error
		if errors.As(err, &missing) {
			err = fmt.Errorf("there is no %s", command[0])
		}
		t.awakeNote(err)
		return func() {}
	}
	released, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		err := cmd.Wait()
		select {
		case <-released:
		default:
			t.awakeNote(fmt.Errorf("%s ended (%v)", command[0], err))
		}
	}()
	return func() {
		close(released)
		ours.Close()
		endGroup(cmd.Process.Pid, ended)
	}
}

// endGroup ends the command and what it runs, which are a process group.
func endGroup(leader int, ended <-chan struct{}) {
	const patience = time.Second
	syscall.Kill(-leader, syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(patience):
		syscall.Kill(-leader, syscall.SIGKILL)
		<-ended
	}
}
