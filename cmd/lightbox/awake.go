package main

import (
	"strconv"
)

// A machine that goes to sleep breaks off the request under way and stops the
// night's work. Each system has its own way to prevent that:
//
//   - Linux: systemd-inhibit holds its lock as long as the command that it runs.
//     That is cat, on a pipe whose other end is ours: it ends with us, however
//     we end.
//   - macOS: caffeinate -w holds its assertion as long as a process lives.
//   - Windows: a call that holds as long as the thread that made it.
//
// Where it cannot be had, a run goes on with a note.

// awakeCommand is the command that keeps a system awake while the process pid
// lives, or nothing where another way is taken.
func awakeCommand(system string, pid int) []string {
	switch system {
	case "linux":
		return []string{"systemd-inhibit", "--what=sleep:idle", "--who=lightbox", "--why=a model is being asked", "--mode=block", "cat"}
	case "darwin":
		return []string{"caffeinate", "-i", "-w", strconv.Itoa(pid)}
	}
	return nil
}

// awakeNote tells the user that the machine can fall asleep, and why.
func (t terminal) awakeNote(why error) {
	t.tell("note: the machine may fall asleep during the run:", why)
}
