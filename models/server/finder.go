package server

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// ErrNotFound is what [Finder.Find] returns, wrapped with the places it looked
// at, where there is no Ollama.
var ErrNotFound = errors.New("no ollama found")

// Finder knows where an Ollama can be. The caller fills it, because only a
// command may read its environment.
type Finder struct {
	Explicit string   // the only place to look at where it is not empty
	Path     []string // the directories of PATH; relative ones are passed over
	Home     string   // the user's home directory
	Cache    string   // the user's cache directory, as os.UserCacheDir gives it
}

// Find is the absolute path of the ollama binary: the explicit one, else the
// first of PATH, the installers' places, and the newest in the cache.
func (f Finder) Find() (string, error) {
	if f.Explicit != "" {
		path, err := filepath.Abs(f.Explicit)
		if err != nil {
			return "", fmt.Errorf("finding ollama at %q: %w", f.Explicit, err)
		}
		if !executable(path) {
			return "", fmt.Errorf("%w: %q is not an executable file", ErrNotFound, f.Explicit)
		}
		return path, nil
	}
	places := f.places(runtime.GOOS)
	for _, path := range places {
		if executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w; looked at %s", ErrNotFound, strings.Join(places, ", "))
}

// places are the paths to try on a system, in order.
func (f Finder) places(goos string) []string {
	name := binaryName(goos)
	var places []string
	for _, dir := range f.Path {
		if filepath.IsAbs(dir) {
			places = append(places, filepath.Join(dir, name))
		}
	}
	places = append(places, f.installed(goos)...)
	for _, dir := range f.built() {
		places = append(places, filepath.Join(dir, name))
	}
	return unique(places)
}

// installed are the places that Ollama's installers and common package managers
// put it at.
func (f Finder) installed(goos string) []string {
	switch goos {
	case "windows":
		// The installer's directory is %LOCALAPPDATA%\Programs\Ollama, and
		// %LOCALAPPDATA% is the cache directory there.
		return under(f.Cache, "Programs", "Ollama", "ollama.exe")
	case "darwin":
		return slices.Concat(
			[]string{"/Applications/Ollama.app/Contents/Resources/ollama"},
			under(f.Home, "Applications", "Ollama.app", "Contents", "Resources", "ollama"),
			[]string{"/usr/local/bin/ollama", "/opt/homebrew/bin/ollama"},
		)
	default:
		return slices.Concat(
			[]string{"/usr/local/bin/ollama", "/usr/bin/ollama", "/opt/ollama/bin/ollama"},
			under(f.Home, ".local", "bin", "ollama"),
			under(f.Home, ".nix-profile", "bin", "ollama"),
			[]string{"/run/current-system/sw/bin/ollama"},
		)
	}
}

// built are the directories of the servers built into the cache, newest first,
// or one that says where such a server would be.
func (f Finder) built() []string {
	if f.Cache == "" {
		return nil
	}
	root := filepath.Join(f.Cache, "lightbox", "ollama")
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) == 0 {
		return []string{filepath.Join(root, "VERSION")}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return compareVersions(b.Name(), a.Name()) })
	dirs := make([]string, len(entries))
	for i, e := range entries {
		dirs[i] = filepath.Join(root, e.Name())
	}
	return dirs
}

// compareVersions compares dotted versions by number: 0.9.1 is older than
// 0.17.4. A part that is no number (4-rc1) counts below every number.
func compareVersions(a, b string) int {
	parts := func(s string) []int {
		var numbers []int
		for p := range strings.SplitSeq(s, ".") {
			n, err := strconv.Atoi(p)
			if err != nil {
				n = -1
			}
			numbers = append(numbers, n)
		}
		return numbers
	}
	return cmp.Or(slices.Compare(parts(a), parts(b)), strings.Compare(a, b))
}

// under joins parts to a base, or is empty where the base is not known.
func under(base string, parts ...string) []string {
	if base == "" {
		return nil
	}
	return []string{filepath.Join(append([]string{base}, parts...)...)}
}

func unique(paths []string) []string {
	var kept []string
	for _, p := range paths {
		if !slices.Contains(kept, p) {
			kept = append(kept, p)
		}
	}
	return kept
}

func binaryName(goos string) string {
	if goos == "windows" {
		return "ollama.exe"
	}
	return "ollama"
}

// executable tells whether a path is a file that the system would run.
func executable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}
