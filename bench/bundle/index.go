package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// formatVersion is the version of the format that this package writes and reads.
const formatVersion = 1

// Index says what a bundle holds. It is the JSON of a bundle's first entry.
type Index struct {
	Format int     `json:"lightbox_bundle"`   // version of the format
	MadeBy string  `json:"made_by,omitempty"` // version of lightbox
	Models []Model `json:"models,omitempty"`
	Files  []File  `json:"files"` // in the order of a bundle's entries
}

// Model is a model of a bundle.
type Model struct {
	Name   string `json:"name"`   // as ollama list shows it
	Digest string `json:"digest"` // of its manifest, 64 hexadecimal digits
	Size   int64  `json:"size"`   // bytes of its layers
}

// File is a file of a bundle.
type File struct {
	Path   string `json:"path"` // with slashes, below models, cards, bin or data
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// Size is the number of bytes of all files.
func (x *Index) Size() int64 {
	var n int64
	for _, f := range x.Files {
		n += f.Size
	}
	return n
}

// Limits of what is read into memory, and of what an index can claim.
const (
	maxIndex    = 64 << 20 // bytes of bundle.json
	maxManifest = 4 << 20  // bytes of a model's manifest
	maxTotal    = 1 << 50  // bytes of all files
	maxModels   = 1000
)

var hexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// parseIndex reads and checks an index.
func parseIndex(b []byte) (*Index, error) {
	var x Index
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&x); err != nil {
		return nil, err
	}
	if x.Format != formatVersion {
		return nil, fmt.Errorf("it is of format %d, and this lightbox knows %d", x.Format, formatVersion)
	}
	if len(x.Models) > maxModels {
		return nil, fmt.Errorf("it lists %d models", len(x.Models))
	}
	seen := make(map[string]bool, len(x.Files))
	total := int64(0)
	for _, f := range x.Files {
		if err := x.checkFile(f); err != nil {
			return nil, fmt.Errorf("%q: %w", f.Path, err)
		}
		if seen[f.Path] {
			return nil, fmt.Errorf("%q: it is listed twice", f.Path)
		}
		seen[f.Path] = true
		if total += f.Size; total > maxTotal {
			return nil, errors.New("it claims more bytes than can be")
		}
	}
	return &x, x.checkModels(seen)
}

// checkModels demands one manifest for each model.
func (x *Index) checkModels(files map[string]bool) error {
	named := map[string]bool{}
	for _, m := range x.Models {
		n, err := parseName(m.Name)
		switch {
		case err != nil:
			return err
		case n.String() != m.Name || named[m.Name]:
			return fmt.Errorf("model %q is listed twice, or not by its whole name", m.Name)
		case !files[n.path()]:
			return fmt.Errorf("model %q has no manifest", m.Name)
		}
		named[m.Name] = true
	}
	return nil
}

func (x *Index) checkFile(f File) error {
	if err := checkPath(f.Path); err != nil {
		return err
	}
	if f.Size < 0 || f.Size > maxTotal || !hexDigest.MatchString(f.SHA256) {
		return errors.New("its size or digest is none")
	}
	if digest, ok := strings.CutPrefix(f.Path, blobsDir); ok && digest != "sha256-"+f.SHA256 {
		return errors.New("its name is not its digest")
	}
	if !strings.HasPrefix(f.Path, manifestsDir) {
		return nil
	}
	n, err := nameOf(f.Path)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(x.Models, func(m Model) bool { return m.Name == n.String() && m.Digest == f.SHA256 }) {
		return errors.New("it is the manifest of no model that is listed")
	}
	if f.Size > maxManifest {
		return fmt.Errorf("it is larger than %d bytes", maxManifest)
	}
	return nil
}

// sums is the text of SHA256SUMS, given the bytes of the index. Paths hold no
// backslash and no line end, so none needs escaping.
func (x *Index) sums(index []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s  %s\n", digestOf(index), indexName)
	for _, f := range x.Files {
		fmt.Fprintf(&b, "%s  %s\n", f.SHA256, f.Path)
	}
	return b.Bytes()
}
