package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zip"
)

// entry is one of a made archive.
type entry struct {
	name, text string
	change     func(*zip.FileHeader) // of its header; the text is stored raw then
}

// packZip makes an archive.
func packZip(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		var to io.Writer
		var err error
		if e.change == nil {
			to, err = w.CreateHeader(h)
		} else {
			h.Method, h.CRC32 = zip.Store, crc32.ChecksumIEEE([]byte(e.text))
			h.UncompressedSize64, h.CompressedSize64 = uint64(len(e.text)), uint64(len(e.text))
			e.change(h)
			to, err = w.CreateRaw(h)
		}
		if err == nil {
			_, err = io.WriteString(to, e.text)
		}
		if err != nil && e.text != "" {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func newZip(archive []byte) (*Zip, error) {
	return NewZip("imgs.zip", bytes.NewReader(archive), int64(len(archive)))
}

func TestZip(t *testing.T) {
	z, err := newZip(packZip(
		t, entry{name: "imgs/"}, entry{name: "imgs/a.jpg", text: "A"}, entry{name: "./imgs/b c.jpg", text: strings.Repeat("B", 1<<17)},
		entry{name: "__MACOSX/imgs/._a.jpg", text: "shadow"}, entry{name: "imgs/._a.jpg", text: "shadow"},
		entry{"imgs/s.jpg", "stored", func(h *zip.FileHeader) {}}, entry{name: "imgs/empty.jpg"},
	))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, want, problem string }{
		{"imgs/a.jpg", "A", ""},
		{"./imgs//a.jpg", "A", ""},
		{"imgs/b c.jpg", strings.Repeat("B", 1<<17), ""},
		{"imgs/s.jpg", "stored", ""},
		{"imgs/empty.jpg", "", ""},
		{"imgs/._a.jpg", "", "missing in the archive"},
		{"__MACOSX/imgs/._a.jpg", "", "missing in the archive"},
		{"imgs", "", "missing in the archive"},
		{"a.jpg", "", "missing in the archive"},
		{"../imgs/a.jpg", "", "not a path below the data folder"},
		{"/imgs/a.jpg", "", "not a path below the data folder"},
		{`imgs\a.jpg`, "", "not a path below the data folder"},
		{"", "", "not a path below the data folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := z.Open(tt.name)
			var pe *PictureError
			if errors.As(err, &pe) && pe.Problem != tt.problem || (err == nil) != (tt.problem == "") || string(data) != tt.want {
				t.Errorf("%.20q, error %v", data, err)
			}
			if tt.problem != "not a path below the data folder" && z.Has(tt.name) != (err == nil) {
				t.Errorf("has: %v", z.Has(tt.name))
			}
		})
	}
}

// TestZipTogether opens pictures from several goroutines.
func TestZipTogether(t *testing.T) {
	var entries []entry
	for i := range 50 {
		entries = append(entries, entry{name: fmt.Sprint(i), text: strings.Repeat(fmt.Sprint(i), 5000)})
	}
	z, err := newZip(packZip(t, entries...))
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, e := range entries {
				if data, err := z.Open(e.name); err != nil || string(data) != e.text {
					t.Errorf("entry %s: %d bytes, error %v", e.name, len(data), err)
				}
			}
		})
	}
	wait.Wait()
}

func TestZipRefused(t *testing.T) {
	mode := func(m fs.FileMode) func(*zip.FileHeader) { return func(h *zip.FileHeader) { h.SetMode(m) } }
	good := packZip(t, entry{name: "a", text: "A"}, entry{name: "b", text: "B"})
	miscounted := bytes.Clone(good)
	binary.LittleEndian.PutUint16(miscounted[len(miscounted)-12:], 3)
	tests := []struct {
		name    string
		archive []byte
		entry   string
		problem string
	}{
		{"path out of it", packZip(t, entry{name: "imgs/../../x", text: "A"}), "imgs/../../x", "a path out of the archive"},
		{"absolute path", packZip(t, entry{name: "/etc/x", text: "A"}), "/etc/x", "an absolute path"},
		{"drive", packZip(t, entry{name: "C:x", text: "A"}), "C:x", "an absolute path"},
		{"backslash", packZip(t, entry{name: `imgs\x`, text: "A"}), `imgs\x`, "a name with a backslash"},
		{"no name", packZip(t, entry{name: "", text: "A"}), "", "a name that is no path"},
		{"NUL", packZip(t, entry{name: "a\x00b", text: "A"}), "a\x00b", "a name that is no path"},
		{"long name", packZip(t, entry{name: strings.Repeat("x", 1025), text: "A"}), strings.Repeat("x", 60) + "…", "a name of more than 1024 bytes"},
		{"symbolic link", packZip(t, entry{"imgs/x", "../../y", mode(fs.ModeSymlink | 0o777)}), "imgs/x", "a symbolic link"},
		{"pipe", packZip(t, entry{"imgs/x", "", mode(fs.ModeNamedPipe)}), "imgs/x", "not a file"},
		{"twice", packZip(t, entry{name: "a/b", text: "A"}, entry{name: "./a//b", text: "B"}), "./a//b", "a second entry of this name"},
		{"encrypted", packZip(t, entry{"x", "?", func(h *zip.FileHeader) { h.Flags |= 1 }}), "x", "encrypted"},
		{"method", packZip(t, entry{"x", "?", func(h *zip.FileHeader) { h.Method = 9 }}), "x", "packed by method 9"},
		{"huge", packZip(t, entry{"a", "x", func(h *zip.FileHeader) { h.UncompressedSize64 = maxPicture + 1 }}), "a", "larger than 256 MiB"},
		{"bomb", packZip(t, entry{name: "a", text: strings.Repeat("\x00", ratioFrom+1)}), "a", "packed more than 200 to 1, which no picture is"},
		{"cut", good[:len(good)-30], "", "is it cut short?"},
		{"entries missing", miscounted, "", "is it cut short?"},
		{"another kind", []byte("\x1f\x8b no zip archive"), "", "is it cut short?"},
		{"empty", nil, "", "is it cut short?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newZip(tt.archive)
			var ze *ZipError
			if !errors.As(err, &ze) || ze.Path != "imgs.zip" || ze.Entry != tt.entry || !strings.Contains(ze.Problem, tt.problem) {
				t.Errorf("error %v, want entry %q, problem %q", err, tt.entry, tt.problem)
			}
		})
	}
}

