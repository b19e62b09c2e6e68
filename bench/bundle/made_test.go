package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/models/phantom"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, path string, content []byte) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	check(t, os.WriteFile(path, content, 0o644))
}

// noise are bytes that do not compress.
func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8(sha256.Sum256([]byte{byte(seed), byte(seed >> 8)}))
	r.Read(b)
	return b
}

// putModel adds a model to a model directory, as Ollama would.
func putModel(t testing.TB, dir, model string, layers map[string][]byte) {
	t.Helper()
	var m struct {
		SchemaVersion int     `json:"schemaVersion"`
		Config        layer   `json:"config"`
		Layers        []layer `json:"layers"`
	}
	m.SchemaVersion = 2
	blob := func(mediaType string, b []byte) layer {
		l := layer{mediaType, "sha256:" + digestOf(b), int64(len(b))}
		put(t, store(dir).blobPath(l), b)
		return l
	}
	config := []byte(`{"model_format":"gguf"}`)
	for _, kind := range []string{"model", "template", "system", "params", "messages", "license", "config", "odd"} {
		switch b, ok := layers[kind]; {
		case ok && kind == "config":
			config = b
		case ok:
			m.Layers = append(m.Layers, blob("application/vnd.ollama.image."+kind, b))
		}
	}
	m.Config = blob("application/vnd.docker.container.image.v1+json", config)
	raw, err := json.Marshal(m)
	check(t, err)
	n, err := parseName(model)
	check(t, err)
	put(t, store(dir).manifestPath(n), raw)
}

// contents are two models that share a layer, a data set, a card and a program.
func contents(t testing.TB) Contents {
	t.Helper()
	dir := t.TempDir()
	models := filepath.Join(dir, "models")
	template := []byte("{{ .Prompt }} and more")
	putModel(t, models, "eye", map[string][]byte{"model": noise(1, 70_000), "template": template, "params": []byte(`{"stop":["a","b"],"temperature":0.5}`)})
	putModel(t, models, "hub.example/me/judge:4b", map[string][]byte{"model": phantom.Definitions()[1].Data, "template": template, "system": []byte("Be brief.")})
	data := filepath.Join(dir, "set")
	put(t, filepath.Join(data, "cases.jsonl"), []byte(strings.Repeat(`{"question":"?"}`+"\n", 500)))
	put(t, filepath.Join(data, "images", "a.png"), noise(2, 3000))
	put(t, filepath.Join(data, "images", "ä ö.png"), noise(3, 10))
	put(t, filepath.Join(data, "empty"), nil)
	put(t, filepath.Join(dir, "card.json"), []byte("{}"))
	put(t, filepath.Join(dir, "lightbox.test"), noise(4, 2000))
	return Contents{
		Models: []string{"eye", "hub.example/me/judge:4b"}, ModelDir: models, Data: []string{data},
		Cards: []string{filepath.Join(dir, "card.json")}, Program: filepath.Join(dir, "lightbox.test"), MadeBy: "test",
	}
}

// pack is a bundle of contents.
func pack(t testing.TB, c Contents) []byte {
	t.Helper()
	k, err := Prepare(context.Background(), c, nil)
	check(t, err)
	var b bytes.Buffer
	check(t, k.Pack(context.Background(), &b, nil))
	return b.Bytes()
}

// tree is what a directory holds: digests by path, "dir" for directories.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(rel)] = "dir"
		if !d.IsDir() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[filepath.ToSlash(rel)] = digestOf(b)
		}
		return nil
	})
	check(t, err)
	return all
}

// target is a directory for models and other files with something in it, and its
// tree.
func target(t testing.TB) (Target, string, map[string]string) {
	t.Helper()
	root := t.TempDir()
	to := Target{ModelDir: filepath.Join(root, "models"), Out: filepath.Join(root, "out", "deep")}
	putModel(t, to.ModelDir, "mine", map[string][]byte{"model": noise(9, 100)})
	return to, root, tree(t, root)
}

func unpack(b []byte, to Target) (*Unpacked, error) {
	return Unpack(context.Background(), bytes.NewReader(b), int64(len(b)), to, nil)
}

// unchanged demands that a tree is what it was.
func unchanged(t testing.TB, root string, before map[string]string) {
	t.Helper()
	if d := cmp.Diff(before, tree(t, root)); d != "" {
		t.Errorf("the target changed (-before +after):\n%s", d)
	}
}
