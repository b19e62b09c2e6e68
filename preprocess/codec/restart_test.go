package codec

import (
	"bytes"
	"errors"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// losslessWriter writes JPEG lossless of 8 bits with the first predictor, for
// what the tools do not write: restart markers and scans of one component. Codes
// of categories 0 to 16 have five bits.
type losslessWriter struct {
	bytes.Buffer
	acc uint32
	n   int
}

func (w *losslessWriter) put(v, n int) {
	for n--; n >= 0; n-- {
		w.acc = w.acc<<1 | uint32(v>>n&1)
		if w.n++; w.n == 8 {
			w.WriteByte(byte(w.acc))
			if byte(w.acc) == 0xFF {
				w.WriteByte(0)
			}
			w.acc, w.n = 0, 0
		}
	}
}

func (w *losslessWriter) flush() {
	for w.n > 0 {
		w.put(1, 1)
	}
}

// write compresses d's pixels with scans of the components in groups.
func (w *losslessWriter) write(d Description, pixels []byte, rows int, groups ...[]int) []byte {
	w.WriteString("\xFF\xD8\xFF\xC3")
	w.Write([]byte{0, byte(8 + 3*d.Channels), 8, 0, byte(d.Rows), 0, byte(d.Columns), byte(d.Channels)})
	for c := range d.Channels {
		w.Write([]byte{byte(c), 0x11, 0})
	}
	w.WriteString("\xFF\xC4\x00\x24\x00\x00\x00\x00\x00\x11" + strings.Repeat("\x00", 11))
	for c := range 17 {
		w.WriteByte(byte(c))
	}
	if interval := rows * d.Columns; interval > 0 {
		w.Write([]byte{0xFF, 0xDD, 0, 4, byte(interval >> 8), byte(interval)})
	}
	for _, group := range groups {
		w.Write([]byte{0xFF, 0xDA, 0, byte(6 + 2*len(group)), byte(len(group))})
		for _, c := range group {
			w.Write([]byte{byte(c), 0})
		}
		w.Write([]byte{1, 0, 0})
		w.scan(d, pixels, rows, group)
	}
	w.WriteString("\xFF\xD9")
	return w.Bytes()
}

func (w *losslessWriter) scan(d Description, pixels []byte, rows int, group []int) {
	at := func(x, y, c int) int { return int(pixels[(y*d.Columns+x)*d.Channels+c]) }
	for y := range d.Rows {
		fresh := y == 0 || rows > 0 && y%rows == 0
		if fresh && y > 0 {
			w.flush()
			w.Write([]byte{0xFF, byte(mRST0 + (y/rows-1)%8)})
		}
		for x := range d.Columns {
			for _, c := range group {
				p := 128
				if x > 0 {
					p = at(x-1, y, c)
				} else if !fresh {
					p = at(x, y-1, c)
				}
				e := at(x, y, c) - p
				n := bits.Len(uint(max(e, -e)))
				w.put(n, 5)
				if e < 0 {
					e--
				}
				w.put(e&(1<<n-1), n)
			}
		}
	}
	w.flush()
}

func TestLosslessRestarts(t *testing.T) {
	grey, rgb := makePicture(kinds["8"]), makePicture(kinds["RGB"])
	for name, c := range map[string]struct {
		picture
		rows   int
		groups [][]int
	}{
		"without":              {grey, 0, [][]int{{0}}},
		"every row":            {grey, 1, [][]int{{0}}},
		"every 4 rows":         {grey, 4, [][]int{{0}}},
		"colours":              {rgb, 2, [][]int{{0, 1, 2}}},
		"colours one by one":   {rgb, 3, [][]int{{0}, {1}, {2}}},
		"colours out of order": {rgb, 0, [][]int{{2}, {0, 1}}},
	} {
		stream := new(losslessWriter).write(c.Description, c.pixels, c.rows, c.groups...)
		got, err := Decode(JPEGLossless, stream, c.Description)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		differ(t, pack(got, c.Description), c.pixels, c.Description)
		if c.rows == 0 {
			continue
		}
		// Without one of its markers it is refused.
		at := bytes.Index(stream, []byte{0xFF, mRST0})
		if _, err := Decode(JPEGLossless, append(bytes.Clone(stream[:at]), stream[at+2:]...), c.Description); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s, a marker left out: %v", name, err)
		}
	}
}

// Sequential JPEG of 8 bits, with and without restart markers, decodes as libjpeg
// decodes it.
func TestLibjpegAgrees(t *testing.T) {
	needTools(t, "cjpeg", "djpeg")
	p := makePicture(kinds["8 wide"])
	in := filepath.Join(t.TempDir(), "in.pgm")
	if err := os.WriteFile(in, append([]byte("P5 300 150 255\n"), p.pixels...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, options := range []string{"", "-restart 3B", "-restart 1", "-optimize -quality 20", "-quality 100"} {
		stream, err := exec.Command("cjpeg", append(strings.Fields("-grayscale "+options), in)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("djpeg", "-dct", "int", "-pnm")
		c.Stdin = bytes.NewReader(stream)
		want, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(JPEGExtended, stream, p.Description)
		if err != nil {
			t.Fatal(options, err)
		}
		differ(t, pack(got, p.Description), want[len(want)-len(p.pixels):], p.Description)
	}
}
