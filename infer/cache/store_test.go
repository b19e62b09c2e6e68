package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer"
)

func TestStore(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "replies"))
	k := Key{"model", "0.17.4", "sha256:1"}
	if _, ok := s.Get(k); ok {
		t.Error("an empty store has a reply")
	}
	want := infer.Response{Text: "肺", Done: true, DoneReason: "stop", PromptTokens: 7, OutputTokens: 2}
	if err := s.Put(k, want); err != nil {
		t.Fatal(err)
	}
	got, ok := s.Get(k)
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Error(diff)
	}
	for _, other := range []Key{{"other", "0.17.4", "sha256:1"}, {"model", "0.18", "sha256:1"}, {"model", "0.17.4", "sha256:2"}} {
		if _, ok := s.Get(other); ok {
			t.Errorf("%+v has the reply of %+v", other, k)
		}
	}
	if info, err := os.Stat(filepath.Join(s.Dir(), k.name())); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(s.Dir()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if n, bytes, err := s.Size(); n != 1 || bytes < 50 || err != nil {
		t.Errorf("%d replies, %d bytes, %v", n, bytes, err)
	}
}

func TestDamagedEntriesAreAsNone(t *testing.T) {
	s := Open(t.TempDir())
	k := Key{"model", "0.17.4", "sha256:1"}
	if err := s.Put(k, infer.Response{Text: "yes", Done: true}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Dir(), k.name())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		bad := append([]byte(nil), whole...)
		bad[i] ^= 1
		if r, ok := parse(bad, k); ok && r.Text != "yes" {
			t.Errorf("with byte %d changed: %+v", i, r)
		}
		if _, ok := parse(whole[:i], k); ok {
			t.Errorf("cut at %d it is taken", i)
		}
	}
}

func TestDamagedEntriesAreRemoved(t *testing.T) {
	k := Key{"model", "0.17.4", "sha256:1"}
	for name, damage := range map[string]func(path string) error{
		"cut":       func(path string) error { return os.Truncate(path, 20) },
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"too large": func(path string) error { return os.Truncate(path, maxEntry+1) },
		"another's": func(path string) error { return os.WriteFile(path, []byte(`{"key":{"Model":"other"}}`), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			s := Open(t.TempDir())
			if err := s.Put(k, infer.Response{Text: "yes", Done: true}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(s.Dir(), k.name())
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			if r, ok := s.Get(k); ok {
				t.Errorf("it is taken: %+v", r)
			}
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it is still there: %v", err)
			}
		})
	}
}

func TestTrimRemovesTheOldest(t *testing.T) {
	s := Open(t.TempDir())
	var size int64
	for i := range 5 {
		k := Key{"model", "0.17.4", infer.Digest(fmt.Sprint("sha256:", i))}
		if err := s.Put(k, infer.Response{Text: "yes"}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(s.Dir(), k.name())
		at := time.Date(2026, 1, 9-i, 0, 0, 0, 0, time.UTC) // the last is the oldest
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		size = info.Size()
	}
	mine := filepath.Join(s.Dir(), "large.json")
	if err := os.WriteFile(mine, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.trim(3*size + 1); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if _, ok := s.Get(Key{"model", "0.17.4", infer.Digest(fmt.Sprint("sha256:", i))}); ok != (i < 3) {
			t.Errorf("reply %d is there: %v", i, ok)
		}
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
	if err := Open(filepath.Join(s.Dir(), "nowhere")).Trim(); err != nil {
		t.Error(err)
	}
}

func TestClearLeavesOtherFiles(t *testing.T) {
	s := Open(t.TempDir())
	for _, prompt := range []infer.Digest{"sha256:1", "sha256:2"} {
		if err := s.Put(Key{"model", "0.17.4", prompt}, infer.Response{Text: "yes"}); err != nil {
			t.Fatal(err)
		}
	}
	mine := filepath.Join(s.Dir(), "notes.json")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Clear(); n != 2 || err != nil {
		t.Errorf("%d cleared, %v", n, err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
	if n, err := Open(filepath.Join(s.Dir(), "nowhere")).Clear(); n != 0 || err != nil {
		t.Errorf("%d cleared, %v", n, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"key":{"Model":"m","Server":"s","Prompt":"p"},"response":{"Text":"x"},"sum":""}`))
	f.Fuzz(func(t *testing.T, data []byte) { parse(data, Key{"m", "s", "p"}) })
}
