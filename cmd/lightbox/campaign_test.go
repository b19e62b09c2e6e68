//go:build integration && unix

package main

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lightbox/bench/record"
)

var seedFlag = flag.Uint64("seed", 0, "`N` that decides the moments of accidents; 0: a new one")

// Victims of accidents.
const (
	victimLightbox = "lightbox"
	victimServer   = "server"
	victimRunner   = "runner"
)

// settled is how old a runner must be before it is killed. One that is killed
// while it loads makes a server of 0.17 wait for as long as the request does,
// 15 minutes where it is the first one; bench tests that with a shorter deadline.
const settled = time.Second

// campaign runs the phantom again and again, has accidents at random moments,
// and compares what comes of each run with an undisturbed one.
type campaign struct {
	t      *testing.T
	server *realServer
	limit  int // samples of a subset
	chance *rand.Rand
	seed   uint64
	dir    string
	took   time.Duration // of the undisturbed run
	whole  string        // its directory

	out       string // of the run under way
	cmd       *exec.Cmd
	said      bytes.Buffer
	done      chan struct{}
	cuts      []cut // of the run under way
	again     int   // times that it was started again in a row because of its exit code
	accidents map[string]int
	runs      int // that came to their end
	unscored  int // ends with samples to ask again
	away      int // ends because no server answered
}

// cut is what stood in the record at a moment after which nothing was running.
type cut struct {
	timings          int
	answered, judged map[string]bool
}

func newCampaign(t *testing.T, limit int) *campaign {
	t.Helper()
	c := &campaign{t: t, server: startReal(t), limit: limit, seed: *seedFlag, dir: t.TempDir(), accidents: map[string]int{}}
	if c.seed == 0 {
		c.seed = rand.Uint64N(1e9) + 1
	}
	t.Logf("-seed %d", c.seed)
	c.chance = rand.New(rand.NewPCG(c.seed, 0))
	c.whole = filepath.Join(c.dir, "whole")
	start := time.Now()
	if out, err := lightboxCommand(t, c.args(c.whole)...).CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v\n%s", err, out)
	}
	c.took = time.Since(start)
	t.Cleanup(c.stop)
	return c
}

func (c *campaign) args(out string) []string {
	return []string{
		"run", "phantom", "--model", "phantom-vlm", "--judge", "phantom-judge", "--num-predict", "32",
		"--limit", strconv.Itoa(c.limit), "--keep-names", "--host", c.server.address, "--out", out,
	}
}

// begin starts the run under way, or a new one.
func (c *campaign) begin() {
	if c.out == "" {
		c.out = filepath.Join(c.dir, "run"+strconv.Itoa(c.runs))
		c.cuts = nil
	}
	c.said.Reset()
	c.cmd = lightboxCommand(c.t, c.args(c.out)...)
	c.cmd.Stderr = &c.said
	if err := c.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) {
		cmd.Wait()
		close(done)
	}(c.cmd, c.done)
}

// stop ends what is under way.
func (c *campaign) stop() {
	if c.cmd != nil {
		c.cmd.Process.Kill()
		<-c.done
		c.cmd = nil
	}
}

// accident lets runs go on until something happened to the victim.
func (c *campaign) accident(victim string) {
	for {
		if c.cmd == nil {
			c.begin()
		}
		select {
		case <-c.done:
			c.ended()
			continue
		case <-time.After(time.Duration(c.chance.Int64N(int64(c.took) * 2 / 3))):
		}
		if c.strike(victim) {
			c.accidents[victim]++
			return
		}
	}
}

// strike does the victim harm; false where there is none.
func (c *campaign) strike(victim string) bool {
	switch victim {
	case victimLightbox:
		select {
		case <-c.done:
			return false
		default:
		}
		c.stop()
		c.cuts = append(c.cuts, c.look())
	case victimServer:
		c.server.kill()
		time.Sleep(time.Duration(c.chance.Int64N(int64(time.Second))))
		c.server.start()
	case victimRunner:
		for _, pid := range c.server.runners() {
			if age(pid) > settled {
				return syscall.Kill(pid, syscall.SIGKILL) == nil
			}
		}
		return false
	}
	return true
}

