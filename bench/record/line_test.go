package record

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lightbox/infer"
)

// someResponses are n responses that differ in what they hold.
func someResponses(n int) []Response {
	all := make([]Response, n)
	for i := range all {
		all[i] = Response{
			ID: fmt.Sprintf("%d-1a2b3c4d", i+1), Prompt: infer.DigestOf([]byte{byte(i)}),
			Text: fmt.Sprintf("Answer %d:\n\"<b>\" \u2028é\x00", i), Done: true, DoneReason: "stop",
			PromptTokens: 300 + i, OutputTokens: 5, Context: ContextOK,
		}
		if i%3 == 1 {
			all[i].Text, all[i].Done, all[i].DoneReason = "", false, ""
			all[i].Fault = &Fault{Reason: infer.ReasonTimeout, Detail: "no reply in 60s", Retry: true}
		}
		if i%3 == 2 {
			all[i].Pictures = []Picture{somePicture}
		}
	}
	return all
}

var somePicture = Picture{
	Digest: infer.DigestOf([]byte("sent")), MediaType: "image/png", Width: 1024, Height: 768,
	Source: infer.DigestOf([]byte("file")), SourceWidth: 4000, SourceHeight: 3000,
	Steps: []string{"orient 6", "fit 1024x768 lanczos", "encode png"},
}

// journalOf is the file that holds the responses, and where each line ends.
func journalOf(t testing.TB, all []Response) (file []byte, ends []int) {
	t.Helper()
	for _, r := range all {
		line, err := encodeLine(r)
		if err != nil {
			t.Fatal(err)
		}
		file = append(file, line...)
		ends = append(ends, len(file))
	}
	return file, ends
}

func decode(file []byte) (decoded[Response], error) {
	return decodeJournal[Response]("responses.jsonl", bytes.NewReader(file))
}

func TestLineForm(t *testing.T) {
	line, err := encodeLine(Response{ID: "1-1a2b3c4d", At: 1, Asked: "Where?", Prompt: "sha256:00", Text: "<a>", Done: true})
	if err != nil {
		t.Fatal(err)
	}
	// The checksum is CRC-32C; computed apart from this program.
	want := `{"id":"1-1a2b3c4d","at":1,"asked":"Where?","prompt":"sha256:00","text":"<a>","done":true,"crc":"46c88efb"}` + "\n"
	if diff := cmp.Diff(want, string(line)); diff != "" {
		t.Error(diff)
	}
}

func TestInvalidTextSurvives(t *testing.T) {
	fault := &Fault{Reason: infer.ReasonServer, Detail: "caf\xe9"}
	want := Response{ID: "a", Text: "50\xb5g \"x\"", Thinking: "é", Done: true, Fault: fault}
	line, err := encodeLine(want)
	if err != nil {
		t.Fatal(err)
	}
	if fault.Detail != "caf\xe9" {
		t.Error("encoding changed the caller's fault")
	}
	got, problem := decodeLine[Response](bytes.TrimSuffix(line, []byte("\n")))
	if problem != "" {
		t.Fatal(problem)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(line), `"quoted":["text","fault.detail"]`) {
		t.Errorf("line does not name the quoted fields: %s", line)
	}
}

func TestLineTooLong(t *testing.T) {
	if _, err := encodeLine(Response{Text: strings.Repeat("\x01", maxLine/6+1)}); err == nil {
		t.Error("a line over the limit was encoded")
	}
	file, _ := journalOf(t, someResponses(2))
	long := append(bytes.Repeat([]byte("x"), maxLine+1), '\n')
	read := func(parts ...[]byte) (decoded[Response], error) {
		var all []io.Reader
		for _, p := range parts {
			all = append(all, bytes.NewReader(p))
		}
		return decodeJournal[Response]("responses.jsonl", io.MultiReader(all...))
	}
	d, err := read(file, long)
	if err != nil || len(d.lines) != 2 || d.tail != int64(len(long)) {
		t.Errorf("at the end: %d lines, tail %d, error %v", len(d.lines), d.tail, err)
	}
	_, err = read(long, file)
	var je *JournalError
	if !errors.As(err, &je) || je.Line != 1 || je.Problem != "longer than 64 MiB" {
		t.Errorf("at the start: error %v", err)
	}
}

