// Measure runs a command and prints what it took: seconds, CPU seconds and peak
// memory. It keeps little memory itself, because a process inherits the peak of the
// one that started it. More memory than the goal, in MB, is an error.
//
//	measure [-label TEXT] [-out FILE] [-each N] [-goal MB] COMMAND [ARGUMENT...]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	label := flag.String("label", "", "what the row is called")
	out := flag.String("out", os.DevNull, "file for what the command says")
	each := flag.Int("each", 0, "number of samples that the time is also given for each of")
	goal := flag.Float64("goal", 0, "memory that it may take at most, in MB")
	flag.Parse()
	if err := measure(os.Stdout, *label, *out, *each, *goal, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func measure(w io.Writer, label, out string, each int, goal float64, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("a command is missing")
	}
	said, err := os.Create(out)
	if err != nil {
		return err
	}
	defer said.Close()
	c := exec.Command(args[0], args[1:]...)
	c.Stdout, c.Stderr = said, said
	start := time.Now()
	if err := c.Run(); err != nil {
		text, _ := os.ReadFile(out)
		return fmt.Errorf("%s: %w\n%s", args[0], err, text)
	}
	wall, cpu := time.Since(start), c.ProcessState.UserTime()+c.ProcessState.SystemTime()
	fmt.Fprintf(w, "%-28s %7.2f s %7.2f s CPU", label, wall.Seconds(), cpu.Seconds())
	peak := 0.0
	if u, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = float64(u.Maxrss) * 1024 / 1e6 // of Linux, in KiB
		fmt.Fprintf(w, " %6.1f MB", peak)
	}
	if goal > 0 {
		fmt.Fprintf(w, " of %.0f", goal)
	}
	if each > 0 {
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 / float64(each) }
		fmt.Fprintf(w, "   %.2f ms, %.2f ms CPU a sample", ms(wall), ms(cpu))
	}
	fmt.Fprintln(w)
	if goal > 0 && peak > goal {
		return fmt.Errorf("%s: %.1f MB are more than %.0f", label, peak, goal)
	}
	return nil
}