// ended looks at how the run under way ended by itself.
func (c *campaign) ended() {
	code := c.cmd.ProcessState.ExitCode()
	c.cmd = nil
	switch code {
	case exitDone:
		c.compare()
		c.runs++
		c.out, c.again = "", 0
		return
	case exitUnscored:
		c.unscored++
	case exitUnreachable:
		c.away++
	default:
		c.t.Fatalf("-seed %d: exit code %d in %s:\n%s", c.seed, code, c.out, &c.said)
	}
	if c.again++; c.again > 5 {
		c.t.Fatalf("-seed %d: exit code %d again and again:\n%s", c.seed, code, &c.said)
	}
	c.cuts = append(c.cuts, c.look())
}

// finish lets the run under way come to its end.
func (c *campaign) finish() {
	for c.out != "" {
		if c.cmd == nil {
			c.begin()
		}
		<-c.done
		c.ended()
	}
}

// look reads the record of the run under way.
func (c *campaign) look() cut {
	k := cut{answered: map[string]bool{}, judged: map[string]bool{}}
	if _, err := os.Stat(c.out); err != nil {
		return k // it was not begun
	}
	run := c.read(c.out)
	k.timings = len(run.Timings())
	for id, line := range run.Latest() {
		k.answered[id] = line.Fault == nil
	}
	for _, v := range run.Verdicts() {
		k.judged[v.ID] = k.judged[v.ID] || v.JudgePrompt != "" && v.Reason == ""
	}
	return k
}

func (c *campaign) read(dir string) *record.Run {
	run, err := record.Read(dir)
	if err != nil {
		c.t.Fatalf("-seed %d: %v", c.seed, err)
	}
	return run
}

// compare holds a run that came to its end against the undisturbed one.
func (c *campaign) compare() {
	run := c.read(c.out)
	names := []string{"report.json", "report.html"}
	if !faulty(run) {
		names = append(names, "manifest.json", "responses.jsonl", "verdicts.jsonl")
	}
	for _, name := range names {
		a, err := os.ReadFile(filepath.Join(c.whole, name))
		b, err2 := os.ReadFile(filepath.Join(c.out, name))
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			c.t.Errorf("-seed %d: %s of run %d differs from that of an undisturbed run %v %v", c.seed, name, c.runs, err, err2)
		}
	}
	for _, k := range c.cuts {
		for _, line := range run.Timings()[k.timings:] {
			if line.Kind == record.KindAsk && k.answered[line.ID] || line.Kind == record.KindJudge && k.judged[line.ID] {
				c.t.Errorf("-seed %d: run %d: %s was answered and is asked again (%s)", c.seed, c.runs, line.ID, line.Kind)
			}
		}
	}
	replies := map[string]int{}
	for _, line := range run.Timings() {
		if line.Kind == record.KindAsk && line.Fault == "" {
			replies[line.ID]++
		}
	}
	for id, n := range replies {
		if n > 1+len(c.cuts) {
			c.t.Errorf("-seed %d: run %d: %s got %d replies", c.seed, c.runs, id, n)
		}
	}
}

// faulty tells whether a sample of a run was unscored at some time.
func faulty(run *record.Run) bool {
	for _, line := range run.Responses() {
		if line.Fault != nil {
			return true
		}
	}
	for _, v := range run.Verdicts() {
		if v.Reason != "" {
			return true
		}
	}
	return false
}

// summary tells what happened.
func (c *campaign) summary() string {
	var b strings.Builder
	for _, victim := range []string{victimLightbox, victimServer, victimRunner} {
		b.WriteString(strconv.Itoa(c.accidents[victim]) + " kills of the " + victim + ", ")
	}
	b.WriteString(strconv.Itoa(c.runs) + " runs compared with an undisturbed one, ")
	b.WriteString(strconv.Itoa(c.unscored) + " ended with samples to ask again, " + strconv.Itoa(c.away) + " without a server; -seed " + strconv.FormatUint(c.seed, 10))
	return b.String()
}
