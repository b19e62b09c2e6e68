package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxLine is the length of the longest line of a journal in bytes, its end
// included.
const maxLine = 64 << 20

// The end of a line: the checksum of the bytes before it as the last field.
const (
	checksumOpen  = `,"crc":"`
	checksumClose = `"}`
	checksumSize  = len(checksumOpen) + 8 + len(checksumClose)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entry is a value that a journal holds, behind a pointer.
type entry[T any] interface {
	*T
	// texts are the fields that hold text from outside, by their JSON names.
	// Writing to one must not change a copy of the value made before.
	texts() []text
}

type text struct {
	name  string
	value *string
}

// JournalError reports a line of a journal that is damaged in a way that no
// crash explains.
type JournalError struct {
	File    string
	Line    int   // from 1
	Offset  int64 // of the line's first byte
	Problem string
}

// Error names the file and the line.
func (e *JournalError) Error() string {
	return fmt.Sprintf("reading journal %q: line %d (byte %d): %s", e.File, e.Line, e.Offset, e.Problem)
}

// Hint says what a user can do.
func (e *JournalError) Hint() string {
	return fmt.Sprintf("the file was altered or the disk is failing; delete line %d to have its sample done again, or restore the file", e.Line)
}

// encodeLine is the line of v. Text that is not valid UTF-8 would not survive
// JSON, so it is stored as a Go string literal and its field named in "quoted".
func encodeLine[T any, P entry[T]](v T) ([]byte, error) {
	var quoted []string
	for _, t := range P(&v).texts() {
		if !utf8.ValidString(*t.value) {
			*t.value = strconv.Quote(*t.value)
			quoted = append(quoted, t.name)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - len("}\n"))
	if quoted != nil {
		fmt.Fprintf(&b, `,"quoted":["%s"]`, strings.Join(quoted, `","`))
	}
	sum := crc32.Checksum(b.Bytes(), castagnoli)
	fmt.Fprintf(&b, "%s%08x%s\n", checksumOpen, sum, checksumClose)
	if b.Len() > maxLine {
		return nil, fmt.Errorf("line of %d bytes, %d at most", b.Len(), maxLine)
	}
	return b.Bytes(), nil
}

// decodeLine reads a line without its end.
func decodeLine[T any, P entry[T]](line []byte) (v T, problem string) {
	if line == nil {
		return v, "longer than 64 MiB"
	}
	split := len(line) - checksumSize
	if split <= 0 || !bytes.HasPrefix(line[split:], []byte(checksumOpen)) {
		return v, "no checksum at its end"
	}
	sum := fmt.Sprintf("%s%08x%s", checksumOpen, crc32.Checksum(line[:split], castagnoli), checksumClose)
	if string(line[split:]) != sum {
		return v, "checksum does not match"
	}
	if err := json.Unmarshal(line, &v); err != nil {
		return v, "checksum matches, but " + err.Error()
	}
	if err := unquote(line, P(&v).texts()); err != nil {
		return v, "checksum matches, but " + err.Error()
	}
	return v, ""
}

// unquote undoes what encodeLine does to invalid text.
func unquote(line []byte, texts []text) error {
	if !bytes.Contains(line, []byte(`,"quoted":[`)) {
		return nil
	}
	var flags struct{ Quoted []string }
	if err := json.Unmarshal(line, &flags); err != nil {
		return err
	}
	for _, t := range texts {
		if !slices.Contains(flags.Quoted, t.name) {
			continue
		}
		plain, err := strconv.Unquote(*t.value)
		if err != nil {
			return fmt.Errorf("unquoting %s: %w", t.name, err)
		}
		*t.value = plain
	}
	return nil
}

// decoded is a journal as far as it is whole.
type decoded[T any] struct {
	lines []T
	size  int64 // bytes of the whole lines
	tail  int64 // bytes behind them that a crash left torn
}

// decodeJournal reads a journal; file is its name for errors.
func decodeJournal[T any, P entry[T]](file string, r io.Reader) (decoded[T], error) {
	var d decoded[T]
	var bad *JournalError // the first bad line
	br := bufio.NewReaderSize(r, 64<<10)
	for n, offset := 1, int64(0); ; n++ {
		line, size, err := readLine(br)
		if err != nil && err != io.EOF {
			return d, fmt.Errorf("reading journal %q: %w", file, err)
		}
		if size == 0 {
			return d, nil
		}
		ended := err == nil
		v, problem := decodeLine[T, P](line)
		altered := problem != "" && json.Valid(line)
		if problem == "" && !ended {
			problem = "no end"
		}
		if problem != "" && bad == nil {
			bad = &JournalError{File: file, Line: n, Offset: offset, Problem: problem}
		}
		offset += size
		switch {
		case bad == nil:
			d.lines, d.size = append(d.lines, v), offset
		case problem == "" || altered:
			return d, bad
		default:
			d.tail = offset - d.size
		}
		if !ended { // a live run may have added the rest meanwhile
			return d, nil
		}
	}
}

// readLine reads a line of any length: its text without the end (nil where it
// is longer than maxLine) and its size with the end. io.EOF says that the end is
// missing.
func readLine(br *bufio.Reader) (line []byte, size int64, err error) {
	line = []byte{}
	for {
		part, err := br.ReadSlice('\n')
		size += int64(len(part))
		switch {
		case size > maxLine:
			line = nil
		default:
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == nil && line != nil {
			line = line[:len(line)-1]
		}
		return line, size, err
	}
}
