package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
)

// Limits of what is held of models for a server.
const (
	maxHeld  = 1 << 20  // bytes of a layer that is not sent as a file
	maxHolds = 64 << 20 // bytes of all of them
)

// held is what a server needs of a bundle's models beside their files: small
// layers, and the tensors of GGUF files to compare with.
type held struct {
	small   map[string][]byte          // by path in the bundle
	tensors map[string][]models.Tensor // by path in the bundle
	created []string                   // models that this unpacking made, or tried to
}

func (h *held) begin(x *Index) error {
	total := int64(0)
	for _, f := range x.Files {
		if strings.HasPrefix(f.Path, "models/") && f.Size <= maxHeld {
			total += f.Size
		}
	}
	if total > maxHolds {
		return fmt.Errorf("unpacking: the models' texts have %d bytes, more than are read into memory", total)
	}
	h.small, h.tensors = map[string][]byte{}, map[string][]models.Tensor{}
	return nil
}

func (h *held) file(f File, content io.Reader) error {
	if f.Size <= maxHeld {
		b, err := io.ReadAll(content)
		if err != nil {
			return err
		}
		h.small[f.Path], content = b, bytes.NewReader(b)
	}
	tensors, err := models.Tensors(content)
	if err == nil {
		h.tensors[f.Path] = tensors
	}
	return nil // what is no GGUF file has none to compare
}

// undo removes the models that were created.
func (h *held) undo(server *ollama.Client) error {
	var problems []error
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, name := range h.created {
		err := server.Delete(ctx, name)
		var fault *infer.Fault
		if err != nil && !(errors.As(err, &fault) && fault.Reason == infer.ReasonModel) { // it was not created at all
			problems = append(problems, fmt.Errorf("removing model %q again: %w", name, err))
		}
	}
	h.created = nil
	return errors.Join(problems...)
}

// send creates the models on the server that it does not have.
func (u *unpacker) send(rd *reader, r io.ReaderAt, size int64, watch Watch) error {
	wanted := map[int]recipe{}
	for i := range u.result.Models {
		m := &u.result.Models[i]
		want, err := u.held.recipe(m.Name, rd.manifests[m.Name])
		if err != nil {
			return fmt.Errorf("unpacking model %q: %w", m.Name, err)
		}
		made, err := u.server.Made(u.ctx, m.Name)
		var fault *infer.Fault
		switch {
		case errors.As(err, &fault) && fault.Reason == infer.ReasonModel:
			wanted[i] = want
		case err != nil:
			return fmt.Errorf("unpacking model %q: %w", m.Name, err)
		default:
			if diff := made.Differences(want.definition, want.tensors); len(diff) > 0 {
				return &Conflict{Model: m.Name, What: "the server has a different model of that name: not the same " + strings.Join(diff, ", ")}
			}
			m.Digest, m.There = made.Digest, true
		}
	}
	if err := u.upload(wanted, r, size, watch); err != nil {
		return err
	}
	for i := range u.result.Models {
		want, ok := wanted[i]
		if !ok {
			continue
		}
		if err := u.create(&u.result.Models[i], want); err != nil {
			return fmt.Errorf("unpacking model %q: %w", u.result.Models[i].Name, errors.Join(err, u.held.undo(u.server)))
		}
	}
	return nil
}

// create makes one model and compares it with what was packed.
func (u *unpacker) create(m *UnpackedModel, want recipe) error {
	u.held.created = append(u.held.created, m.Name)
	if err := u.server.Create(u.ctx, want.definition); err != nil {
		return err
	}
	made, err := u.server.Made(u.ctx, m.Name)
	if err != nil {
		return err
	}
	if diff := made.Differences(want.definition, want.tensors); len(diff) > 0 {
		return fmt.Errorf("the server made something else of it: not the same %s", strings.Join(diff, ", "))
	}
	m.Digest = made.Digest
	return nil
}

// upload reads the bundle again and gives the server the files that it needs.
func (u *unpacker) upload(wanted map[int]recipe, r io.ReaderAt, size int64, watch Watch) error {
	need := map[string]bool{}
	for _, w := range wanted {
		for _, l := range w.files {
			has, err := u.server.HasBlob(u.ctx, l.Digest)
			if err != nil {
				return fmt.Errorf("asking the server for its blobs: %w", err)
			}
			if !has {
				need[l.path()] = true
			}
		}
	}
	if len(need) == 0 {
		return nil
	}
	rd := &reader{sink: &uploader{u, need}, first: true, total: maxTotal}
	return rd.read(u.ctx, r, size, watch)
}

// uploader is the sink that sends blobs to a server.
type uploader struct {
	u    *unpacker
	need map[string]bool
}

func (*uploader) begin(*Index) error { return nil }

func (s *uploader) file(f File, content io.Reader) error {
	if !s.need[f.Path] {
		return nil
	}
	if err := s.u.server.CreateBlob(s.u.ctx, "sha256:"+f.SHA256, content); err != nil {
		return fmt.Errorf("uploading %q: %w", f.Path, err)
	}
	return nil
}
