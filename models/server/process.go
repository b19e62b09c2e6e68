package server

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"time"
)

// process is a started server.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // of its end; to be read after done
	bond bond          // what ends it with this process
}

// launch starts cmd so that it ends with this process.
func launch(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = attributes()
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// On Linux the death signal comes when the thread that started the server
		// ends, not the process. The runtime ends threads as it likes, so this one
		// is kept for as long as the server lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			if p.bond, err = tie(cmd); err != nil {
				cmd.Process.Kill()
				cmd.Wait()
			}
		}
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		p.bond.release()
		close(p.done)
	}()
	return p, <-started
}

// ended says how the server ended by itself. It has.
func (p *process) ended() error {
	if p.err == nil {
		return errors.New("the server ended")
	}
	return fmt.Errorf("the server ended: %w", p.err)
}

// end asks the server to end, and kills it after a while or when ctx ends. It
// reports a server that had ended before or that had to be killed.
func (p *process) end(ctx context.Context) error {
	select {
	case <-p.done:
		return p.ended()
	default:
	}
	// A server that ends between the look and this call is gone all the same.
	_ = terminate(p)
	limit := time.NewTimer(stopLimit)
	defer limit.Stop()
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	case <-limit.C:
	}
	_ = p.cmd.Process.Kill()
	limit.Reset(stopLimit)
	select {
	case <-p.done:
		return errors.New("the server did not end when asked and was killed")
	case <-limit.C: // a driver can hold a process in the kernel
		return errors.New("the server could not be killed")
	}
}
