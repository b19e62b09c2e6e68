package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lightbox/bench/source/parquet/parquettest"
)

// layouts are ways in which writers lay out a column of pictures.
var layouts = []parquettest.Layout{
	{PerGroup: 1000},
	{PerGroup: 1000, PerPage: 13, Codec: parquettest.Gzip},
	{PerGroup: 13, Codec: parquettest.Zstd},
	{PerGroup: 1000, Codec: parquettest.Snappy},
	{PerGroup: 13, PerPage: 5, Codec: parquettest.Snappy, Dictionary: true},
	{PerGroup: 1000, Codec: parquettest.Zstd, Dictionary: true},
}

// pictures are n cells of size bytes: each third is null, each fifth as another.
func pictures(n, size int) []any {
	cells := make([]any, n)
	all := noise(n * size)
	for i := range cells {
		if i%3 == 2 {
			continue
		}
		from := i
		if i%5 == 4 {
			from = i / 2
		}
		cells[i] = all[from*size : (from+1)*size]
	}
	return cells
}

func layoutName(l parquettest.Layout) string {
	return strings.NewReplacer("{", "", "}", "").Replace(fmt.Sprintf("%+v", l))
}

// TestLayouts: however a file is laid out, the same is read in both ways and in
// every order, also where a page is more than is held of it.
func TestLayouts(t *testing.T) {
	const n = 30
	cells := pictures(n, maxHeld/n*2)
	for _, layout := range layouts {
		t.Run(layoutName(layout), func(t *testing.T) {
			f := mustOpen(t, layout.File([]parquettest.Column{{Path: "image.bytes", Cells: cells}}))
			row := 0
			for v, err := range f.Column("image.bytes", nil) {
				if err != nil {
					t.Fatal(err)
				}
				if !same(v, cells[row]) {
					t.Fatalf("row %d is another", row)
				}
				row++
			}
			c, err := f.Cursor("image.bytes")
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 * n {
				row := []int{i % n, n - 1 - i%n, i * 17 % n}[i/n]
				v, err := c.At(int64(row))
				if err != nil {
					t.Fatal(err)
				}
				if !same(v, cells[row]) {
					t.Fatalf("row %d is another", row)
				}
				if i == 2*n {
					c.Release()
				}
			}
		})
	}
}

func same(a, b any) bool {
	x, isBytes := a.([]byte)
	y, _ := b.([]byte)
	return isBytes == (b != nil) && bytes.Equal(x, y)
}

// most is the largest heap in use as f goes on, beyond what was in use before.
func most(f func(look func())) uint64 {
	var peak uint64
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := inUse()
	f(func() { peak = max(peak, inUse()) })
	return peak - min(peak, before)
}

// TestLayoutsHold: memory does not grow with pages or dictionaries.
func TestLayoutsHold(t *testing.T) {
	const n, size = 48, 1 << 20
	cells := pictures(n, size)
	digest := func(v any) any { return int64(len(v.([]byte))) }
	for _, layout := range layouts {
		t.Run(layoutName(layout), func(t *testing.T) {
			f := mustOpen(t, layout.File([]parquettest.Column{{Path: "image.bytes", Cells: cells}}))
			through := most(func(look func()) {
				row := 0
				for _, err := range f.Column("image.bytes", digest) {
					if err != nil {
						t.Fatal(err)
					}
					if row++; row%4 == 0 {
						look()
					}
				}
			})
			found := most(func(look func()) {
				c, err := f.Cursor("image.bytes")
				if err != nil {
					t.Fatal(err)
				}
				for row := range n {
					if _, err := c.At(int64(row)); err != nil {
						t.Fatal(err)
					}
					if row%4 == 0 {
						look()
					}
				}
			})
			if through > 6<<20 || found > maxHeld+6<<20 {
				t.Errorf("%.1f MB in use to go through it, %.1f MB to find rows", float64(through)/1e6, float64(found)/1e6)
			}
			runtime.KeepAlive(f)
		})
	}
}

// TestKeep: what is kept of a value of a dictionary is made once, and of null
// nothing is made.
func TestKeep(t *testing.T) {
	file := parquettest.Layout{PerGroup: 3, Dictionary: true}.File([]parquettest.Column{
		{Path: "text", Cells: []any{"a", nil, "a", "a", "b", "a"}},
		{Path: "list", Cells: []any{[]string{"x", "y"}, nil, []string{"x"}, nil, nil, []string{"z"}}},
	})
	f := mustOpen(t, file)
	for path, want := range map[string][2]string{
		"text": {"[<a> <nil> <a> <a> <b> <a>]", "[a a b]"},
		"list": {"[[<x> <y>] [] [<x>] [] [] [<z>]]", "[x y x z]"},
	} {
		var got []any
		var asked []string
		keep := func(v any) any {
			asked = append(asked, string(v.([]byte)))
			return "<" + asked[len(asked)-1] + ">"
		}
		for v, err := range f.Column(path, keep) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if fmt.Sprint(got) != want[0] || fmt.Sprint(asked) != want[1] {
			t.Errorf("%s: %v of %v", path, got, asked)
		}
	}
}

// TestCutPages: pages that hold less or more than they claim are refused, and the
// error says where they begin.
func TestCutPages(t *testing.T) {
	cells := []any{"alpha", "beta", "gamma"}
	for _, codec := range []parquettest.Codec{parquettest.None, parquettest.Snappy, parquettest.Gzip, parquettest.Zstd} {
		for _, dictionary := range []bool{false, true} {
			layout := parquettest.Layout{PerGroup: 3, Codec: codec, Dictionary: dictionary}
			good := layout.File([]parquettest.Column{{Path: "id", Cells: cells}})
			size := sizeOf(good[4:])
			for _, by := range []int64{-1, 1, 20} {
				head := binary.AppendVarint(nil, size+by)
				bad := slices.Clone(good)
				copy(bad[4+3:], head) // field 2 of the page's head
				_, err := readColumn(mustOpen(t, bad), "id")
				if err == nil || !strings.Contains(err.Error(), `column "id" at byte 4: `) || strings.Contains(err.Error(), "page head") {
					t.Errorf("%s, %d more: error %v", layoutName(layout), by, err)
				}
			}
		}
	}
}

// sizeOf is the decompressed size that a page's head claims, which stands in one
// byte.
func sizeOf(head []byte) int64 {
	n, _ := binary.Varint(head[3:])
	return n
}
