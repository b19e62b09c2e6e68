package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// store is a model directory as Ollama keeps it.
type store string

// MissingModel is a model that a model directory does not hold.
type MissingModel struct {
	Name string   // as asked for
	Dir  string   // the model directory
	Have []string // what it holds instead
}

// Error names the model and what there is.
func (e *MissingModel) Error() string {
	if len(e.Have) == 0 {
		return fmt.Sprintf("model %q: there are no models in %q", e.Name, e.Dir)
	}
	return fmt.Sprintf("model %q is not in %q; there are %s", e.Name, e.Dir, strings.Join(e.Have, ", "))
}

// stored is a model in a store.
type stored struct {
	name     name
	raw      []byte // the manifest's file
	manifest manifest
}

// open reads the manifest and configuration of a model.
func (s store) open(asked string) (stored, error) {
	n, err := parseName(asked)
	if err != nil {
		return stored{}, err
	}
	n, ok := s.find(n)
	if !ok {
		return stored{}, &MissingModel{asked, string(s), s.names()}
	}
	m := stored{name: n}
	if m.raw, err = readLimited(s.manifestPath(n), maxManifest); err == nil {
		m.manifest, err = parseManifest(m.raw)
	}
	if err == nil {
		err = s.checkLayers(m.manifest)
	}
	if err != nil {
		return stored{}, fmt.Errorf("reading model %q: %w", asked, err)
	}
	return m, nil
}

// checkLayers refuses models whose files are elsewhere or not of the size that
// the manifest says.
func (s store) checkLayers(m manifest) error {
	if m.Config.Digest != "" {
		b, err := readLimited(s.blobPath(m.Config), maxManifest)
		if err != nil {
			return err
		}
		var c config
		if err := json.Unmarshal(b, &c); err != nil {
			return fmt.Errorf("its configuration: %w", err)
		}
		if c.RemoteHost != "" || c.RemoteModel != "" {
			return ErrElsewhere
		}
	}
	for _, l := range m.all() {
		info, err := os.Stat(s.blobPath(l))
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || info.Size() != l.Size {
			return &Changed{s.blobPath(l)}
		}
	}
	return nil
}

// find is the name of a model as the store spells it: letter case does not
// count, but the very name comes first.
func (s store) find(n name) (name, bool) {
	dir := filepath.Join(string(s), "manifests")
	parts := n.parts()
	for i, part := range parts {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return n, false
		}
		var found string
		for _, e := range entries {
			if e.Name() == part || found == "" && strings.EqualFold(e.Name(), part) {
				found = e.Name()
			}
		}
		if found == "" {
			return n, false
		}
		parts[i], dir = found, filepath.Join(dir, found)
	}
	return name{parts[0], parts[1], parts[2], parts[3]}, true
}

// names lists the models of the store.
func (s store) names() []string {
	var names []string
	matches, _ := filepath.Glob(filepath.Join(string(s), "manifests", "*", "*", "*", "*")) // a pattern that is right
	for _, path := range matches {
		p := strings.Split(filepath.ToSlash(path), "/")
		p = p[len(p)-4:]
		if n := (name{p[0], p[1], p[2], p[3]}); n.valid() {
			names = append(names, n.String())
		}
	}
	slices.Sort(names)
	return names
}

// Has tells whether a model directory holds a model of that name.
func Has(dir, model string) bool {
	n, err := parseName(model)
	if err != nil {
		return false
	}
	_, ok := store(dir).find(n)
	return ok
}

func (s store) manifestPath(n name) string {
	return filepath.Join(append([]string{string(s), "manifests"}, n.parts()...)...)
}

func (s store) blobPath(l layer) string {
	return filepath.Join(string(s), "blobs", "sha256-"+l.hex())
}

var errLarge = errors.New("it is larger than it can be")

// readLimited reads a plain file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: errLarge}
	}
	return b, err
}
