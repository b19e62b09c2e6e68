package preprocess

import (
	"encoding/binary"
	"fmt"
	"image"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// exifOf is a TIFF structure whose second entry is an orientation.
func exifOf(order string, kind, value int) []byte {
	var bo binary.AppendByteOrder = binary.LittleEndian
	if order == "MM" {
		bo = binary.BigEndian
	}
	b := bo.AppendUint16([]byte(order), 42)
	b = bo.AppendUint32(b, 8)
	b = bo.AppendUint16(b, 2)
	b = bo.AppendUint16(b, 0x0100) // width
	b = bo.AppendUint16(b, typeLong)
	b = bo.AppendUint32(b, 1)
	b = bo.AppendUint32(b, 77)
	b = bo.AppendUint16(b, orientationTag)
	b = bo.AppendUint16(b, uint16(kind))
	b = bo.AppendUint32(b, 1)
	if kind == typeLong {
		b = bo.AppendUint32(b, uint32(value))
	} else {
		b = bo.AppendUint16(b, uint16(value))
		b = bo.AppendUint16(b, 0xdead) // not part of a short
	}
	return bo.AppendUint32(b, 0)
}

func TestOrientationValue(t *testing.T) {
	for value := range 12 {
		want := value
		if value < 1 || value > 8 {
			want = 1
		}
		for _, order := range []string{"II", "MM"} {
			for _, kind := range []int{typeShort, typeLong} {
				tiff := exifOf(order, kind, value)
				if got := orientation(tiff); got != want {
					t.Errorf("%s type %d value %d is read as %d", order, kind, value, got)
				}
				if got := orientation(append([]byte("Exif\x00\x00"), tiff...)); got != want {
					t.Errorf("%s type %d value %d with mark is read as %d", order, kind, value, got)
				}
			}
		}
	}
}

func TestOrientationOfBrokenExif(t *testing.T) {
	good := exifOf("II", typeShort, 6)
	change := func(at int, with ...byte) []byte {
		b := append([]byte{}, good...)
		copy(b[at:], with)
		return b
	}
	cases := map[string][]byte{
		"empty":                nil,
		"other order":          change(0, 'X', 'X'),
		"other magic":          change(2, 43),
		"directory outside":    change(4, 0xff, 0xff, 0xff, 0xff),
		"directory at the end": change(4, byte(len(good)-1)),
		"no entries":           change(8, 0, 0),
		"two values":           change(26, 2),
		"another type":         change(24, 2),
	}
	for name, tiff := range cases {
		if got := orientation(tiff); got != 1 {
			t.Errorf("%s: %d", name, got)
		}
	}
	for n := range 34 { // the entry is complete at 34 bytes
		if got := orientation(good[:n]); got != 1 {
			t.Errorf("cut at %d: %d", n, got)
		}
	}
	if got := orientation(change(8, 0xff, 0xff)); got != 6 {
		t.Errorf("too high a number of entries: %d", got)
	}
}

// upright is how pictures stored as 1 2 3 / 4 5 6 look, by the definition of the
// orientations: where the stored first row and first column are.
var upright = map[int][][]byte{
	1: {{1, 2, 3}, {4, 5, 6}},   // top, left
	2: {{3, 2, 1}, {6, 5, 4}},   // top, right
	3: {{6, 5, 4}, {3, 2, 1}},   // bottom, right
	4: {{4, 5, 6}, {1, 2, 3}},   // bottom, left
	5: {{1, 4}, {2, 5}, {3, 6}}, // left, top
	6: {{4, 1}, {5, 2}, {6, 3}}, // right, top
	7: {{6, 3}, {5, 2}, {4, 1}}, // right, bottom
	8: {{3, 6}, {2, 5}, {1, 4}}, // left, bottom
	9: {{1, 2, 3}, {4, 5, 6}},   // not defined
	0: {{1, 2, 3}, {4, 5, 6}},   // not defined
}

func TestOrientedPNG(t *testing.T) {
	file := encodePNG(t, greys([]byte{1, 2, 3}, []byte{4, 5, 6}))
	for value, want := range upright {
		for _, order := range []string{"II", "MM"} {
			got := prepare(t, Recipe{}, withChunks(t, file, chunkOf("eXIf", exifOf(order, typeShort, value))))
			if diff := cmp.Diff(want, rows(t, shown(t, got))); diff != "" {
				t.Errorf("orientation %d: %s", value, diff)
			}
			checkOrientedSteps(t, value, got)
		}
	}
}

func TestOrientedJPEG(t *testing.T) {
	// Blocks of 8×8 even pixels come back exactly in quality 95 or nearly so.
	m := image.NewGray(image.Rect(0, 0, 24, 16))
	for i := range m.Pix {
		m.Pix[i] = byte(36 * (1 + i%24/8 + 3*(i/24/8)))
	}
	file := encodeJPEG(t, m)
	for value, want := range upright {
		for _, order := range []string{"II", "MM"} {
			exif := append([]byte("Exif\x00\x00"), exifOf(order, typeShort, value)...)
			got := prepare(t, Recipe{}, withSegments(file, segmentOf(app1, exif)))
			var blocks [][]byte
			for y, row := range rows(t, shown(t, got)) {
				if y%8 == 4 {
					var line []byte
					for x := 4; x < len(row); x += 8 {
						line = append(line, (row[x]+18)/36)
					}
					blocks = append(blocks, line)
				}
			}
			if diff := cmp.Diff(want, blocks); diff != "" {
				t.Errorf("orientation %d: %s", value, diff)
			}
			checkOrientedSteps(t, value, got)
		}
	}
}

func checkOrientedSteps(t *testing.T, value int, got Image) {
	t.Helper()
	want := "passed"
	if value >= 2 && value <= 8 {
		want = fmt.Sprintf("oriented %d", value)
	}
	if got.Steps[0] != want {
		t.Errorf("orientation %d: steps %q", value, got.Steps)
	}
}

func FuzzOrientation(f *testing.F) {
	for _, order := range []string{"II", "MM"} {
		for v := range 10 {
			f.Add(exifOf(order, typeShort, v))
			f.Add(exifOf(order, typeLong, v))
		}
	}
	f.Add([]byte("Exif\x00\x00II*\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, tiff []byte) {
		if v := orientation(tiff); v < 1 || v > 8 {
			t.Errorf("orientation %d", v)
		}
	})
}
