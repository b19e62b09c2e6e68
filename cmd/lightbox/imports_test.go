package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed are the packages of this module that each package may import. Imports
// go downwards; siblings meet in bench. A new package needs a line here.
var allowed = map[string][]string{
	"cmd/lightbox":  {"*"},
	"bench":         {"bench/*", "preprocess", "infer", "infer/cache", "infer/ollama", "models", "models/*", "score", "score/*"},
	"bench/card":    {"infer/template"},
	"bench/source":  {"bench/card", "bench/source/parquet", "bench/source/sheet", "infer", "infer/template"},
	"bench/phantom": {"bench/card"},
	"bench/icl":     {"bench/card", "score"},
	"bench/answers": {"bench/card", "bench/source", "bench/source/sheet", "infer", "score"},
	"bench/smmile":  {"bench/card", "score"},
	"bench/slake":   {"bench/card"},

	"bench/scienceqa": {"bench/card"},
	"bench/doctor":    {"infer", "infer/ollama", "models", "models/listener"},
	"models/listener": {},
	"bench/bundle":    {"infer", "infer/ollama", "models"},

	"bench/source/parquet":             {},
	"bench/source/sheet":               {},
	"bench/source/parquet/parquettest": {},

	"preprocess/dicom":           {},
	"preprocess/dicom/dicomtest": {},

	"bench/record":      {"infer", "score"},
	"preprocess":        {"preprocess/codec", "preprocess/dicom"},
	"preprocess/codec":  {},
	"infer":             {},
	"infer/template":    {},
	"infer/cache":       {"infer"},
	"infer/ollama":      {"infer", "models"},
	"infer/ollama/fake": {"infer", "models"},
	"models":            {},
	"models/phantom":    {},
	"models/server":     {},
	"score":             {},
	"score/stats":       {},
	"score/report":      {"score", "score/stats"},
	"score/analysis":    {"score", "score/stats", "score/report"},
}

// reserved are the packages from outside that only some may import.
var reserved = map[string][]string{
	"net/http":                          {"infer/ollama", "infer/ollama/fake"},
	"net/http/httptest":                 {"infer/ollama/fake"},
	"github.com/ollama/ollama/api":      {"infer/ollama", "infer/ollama/fake"},
	"github.com/urfave/cli/v2":          {"cmd/lightbox"},
	"flag":                              {},
	"log":                               {"cmd/lightbox"}, // to silence it
	"net":                               {"infer/ollama", "infer/ollama/fake", "models/server"},
	"net/rpc":                           {},
	"net/smtp":                          {},
	"crypto/tls":                        {},
	"plugin":                            {},
	"os/exec":                           {"cmd/lightbox", "models/server"},
	"os/signal":                         {"cmd/lightbox"},
	"golang.org/x/term":                 {"cmd/lightbox"},
	"github.com/disintegration/imaging": {"preprocess"},
}

// onlyCommands are names that only commands may use.
var onlyCommands = []string{"os.Getenv", "os.LookupEnv", "os.Environ", "os.Exit", "os.Stdout", "os.Stderr", "os.Stdin", "os.Args", "fmt.Print", "fmt.Println", "fmt.Printf"}

// nobodys are names that nobody may use: ways to the network around the sealed
// transport, and lookups of names.
var nobodys = []string{
	"net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUDP", "net.ListenUDP", "net.ListenPacket", "net.Resolver", "net.DefaultResolver",
	"net.LookupHost", "net.LookupIP", "net.LookupAddr", "net.ResolveTCPAddr", "net.ResolveIPAddr",
	"http.Get", "http.Post", "http.Head", "http.DefaultClient", "http.DefaultTransport", "http.ProxyFromEnvironment", "http.ListenAndServe",
	"api.ClientFromEnvironment",
	"syscall.Socket", "syscall.Connect", "syscall.Sendto", "unix.Socket", "unix.Connect", "unix.Sendto", "windows.Socket", "windows.Connect",
}

func TestImportsGoDownwards(t *testing.T) {
	seen := 0
	for path, file := range sources(t) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		rules, known := allowed[pkg]
		if !known {
			t.Errorf("%s: package %q has no line in the table of allowed imports", path, pkg)
			continue
		}
		seen++
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if own, ok := strings.CutPrefix(name, "lightbox/"); ok && !slices.ContainsFunc(rules, func(r string) bool { return matches(r, own) }) {
				t.Errorf("%s imports %s, which %s may not", path, name, pkg)
			}
			if who, ok := reserved[name]; ok && !slices.Contains(who, pkg) {
				t.Errorf("%s imports %q, which only %v may", path, name, who)
			}
		}
		checkNames(t, path, file, nobodys, "nobody")
		if pkg != "cmd/lightbox" {
			checkNames(t, path, file, onlyCommands, "only commands")
		}
	}
	if seen < 30 {
		t.Errorf("only %d files were looked at", seen)
	}
}

func matches(rule, pkg string) bool {
	prefix, all := strings.CutSuffix(rule, "*")
	return rule == pkg || all && strings.HasPrefix(pkg, prefix)
}

// checkNames finds uses of names that only who may use.
func checkNames(t *testing.T, path string, file *ast.File, names []string, who string) {
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && slices.Contains(names, x.Name+"."+s.Sel.Name) {
			t.Errorf("%s uses %s.%s, which %s may", path, x.Name, s.Sel.Name, who)
		}
		return true
	})
}

// sources are the module's files that are no tests, by their path in it.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	root := os.DirFS("../..")
	files := map[string]*ast.File{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		files[path], err = parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
