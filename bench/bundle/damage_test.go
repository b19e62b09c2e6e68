package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func fileTime(t testing.TB, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	check(t, err)
	return info.ModTime()
}

func damageOf(b []byte) *Damage {
	_, err := Verify(context.Background(), bytes.NewReader(b), int64(len(b)), nil)
	var d *Damage
	errors.As(err, &d)
	return d
}

// TestEveryFlippedBitIsFound flips bits all over a bundle, each byte of its ends
// among them.
func TestEveryFlippedBitIsFound(t *testing.T) {
	b := pack(t, contents(t))
	to, root, before := target(t)
	n := 0
	for at := 0; at < len(b); at++ {
		if at > 100 && at < len(b)-100 && at%4999 != 0 {
			continue
		}
		n++
		damaged := bytes.Clone(b)
		damaged[at] ^= 1 << (at % 8)
		if damageOf(damaged) == nil {
			t.Errorf("bit %d of byte %d: no damage is found", at%8, at)
		}
		if at%10 == 0 {
			var d *Damage
			if _, err := unpack(damaged, to); !errors.As(err, &d) {
				t.Errorf("byte %d: unpacking gives %v", at, err)
			}
			unchanged(t, root, before)
		}
	}
	if n < 250 {
		t.Errorf("only %d flips were tried", n)
	}
}

func TestEveryCutIsFound(t *testing.T) {
	b := pack(t, contents(t))
	to, root, before := target(t)
	for at := 0; at < len(b); at++ {
		if at > 100 && at < len(b)-100 && at%4999 != 0 {
			continue
		}
		if damageOf(b[:at]) == nil {
			t.Errorf("cut at %d of %d: no damage is found", at, len(b))
		}
		if at%10 == 0 {
			var d *Damage
			if _, err := unpack(b[:at], to); !errors.As(err, &d) {
				t.Errorf("cut at %d: unpacking gives %v", at, err)
			}
			unchanged(t, root, before)
		}
	}
	if damageOf(append(bytes.Clone(b), 0)) == nil {
		t.Error("a byte too many is not found")
	}
}

// entry is one entry of a tar that a test makes by hand.
type entry struct {
	name, content string
	kind          byte // 0: a plain file
}

// handMade is a bundle, with its end mark, of entries.
func handMade(t testing.TB, entries []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	f, err := newFrames(&b)
	check(t, err)
	w := tar.NewWriter(f)
	for _, e := range entries {
		h := header(e.name, int64(len(e.content)))
		if e.kind != 0 {
			h.Typeflag, h.Linkname, h.Size, e.content = e.kind, e.content, 0, ""
		}
		check(t, w.WriteHeader(h))
		_, err := io.WriteString(w, e.content)
		check(t, err)
	}
	check(t, w.Close())
	check(t, f.Close())
	return b.Bytes()
}

// listing is the index of entries.
func listing(t testing.TB, entries []entry) Index {
	t.Helper()
	x := Index{Format: formatVersion}
	for _, e := range entries {
		x.Files = append(x.Files, File{e.name, int64(len(e.content)), digestOf([]byte(e.content))})
	}
	return x
}

// framed puts an index before entries and the digests behind them.
func framed(t testing.TB, x Index, entries []entry) []entry {
	t.Helper()
	index, err := json.Marshal(x)
	check(t, err)
	all := append([]entry{{name: indexName, content: string(index)}}, entries...)
	return append(all, entry{name: sumsName, content: string(x.sums(index))})
}

