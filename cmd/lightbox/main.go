// Command lightbox evaluates vision models that a local Ollama serves on
// radiology questions. Nothing leaves the machine.
package main

import (
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	// A reader of the progress that goes away must not end a run; writing the
	// report to a closed pipe is an error as any other.
	signal.Ignore(syscall.SIGPIPE)
	// net/http logs what a server sends unasked, which can be a model's words.
	log.SetOutput(io.Discard)
	// The machine's memory is the model's. What collecting twice as often costs is
	// little beside one answer.
	debug.SetGCPercent(40)
	os.Exit(execute(os.Args, terminal{out: os.Stdout, err: os.Stderr}))
}
