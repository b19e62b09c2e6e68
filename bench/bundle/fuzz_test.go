package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// most bounds what an input can make a target write, in bytes.
const most = 1 << 20

// FuzzVerify reads files that may be bundles.
func FuzzVerify(f *testing.F) {
	good := []entry{{name: "data/s/a", content: "aaa"}, {name: "cards/c.json", content: "{}"}}
	b := handMade(f, framed(f, listing(f, good), good))
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add(b[:len(b)-markSize])
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := verify(context.Background(), bytes.NewReader(b), int64(len(b)), most, nil)
		if err == nil && x == nil {
			t.Error("a whole bundle without a list of files")
		}
	})
}

// FuzzUnpack unpacks bundles around tars.
func FuzzUnpack(f *testing.F) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	check(f, err)
	plain := func(b []byte) []byte {
		d, err := zstd.NewReader(bytes.NewReader(b))
		check(f, err)
		defer d.Close()
		out, err := io.ReadAll(d)
		check(f, err)
		return out
	}
	good := []entry{{name: "data/s/a", content: "aaa"}, {name: "cards/c.json", content: "{}"}}
	f.Add(plain(handMade(f, framed(f, listing(f, good), good))))
	f.Add(plain(handMade(f, append(framed(f, listing(f, good), good), entry{"data/x", "/etc", tar.TypeSymlink}))))
	small := filepath.Join(f.TempDir(), "models")
	putModel(f, small, "m", map[string][]byte{"model": []byte("GGUF"), "template": []byte("x")})
	f.Add(plain(pack(f, Contents{Models: []string{"m"}, ModelDir: small})))

	dir := f.TempDir()
	put(f, filepath.Join(dir, "outside"), []byte("x"))
	before := tree(f, dir)
	f.Fuzz(func(t *testing.T, b []byte) {
		packed := encoder.EncodeAll(b, nil)
		var mark endMark
		mark.add(packed)
		packed = append(packed, mark.bytes()...)
		x, err := verify(context.Background(), bytes.NewReader(packed), int64(len(packed)), most, nil)
		if x == nil || x.Size() > most {
			return
		}
		to := Target{Out: filepath.Join(dir, "target"), ModelDir: filepath.Join(dir, "target", "models")}
		_, uerr := unpack(packed, to)
		if err != nil && uerr == nil {
			t.Errorf("damaged (%v), and unpacked all the same", err)
		}
		if err := os.RemoveAll(to.Out); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(before, tree(t, dir)); d != "" {
			t.Errorf("something stands outside of the target (-before +after):\n%s", d)
		}
	})
}
