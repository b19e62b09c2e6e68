package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"lightbox/infer/ollama"
)

// Target is where a bundle goes.
type Target struct {
	ModelDir string         // a model directory, made where missing
	Server   *ollama.Client // takes the models instead of ModelDir where it is not nil
	Out      string         // directory for cards, program and data, made where missing
}

// Unpacked says what is in the target now.
type Unpacked struct {
	Models []UnpackedModel `json:"models"`
	Files  int             `json:"files"` // beside models
	There  int             `json:"there"` // files, of all, that were there already
}

// UnpackedModel is a model of the target.
type UnpackedModel struct {
	Name   string `json:"name"`
	Packed string `json:"packed_digest"`
	Digest string `json:"digest"` // of the target's manifest; servers write their own
	There  bool   `json:"there"`  // it was there already
}

// ErrNoOut is a bundle with files beside models where [Target] names no place for
// them.
var ErrNoOut = errors.New("the bundle holds files beside models, and no directory is named for them")

// Unpack puts the bundle of size bytes in r into its target. Nothing is seen
// there before all of it has been read and checked. What is there already, the
// very same, is kept; something else in its place is a *[Conflict]. The error can
// also be a *[Damage] with the first problem, a *[NoRoom], or a fault of the
// server.
//
// A server's files cannot be reached, so it is given blobs, and creates the
// models out of them; what it then says of each is compared with what was packed.
// After an error, blobs that are used by no model can be left in it, until it
// starts again.
func Unpack(ctx context.Context, r io.ReaderAt, size int64, t Target, watch Watch) (*Unpacked, error) {
	u := &unpacker{
		ctx: ctx, server: t.Server, out: &stage{target: t.Out, dirMode: 0o700, fileMode: 0o600},
		models: &stage{target: t.ModelDir, dirMode: 0o755, fileMode: 0o644}, // as Ollama's own
	}
	rd := &reader{sink: u, first: true, total: maxTotal}
	err := rd.read(ctx, r, size, watch)
	if err == nil && u.server != nil {
		err = u.send(rd, r, size, watch)
	}
	if err == nil {
		err = u.moveIn()
	}
	err = errors.Join(err, u.models.close(), u.out.close())
	if err != nil {
		return nil, err
	}
	return u.result, nil
}

// unpacker is the sink that writes files beside their targets.
type unpacker struct {
	ctx         context.Context
	models, out *stage
	server      *ollama.Client
	place       map[string]string // where files go that are not there, by path
	held        held              // what a server needs of models
	result      *Unpacked
}

func (u *unpacker) begin(x *Index) error {
	u.place, u.result = map[string]string{}, &Unpacked{}
	for _, m := range x.Models {
		u.result.Models = append(u.result.Models, UnpackedModel{Name: m.Name, Packed: m.Digest, Digest: m.Digest})
	}
	for _, f := range x.Files {
		if err := u.plan(f); err != nil {
			return err
		}
	}
	if u.server != nil {
		if err := u.held.begin(x); err != nil {
			return err
		}
	}
	if err := u.models.open(); err != nil {
		return err
	}
	return u.out.open()
}

// stageOf is the stage that a file belongs to, and its path below the target.
func (u *unpacker) stageOf(path string) (*stage, string) {
	if rel, ok := strings.CutPrefix(path, "models/"); ok {
		return u.models, rel
	}
	return u.out, path
}

// plan decides where a file goes.
func (u *unpacker) plan(f File) error {
	s, rel := u.stageOf(f.Path)
	if s == u.models && u.server != nil {
		return nil
	}
	if s == u.out {
		u.result.Files++
		if s.target == "" {
			return ErrNoOut
		}
	}
	local, err := filepath.Localize(rel)
	if err != nil {
		return fmt.Errorf("unpacking %q: this system has no such file names", f.Path)
	}
	to := filepath.Join(s.target, local)
	there, err := u.there(s, to, f)
	if err != nil {
		return err
	}
	if there {
		u.result.There++
		return nil
	}
	u.place[f.Path] = to
	s.need += f.Size + 4096 // whole blocks, and names
	return nil
}

// there tells whether a file is in the target, and names the model whose place is
// taken.
func (u *unpacker) there(s *stage, to string, f File) (bool, error) {
	if !strings.HasPrefix(f.Path, manifestsDir) {
		return s.there(u.ctx, to, f)
	}
	n, err := nameOf(f.Path)
	if err != nil {
		return false, err
	}
	if have, ok := store(s.target).find(n); ok {
		to = store(s.target).manifestPath(have)
	}
	there, err := s.there(u.ctx, to, f)
	var conflict *Conflict
	if errors.As(err, &conflict) {
		conflict.Model, conflict.What = n.String(), "a different model of that name is there already"
	}
	for i, m := range u.result.Models {
		if m.Name == n.String() {
			u.result.Models[i].There = there
		}
	}
	return there, err
}

func (u *unpacker) file(f File, content io.Reader) error {
	s, _ := u.stageOf(f.Path)
	if s == u.models && u.server != nil {
		return u.held.file(f, content)
	}
	to, wanted := u.place[f.Path]
	if !wanted {
		return nil
	}
	mode := s.fileMode
	if strings.HasPrefix(f.Path, programDir) {
		mode |= 0o100
	}
	return s.write(to, f.Size, content, mode)
}

// moveIn makes all of it visible: a manifest after all blobs, because a model
// must never be seen without them.
func (u *unpacker) moveIn() error {
	var blobs, manifests []move
	inManifests := filepath.Join(u.models.target, "manifests") + string(filepath.Separator)
	for _, m := range u.models.files {
		if strings.HasPrefix(m.to, inManifests) {
			manifests = append(manifests, m)
		} else {
			blobs = append(blobs, m)
		}
	}
	if err := errors.Join(u.models.flush(), u.out.flush()); err != nil {
		return errors.Join(err, u.held.undo(u.server))
	}
	var c commit
	for _, part := range []struct {
		files []move
		mode  fs.FileMode
	}{{u.out.files, u.out.dirMode}, {blobs, u.models.dirMode}, {manifests, u.models.dirMode}} {
		if err := c.move(part.files, part.mode); err != nil {
			return fmt.Errorf("moving in what was unpacked: %w", errors.Join(err, c.undo(), u.held.undo(u.server)))
		}
	}
	if err := c.sync(); err != nil {
		return fmt.Errorf("moving in what was unpacked: %w", errors.Join(err, c.undo(), u.held.undo(u.server)))
	}
	return nil
}
