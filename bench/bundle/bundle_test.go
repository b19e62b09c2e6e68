package bundle

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRoundTrip(t *testing.T) {
	c := contents(t)
	b := pack(t, c)
	x, err := Verify(context.Background(), bytes.NewReader(b), int64(len(b)), nil)
	check(t, err)
	want := []string{"eye:latest", "hub.example/me/judge:4b"}
	for i, m := range x.Models {
		if m.Name != want[i] {
			t.Errorf("model %q, want %q", m.Name, want[i])
		}
	}
	to, _, _ := target(t)
	got, err := unpack(b, to)
	check(t, err)
	// All models have the same configuration, so one file is there already.
	if got.Files != 6 || got.There != 1 || len(got.Models) != 2 || got.Models[0].There || got.Models[0].Digest != x.Models[0].Digest {
		t.Errorf("unpacked %+v", got)
	}
	check(t, os.RemoveAll(filepath.Join(to.ModelDir, "manifests", defaultHost, defaultNamespace, "mine")))
	models := tree(t, to.ModelDir)
	for path := range tree(t, c.ModelDir) {
		if _, ok := models[path]; !ok {
			t.Errorf("%s is not in the model directory", path)
		}
	}
	if d := cmp.Diff(tree(t, c.Data[0]), tree(t, filepath.Join(to.Out, "data", "set"))); d != "" {
		t.Errorf("data (-packed +unpacked):\n%s", d)
	}
	info, err := os.Stat(filepath.Join(to.Out, "bin", "lightbox"))
	check(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the program has mode %v", info.Mode())
	}
	again, err := unpack(b, to)
	check(t, err)
	if again.There != len(x.Files) || !again.Models[0].There {
		t.Errorf("unpacked again: %+v of %d files", again, len(x.Files))
	}
}

func TestEqualContentsGiveEqualBytes(t *testing.T) {
	c := contents(t)
	if first := pack(t, c); !bytes.Equal(first, pack(t, c)) {
		t.Error("two bundles of the same files differ")
	}
}

func TestSeveralSegments(t *testing.T) {
	const large = directSize + 12345
	dir := t.TempDir()
	put(t, filepath.Join(dir, "set", "noise"), noise(1, large))
	put(t, filepath.Join(dir, "set", "text"), bytes.Repeat([]byte("text "), segmentSize/3))
	b := pack(t, Contents{Data: []string{filepath.Join(dir, "set")}})
	if n := len(b); n < large || n > large+100_000 {
		t.Errorf("%d bytes, want the noise stored and the text gone", n)
	}
	to, _, _ := target(t)
	_, err := unpack(b, to)
	check(t, err)
	if d := cmp.Diff(tree(t, filepath.Join(dir, "set")), tree(t, filepath.Join(to.Out, "data", "set"))); d != "" {
		t.Errorf("data (-packed +unpacked):\n%s", d)
	}
}

