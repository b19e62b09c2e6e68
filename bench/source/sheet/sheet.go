package sheet

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sheet is rows of cells under a header.
type Sheet struct {
	Header   []string
	Rows     [][]string // each as long as the header
	Lines    []int      // of the text, from 1, on which the rows begin
	Short    []int      // lines of rows that [Pandas] filled with empty cells
	Encoding string
	Guessed  bool   // the encoding: neither the file nor the user says it
	Comma    string // between cells
}

// Read reads what a spreadsheet wrote. The header says by its own cells whether
// commas, semicolons or tabs stand between cells, or a line "sep=;" does. Cells
// keep their blanks; names of columns do not. The encoding is one of [Encodings],
// or found as [Decode] does where it is "". What is wrong is an [*Error].
func Read(data []byte, encoding string) (*Sheet, error) {
	text, name, guessed, err := Decode(data, encoding)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(text, "PK\x03\x04") {
		return nil, &Error{Problem: "it is a workbook; save it as CSV UTF-8"}
	}
	r := &reader{text: text, comma: comma(text)}
	if strings.HasPrefix(text, "sep=") && len(text) > 4 {
		if r.comma = text[4]; r.comma >= utf8.RuneSelf {
			return nil, &Error{Line: 1, Problem: `names a separator that is not of ASCII, such as "," or ";"`}
		}
	}
	records, err := r.records()
	if err != nil {
		return nil, err
	}
	if len(records) > 0 && strings.HasPrefix(text, "sep=") {
		records = records[1:]
	}
	if len(records) == 0 {
		return nil, &Error{Problem: "it has no header"}
	}
	s := &Sheet{Encoding: name, Guessed: guessed, Comma: string(r.comma)}
	if err := s.setHeader(records[0]); err != nil {
		return nil, err
	}
	for _, row := range records[1:] {
		if err := s.add(row); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Said is the encoding in words, for people who can say another.
func (s *Sheet) Said() string {
	if s.Guessed {
		return s.Encoding + ", a guess: --encoding names another"
	}
	return s.Encoding
}

// comma is what stands most often in the first line outside of quotation marks.
func comma(text string) byte {
	var counts [256]int
	quoted := false
	for i := range len(text) {
		b := text[i]
		if b == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if b == '\n' || b == '\r' {
			break
		}
		counts[b]++
	}
	best := byte(',')
	for _, b := range []byte{';', '\t'} {
		if counts[b] > counts[best] {
			best = b
		}
	}
	return best
}

// setHeader takes the names of the columns, without empty ones at the end.
func (s *Sheet) setHeader(row record) error {
	names := row.cells
	for len(names) > 0 && strings.TrimSpace(names[len(names)-1]) == "" {
		names = names[:len(names)-1]
	}
	seen := map[string]bool{}
	for i, name := range names {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			return &Error{row.line, fmt.Sprintf("column %d has no name", i+1)}
		case seen[name]:
			return &Error{row.line, fmt.Sprintf("column %q stands there twice", name)}
		}
		seen[name] = true
		s.Header = append(s.Header, name)
	}
	if len(s.Header) == 0 {
		return &Error{row.line, "it has no header"}
	}
	return nil
}

// add takes a row, which may be longer than the header by empty cells.
func (s *Sheet) add(row record) error {
	cells, want := row.cells, len(s.Header)
	for len(cells) > want && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) != want {
		return &Error{row.line, fmt.Sprintf("has %d cells, the header has %d", len(cells), want)}
	}
	if strings.TrimSpace(strings.Join(cells, "")) == "" {
		return nil // a blank row of a spreadsheet
	}
	s.Rows = append(s.Rows, cells)
	s.Lines = append(s.Lines, row.line)
	return nil
}
