//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer/ollama/fake"
)

func TestAwakeCommand(t *testing.T) {
	for system, want := range map[string]string{
		"linux":   "systemd-inhibit --what=sleep:idle --who=lightbox --why=a model is being asked --mode=block cat",
		"darwin":  "caffeinate -i -w 123",
		"windows": "",
	} {
		if diff := cmp.Diff(want, strings.Join(awakeCommand(system, 123), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", system, diff)
		}
	}
}

// The stand-ins write down how they were called and how they end. The one for
// systemd-inhibit runs what stands behind its options; the one for caffeinate
// waits for a process, as the real ones do.
const (
	inhibitStandIn = `#!/bin/sh
echo "began $*" >>"$AWAKE_LOG"
trap 'exit 0' TERM
while [ "${1#--}" != "$1" ]; do shift; done
exec 3<&0 0</dev/null
"$@" <&3 3<&- &
exec 3<&-
echo "$$ $!" >>"$AWAKE_PIDS"
wait
`
	caffeinateStandIn = `#!/bin/sh
echo "began $*" >>"$AWAKE_LOG"
echo "$$" >>"$AWAKE_PIDS"
trap 'exit 0' TERM
while kill -0 "$3" 2>/dev/null; do sleep 0.05; done
`
)

// standIns puts stand-ins first on PATH and gives the files that they write to.
func standIns(t *testing.T) (log, pids string) {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "systemd-inhibit"), inhibitStandIn, 0o700)
	writeFile(t, filepath.Join(dir, "caffeinate"), caffeinateStandIn, 0o700)
	log, pids = filepath.Join(dir, "log"), filepath.Join(dir, "pids")
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("AWAKE_LOG", log)
	t.Setenv("AWAKE_PIDS", pids)
	return log, pids
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("within a minute not so: %s", what)
		}
	}
}

// running counts the processes of the file of pids that are there.
func running(t *testing.T, pids string) int {
	t.Helper()
	text, _ := os.ReadFile(pids)
	n := 0
	for _, pid := range strings.Fields(string(text)) {
		if alive(pid) {
			n++
		}
	}
	return n
}

// alive tells whether a process is there and not only waits to be counted as
// ended.
func alive(pid string) bool {
	if _, err := os.Stat("/proc/self/stat"); err == nil { // Linux, where ps may be missing
		text, err := os.ReadFile("/proc/" + pid + "/stat")
		return err == nil && !bytes.Contains(text, []byte(") Z "))
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	return err == nil && !bytes.HasPrefix(state, []byte("Z"))
}

// TestHeldAwakeUntilReleased holds with the command of each system.
func TestHeldAwakeUntilReleased(t *testing.T) {
	for _, system := range []string{"linux", "darwin"} {
		t.Run(system, func(t *testing.T) {
			log, pids := standIns(t)
			var err said
			release := terminal{err: &err}.holdAwake(awakeCommand(system, os.Getpid()))
			eventually(t, "the machine is held awake", func() bool { return running(t, pids) > 0 })
			release()
			eventually(t, "nothing holds it any more", func() bool { return running(t, pids) == 0 })
			text, rerr := os.ReadFile(log)
			if rerr != nil {
				t.Fatal(rerr)
			}
			want := "began " + strings.Join(awakeCommand(system, os.Getpid())[1:], " ") + "\n"
			if diff := cmp.Diff(want, string(text)); diff != "" {
				t.Errorf("how it was called (-want +got):\n%s", diff)
			}
			if err.String() != "" {
				t.Errorf("it said %q, want nothing", err.String())
			}
		})
	}
}

// TestAwakeIsNoCondition takes the tool away, and breaks it.
func TestAwakeIsNoCondition(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	var err said
	terminal{err: &err}.holdAwake(awakeCommand("linux", 1))()
	if want := "lightbox: note: the machine may fall asleep during the run: there is no systemd-inhibit\n"; err.String() != want {
		t.Errorf("it said %q, want %q", err.String(), want)
	}
	writeFile(t, filepath.Join(dir, "systemd-inhibit"), "#!/bin/sh\nexit 3\n", 0o700)
	err = said{}
	release := terminal{err: &err}.holdAwake(awakeCommand("linux", 1))
	eventually(t, "it says so", func() bool { return err.String() != "" })
	release()
	if want := "lightbox: note: the machine may fall asleep during the run: systemd-inhibit ended (exit status 3)\n"; err.String() != want {
		t.Errorf("it said %q, want %q", err.String(), want)
	}
}

// TestAwakeEndsWithTheRun ends a run in four ways; after each nothing holds the
// machine awake.
func TestAwakeEndsWithTheRun(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(*os.Process)
		late bool // the server answers after that
	}{
		{name: "done"},
		{name: "Ctrl-C", end: func(p *os.Process) { p.Signal(os.Interrupt) }},
		{name: "SIGTERM", end: func(p *os.Process) { p.Signal(syscall.SIGTERM) }},
		{name: "kill -9", end: func(p *os.Process) { p.Signal(syscall.SIGKILL) }, late: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, pids := standIns(t)
			goOn := make(chan struct{})
			arrived := make(chan struct{}, 100)
			s := fake.Start(fake.Config{Models: []fake.Model{fake.Vision("eye")}, Script: func(r fake.Request) fake.Reply {
				if r.Last() == "question 2?" {
					arrived <- struct{}{}
					<-goOn
				}
				return nil
			}})
			defer s.Close()
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "cases.jsonl"), `{"question": "question 1?", "answer": "a"}`+"\n"+`{"question": "question 2?", "answer": "a"}`+"\n", 0o600)
			c := lightboxCommand(t, "run", filepath.Join(dir, "cases.jsonl"), "--data", dir, "--model", "eye", "--host", s.Addr(), "--out", filepath.Join(dir, "run"))
			var text bytes.Buffer
			c.Stderr = &text
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			<-arrived
			eventually(t, "the machine is held awake", func() bool { return running(t, pids) == 2 })
			if tt.end != nil {
				tt.end(c.Process)
			}
			if !tt.late {
				close(goOn)
			}
			c.Wait()
			if tt.late {
				close(goOn)
			}
			eventually(t, "nothing holds it any more", func() bool { return running(t, pids) == 0 })
			if t.Failed() {
				t.Logf("it said\n%s", &text)
			}
		})
	}
}
