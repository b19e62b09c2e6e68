package server

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Limits of a server's log. Servers write a line a request, some many more.
const (
	logLimit = 1 << 20 // bytes beyond which a log is cut
	logKeep  = 1 << 18 // bytes that are left of it
	logLook  = time.Second
)

// openLog opens a server's log, emptied. It is handed to the server as a file
// rather than through a pipe of ours: a server that logs into the pipe of a dead
// parent dies at once and leaves its runner behind.
func openLog(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_RDWR|os.O_APPEND, 0o600)
}

// boundLog keeps a log below its limit until stop is closed.
func boundLog(path string, stop <-chan struct{}) {
	tick := time.NewTicker(logLook)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			// A log that cannot be cut now is tried again at the next look.
			_ = cutLog(path, logLimit, logKeep)
		}
	}
}

// cutLog leaves the last keep bytes of a log that is longer than limit. The
// server appends, so it goes on writing behind them; lines written in between
// are lost.
func cutLog(path string, limit, keep int64) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= limit {
		return err
	}
	tail := make([]byte, keep)
	n, err := f.ReadAt(tail, info.Size()-keep)
	if err != nil && err != io.EOF {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.Write(tail[:n])
	return err
}

// lastLines are at most n lines from the end of a log, or why there are none.
func lastLines(path string, n int) string {
	const most = 8 << 10
	f, err := os.Open(path)
	if err != nil {
		return fmt.Sprintf("(its log cannot be read: %v)", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		f.Seek(-most, io.SeekEnd)
	}
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return fmt.Sprintf("(its log cannot be read: %v)", err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return "(it wrote nothing)"
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
