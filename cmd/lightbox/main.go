// Command lightbox evaluates vision models that a local Ollama serves on
// radiology questions. Nothing leaves the machine.
package main

import "os"

func main() {
	os.Exit(execute(os.Args, terminal{out: os.Stdout, err: os.Stderr}))
}