// TestToolsUnpackIt reads a bundle with zstd, tar and sha256sum.
func TestToolsUnpackIt(t *testing.T) {
	for _, tool := range []string{"zstd", "tar", "sha256sum", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("this test needs ", tool)
		}
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "kit.tar.zst"), pack(t, contents(t)))
	cmd := exec.Command("sh", "-ec", "zstd -tq kit.tar.zst; zstd -dqc kit.tar.zst | tar xf - ; sha256sum -c --quiet SHA256SUMS; zstd -dqc kit.tar.zst | tar tf - | tail -n 1")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != sumsName {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestPrepareRefuses(t *testing.T) {
	dir := t.TempDir()
	c := contents(t)
	put(t, filepath.Join(dir, "set", "x"), nil)
	put(t, filepath.Join(dir, "cut", "blobs", "x"), nil)
	putModel(t, filepath.Join(dir, "stub"), "far", map[string][]byte{"template": []byte("x"), "config": []byte(`{"remote_host":"https://up:443","remote_model":"m"}`)})
	putModel(t, filepath.Join(dir, "short"), "m", map[string][]byte{"model": noise(1, 10)})
	check(t, os.WriteFile(store(filepath.Join(dir, "short")).blobPath(layer{Digest: digestOf(noise(1, 10))}), []byte("x"), 0o644))
	tests := []struct {
		name string
		c    Contents
		want string
	}{
		{"no such model", Contents{Models: []string{"none"}, ModelDir: c.ModelDir}, "eye:latest, hub.example/me/judge:4b"},
		{"no model directory", Contents{Models: []string{"eye"}, ModelDir: dir}, "there are no models"},
		{"a model elsewhere", Contents{Models: []string{"x:cloud"}, ModelDir: c.ModelDir}, "another machine"},
		{"a stub", Contents{Models: []string{"far"}, ModelDir: filepath.Join(dir, "stub")}, "another machine"},
		{"a path as a name", Contents{Models: []string{"../../x"}, ModelDir: c.ModelDir}, "no name"},
		{"a layer cut short", Contents{Models: []string{"m"}, ModelDir: filepath.Join(dir, "short")}, "is damaged"},
		{"no such data", Contents{Data: []string{filepath.Join(dir, "none")}}, "none"},
		{"a card that is a directory", Contents{Cards: []string{dir}}, "no plain file"},
		{"two of one name", Contents{Data: []string{filepath.Join(dir, "set"), c.Data[0], filepath.Join(dir, "set")}}, "the same name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Prepare(context.Background(), tt.c, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestPrepareFollowsLinksToFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "blob"), []byte("content"))
	check(t, os.Mkdir(filepath.Join(dir, "set"), 0o755))
	if err := os.Symlink(filepath.Join("..", "blob"), filepath.Join(dir, "set", "a.png")); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
	k, err := Prepare(context.Background(), Contents{Data: []string{filepath.Join(dir, "set")}}, nil)
	check(t, err)
	want := []File{{"data/set/a.png", 7, digestOf([]byte("content"))}}
	if d := cmp.Diff(want, k.Index.Files); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	check(t, os.Symlink(dir, filepath.Join(dir, "set", "loop")))
	if _, err := Prepare(context.Background(), Contents{Data: []string{filepath.Join(dir, "set")}}, nil); err == nil {
		t.Error("a link to a directory was packed")
	}
}

func TestPackNoticesChanges(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(c Contents) string // gives the path
	}{
		{"a damaged blob", func(c Contents) string {
			m, _ := store(c.ModelDir).open("eye")
			return store(c.ModelDir).blobPath(m.manifest.Layers[0])
		}},
		{"changed data", func(c Contents) string { return filepath.Join(c.Data[0], "cases.jsonl") }},
	} {
		for _, size := range []int{-1, 0, 1} {
			t.Run(tt.name, func(t *testing.T) {
				c := contents(t)
				k, err := Prepare(context.Background(), c, nil)
				check(t, err)
				path := tt.change(c)
				b, err := os.ReadFile(path)
				check(t, err)
				b[5] ^= 1
				put(t, path, append(b, 'x')[:len(b)+size])
				err = k.Pack(context.Background(), &bytes.Buffer{}, nil)
				var changed *Changed
				if !errors.As(err, &changed) || changed.Path != path {
					t.Errorf("error %v, want %q changed", err, path)
				}
			})
		}
	}
}

// full is a writer that fails behind a number of bytes.
type full struct{ left int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestPackOntoAFullDisk(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "set", "noise"), noise(1, 30*segmentSize))
	k, err := Prepare(context.Background(), Contents{Data: []string{filepath.Join(dir, "set")}}, nil)
	check(t, err)
	for _, room := range []int{0, 100, segmentSize, 5 * segmentSize, 30 * segmentSize} {
		if err := k.Pack(context.Background(), &full{room}, nil); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: error %v", room, err)
		}
	}
}

func TestInterrupted(t *testing.T) {
	b := pack(t, contents(t))
	to, root, before := target(t)
	for _, at := range []int64{1, 50_000, 600_000} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Unpack(ctx, bytes.NewReader(b), int64(len(b)), to, func(done, _ int64) {
			if done >= at {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at %d: error %v", at, err)
		}
		unchanged(t, root, before)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Prepare(gone, contents(t), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("preparing: error %v", err)
	}
}

func TestProgress(t *testing.T) {
	k, err := Prepare(context.Background(), contents(t), nil)
	check(t, err)
	var seen []int64
	var b bytes.Buffer
	check(t, k.Pack(context.Background(), &b, func(done, total int64) {
		if total != k.Index.Size() {
			t.Errorf("total %d, want %d", total, k.Index.Size())
		}
		seen = append(seen, done)
	}))
	if !slices.IsSorted(seen) || seen[len(seen)-1] != k.Index.Size() {
		t.Errorf("progress %v", seen)
	}
}

func TestHas(t *testing.T) {
	c := contents(t)
	for model, want := range map[string]bool{"eye": true, "EYE:latest": true, "eye:4b": false, "": false, "../x": false} {
		if got := Has(c.ModelDir, model); got != want {
			t.Errorf("Has(%q) = %v", model, got)
		}
	}
}

func TestSweepRemovesOnlyWhatIsLeftBehind(t *testing.T) {
	root := t.TempDir()
	old := filepath.Join(root, stagePrefix+"old")
	fresh := filepath.Join(root, stagePrefix+"fresh")
	held := &stage{target: root, need: 1}
	check(t, held.open())
	defer held.close()
	for _, dir := range []string{old, fresh} {
		put(t, filepath.Join(dir, "0"), nil)
	}
	for _, dir := range []string{old, held.dir} {
		past := fileTime(t, dir).Add(-2 * staleAge)
		check(t, os.Chtimes(dir, past, past))
	}
	sweep(root)
	for dir, want := range map[string]bool{old: false, fresh: true, held.dir: true} {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) == want {
			t.Errorf("%s: %v", filepath.Base(dir), err)
		}
	}
}
