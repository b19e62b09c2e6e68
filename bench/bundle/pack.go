package bundle

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// Pack writes the bundle. A file that is not what it was in [Prepare], or a blob
// that its name does not fit, is an error.
func (k *Kit) Pack(ctx context.Context, w io.Writer, watch Watch) error {
	index, err := json.MarshalIndent(k.Index, "", " ")
	if err != nil {
		return fmt.Errorf("packing %q: %w", indexName, err)
	}
	if len(index) > maxIndex {
		return fmt.Errorf("packing %d files: their list is larger than a bundle can hold; pack them as a .zip", len(k.Index.Files))
	}
	f, err := newFrames(w)
	if err != nil {
		return fmt.Errorf("packing: %w", err)
	}
	err = k.pack(&counter{ctx: ctx, watch: watch, total: k.Index.Size()}, f, index)
	return errors.Join(err, ignoreAfter(err, f.Close()))
}

// ignoreAfter drops an error that only follows from another.
func ignoreAfter(first, err error) error {
	if first != nil {
		return nil
	}
	return err
}

func (k *Kit) pack(progress *counter, w io.Writer, index []byte) error {
	t := tar.NewWriter(w)
	if err := writeEntry(t, indexName, index); err != nil {
		return err
	}
	for i, f := range k.Index.Files {
		if err := k.packFile(progress, t, f, k.from[i]); err != nil {
			return err
		}
	}
	if err := writeEntry(t, sumsName, k.Index.sums(index)); err != nil {
		return err
	}
	return t.Close()
}

// header is that of an entry. Nothing in it depends on when or by whom it was
// packed.
func header(path string, size int64) *tar.Header {
	mode := int64(0o644)
	if strings.HasPrefix(path, programDir) {
		mode = 0o755
	}
	return &tar.Header{Typeflag: tar.TypeReg, Name: path, Size: size, Mode: mode, ModTime: time.Unix(0, 0)}
}

func writeEntry(t *tar.Writer, path string, content []byte) error {
	err := t.WriteHeader(header(path, int64(len(content))))
	if err == nil {
		_, err = t.Write(content)
	}
	if err != nil {
		return fmt.Errorf("packing %q: %w", path, err)
	}
	return nil
}

// packFile copies a file and checks what it copies.
func (k *Kit) packFile(progress *counter, t *tar.Writer, f File, from source) error {
	origin := from.path
	if origin == "" {
		origin = f.Path
	}
	if err := t.WriteHeader(header(f.Path, f.Size)); err != nil {
		return fmt.Errorf("packing %q: %w", origin, err)
	}
	to := io.MultiWriter(progress, t)
	n, digest := int64(len(from.content)), f.SHA256
	var err error
	if from.path == "" {
		_, err = to.Write(from.content)
	} else {
		n, digest, err = copyFrom(to, from.path)
	}
	switch {
	case errors.Is(err, tar.ErrWriteTooLong):
		return &Changed{origin}
	case err != nil:
		return fmt.Errorf("packing %q: %w", origin, err)
	case n != f.Size || digest != f.SHA256:
		return &Changed{origin}
	}
	return nil
}

// Changed is a file that is not what it should be: it changed while it was
// packed, or it is a blob that its name does not fit.
type Changed struct{ Path string }

// Blob tells whether it is a model's blob.
func (e *Changed) Blob() bool { return strings.HasPrefix(filepath.Base(e.Path), "sha256-") }

// Error names the file.
func (e *Changed) Error() string {
	if e.Blob() {
		return fmt.Sprintf("the blob %q is damaged: its digest is not its name, or its size not that of the manifest", e.Path)
	}
	return fmt.Sprintf("packing %q: the file changed meanwhile", e.Path)
}