// TestLineSize holds a sample with four pictures and a short reply to 2 KB.
func TestLineSize(t *testing.T) {
	r := someResponses(1)[0]
	r.Text = strings.Repeat("x", 100)
	r.Pictures = []Picture{somePicture, somePicture, somePicture, somePicture}
	line, err := encodeLine(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(line) >= 2000 {
		t.Errorf("line of %d bytes", len(line))
	}
}

// TestCutAnywhere cuts a journal at every byte: what was whole stays, nothing
// else does.
func TestCutAnywhere(t *testing.T) {
	all := someResponses(6)
	file, ends := journalOf(t, all)
	for cut := range len(file) + 1 {
		whole, size := 0, 0
		for whole < len(ends) && ends[whole] <= cut {
			size = ends[whole]
			whole++
		}
		d, err := decode(file[:cut])
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if d.size != int64(size) || d.tail != int64(cut-size) {
			t.Errorf("cut at %d: size %d, tail %d; want %d, %d", cut, d.size, d.tail, size, cut-size)
		}
		if diff := cmp.Diff(all[:whole], d.lines, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("cut at %d: %s", cut, diff)
		}
	}
}

// TestFlipAnywhere changes every byte of a journal in several ways. The lines
// read are always the true ones, and before the last line's a change is an error.
func TestFlipAnywhere(t *testing.T) {
	all := someResponses(6)
	file, ends := journalOf(t, all)
	lastBut1 := ends[len(ends)-2] - 1 // its newline, whose loss makes the last two lines one
	for i := range file {
		for _, mask := range []byte{0x01, 0x04, 0x20, 0x80, file[i] ^ '\n', file[i]} {
			if mask == 0 {
				continue
			}
			broken := bytes.Clone(file)
			broken[i] ^= mask
			d, err := decode(broken)
			if i < lastBut1 {
				var je *JournalError
				if !errors.As(err, &je) {
					t.Fatalf("byte %d ^ %#x: error %v, want a JournalError", i, mask, err)
				}
				continue
			}
			if diff := cmp.Diff(all[:len(d.lines)], d.lines); diff != "" {
				t.Fatalf("byte %d ^ %#x: %s", i, mask, diff)
			}
			if err == nil && d.tail == 0 {
				t.Fatalf("byte %d ^ %#x: not noticed", i, mask)
			}
		}
	}
}

func TestTail(t *testing.T) {
	file, ends := journalOf(t, someResponses(3))
	whole := string(file)
	first, second := whole[:ends[0]], whole[ends[0]:ends[1]]
	tests := []struct {
		name, file string
		lines      int
		tail       int
		problem    string // of the error; empty: none
		line       int
	}{
		{name: "empty"},
		{name: "whole", file: whole, lines: 3},
		{name: "zeros", file: whole + strings.Repeat("\x00", 4096), lines: 3, tail: 4096},
		{name: "zeros and newlines", file: whole + "\x00\n\x00\n", lines: 3, tail: 4},
		{name: "several torn lines", file: whole + "{\"id\":\n" + "\x00\x00rest\n{", lines: 3, tail: 15},
		{name: "nothing but a torn line", file: first[:10], tail: 10},
		{name: "empty line in the middle", file: first + "\n" + second, problem: "no checksum at its end", line: 2},
		{name: "zeros in the middle", file: first + "\x00\n" + second, problem: "no checksum at its end", line: 2},
		{name: "lines that lost the newline between them", file: first[:len(first)-1] + second + first, problem: "checksum does not match", line: 1},
		{name: "altered last line", file: first + strings.Replace(second, `"retry":true`, `"retry":null`, 1), problem: "checksum does not match", line: 2},
		{name: "another program's file", file: "{\"id\":1}\n{\"id\":2}\n", problem: "no checksum at its end", line: 1},
		{name: "another program's file without an end", file: "{\"id\":1}", problem: "no checksum at its end", line: 1},
		{name: "line ends of another system", file: strings.ReplaceAll(whole, "\n", "\r\n"), problem: "no checksum at its end", line: 1},
		{name: "upper-case checksum", file: strings.ToUpper(first) + second, problem: "no checksum at its end", line: 1},
		{name: "another type of record", file: string(checksummed(`{"id":7`)), problem: "checksum matches, but json: cannot unmarshal number into Go struct field Response.id of type string", line: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := decode([]byte(tt.file))
			if tt.problem != "" {
				var je *JournalError
				if !errors.As(err, &je) || je.Problem != tt.problem || je.Line != tt.line {
					t.Fatalf("error %v, want line %d: %s", err, tt.line, tt.problem)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(d.lines) != tt.lines || d.tail != int64(tt.tail) {
				t.Errorf("%d lines, tail %d; want %d, %d", len(d.lines), d.tail, tt.lines, tt.tail)
			}
		})
	}
}

// growing is a file that a writer appends to between two reads.
type growing [][]byte

func (g *growing) Read(p []byte) (int, error) {
	if len(*g) == 0 || len((*g)[0]) == 0 {
		*g = (*g)[min(1, len(*g)):]
		return 0, io.EOF
	}
	n := copy(p, (*g)[0])
	(*g)[0] = (*g)[0][n:]
	return n, nil
}

func TestGrowingJournal(t *testing.T) {
	all := someResponses(3)
	file, ends := journalOf(t, all)
	half := ends[0] + 10
	d, err := decodeJournal[Response]("responses.jsonl", &growing{file[:half], file[half:]})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all[:1], d.lines); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownFields(t *testing.T) {
	d, err := decode(checksummed(`{"id":"a","text":"x","done":true,"later":{"more":[1]}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Response{{ID: "a", Text: "x", Done: true}}, d.lines); diff != "" {
		t.Error(diff)
	}
}

func TestJournalErrorText(t *testing.T) {
	e := &JournalError{File: "responses.jsonl", Line: 3, Offset: 812, Problem: "checksum does not match"}
	want := `reading journal "responses.jsonl": line 3 (byte 812): checksum does not match`
	if got := e.Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.Contains(e.Hint(), "delete line 3 ") {
		t.Errorf("hint %q does not say which line", e.Hint())
	}
}

// FuzzJournal: whatever the bytes, what is read encodes to the very bytes that
// it was read from, and size and tail add up.
func FuzzJournal(f *testing.F) {
	file, ends := journalOf(f, someResponses(4))
	f.Add(file)
	f.Add(file[:ends[2]-7])
	f.Add(append(bytes.Clone(file), 0, 0, '\n'))
	line, _ := encodeLine(Response{ID: "\xff", Text: "a\xffb"})
	f.Add(line)
	f.Add([]byte("{}\n[]\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := decode(b)
		if err != nil {
			return
		}
		if d.size+d.tail != int64(len(b)) {
			t.Fatalf("size %d and tail %d of %d bytes", d.size, d.tail, len(b))
		}
		again, _ := journalOf(t, d.lines)
		back, err := decode(again)
		if err != nil || back.tail != 0 {
			t.Fatalf("own journal unreadable: tail %d, error %v", back.tail, err)
		}
		if diff := cmp.Diff(d.lines, back.lines); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzLine: every text comes back as it was written.
func FuzzLine(f *testing.F) {
	f.Add("1-1a2b3c4d", "text", "")
	f.Add("\xff", "\"quoted\":[\"text\"]", "\x00\u2028\n")
	f.Add("a", `,"crc":"00000000"}`, "\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, id, txt, detail string) {
		want := Response{ID: id, Text: txt, Fault: &Fault{Detail: detail}}
		file, _ := journalOf(t, []Response{want})
		d, err := decode(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]Response{want}, d.lines); diff != "" {
			t.Fatal(diff)
		}
	})
}

// checksummed completes a JSON object that lacks its closing brace.
func checksummed(open string) []byte {
	return fmt.Appendf(nil, "%s,\"crc\":\"%08x\"}\n", open, crc32.Checksum([]byte(open), castagnoli))
}
