package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// sink takes what a bundle holds. What it is given is not checked yet: that the
// reading comes to its end without damage says that all of it is right.
type sink interface {
	begin(*Index) error
	file(f File, content io.Reader) error
}

// reader reads a bundle and checks everything in it.
type reader struct {
	sink   sink
	first  bool // stop at the first problem
	total  int64
	index  *Index
	damage Damage

	progress  *counter
	parts     parts
	listed    map[string]File
	seen      map[string]bool     // by path
	manifests map[string]manifest // of the models read so far, by name
	sums      []byte              // what SHA256SUMS must hold
	sawSums   bool
}

// read reads the bundle of size bytes in r. The error is a *[Damage], the sink's
// own, or that of reading r.
func (r *reader) read(ctx context.Context, file io.ReaderAt, size int64, watch Watch) error {
	mark, marked, err := readMark(file, size)
	if err != nil {
		return err
	}
	if !marked {
		r.damage.add("", "its end is missing: it was cut, not written to its end, or is no bundle")
		if r.first {
			return r.damage.orNil()
		}
		mark.length = size
	}
	r.progress = &counter{ctx: ctx, watch: watch}
	raw := &checked{ctx: ctx, r: io.NewSectionReader(file, 0, mark.length)}
	plain, err := newUnframer(raw)
	if err != nil {
		return err
	}
	err = r.entries(plain)
	plain.close()
	switch {
	case raw.err != nil:
		return fmt.Errorf("reading the bundle: %w", raw.err)
	case errors.Is(err, errStop):
		return r.damage.orNil()
	case err != nil:
		return err
	}
	if marked && len(r.damage.Problems) == 0 && raw.mark.crc != mark.crc {
		r.damage.add("", "bytes that belong to no file are changed")
	}
	return r.damage.orNil()
}

// problem notes what is wrong, and ends reading where the first is enough.
func (r *reader) problem(path, format string, args ...any) error {
	r.damage.add(path, format, args...)
	if r.first {
		return errStop
	}
	return nil
}

// entries reads the tar to its end and beyond.
func (r *reader) entries(plain io.Reader) error {
	t := tar.NewReader(plain)
	if err := r.readIndex(t); err != nil {
		return err
	}
	for {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return r.broken("", err)
		}
		if err := r.entry(h, t); err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, &onlyZeros{plain, maxZeros}); err != nil {
		return r.problem("", "behind its last file: %v", err)
	}
	return r.finish()
}

// readIndex reads the first entry.
func (r *reader) readIndex(t *tar.Reader) error {
	h, err := t.Next()
	if err == nil && (h.Name != indexName || h.Typeflag != tar.TypeReg || h.Size > maxIndex) {
		err = fmt.Errorf("its first file is %.80q", h.Name)
	}
	var b []byte
	if err == nil {
		b, err = io.ReadAll(t)
	}
	if err == nil {
		r.index, err = parseIndex(b)
	}
	if err == nil && r.index.Size() > r.total {
		err = fmt.Errorf("it claims %d bytes", r.index.Size())
	}
	if err != nil {
		return r.unreadable(err)
	}
	r.sums = r.index.sums(b)
	r.progress.total = r.index.Size()
	r.listed = make(map[string]File, len(r.index.Files))
	for _, f := range r.index.Files {
		r.listed[f.Path] = f
	}
	r.seen = make(map[string]bool, len(r.index.Files))
	r.manifests = map[string]manifest{}
	return r.sink.begin(r.index)
}

func (r *reader) unreadable(err error) error {
	if r.progress.ctx.Err() != nil {
		return r.progress.ctx.Err()
	}
	r.damage.add(indexName, "the list of files cannot be read: %v", err)
	return errStop
}

// entry reads one file.
func (r *reader) entry(h *tar.Header, t *tar.Reader) error {
	if h.Name == sumsName && h.Typeflag == tar.TypeReg && !r.sawSums {
		return r.readSums(h, t)
	}
	f, listed := r.listed[h.Name]
	switch {
	case h.Typeflag != tar.TypeReg:
		return r.problem(h.Name, "it is no plain file")
	case r.seen[h.Name]:
		return r.problem(h.Name, "it stands in the bundle twice")
	case !listed:
		what := "the bundle does not list it"
		if err := checkPath(h.Name); err != nil {
			what = err.Error()
		}
		return r.problem(h.Name, "%s", what)
	}
	r.seen[h.Name] = true
	if h.Size != f.Size {
		return r.problem(f.Path, "it has %d bytes, %d were packed", h.Size, f.Size)
	}
	return r.content(f, t)
}

// content gives a file to the sink and checks its digest.
func (r *reader) content(f File, t io.Reader) error {
	from := &feed{r: t, size: f.Size, hash: sha256.New(), done: r.progress, parts: &r.parts}
	var raw bytes.Buffer // of a manifest
	if strings.HasPrefix(f.Path, manifestsDir) {
		from.done = io.MultiWriter(r.progress, &raw)
	}
	err := r.sink.file(f, from)
	if err == nil {
		_, err = from.WriteTo(io.Discard)
	}
	switch {
	case r.progress.ctx.Err() != nil:
		return r.progress.ctx.Err()
	case from.err != nil:
		return r.broken(f.Path, from.err)
	case err != nil:
		return err
	case hex.EncodeToString(from.hash.Sum(nil)) != f.SHA256:
		return r.problem(f.Path, "its bytes are not those that were packed")
	case strings.HasPrefix(f.Path, manifestsDir):
		return r.readManifest(f, raw.Bytes())
	}
	return nil
}

// broken is a bundle that cannot be read on.
func (r *reader) broken(path string, err error) error {
	if r.progress.ctx.Err() != nil {
		return r.progress.ctx.Err()
	}
	what := "it cannot be unpacked: " + err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		what = "the bundle ends in the middle of it"
		if path == "" {
			what = "it ends too early"
		}
	}
	r.damage.add(path, "%s", what)
	if n := len(r.listed) - len(r.seen); n > 0 {
		r.damage.add("", "%d more files lie behind that and cannot be read", n)
	}
	return errStop
}

func (r *reader) readManifest(f File, b []byte) error {
	n, err := nameOf(f.Path)
	if err == nil {
		r.manifests[n.String()], err = parseManifest(b)
	}
	if err != nil {
		return r.problem(f.Path, "%v", err)
	}
	return nil
}

func (r *reader) readSums(h *tar.Header, t *tar.Reader) error {
	r.sawSums = true
	if h.Size == int64(len(r.sums)) {
		b, err := io.ReadAll(t)
		if err != nil {
			return r.broken(sumsName, err)
		}
		if bytes.Equal(b, r.sums) {
			return nil
		}
	}
	return r.problem(sumsName, "it is not the list of the files' digests")
}

// finish names what did not come.
func (r *reader) finish() error {
	for _, f := range r.index.Files {
		if !r.seen[f.Path] {
			if err := r.problem(f.Path, "it is missing"); err != nil {
				return err
			}
		}
	}
	if !r.sawSums {
		if err := r.problem(sumsName, "it is missing"); err != nil {
			return err
		}
	}
	for _, m := range r.index.Models {
		for _, l := range r.manifests[m.Name].all() {
			if f, ok := r.listed[l.path()]; !ok || f.Size != l.Size {
				if err := r.problem(l.path(), "model %q needs it, and the bundle does not hold it in the size of %d bytes", m.Name, l.Size); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