// TestZipLimits: a directory that fills the memory is not read to its end.
func TestZipLimits(t *testing.T) {
	var many, wide []entry
	for i := range maxZipEntries + 1 {
		many = append(many, entry{name: fmt.Sprint(i), change: func(*zip.FileHeader) {}})
	}
	for i := range maxZipIndex / 50_000 {
		wide = append(wide, entry{name: fmt.Sprint(i), change: func(h *zip.FileHeader) { h.Comment = strings.Repeat("x", 60_000) }})
	}
	for want, entries := range map[string][]entry{"more than 200000 entries": many, "a directory of more than": wide} {
		if _, err := newZip(packZip(t, entries...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestZipBadEntries(t *testing.T) {
	good := packZip(t, entry{"a", "content", func(*zip.FileHeader) {}})
	tests := []struct {
		name    string
		archive []byte
		problem string
	}{
		{"larger than it says", packZip(t, entry{"a", "content", func(h *zip.FileHeader) { h.UncompressedSize64 = 3 }}), "damaged in the archive"},
		{"smaller than it says", packZip(t, entry{"a", "content", func(h *zip.FileHeader) { h.UncompressedSize64 = 30 }}), "damaged in the archive"},
		{"checksum", bytes.Replace(good, []byte("content"), []byte("Content"), 1), "damaged in the archive"},
		{"header", bytes.Replace(good, []byte("PK\x03\x04"), []byte("PK\x00\x00"), 1), "damaged in the archive"},
		{"not deflated", packZip(t, entry{"a", "\xff\xff\xff", func(h *zip.FileHeader) { h.Method, h.UncompressedSize64 = zip.Deflate, 9 }}), "damaged in the archive"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			z, err := newZip(tt.archive)
			if err != nil {
				t.Fatal(err)
			}
			_, err = z.Open("a")
			var pe *PictureError
			if !errors.As(err, &pe) || pe.Problem != tt.problem {
				t.Errorf("error %v, want %q", err, tt.problem)
			}
		})
	}
}

// TestZipBombIsNotUnpacked: a bomb costs no memory.
func TestZipBombIsNotUnpacked(t *testing.T) {
	archive := packZip(t, entry{name: "a", text: strings.Repeat("\x00", 100<<20)})
	lying := bytes.ReplaceAll(archive, binary.LittleEndian.AppendUint32(nil, 100<<20), binary.LittleEndian.AppendUint32(nil, 1000))
	z, err := newZip(lying)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = z.Open("a")
	runtime.ReadMemStats(&after)
	var pe *PictureError
	if !errors.As(err, &pe) || pe.Problem != "damaged in the archive" {
		t.Errorf("error %v", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes were allocated", got)
	}
}

func TestPacked(t *testing.T) {
	archive := string(packZip(t, entry{name: "imgs/p/a.jpg", text: "A"}))
	bare := string(packZip(t, entry{name: "p/a.jpg", text: "A"}))
	tests := []struct {
		name, at string
		files    map[string]string
		has      bool
	}{
		{"archive", "", map[string]string{"test.json": `[{"a":1}]`, "imgs.zip": archive}, true},
		{"archive without the folder's name", "", map[string]string{"test.json": `[{"a":1}]`, "imgs.zip": bare}, true},
		{"unpacked", "", map[string]string{"test.json": `[{"a":1}]`, "imgs/p/a.jpg": "A", "imgs/p/question.json": "[]"}, true},
		{"folder empty, archive", "", map[string]string{"test.json": `[{"a":1}]`, "imgs/.keep": "", "imgs.zip": archive}, true},
		{"byte order mark", "", map[string]string{"test.json": "\xef\xbb\xbf" + `[{"a":1}]`, "imgs.zip": archive}, true},
		{"unpacked, archive kept", "", map[string]string{"test.json": `[{"a":1}]`, "imgs/p/a.jpg": "A", "imgs.zip": "damaged"}, true},
		{"beside the rows", "", map[string]string{"test.json": `[{"a":1}]`, "p/a.jpg": "A"}, true},
		{"rows named", "test.json", map[string]string{"test.json": `[{"a":1}]`, "imgs.zip": archive}, true},
		{"deeper", "", map[string]string{"Slake/test.json": `[{"a":1}]`, "Slake/imgs.zip": archive}, true},
		{"missing", "", map[string]string{"test.json": `[{"a":1}]`}, false},
		{"missing in the archive", "", map[string]string{"test.json": `[{"a":1}]`, "imgs.zip": string(packZip(t, entry{name: "x", text: ""}))}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := OpenTable(filepath.Join(lay(t, tt.files), tt.at), TableOptions{Split: "test"})
			if err != nil {
				t.Fatal(err)
			}
			p, err := table.Packed("imgs")
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Has("imgs/p/a.jpg"); got != tt.has {
				t.Errorf("has the picture: %v", got)
			}
			data, err := p.Open("imgs/p/a.jpg")
			var pe *PictureError
			if tt.has && (err != nil || string(data) != "A") || !tt.has && !errors.As(err, &pe) {
				t.Errorf("%q, error %v", data, err)
			}
			for _, name := range []string{"../x", "imgs/../../x", "/x", "imgs/none.jpg"} {
				if _, err := p.Open(name); !errors.As(err, &pe) || p.Has(name) {
					t.Errorf("%s: has %v, error %v", name, p.Has(name), err)
				}
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Open("imgs/p/a.jpg"); !errors.As(err, &pe) {
				t.Errorf("after closing: %v", err)
			}
		})
	}
}

// TestPackedCache: in a hub's cache the archive is a link to a blob.
func TestPackedCache(t *testing.T) {
	dir := lay(t, map[string]string{"c/refs/main": "x1", "c/blobs/0a": `[{"a":1}]`, "c/blobs/0b": string(packZip(t, entry{name: "imgs/a.jpg", text: "A"}))})
	link(t, dir, "c/snapshots/x1/test.json", "../../blobs/0a")
	link(t, dir, "c/snapshots/x1/imgs.zip", "../../blobs/0b")
	for _, at := range []string{"c", "c/snapshots/x1", "c/snapshots/x1/test.json"} {
		table, err := OpenTable(filepath.Join(dir, at), TableOptions{Split: "test"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Packed("imgs")
		if err != nil {
			t.Fatal(err)
		}
		if data, err := p.Open("imgs/a.jpg"); err != nil || string(data) != "A" {
			t.Errorf("%s: %q, error %v", at, data, err)
		}
		p.Close()
	}
}

func TestPackedRefused(t *testing.T) {
	for problem, archive := range map[string]string{
		"is it cut short?": "PK", "pointer of Git LFS": "version https://git-lfs.example/spec/v1\noid sha256:00\nsize 1\n",
		"a path out of the archive": string(packZip(t, entry{name: "../x", text: "A"})),
	} {
		table, err := OpenTable(lay(t, map[string]string{"test.json": `[{"a":1}]`, "imgs.zip": archive}), TableOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Packed("imgs"); err == nil || !strings.Contains(err.Error(), problem) || !strings.Contains(err.Error(), "imgs.zip") {
			t.Errorf("error %v, want %q", err, problem)
		}
		table.Close()
	}
}

// FuzzZip: whatever an archive holds, its entries open or say why not, and none
// has a name that leads out of a folder.
func FuzzZip(f *testing.F) {
	f.Add(packZip(f, entry{name: "imgs/a.jpg", text: "A"}, entry{name: "b", text: strings.Repeat("B", 1000)}))
	f.Add(packZip(f, entry{"x", "../y", func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink) }}))
	f.Add(packZip(f, entry{"x", "y", func(h *zip.FileHeader) { h.Flags |= 1 }}))
	f.Fuzz(func(t *testing.T, data []byte) {
		z, err := newZip(data)
		if err != nil {
			var ze *ZipError
			if !errors.As(err, &ze) {
				t.Fatalf("error %v", err)
			}
			return
		}
		for name := range z.entries {
			if !filepath.IsLocal(name) {
				t.Errorf("entry %q", name)
			}
			data, err := z.Open(name)
			var pe *PictureError
			if err != nil && !errors.As(err, &pe) || len(data) > maxPicture {
				t.Errorf("entry %q: %d bytes, error %v", name, len(data), err)
			}
		}
	})
}
