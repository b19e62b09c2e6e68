package source

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFolder(t *testing.T) {
	top := t.TempDir()
	data := filepath.Join(top, "data")
	write := func(name string, size int64) {
		t.Helper()
		path := filepath.Join(top, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(filepath.Base(name)), 0o600)
		}
		if err == nil && size > 0 {
			err = os.Truncate(path, size) // a hole: takes no room
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("data/images/Jane Doe.png", 0)
	write("data/images/50%20.png", 0)
	write("data/large.png", maxPicture+1)
	write("secret.png", 0)
	for link, target := range map[string]string{
		"inside.png": "images/Jane Doe.png", "outside.png": "../secret.png",
		"absolute.png": filepath.Join(top, "secret.png"), "up": "..", "loop.png": "loop.png",
	} {
		if err := os.Symlink(target, filepath.Join(data, link)); err != nil {
			t.Skipf("this system makes no symbolic links: %v", err)
		}
	}
	folder, err := OpenFolder(data)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()

	tests := []struct{ name, want, problem string }{
		{name: "images/Jane Doe.png", want: "Jane Doe.png"},
		{name: "./images//Jane Doe.png", want: "Jane Doe.png"},
		{name: "images/50%20.png", want: "50%20.png"},
		{name: "inside.png", want: "Jane Doe.png"},
		{name: "images/John Doe.png", problem: "missing"},
		{name: "images/50 .png", problem: "missing"},
		{name: "images/Jane Doe.png/x", problem: "?"},
		{name: "images", problem: "not a file"},
		{name: "large.png", problem: "larger than 256 MiB"},
		{name: "outside.png", problem: "outside the data folder"},
		{name: "absolute.png", problem: "outside the data folder"},
		{name: "up/secret.png", problem: "outside the data folder"},
		{name: "loop.png", problem: "?"},
		{name: "../secret.png", problem: "not a path below the data folder"},
		{name: "images/../../secret.png", problem: "not a path below the data folder"},
		{name: filepath.ToSlash(filepath.Join(top, "secret.png")), problem: "?"},
		{name: `images\Jane Doe.png`, problem: "not a path below the data folder"},
		{name: "https://example.org/a.png", problem: "not a path below the data folder"},
		{name: "", problem: "not a path below the data folder"},
		{name: ".", problem: "not a path below the data folder"},
		{name: "a\x00b", problem: "not a path below the data folder"},
		{name: "\xff.png", problem: "not a path below the data folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := folder.Open(tt.name)
			if tt.problem == "" {
				if err != nil || string(got) != tt.want {
					t.Errorf("got %q, error %v, want %q", got, err, tt.want)
				}
				return
			}
			var pe *PictureError
			if !errors.As(err, &pe) {
				t.Fatalf("got %q, error %v, want a PictureError", got, err)
			}
			if tt.problem != "?" && pe.Problem != tt.problem {
				t.Errorf("problem %q, want %q (%v)", pe.Problem, tt.problem, pe.Err)
			}
			if pe.Name != tt.name || !strings.HasPrefix(err.Error(), "opening picture ") {
				t.Errorf("error %v does not name %q", err, tt.name)
			}
			if strings.Contains(pe.Detail(), "Doe") || strings.Contains(pe.Detail(), "secret") {
				t.Errorf("detail %q names the file", pe.Detail())
			}
		})
	}
}

func TestFolderDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	makePipe(t, filepath.Join(dir, "pipe.png"))
	folder, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	var pe *PictureError
	if _, err := folder.Open("pipe.png"); !errors.As(err, &pe) || pe.Problem != "not a file" {
		t.Errorf("error %v", err)
	}
}

func TestFolderWithoutRights(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user can read every file")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.png"), nil, 0o000); err != nil {
		t.Fatal(err)
	}
	folder, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	var pe *PictureError
	if _, err := folder.Open("a.png"); !errors.As(err, &pe) || pe.Problem != "not readable by this user" {
		t.Errorf("error %v", err)
	}
}

func TestFolderInMemory(t *testing.T) {
	folder := NewFolder(fstest.MapFS{"images/a.png": {Data: []byte("a")}})
	defer folder.Close()
	if got, err := folder.Open("images/a.png"); err != nil || string(got) != "a" {
		t.Errorf("got %q, error %v", got, err)
	}
	var pe *PictureError
	if _, err := folder.Open("images/b.png"); !errors.As(err, &pe) || pe.Problem != "missing" {
		t.Errorf("error %v", err)
	}
}

func TestFolderMissing(t *testing.T) {
	if _, err := OpenFolder(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestFolderClosed(t *testing.T) {
	folder, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
	var pe *PictureError
	if _, err := folder.Open("a.png"); !errors.As(err, &pe) || pe.Problem != "data folder closed" {
		t.Errorf("error %v", err)
	}
}
