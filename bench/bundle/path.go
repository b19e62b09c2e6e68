package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbox/models"
)

// Directories of a bundle, and its own files.
const (
	manifestsDir = "models/manifests/"
	blobsDir     = "models/blobs/"
	cardsDir     = "cards/"
	programDir   = "bin/"
	dataDir      = "data/"

	indexName = "bundle.json"
	sumsName  = "SHA256SUMS"
)

const maxPath = 1024 // bytes

// checkPath refuses paths that do not stay where they are unpacked, or that
// terminals, file systems or lists of digests would misread.
func checkPath(path string) error {
	switch {
	case len(path) > maxPath:
		return fmt.Errorf("its path is longer than %d bytes", maxPath)
	case !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) || strings.ContainsRune(path, '\\'):
		return errors.New("its path holds a backslash, a control character or no UTF-8")
	case !fs.ValidPath(path) || path == ".":
		return errors.New("its path leads elsewhere")
	}
	for _, dir := range []string{manifestsDir, blobsDir, cardsDir, programDir, dataDir} {
		if strings.HasPrefix(path, dir) {
			return nil
		}
	}
	return errors.New("its path is in none of a bundle's directories")
}

// name is a model's name in its parts.
type name struct{ host, namespace, model, tag string }

// Parts that names leave out (types/model of Ollama).
const (
	defaultHost      = "registry.ollama.ai"
	defaultNamespace = "library"
)

// parseName reads a name as ollama list shows it.
func parseName(s string) (name, error) {
	if models.CloudName(s) {
		return name{}, fmt.Errorf("model %q: %w", s, ErrElsewhere)
	}
	full := models.FullName(s)
	colon := strings.LastIndexByte(full, ':')
	n := name{defaultHost, defaultNamespace, full[:colon], full[colon+1:]}
	switch parts := strings.Split(n.model, "/"); len(parts) {
	case 1:
	case 2:
		n.namespace, n.model = parts[0], parts[1]
	case 3:
		n.host, n.namespace, n.model = parts[0], parts[1], parts[2]
	default:
		return name{}, fmt.Errorf("%q is no name of a model", s)
	}
	if !n.valid() {
		return name{}, fmt.Errorf("%q is no name of a model", s)
	}
	return n, nil
}

// nameOf is the model whose manifest stands at a path of a bundle.
func nameOf(path string) (name, error) {
	parts := strings.Split(strings.TrimPrefix(path, manifestsDir), "/")
	if len(parts) != 4 {
		return name{}, errors.New("its path is not that of a manifest")
	}
	n := name{parts[0], parts[1], parts[2], parts[3]}
	if !n.valid() || models.CloudName(n.String()) {
		return name{}, errors.New("its path holds no name of a model")
	}
	return n, nil
}

// parts are the elements of the path of the model's manifest.
func (n name) parts() []string { return []string{n.host, n.namespace, n.model, n.tag} }

// path is where the model's manifest stands in a bundle.
func (n name) path() string { return manifestsDir + strings.Join(n.parts(), "/") }

// String is the name as ollama list shows it.
func (n name) String() string {
	short := n.model + ":" + n.tag
	switch {
	case n.host != defaultHost:
		return n.host + "/" + n.namespace + "/" + short
	case n.namespace != defaultNamespace:
		return n.namespace + "/" + short
	}
	return short
}

// valid follows Ollama's rules of names.
func (n name) valid() bool {
	return validPart(n.host, 350, ".:-_") && validPart(n.namespace, 80, "-_") &&
		validPart(n.model, 80, ".-_") && validPart(n.tag, 80, ".-_")
}

func validPart(s string, most int, marks string) bool {
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
		case i > 0 && strings.ContainsRune(marks, r):
		default:
			return false
		}
	}
	return s != "" && len(s) <= most
}
