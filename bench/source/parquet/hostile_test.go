package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/source/parquet/parquettest"
)

func TestWritten(t *testing.T) {
	columns := []parquettest.Column{
		{Path: "id", Cells: []any{"a", nil, "c"}},
		{Path: "image.bytes", Cells: []any{[]byte("x"), nil, []byte("")}},
		{Path: "image.path", Cells: []any{nil, nil, "y"}},
		{Path: "order", Cells: []any{int64(-3), int64(1 << 40), nil}},
		{Path: "choices", Cells: []any{[]string{"one", "", "three"}, []string{}, []string{"only"}}},
	}
	for _, perGroup := range []int{1, 2, 100} {
		f := mustOpen(t, parquettest.File(columns, perGroup))
		for _, c := range columns {
			got, err := readColumn(f, c.Path)
			if err != nil {
				t.Fatal(err)
			}
			var want []any
			for _, v := range c.Cells {
				if list, ok := v.([]string); ok {
					v = List{}
					for _, text := range list {
						v = append(v.(List), text)
					}
				}
				want = append(want, shown(v))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", c.Path, diff)
			}
		}
	}
}

// allocated is how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// footerOf is a file with nothing but a footer.
func footerOf(footer string) []byte {
	b := append([]byte("PAR1"), footer...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, "PAR1"...)
}

// TestLyingSizes: what a file only claims takes no memory.
func TestLyingSizes(t *testing.T) {
	const billions = "\xff\xff\xff\xff\x07" // 2^31-1 as a varint
	good := parquettest.File([]parquettest.Column{{Path: "id", Cells: []any{"alpha", "beta"}}}, 2)
	page := bytes.Index(good, []byte{0x15, 0}) // type of the first page
	level := bytes.Index(good, []byte{2, 1, 2, 1})
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"schema", footerOf("\x29\xfc" + billions), "ends too early"},
		{"row groups", footerOf("\x49\xfc" + billions), "ends too early"},
		{"a name", footerOf("\x29\x1c\x48" + billions), "ends too early"},
		{"nesting", footerOf(strings.Repeat("\x1c", 1000)), "nests deeper"},
		{"nested lists", footerOf(strings.Repeat("\x99", 1000)), "nests deeper"},
		{"page size", spliced(good, page+2, 4, "\x15\xfe\xff\xff\xff\x0f\x15\xfe\xff\xff\xff\x0f"), "goes beyond the chunk"},
		{"run", spliced(good, level, 2, billions+"\x01"), "levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			n := allocated(func() { err = readAll(t, tt.file) })
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if n > 4<<20 {
				t.Errorf("%d bytes allocated for a file of %d", n, len(tt.file))
			}
		})
	}
}

// spliced replaces n bytes from a place on. The chunk's size in the footer stays
// as it was.
func spliced(b []byte, at, n int, by string) []byte {
	return bytes.Join([][]byte{b[:at], []byte(by), b[at+n:]}, nil)
}

// TestOnePageAtATime: memory does not grow with the file.
func TestOnePageAtATime(t *testing.T) {
	picture := bytes.Repeat([]byte("x"), 1<<20)
	cells := make([]any, 64)
	for i := range cells {
		cells[i] = picture
	}
	file := parquettest.File([]parquettest.Column{{Path: "image.bytes", Cells: cells}}, 4)
	f := mustOpen(t, file)
	var peak uint64
	for range f.Column("image.bytes", nil) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	if limit := uint64(len(file) + 24<<20); peak > limit {
		t.Errorf("%d bytes in use, want %d at most", peak, limit)
	}
}

func TestDecompress(t *testing.T) {
	tests := []struct {
		codec int
		data  string
		size  int
		want  string
	}{
		{codecNone, "abc", 3, ""},
		{codecNone, "abc", 4, "3 bytes where 4 are claimed"},
		{codecNone, "abc", maxPage + 1, "too large"},
		{codecGzip, "abc", 1 << 25, "too large"},
		{codecSnappy, "\xff\xff\xff\x07", 16777215, "bytes where 16777215 are claimed"},
		{codecGzip, "abc", 3, "decompressing"},
		{codecZstd, "abc", 3, "decompressing"},
		{5, "abc", 3, "compression LZ4 is not read"},
		{99, "abc", 3, "compression 99 is not read"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.codec, tt.size), func(t *testing.T) {
			var u unpacker
			s, err := u.open(packed{strings.NewReader(tt.data), 0, len(tt.data), tt.size, tt.codec})
			if err == nil {
				err = s.finish()
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
