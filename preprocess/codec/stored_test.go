package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"runtime"
	"strings"
	"testing"
)

// stored are streams in testdata, made by dcmtk 3.6.7 and gdcm 3.0.21 from what
// makePicture draws, with the checksum of the samples as gdcm reads them.
var stored = []struct {
	name, syntax string
	Description
	sum uint32
}{
	{"lossless-sv1-8", JPEGLosslessSV1, small(29, 19, 1, 8, 8, false), 0x89F74432},
	{"lossless-sv6-16", JPEGLossless, small(29, 19, 1, 16, 16, true), 0xACCB1390},
	{"lossless-sv4-rgb", JPEGLossless, small(17, 13, 3, 8, 8, false), 0x94BDCFA8},
	{"extended-12", JPEGExtended, small(29, 19, 1, 16, 12, false), 0xA0D56308},
	{"ls-8", JPEGLSLossless, small(29, 19, 1, 8, 8, false), 0x89F74432},
	{"ls-16", JPEGLSLossless, small(29, 19, 1, 16, 16, true), 0xACCB1390},
	{"ls-sample-rgb", JPEGLSLossless, small(17, 13, 3, 8, 8, false), 0x94BDCFA8},
	{"ls-near-12", JPEGLSNearLossless, small(29, 19, 1, 16, 12, false), 0xCDB25F78},
	{"j2k-16", JPEG2000Lossless, small(29, 19, 1, 16, 16, true), 0xACCB1390},
	{"j2k-rgb", JPEG2000Lossless, small(17, 13, 3, 8, 8, false), 0x94BDCFA8},
	{"j2k-lossy-12", JPEG2000, small(29, 19, 1, 16, 12, false), 0x96A11D31},
}

func small(w, h, channels, allocated, bits int, signed bool) Description {
	return Description{Columns: w, Rows: h, Channels: channels, BitsAllocated: allocated, BitsStored: bits, HighBit: bits - 1, Signed: signed}
}

// readStored is a stream of testdata, without the byte that makes its length even.
func readStored(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimRight(b, "\x00")
}

func TestStored(t *testing.T) {
	for _, s := range stored {
		for _, behind := range []string{"", "\x00"} {
			got, err := Decode(s.syntax, append(readStored(t, s.name), behind...), s.Description)
			if err != nil {
				t.Errorf("%s: %v", s.name, err)
				continue
			}
			if sum := crc32.ChecksumIEEE(pack(got, s.Description)); sum != s.sum {
				t.Errorf("%s: checksum %08X, want %08X", s.name, sum, s.sum)
			}
			if got.RGB {
				t.Errorf("%s is said to have been transformed", s.name)
			}
		}
	}
}

// A stream that was cut anywhere is refused.
func TestCut(t *testing.T) {
	for _, s := range stored {
		b := readStored(t, s.name)
		for n := range b {
			if _, err := Decode(s.syntax, b[:n:n], s.Description); err == nil {
				t.Errorf("%s: the first %d of %d bytes were decoded", s.name, n, len(b))
			}
		}
	}
}

// A stream that does not agree with the header is refused, by name of the syntax.
func TestLies(t *testing.T) {
	for _, s := range stored {
		lies := map[string]func(d *Description){
			"narrow":     func(d *Description) { d.Columns-- },
			"wide":       func(d *Description) { d.Columns++ },
			"low":        func(d *Description) { d.Rows-- },
			"high":       func(d *Description) { d.Rows++ },
			"channels":   func(d *Description) { d.Channels = 4 - d.Channels },
			"huge":       func(d *Description) { d.Columns, d.Rows = 65535, 65535 },
			"none":       func(d *Description) { d.Columns = 0 },
			"two":        func(d *Description) { d.Channels = 2 },
			"no bits":    func(d *Description) { d.BitsStored = 0 },
			"allocated":  func(d *Description) { d.BitsAllocated, d.BitsStored = 4, 4 },
			"other kind": nil,
		}
		for name, lie := range lies {
			d, syntax := s.Description, s.syntax
			if lie == nil {
				if syntax = JPEGLosslessSV1; strings.HasPrefix(s.name, "lossless") {
					syntax = JPEG2000
				}
			} else {
				lie(&d)
			}
			_, err := Decode(syntax, readStored(t, s.name), d)
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Syntax != syntax || e.Name == "" || !strings.Contains(e.Error(), e.Name) {
				t.Errorf("%s %s: %v", s.name, name, err)
			}
		}
	}
}

// A signed header over fewer bits than it says leaves open where the sign is.
func TestSignWithoutPlace(t *testing.T) {
	for _, s := range stored {
		d := s.Description
		if d.Signed || d.BitsAllocated != 8 {
			continue
		}
		d.BitsAllocated, d.BitsStored, d.Signed = 16, 12, true
		if _, err := Decode(s.syntax, readStored(t, s.name), d); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

func TestUnknownSyntax(t *testing.T) {
	const htj2k = "1.2.840.10008.1.2.4.201"
	if _, err := Decode(htj2k, nil, small(1, 1, 1, 8, 8, false)); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), htj2k) {
		t.Error(err)
	}
	if name, ok := Name(htj2k); ok {
		t.Errorf("%q is said to be read", name)
	}
	if name, ok := Name(JPEG2000); !ok || name != "JPEG 2000" {
		t.Errorf("JPEG 2000 is called %q", name)
	}
}

// A small stream whose header says a huge frame costs no memory.
func TestBombs(t *testing.T) {
	for _, s := range stored {
		b := bytes.Clone(readStored(t, s.name))
		d := s.Description
		d.Columns, d.Rows = 9000, 9000/d.Channels
		word := func(v int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(v)) }
		old, huge := append(word(s.Rows), word(s.Columns)...), append(word(d.Rows), word(d.Columns)...)
		if s.syntax == JPEG2000 || s.syntax == JPEG2000Lossless {
			old = append(append([]byte{0, 0}, word(s.Columns)...), append([]byte{0, 0}, word(s.Rows)...)...)
			huge = append(append([]byte{0, 0}, word(d.Columns)...), append([]byte{0, 0}, word(d.Rows)...)...)
		}
		if !bytes.Contains(b, old) {
			t.Fatalf("%s: no size found", s.name)
		}
		b = bytes.ReplaceAll(b, old, huge)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(s.syntax, b, d)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", s.name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
			t.Errorf("%s: %d bytes were allocated", s.name, n)
		}
	}
}
