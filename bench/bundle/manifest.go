package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// manifest is Ollama's list of what a model is made of.
type manifest struct {
	Config layer   `json:"config"`
	Layers []layer `json:"layers"`
}

// layer is one file of a model.
type layer struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"` // "sha256:…"
	Size      int64  `json:"size"`   // bytes
}

// hex is the digest's hexadecimal digits.
func (l layer) hex() string { return strings.TrimPrefix(l.Digest, "sha256:") }

// path is where the layer's blob stands in a bundle.
func (l layer) path() string { return blobsDir + "sha256-" + l.hex() }

// is tells the kind of a layer: "model", "projector", "template", …
func (l layer) is(kind string) bool { return l.MediaType == "application/vnd.ollama.image."+kind }

// parseManifest reads a manifest.
func parseManifest(b []byte) (manifest, error) {
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return m, err
	}
	if len(m.Layers) == 0 {
		return m, errors.New("it lists no layers")
	}
	for _, l := range m.all() {
		if !strings.HasPrefix(l.Digest, "sha256:") || !hexDigest.MatchString(l.hex()) || l.Size < 0 {
			return m, fmt.Errorf("it lists a layer with the digest %q", l.Digest)
		}
	}
	return m, nil
}

// all are the layers, and first the configuration where there is one.
func (m manifest) all() []layer {
	if m.Config.Digest == "" {
		return m.Layers
	}
	return append([]layer{m.Config}, m.Layers...)
}

// size is the number of bytes of the layers.
func (m manifest) size() int64 {
	var n int64
	for _, l := range m.all() {
		n += l.Size
	}
	return n
}

// config is what a model's configuration says that its layers do not.
type config struct {
	Format      string `json:"model_format"`
	Renderer    string `json:"renderer"`
	Parser      string `json:"parser"`
	Requires    string `json:"requires"`
	RemoteHost  string `json:"remote_host"`
	RemoteModel string `json:"remote_model"`
}

// ErrElsewhere is a model that has no files here: a server would forward what it
// is asked.
var ErrElsewhere = errors.New("it stands for a model on another machine")

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
