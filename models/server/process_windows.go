package server

import (
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// attributes keeps Ctrl-C in the console from a server.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// bond is a job object that holds a server and all that it starts. The system
// ends them when the last handle is closed, so also when this process is killed.
type bond struct{ job windows.Handle }

// tie puts a started server into a job.
func tie(cmd *exec.Cmd) (bond, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return bond{}, fmt.Errorf("creating a job object: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, cmd.Process.Pid)
	}
	if err != nil {
		windows.CloseHandle(job)
		return bond{}, fmt.Errorf("tying a server to this process: %w", err)
	}
	return bond{job}, nil
}

func assign(job windows.Handle, pid int) error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	process, err := windows.OpenProcess(access, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// release ends what is left of the job.
func (b bond) release() { windows.CloseHandle(b.job) }

// terminate ends a server and its runners at once: there is no gentler way that
// reaches a process without a window.
func terminate(p *process) error { return windows.TerminateJobObject(p.bond.job, 1) }

// endAll has nothing to do: the job ends all processes.
func endAll(string) {}
