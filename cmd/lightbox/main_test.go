package main

import (
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the scripts print into their expectations")

// asLightbox makes the test binary act as the program.
const asLightbox = "LIGHTBOX_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asLightbox) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"lightbox": main})
}

// TestScript runs the promises of the command line, one a file.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds:                commands,
	})
}

// lightboxCommand runs this test binary as lightbox.
func lightboxCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asLightbox+"=1")
	return c
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