func TestDamageIsNamed(t *testing.T) {
	good := []entry{{name: "data/s/a", content: "aaa"}, {name: "data/s/b", content: "bbb"}, {name: "cards/c.json", content: "{}"}}
	with := func(i int, e entry) []entry {
		out := append([]entry{}, good...)
		out[i] = e
		return out
	}
	insert := func(e entry) []entry {
		return append(append([]entry{}, good[:1]...), append([]entry{e}, good[1:]...)...)
	}
	whole := framed(t, listing(t, good), good)
	tests := []struct {
		name    string
		entries []entry
		want    []string
	}{
		{"nothing", whole, nil},
		{"a missing picture", framed(t, listing(t, good), append(good[:1:1], good[2])), []string{`"data/s/b": it is missing`}},
		{"two missing", framed(t, listing(t, good), good[2:]), []string{`"data/s/a": it is missing`, `"data/s/b": it is missing`}},
		{"a changed byte", framed(t, listing(t, good), with(1, entry{name: "data/s/b", content: "bxb"})), []string{`"data/s/b": its bytes are not those that were packed`}},
		{"another size", framed(t, listing(t, good), with(0, entry{name: "data/s/a", content: "aaaa"})), []string{`"data/s/a": it has 4 bytes, 3 were packed`}},
		{"one too many", framed(t, listing(t, good), insert(entry{name: "data/s/x", content: "x"})), []string{`"data/s/x": the bundle does not list it`}},
		{"twice", framed(t, listing(t, good), insert(good[0])), []string{`"data/s/a": it stands in the bundle twice`}},
		{"upwards", framed(t, listing(t, good), insert(entry{name: "data/../../x", content: "x"})), []string{`"data/../../x": its path leads elsewhere`}},
		{"absolute", framed(t, listing(t, good), insert(entry{name: "/etc/x", content: "x"})), []string{`"/etc/x": its path leads elsewhere`}},
		{"backslashes", framed(t, listing(t, good), insert(entry{name: `data\..\x`, content: "x"})), []string{`"data\\..\\x": its path holds a backslash, a control character or no UTF-8`}},
		{"a link in place of a file", framed(t, listing(t, good), with(0, entry{"data/s/a", "/etc/passwd", tar.TypeSymlink})), []string{`"data/s/a": it is no plain file`, `"data/s/a": it is missing`}},
		{"a hard link", framed(t, listing(t, good), insert(entry{"data/s/y", "data/s/a", tar.TypeLink})), []string{`"data/s/y": it is no plain file`}},
		{"a directory", framed(t, listing(t, good), insert(entry{"data/s/", "", tar.TypeDir})), []string{`"data/s/": it is no plain file`}},
		{"no digests", whole[:len(whole)-1], []string{`"SHA256SUMS": it is missing`}},
		{"other digests", append(whole[:len(whole)-1:len(whole)-1], entry{name: sumsName, content: "x"}), []string{`"SHA256SUMS": it is not the list of the files' digests`}},
		{"no list", whole[1:], []string{`"bundle.json": the list of files cannot be read: its first file is "data/s/a"`}},
		{"empty", nil, []string{`"bundle.json": the list of files cannot be read: EOF`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := handMade(t, tt.entries)
			var got []string
			if d := damageOf(b); d != nil {
				for _, p := range d.Problems {
					got = append(got, p.String())
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if tt.want == nil {
				return
			}
			to, root, before := target(t)
			var d *Damage
			if _, err := unpack(b, to); !errors.As(err, &d) || d.Problems[0].String() != tt.want[0] {
				t.Errorf("unpacking gives %v", err)
			}
			unchanged(t, root, before)
		})
	}
}

func TestLyingIndexIsRefused(t *testing.T) {
	blob := "models/blobs/sha256-" + digestOf([]byte("x"))
	manifestPath := manifestsDir + "h/n/m/t"
	tests := []struct {
		name   string
		change func(x *Index)
		want   string
	}{
		{"another format", func(x *Index) { x.Format = 2 }, "format 2"},
		{"upwards", func(x *Index) { x.Files[0].Path = "data/../../x" }, "leads elsewhere"},
		{"absolute", func(x *Index) { x.Files[0].Path = "/x" }, "leads elsewhere"},
		{"a line end", func(x *Index) { x.Files[0].Path = "data/a\nb" }, "control character"},
		{"elsewhere", func(x *Index) { x.Files[0].Path = "home/x" }, "none of a bundle's directories"},
		{"long", func(x *Index) { x.Files[0].Path = "data/" + strings.Repeat("a", maxPath) }, "longer"},
		{"a digest that is none", func(x *Index) { x.Files[0].SHA256 = "x" }, "none"},
		{"a negative size", func(x *Index) { x.Files[0].Size = -1 }, "none"},
		{"too much", func(x *Index) {
			x.Files[0].Size = maxTotal
			x.Files = append(x.Files, File{"data/b", maxTotal, x.Files[0].SHA256})
		}, "more bytes"},
		{"twice", func(x *Index) { x.Files = append(x.Files, x.Files[0]) }, "twice"},
		{"a blob under another name", func(x *Index) { x.Files[0].Path = blob }, "not its digest"},
		{"a manifest of no model", func(x *Index) { x.Files[0].Path = manifestPath }, "no model that is listed"},
		{"a manifest of a bad name", func(x *Index) { x.Files[0].Path = manifestsDir + "h/n/.m/t" }, "no name"},
		{"a model elsewhere", func(x *Index) { x.Files[0].Path = manifestsDir + "h/n/m/cloud" }, "no name"},
		{"a model without a manifest", func(x *Index) { x.Models = []Model{{Name: "m:t"}} }, "no manifest"},
		{"a model without its tag", func(x *Index) { x.Models = []Model{{Name: "m"}} }, "whole name"},
		{"too many models", func(x *Index) { x.Models = make([]Model, maxModels+1) }, "1001 models"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := listing(t, []entry{{name: "data/a", content: "a"}})
			tt.change(&x)
			d := damageOf(handMade(t, framed(t, x, []entry{{name: "data/a", content: "a"}})))
			if d == nil || !strings.Contains(d.Problems[0].What, tt.want) {
				t.Errorf("damage %v, want one with %q", d, tt.want)
			}
		})
	}
}

// TestModelsMustBeWhole packs a manifest without one of its layers.
func TestModelsMustBeWhole(t *testing.T) {
	c := contents(t)
	k, err := Prepare(context.Background(), Contents{Models: []string{"eye"}, ModelDir: c.ModelDir}, nil)
	check(t, err)
	last := len(k.from) - 1
	missing := k.Index.Files[last].Path
	k.from, k.Index.Files = k.from[:last], k.Index.Files[:last]
	var b bytes.Buffer
	check(t, k.Pack(context.Background(), &b, nil))
	d := damageOf(b.Bytes())
	if d == nil || d.Problems[0].Path != missing || !strings.Contains(d.Problems[0].What, `model "eye:latest" needs it`) {
		t.Errorf("damage %v, want %s missing", d, missing)
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	var entries []entry
	for i := range maxProblems + 20 {
		entries = append(entries, entry{name: fmt.Sprintf("data/%d", i), content: "x"})
	}
	d := damageOf(handMade(t, framed(t, listing(t, entries), nil)))
	if d == nil || len(d.Problems) != maxProblems || d.More != 20 {
		t.Errorf("damage %v", d)
	}
}

func TestNotABundle(t *testing.T) {
	for name, b := range map[string][]byte{"empty": nil, "text": []byte(strings.Repeat("text ", 100)), "zeros": make([]byte, 5000)} {
		if d := damageOf(b); d == nil {
			t.Errorf("%s: no damage is found", name)
		}
	}
}
