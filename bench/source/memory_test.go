package source

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"lightbox/bench/source/parquet/parquettest"
)

// album writes a Parquet file with pictures of size bytes that differ, and gives
// its folder.
func album(t testing.TB, pictures, size, perGroup int) string {
	t.Helper()
	ids, images := make([]any, pictures), make([]any, pictures)
	random := rand.NewChaCha8([32]byte{1})
	for i := range images {
		picture := make([]byte, size)
		random.Read(picture)
		binary.LittleEndian.PutUint32(picture, uint32(i))
		ids[i], images[i] = "question", picture
	}
	dir := t.TempDir()
	file := parquettest.File([]parquettest.Column{{Path: "question", Cells: ids}, {Path: "image.bytes", Cells: images}}, perGroup)
	if err := os.WriteFile(filepath.Join(dir, "test.parquet"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// held is the memory in use, in bytes.
func held() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestTableHoldsNoPictures: an open table knows where its pictures are and has
// none of them in memory; having read them all it holds a page.
func TestTableHoldsNoPictures(t *testing.T) {
	const pictures, size, perGroup = 320, 100_000, 10
	dir := album(t, pictures, size, perGroup)
	before := held()
	table := openTable(t, dir)
	if got := int64(held()) - int64(before); got > pictures*size/16 {
		t.Errorf("an open table holds %d bytes of %d", got, pictures*size)
	}
	for _, r := range table.Rows {
		if _, err := table.Open(r["image"].(string)); err != nil {
			t.Fatal(err)
		}
	}
	if got := int64(held()) - int64(before); got > pictures*size/8 {
		t.Errorf("a table that was read holds %d bytes of %d", got, pictures*size)
	}
	runtime.KeepAlive(table)
}

// TestTableOfFiles: pictures of more files than are held some of are found in
// every order.
func TestTableOfFiles(t *testing.T) {
	const files, rows = 4, 6
	parts := map[string]string{}
	for i := range files {
		cells := make([]any, rows)
		for row := range cells {
			cells[row] = fmt.Sprintf("picture %d of file %d", row, i)
		}
		layout := parquettest.Layout{PerGroup: 4, PerPage: 3, Codec: parquettest.Zstd, Dictionary: i%2 == 0}
		file := layout.File([]parquettest.Column{{Path: "image.bytes", Cells: cells}})
		parts[fmt.Sprintf("test-%05d-of-%05d.parquet", i, files)] = string(file)
	}
	table := openTable(t, lay(t, parts))
	for i := range 5 * files * rows {
		row := i * 7 % (files * rows)
		want := fmt.Sprintf("picture %d of file %d", row%rows, row/rows)
		if got, err := table.Open(table.Rows[row]["image"].(string)); err != nil || string(got) != want {
			t.Fatalf("row %d: %q, error %v", row, got, err)
		}
	}
}

// BenchmarkTable opens a file of the size of ScienceQA's test split and reads its
// pictures, and reports the largest heap and what is held at the end in MB:
//
//	go test -bench Table -run xxx -benchtime 3x ./bench/source
func BenchmarkTable(b *testing.B) {
	const pictures, size = 2017, 60_000 // 121 MB
	dir := album(b, pictures, size, 100)
	before := held()
	var most atomic.Uint64
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most.Store(max(most.Load(), m.HeapInuse))
			}
		}
	}()
	var last uint64
	for b.Loop() {
		table, err := OpenTable(dir, TableOptions{Picture: "image"})
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range table.Rows {
			if _, err := table.Open(r["image"].(string)); err != nil {
				b.Fatal(err)
			}
		}
		last = held()
		runtime.KeepAlive(table)
		if err := table.Close(); err != nil {
			b.Fatal(err)
		}
	}
	close(stop)
	b.ReportMetric(float64(most.Load())/1e6, "MB-most")
	b.ReportMetric(float64(last-min(before, last))/1e6, "MB-held")
}
