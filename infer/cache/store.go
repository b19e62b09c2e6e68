// Package cache keeps replies of models on disk, so that a request at temperature
// 0 that was answered once need not be sent again. What it holds is not trusted:
// an entry that does not read back as it was written is as none.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lightbox/infer"
)

// Store is a directory of replies, mode 0700, with a file for each.
type Store struct{ dir string }

// maxEntry is the size of the largest file that is read, in bytes.
const maxEntry = 16 << 20

// Open gives the store in a directory, which need not be there yet.
func Open(dir string) *Store { return &Store{dir} }

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }

// Key names a request to a model: the digests of the model and of all that is
// sent, and the version of the server.
type Key struct {
	Model  string // digest
	Server string // version
	Prompt infer.Digest
}

// name is that of the key's file.
func (k Key) name() string {
	sum := sha256.Sum256([]byte(k.Model + "\x00" + k.Server + "\x00" + string(k.Prompt)))
	return hex.EncodeToString(sum[:]) + ending
}

// ending is that of all files.
const ending = ".json"

// entry is what a file holds.
type entry struct {
	Key      Key            `json:"key"`
	Response infer.Response `json:"response"`
	Sum      string         `json:"sum"` // of the response's JSON
}

// Get gives the reply to a request, if it is there and whole. What is damaged is
// removed.
func (s *Store) Get(k Key) (infer.Response, bool) {
	path := filepath.Join(s.dir, k.name())
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return infer.Response{}, false
	}
	var r infer.Response
	whole := false
	if info.Size() <= maxEntry {
		data, err := os.ReadFile(path)
		if err != nil {
			return infer.Response{}, false
		}
		r, whole = parse(data, k)
	}
	if !whole {
		os.Remove(path) // where it cannot be, it stays as none
		return infer.Response{}, false
	}
	return r, true
}

// parse reads an entry of a key.
func parse(data []byte, k Key) (infer.Response, bool) {
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Key != k {
		return infer.Response{}, false
	}
	sum, err := sumOf(e.Response)
	return e.Response, err == nil && sum == e.Sum
}

func sumOf(r infer.Response) (string, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Put keeps a reply.
func (s *Store) Put(k Key, r infer.Response) error {
	r.Timing = infer.Timing{} // varies, and nothing needs it
	sum, err := sumOf(r)
	if err != nil {
		return fmt.Errorf("keeping a reply: %w", err)
	}
	data, err := json.Marshal(entry{k, r, sum})
	if err == nil {
		err = os.MkdirAll(s.dir, 0o700)
	}
	if err == nil {
		err = os.Chmod(s.dir, 0o700) // where it was there already
	}
	if err != nil {
		return fmt.Errorf("keeping a reply: %w", err)
	}
	f, err := os.CreateTemp(s.dir, "new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keeping a reply: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, k.name()))
	}
	if err != nil {
		return fmt.Errorf("keeping a reply: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// Size is the number of replies and of bytes in the store.
func (s *Store) Size() (replies int, bytes int64, err error) {
	err = s.each(func(info fs.FileInfo) error {
		replies++
		bytes += info.Size()
		return nil
	})
	return replies, bytes, err
}

// Trim removes the replies that were kept first until the rest takes no more than
// MostBytes.
func (s *Store) Trim() error { return s.trim(MostBytes) }

// MostBytes is what [Store.Trim] leaves at most.
const MostBytes = 1 << 30

func (s *Store) trim(most int64) error {
	var all []fs.FileInfo
	var bytes int64
	err := s.each(func(info fs.FileInfo) error {
		all = append(all, info)
		bytes += info.Size()
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range all {
		if bytes <= most {
			break
		}
		if err := s.remove(info); err != nil {
			return err
		}
		bytes -= info.Size()
	}
	return nil
}

// remove removes one of the store's own files, which another process may have
// done before.
func (s *Store) remove(info fs.FileInfo) error {
	err := os.Remove(filepath.Join(s.dir, info.Name()))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing a reply: %w", err)
	}
	return nil
}

// Clear removes all replies, and nothing else that may be in the directory.
func (s *Store) Clear() (replies int, err error) {
	err = s.each(func(info fs.FileInfo) error {
		replies++
		return s.remove(info)
	})
	return replies, err
}

// each goes through the store's own files.
func (s *Store) each(do func(fs.FileInfo) error) error {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the cache: %w", err)
	}
	for _, d := range entries {
		own := strings.HasSuffix(d.Name(), ending) && len(d.Name()) == 2*sha256.Size+len(ending) || strings.HasPrefix(d.Name(), "new-")
		if !own || !d.Type().IsRegular() {
			continue
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) { // removed by another process meanwhile
			continue
		}
		if err == nil {
			err = do(info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
