package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func versionCommand(t terminal) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print what this program is", ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("lightbox version takes nothing", "unexpected argument %q", c.Args().First())
			}
			_, err := fmt.Fprintf(t.out, "lightbox %s, built with %s for %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// version is that of the module, or "dev" where the build does not know it.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" && b.Main.Version != "(devel)" {
		return b.Main.Version
	}
	return "dev"
}
