package bundle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Contents is what to pack.
type Contents struct {
	Models   []string // names, as ollama list shows them
	ModelDir string   // the model directory that holds them

	Data    []string // files, or directories with all that is below them
	Cards   []string // files
	Program string   // the lightbox binary; empty: none
	MadeBy  string   // version of lightbox
}

// Watch is told how many bytes of how many are done. It is called from one
// goroutine at a time; nil is told nothing.
type Watch func(done, total int64)

// Kit is a bundle that is ready to be packed.
type Kit struct {
	Index Index
	from  []source // of the index's files
}

// source is where the bytes of a file come from.
type source struct {
	path    string
	content []byte // where path is empty
}

// Prepare finds the files of c and computes their digests; those of blobs are
// their names, and are checked when they are packed. Links to files are followed;
// a link to a directory, or what is neither file nor directory, is an error.
func Prepare(ctx context.Context, c Contents, watch Watch) (*Kit, error) {
	k := &Kit{Index: Index{Format: formatVersion, MadeBy: c.MadeBy, Files: []File{}}}
	if err := k.addModels(c); err != nil {
		return nil, err
	}
	for _, card := range c.Cards {
		if err := k.addFile(cardsDir+filepath.Base(card), card); err != nil {
			return nil, err
		}
	}
	if c.Program != "" {
		if err := k.addFile(programDir+"lightbox"+programSuffix(c.Program), c.Program); err != nil {
			return nil, err
		}
	}
	for _, root := range c.Data {
		if err := k.addData(root); err != nil {
			return nil, err
		}
	}
	if err := k.checkUnique(); err != nil {
		return nil, err
	}
	return k, k.digest(ctx, watch)
}

func programSuffix(program string) string {
	if strings.EqualFold(filepath.Ext(program), ".exe") {
		return ".exe"
	}
	return ""
}

// addModels lists manifests, then blobs by rising size.
func (k *Kit) addModels(c Contents) error {
	blobs := map[string]layer{}
	dir := store(c.ModelDir)
	for _, asked := range c.Models {
		m, err := dir.open(asked)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(k.Index.Models, func(have Model) bool { return have.Name == m.name.String() }) {
			continue
		}
		digest := digestOf(m.raw)
		k.Index.Models = append(k.Index.Models, Model{m.name.String(), digest, m.manifest.size()})
		k.add(File{m.name.path(), int64(len(m.raw)), digest}, source{content: m.raw})
		for _, l := range m.manifest.all() {
			blobs[l.path()] = l
		}
	}
	sorted := slices.SortedFunc(maps.Values(blobs), func(a, b layer) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Digest, b.Digest))
	})
	for _, l := range sorted {
		k.add(File{l.path(), l.Size, l.hex()}, source{path: dir.blobPath(l)})
	}
	return nil
}

func (k *Kit) add(f File, from source) {
	k.Index.Files, k.from = append(k.Index.Files, f), append(k.from, from)
}

// addFile lists one file of the user's.
func (k *Kit) addFile(to, from string) error {
	err := checkPath(to)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(from)
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("it is no plain file (%v)", info.Mode().Type())
	}
	if err != nil {
		return fmt.Errorf("packing %q: %w", from, err)
	}
	k.add(File{Path: to, Size: info.Size()}, source{path: from})
	return nil
}

// addData lists a file or all files below a directory, by the alphabet.
func (k *Kit) addData(root string) error {
	whole, err := filepath.Abs(root) // "." has a name of its own
	if err == nil {
		root, err = filepath.EvalSymlinks(whole)
	}
	if err != nil {
		return fmt.Errorf("packing %q: %w", root, err)
	}
	base := dataDir + filepath.Base(whole)
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("packing %q: %w", root, err)
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return fmt.Errorf("packing %q: %w", root, err)
		}
		return k.addFile(path.Join(base, filepath.ToSlash(rel)), p)
	})
}

// checkUnique refuses two files for one place.
func (k *Kit) checkUnique() error {
	seen := map[string]int{}
	for i, f := range k.Index.Files {
		if before, ok := seen[f.Path]; ok {
			return fmt.Errorf("packing %q: %q has the same name, and both would be %q", k.from[i].path, k.from[before].path, f.Path)
		}
		seen[f.Path] = i
	}
	return nil
}

// digest computes the digests that are not known yet.
func (k *Kit) digest(ctx context.Context, watch Watch) error {
	progress := &counter{ctx: ctx, watch: watch}
	for _, f := range k.Index.Files {
		if f.SHA256 == "" {
			progress.total += f.Size
		}
	}
	for i := range k.Index.Files {
		f := &k.Index.Files[i]
		if f.SHA256 != "" {
			continue
		}
		var err error
		if f.Size, f.SHA256, err = copyFrom(progress, k.from[i].path); err != nil {
			return fmt.Errorf("packing %q: %w", k.from[i].path, err)
		}
	}
	return nil
}

// copyFrom copies a file, and gives its size and digest. A part is hashed while it
// is written and the next one is read.
func copyFrom(w io.Writer, path string) (n int64, digest string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	var hashing sync.WaitGroup
	size := min(copySize, info.Size()+1) // most files are small
	parts := [2][]byte{make([]byte, size), make([]byte, size)}
	for i := 0; ; i++ {
		part := parts[i%2]
		k, err := io.ReadFull(f, part)
		hashing.Wait() // the other part is free again
		if k > 0 {
			hashing.Go(func() { h.Write(part[:k]) })
			n += int64(k)
			if _, err := w.Write(part[:k]); err != nil {
				hashing.Wait()
				return n, "", err
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			hashing.Wait()
			return n, hex.EncodeToString(h.Sum(nil)), nil
		}
		if err != nil {
			hashing.Wait()
			return n, "", err
		}
	}
}

const copySize = 256 << 10 // bytes read at a time
