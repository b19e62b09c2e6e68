package server

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put makes an executable file.
func put(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindOrder(t *testing.T) {
	if _, err := (Finder{}).Find(); err == nil {
		t.Skip("an Ollama is installed here, which stands before the cache")
	}
	dir, name := t.TempDir(), binaryName(runtime.GOOS)
	f := Finder{
		Path:  []string{"", ".", filepath.Join(dir, "none"), filepath.Join(dir, "bin")},
		Cache: filepath.Join(dir, "cache"),
	}
	cached := filepath.Join(dir, "cache", "lightbox", "ollama")

	// Each file is found before those that were put before it.
	for _, path := range []string{
		filepath.Join(cached, "0.9.6", name),
		filepath.Join(cached, "0.17.4", name),
		filepath.Join(dir, "bin", name),
	} {
		put(t, path)
		got, err := f.Find()
		if err != nil || got != path {
			t.Errorf("found %q, %v; want %q", got, err, path)
		}
	}
	f.Explicit = put(t, filepath.Join(dir, "my-ollama"))
	if got, err := f.Find(); err != nil || got != f.Explicit {
		t.Errorf("found %q, %v; want the explicit %q", got, err, f.Explicit)
	}
}

func TestFindNothing(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name     string
		explicit string
	}{
		{"missing", filepath.Join(dir, "none")},
		{"a directory", dir},
		{"not executable", plain},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.explicit == plain {
				t.Skip("there every file is executable")
			}
			// An explicit path is the only place to look at.
			f := Finder{Explicit: tt.explicit, Path: []string{filepath.Dir(put(t, filepath.Join(dir, "bin", binaryName(runtime.GOOS))))}}
			path, err := f.Find()
			if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), filepath.Base(tt.explicit)) {
				t.Errorf("found %q, error %v; want ErrNotFound with the path", path, err)
			}
		})
	}
}

func TestFindSaysWhereItLooked(t *testing.T) {
	dir := t.TempDir()
	f := Finder{Path: []string{dir}, Home: dir, Cache: dir}
	_, err := f.Find()
	if err == nil {
		t.Skip("an Ollama is installed here")
	}
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("error %v, want ErrNotFound", err)
	}
	for _, place := range f.places(runtime.GOOS) {
		if !strings.Contains(err.Error(), place) {
			t.Errorf("error %q lacks %q", err, place)
		}
	}
}

func TestPlaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the wanted paths are written with slashes")
	}
	f := Finder{Path: []string{"/usr/bin", "relative"}, Home: "/h", Cache: "/c"}
	tests := []struct {
		goos string
		want []string
	}{
		{"linux", []string{
			"/usr/bin/ollama", "/usr/local/bin/ollama", "/opt/ollama/bin/ollama", "/h/.local/bin/ollama",
			"/h/.nix-profile/bin/ollama", "/run/current-system/sw/bin/ollama", "/c/lightbox/ollama/VERSION/ollama",
		}},
		{"darwin", []string{
			"/usr/bin/ollama", "/Applications/Ollama.app/Contents/Resources/ollama",
			"/h/Applications/Ollama.app/Contents/Resources/ollama", "/usr/local/bin/ollama", "/opt/homebrew/bin/ollama",
			"/c/lightbox/ollama/VERSION/ollama",
		}},
		{"windows", []string{
			"/usr/bin/ollama.exe", "/c/Programs/Ollama/ollama.exe", "/c/lightbox/ollama/VERSION/ollama.exe",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.goos, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, f.places(tt.goos)); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlacesWithoutHome(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, place := range (Finder{}).places(goos) {
			if !strings.HasPrefix(place, "/") && !strings.HasPrefix(place, `\`) {
				t.Errorf("%s: %q depends on the working directory", goos, place)
			}
		}
	}
}

func TestCompareVersions(t *testing.T) {
	want := []string{"junk", "0.9.6", "0.17.4-rc1", "0.17.4", "0.17.10", "0.33", "0.33.1", "1.0.0"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareVersions)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
