package main

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/windows"
)

// States of SetThreadExecutionState (winbase.h).
const (
	esContinuous     = 0x80000000
	esSystemRequired = 0x00000001
)

var setThreadExecutionState = windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadExecutionState")

// stayAwake keeps the machine awake until release is called. The state belongs to
// a thread, so one is kept for it.
func (t terminal) stayAwake() (release func()) {
	released, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := setThreadExecutionState.Find(); err != nil {
			t.awakeNote(err)
			return
		}
		if was, _, _ := setThreadExecutionState.Call(esContinuous | esSystemRequired); was == 0 {
			t.awakeNote(fmt.Errorf("SetThreadExecutionState refuses"))
			return
		}
		<-released
		setThreadExecutionState.Call(esContinuous)
	}()
	return func() {
		close(released)
		<-ended
	}
}
