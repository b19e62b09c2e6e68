package parquet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/snappy"
)

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

// unsnapped is a block as a stream gives it.
func unsnapped(u *unsnapper, b []byte, size int) ([]byte, error) {
	if err := u.open(packed{bytes.NewReader(b), 0, len(b), size, codecSnappy}); err != nil {
		return nil, err
	}
	return io.ReadAll(u)
}

func newUnsnapper() *unsnapper { return &unsnapper{in: bufio.NewReaderSize(nil, inBuffer)} }

// TestUnsnap: what another library makes is read, however far its copies reach.
// One stream after the other is read in the same memory.
func TestUnsnap(t *testing.T) {
	u := newUnsnapper()
	near := noise(1000)
	far := noise(300 << 10)
	farther := noise(5 << 20)
	tests := []struct {
		name string
		data []byte
	}{
		{"empty", nil},
		{"a byte", []byte("x")},
		{"a run", bytes.Repeat([]byte("x"), 1<<20)},
		{"noise", noise(1 << 20)},
		{"near", bytes.Repeat(near, 2000)},
		{"far", joined(far, far, near, far)},
		{"farther", joined(near, farther, near, far[:70<<10], farther, bytes.Repeat(near, 300))},
		{"near again", bytes.Repeat(near, 200)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := snappy.Encode(nil, tt.data)
			got, err := unsnapped(u, b, len(tt.data))
			if err != nil || !bytes.Equal(got, tt.data) {
				t.Fatalf("%d bytes of %d, error %v", len(got), len(tt.data), err)
			}
		})
	}
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// TestUnsnapFar: copies that reach far back, as written by hand.
func TestUnsnapFar(t *testing.T) {
	data := noise(3 << 20)
	b := binary.AppendUvarint(nil, uint64(len(data)+64+4+64))
	b = append(b, 62<<2)
	n := uint32(len(data) - 1)
	b = append(b, byte(n), byte(n>>8), byte(n>>16))
	b = append(b, data...)
	offset := func(tag byte, at uint32) { b = binary.LittleEndian.AppendUint32(append(b, tag), at) }
	offset(63<<2|3, uint32(len(data)))     // the first 64 bytes
	b = append(b, 0<<2|1, 1)               // the last byte, 4 times
	offset(63<<2|3, uint32(len(data)+4-7)) // from byte 71 on
	want := joined(data, data[:64], bytes.Repeat(data[63:64], 4), data[71:71+64])
	got, err := unsnapped(newUnsnapper(), b, len(want))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, error %v", len(got), len(want), err)
	}
}

func TestUnsnapHolds(t *testing.T) {
	data := noise(32 << 20)
	b := snappy.Encode(nil, data)
	n := allocated(func() {
		u := newUnsnapper()
		if err := u.open(packed{bytes.NewReader(b), 0, len(b), len(data), codecSnappy}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, u); err != nil {
			t.Fatal(err)
		}
	})
	if n > 1<<20 {
		t.Errorf("%d bytes allocated for a stream of %d", n, len(data))
	}
}

func TestUnsnapRefuses(t *testing.T) {
	tests := []struct{ name, block string }{
		{"nothing", ""},
		{"another size", "\x04\x08abc"},
		{"a literal too long", "\x03\x0cabcd"},
		{"a literal cut", "\x03\x08ab"},
		{"a length cut", "\x03\xf4\x02"},
		{"more than is claimed", "\x03\x08abc\x00d"},
		{"a copy from before the beginning", "\x03\x00a\x05\x02"},
		{"a copy of nothing", "\x05\x00a\x01\x00"},
		{"a copy too long", "\x03\x00a\x09\x01"},
		{"a copy cut", "\x03\x00a\x0b\x01\x00"},
		{"a copy from very far", "\x03\x00a\x07\xff\xff\xff\xff"},
		{"a very long literal", "\x03\xfc\xff\xff\xff\xff"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := unsnapped(newUnsnapper(), []byte(tt.block), 3)
			if err == nil || err == io.EOF {
				t.Errorf("%q, error %v", got, err)
			}
			if _, err := snappy.DecodeStrict(nil, []byte(tt.block)); err == nil && tt.name != "another size" {
				t.Error("another library takes it")
			}
		})
	}
}

// FuzzUnsnap: blocks are read as another library reads them.
func FuzzUnsnap(f *testing.F) {
	f.Add([]byte("\x03\x08abc"))
	f.Add(snappy.Encode(nil, []byte(strings.Repeat("abcd", 99))))
	f.Add(snappy.Encode(nil, joined(noise(64), make([]byte, 99<<10), noise(64))))
	f.Fuzz(func(t *testing.T, b []byte) {
		size, n := binary.Uvarint(b)
		if n <= 0 || n > 5 || size > 1<<20 || size/22 > uint64(len(b)) {
			return
		}
		want, wrong := snappy.DecodeStrict(nil, b)
		got, err := unsnapped(newUnsnapper(), b, int(size))
		if (err == nil) != (wrong == nil) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("%d bytes, error %v; %d bytes, error %v", len(got), err, len(want), wrong)
		}
	})
}
