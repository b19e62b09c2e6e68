package source

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"lightbox/bench/card"
	"lightbox/infer"
)

// limits keep a hostile file from filling the memory.
type limits struct {
	line int   // bytes of a row
	file int64 // bytes of the file, decompressed
	rows int
}

var usual = limits{line: 16 << 20, file: 2 << 30, rows: 1_000_000}

// maxWindow is the most memory that a zstd file may ask for; the zstd program's
// own limit.
const maxWindow = 128 << 20

// Options say how samples are named.
type Options struct {
	// KeepNames makes the data's own names the IDs of samples, which stand in
	// records and reports. Otherwise an ID is the row number of the query and
	// eight digits of its digest, such as "12-1a2b3c4d".
	KeepNames bool

	Columns []string // of a sheet, each "field=column"; the others are guessed by their names

	// Encoding is that of a sheet, one of [sheet.Encodings]; empty: it is found.
	Encoding string

	// Check tells what is wrong with a path of a picture, as [Folder.Check] does;
	// nil: paths are not looked up.
	Check func(name string) error
}

// Set is the samples of a file in the order of their queries.
type Set struct {
	Samples []card.Sample
	Digest  infer.Digest // of the file's bytes as they are on disk
	How     string       // which columns of a sheet were taken, and its encoding; empty: no sheet
}

// Load reads a file of JSON Lines or a sheet, see [IsSheet]; one whose name ends in .gz or .zst is
// decompressed. What is wrong with rows comes as [RowError], up to 20 joined.
func Load(path string, o Options) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	raw := io.TeeReader(f, sum)
	plain, err := decompress(path, raw)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	defer plain.Close()
	set, err := read(path, plain, o)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, raw); err != nil { // should decompressing stop early
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	set.Digest = infer.Digest("sha256:" + hex.EncodeToString(sum.Sum(nil)))
	return set, nil
}

// read reads the rows of a file by what its name says that it is.
func read(path string, r io.Reader, o Options) (*Set, error) {
	bad := &problems{path: path}
	if !IsSheet(path) {
		samples, err := parse(path, r, o, usual)
		return &Set{Samples: samples}, err
	}
	rows, how, err := sheetRows(path, r, o, bad)
	if err != nil {
		return nil, err
	}
	samples, err := assemble(path, rows, o, bad)
	return &Set{Samples: samples, How: how}, err
}

// Parse reads JSON Lines that are in memory; name stands in errors.
func Parse(name string, data []byte, o Options) (*Set, error) {
	samples, err := parse(name, bytes.NewReader(data), o, usual)
	if err != nil {
		return nil, err
	}
	return &Set{Samples: samples, Digest: infer.DigestOf(data)}, nil
}

// decompress chooses by the ending of the file's name.
func decompress(path string, r io.Reader) (io.ReadCloser, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz":
		return gzip.NewReader(r)
	case ".zst":
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(r), nil
}

func parse(path string, r io.Reader, o Options, most limits) ([]card.Sample, error) {
	bad := &problems{path: path}
	rows, err := parseRows(r, most, bad)
	if err != nil {
		return nil, errors.Join(bad.err(), fmt.Errorf("reading %q: %w", path, err))
	}
	return assemble(path, rows, o, bad)
}

// assemble makes samples of rows, in the order of their queries.
func assemble(path string, rows []row, o Options, bad *problems) ([]card.Sample, error) {
	if o.Check != nil {
		lookUp(rows, o.Check, bad)
	}
	checkIDs(rows, bad)
	all := group(rows)
	for _, p := range all {
		p.check(bad)
	}
	if err := bad.err(); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("reading %q: no rows", path)
	}
	var found []numbered
	for _, p := range all {
		found = append(found, p.samples(o.KeepNames)...)
	}
	slices.SortFunc(found, func(a, b numbered) int { return cmp.Compare(a.row, b.row) })
	samples := make([]card.Sample, len(found))
	rowOf := map[string]int{}
	for i, f := range found {
		samples[i] = f.sample
		if row, twice := rowOf[f.sample.ID]; twice { // only names can be
			bad.add(f.row, "problem_id", fmt.Errorf("names the sample %q, as in row %d; kept names must differ", f.sample.ID, row))
		}
		rowOf[f.sample.ID] = f.row
	}
	return samples, bad.err()
}

// checkIDs complains of ids that several rows have.
func checkIDs(rows []row, bad *problems) {
	rowOf := map[string]int{}
	for _, r := range rows {
		first, twice := rowOf[r.Problem]
		if twice && r.single != "" && !bad.full() {
			bad.add(r.number, r.single, fmt.Errorf("is %q, as in row %d; a problem of several rows has a problem_id and an order", r.Problem, first))
		}
		if r.Problem != "" && !twice {
			rowOf[r.Problem] = r.number
		}
	}
}

// lookUp complains of paths at which there is no picture.
func lookUp(rows []row, check func(name string) error, bad *problems) {
	for _, r := range rows {
		for _, name := range r.pictures() {
			if err := check(name); err != nil && !bad.full() {
				bad.add(r.number, r.pictured, err)
			}
		}
	}
}

// parseRows reads the rows that are right and collects what is wrong with the
// others. Its error is one that ends the reading.
func parseRows(r io.Reader, most limits, bad *problems) ([]row, error) {
	var rows []row
	err := eachLine(r, most, bad, func(n int, line []byte) error {
		if len(rows) == most.rows {
			return fmt.Errorf("more than %d rows", most.rows)
		}
		before := len(bad.errs)
		parsed := parseRow(n, line, func(key string, err error) { bad.add(n, key, err) })
		if len(bad.errs) == before {
			rows = append(rows, parsed)
		}
		return nil
	})
	return rows, err
}

// eachLine goes through the lines that are not blank, until there are too many
// problems.
func eachLine(r io.Reader, most limits, bad *problems, do func(n int, line []byte) error) error {
	br := bufio.NewReaderSize(&capped{r, most.file}, 64<<10)
	for n := 1; !bad.full(); n++ {
		line, err := readLine(br, most.line)
		if errors.Is(err, errLongLine) {
			bad.add(n, "", fmt.Errorf("is longer than %d bytes", most.line))
			return nil // what follows the limit is no row
		}
		if err != nil && err != io.EOF {
			return err
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if len(bytes.Trim(line, " \t\r\n")) > 0 {
			if err := do(n, line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
	return nil
}

var errLongLine = errors.New("line too long")

// readLine reads up to and with the next newline, and no other line end: U+0085
// and U+2028 are text. With io.EOF comes what is left.
func readLine(br *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := br.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > most {
			return nil, errLongLine
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// capped fails a reader that gives more bytes than are left.
type capped struct {
	r    io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, errors.New("more data than the limit of 2 GiB")
	}
	return n, err
}
