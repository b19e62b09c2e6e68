package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lightbox/bench/card"
)

// The rules of output, kept here because every command obeys them:
//
//   - stdout carries results and nothing else
//   - stderr carries progress, warnings, "lightbox: error:" and "lightbox: hint:"
//   - a message is one sentence in lower case without a full stop
//   - a hint names the next command or step
//   - no colours; a terminal gets a progress line that overwrites itself

// terminal is where a command writes.
type terminal struct{ out, err io.Writer }

// execute runs a command line and gives its exit code.
func execute(args []string, t terminal) int {
	app := newApp(t)
	args, err := reorder(app, args)
	if err != nil {
		return t.report(err)
	}
	return t.report(app.Run(args))
}

const appHelp = `lightbox - evaluate a local vision model on radiology questions, with nothing leaving the machine

USAGE:
   lightbox COMMAND [OPTIONS] [ARGUMENTS]

COMMANDS:
{{range .VisibleCommands}}   {{printf "%-12s" .Name}}{{.Usage}}
{{end}}
Each command explains itself: lightbox COMMAND --help

` + exitStatus

const commandHelp = `lightbox {{.Name}} - {{.Usage}}

USAGE:
   lightbox {{.Name}} {{.ArgsUsage}}
{{if .Description}}
{{.Description}}
{{end}}{{options .}}
` + exitStatus

func newApp(t terminal) *cli.App {
	app := &cli.App{
		Name:                  "lightbox",
		Usage:                 "evaluate a local vision model on radiology questions",
		Writer:                t.out,
		ErrWriter:             t.err,
		HideVersion:           true,
		HideHelpCommand:       true,
		CustomAppHelpTemplate: appHelp,
		ExitErrHandler:        func(*cli.Context, error) {},
		OnUsageError:          onUsageError,
		Commands:              []*cli.Command{demoCommand(t), runCommand(t), planCommand(t), previewCommand(t), imageCommand(t), reportCommand(t), scoreCommand(t), benchmarksCommand(t), bundleCommand(t), doctorCommand(t), cacheCommand(t), versionCommand(t)},
	}
	app.Action = func(c *cli.Context) error {
		if c.Args().Present() {
			return unknownCommand(app, c.Args().First())
		}
		cli.HelpPrinter(t.err, appHelp, app)
		return usage("lightbox demo shows all of it on a model of its own", "a command is missing")
	}
	for _, c := range app.Commands {
		c.OnUsageError = onUsageError
		c.CustomHelpTemplate = commandHelp
		c.HideHelpCommand = true
	}
	cli.HelpPrinter = printHelp
	return app
}

// onUsageError replaces the library's own, which prints help to stdout.
func onUsageError(c *cli.Context, err error, _ bool) error {
	hint := "lightbox --help lists the commands"
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != "lightbox" {
		hint = fmt.Sprintf("lightbox %s --help lists its options", c.Command.Name)
	}
	return usage(hint, "%s", strings.ReplaceAll(err.Error(), "flag -", "option --"))
}

func unknownCommand(app *cli.App, name string) error {
	names := make([]string, len(app.Commands))
	for i, c := range app.Commands {
		names[i] = c.Name
	}
	hint := "lightbox --help lists the commands"
	if near := card.Nearest(name, names); near != "" {
		hint = "did you mean: lightbox " + near
	}
	return usage(hint, "unknown command %q", name)
}

// reorder puts a command's options before its arguments, because the library
// ignores options behind an argument in silence. An unknown option is an error
// that names the nearest.
func reorder(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	switch args[1] {
	case "help":
		return append(append(args[:1:1], args[2:]...), "--help"), nil
	case "--version", "-v":
		return []string{args[0], "version"}, nil
	}
	command := app.Command(args[1])
	if command == nil {
		return args, nil
	}
	if slices.Contains(args[2:], "--help") { // whatever else is there
		return append(slices.Clone(args[:2]), "--help"), nil
	}
	out := slices.Clone(args[:2])
	var arguments []string
	rest := args[2:]
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			arguments = append(arguments, rest...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			arguments = append(arguments, arg)
			continue
		}
		out = append(out, arg)
		name, _, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		takesValue, err := lookUp(command, name)
		if err != nil {
			return nil, err
		}
		if takesValue && !joined && len(rest) > 0 {
			if strings.HasPrefix(rest[0], "--") {
				return nil, usage(fmt.Sprintf("lightbox %s --help lists its options", command.Name), "option --%s is given no value", name)
			}
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	return append(append(out, "--"), arguments...), nil
}

// lookUp finds an option of a command and tells whether it takes a value.
func lookUp(command *cli.Command, name string) (takesValue bool, err error) {
	if name == "help" || name == "h" {
		return false, nil
	}
	var names []string
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			_, boolean := f.(*cli.BoolFlag)
			return !boolean, nil
		}
		names = append(names, f.Names()[0])
	}
	hint := fmt.Sprintf("lightbox %s --help lists its options", command.Name)
	if near := card.Nearest(name, names); near != "" {
		hint = "did you mean: --" + near
	}
	return false, usage(hint, "unknown option --%s of lightbox %s", name, command.Name)
}
