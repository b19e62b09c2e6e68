package sheet

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// missing are the cells that pandas reads as missing values, quoted or not
// (pandas 3.1, STR_NA_VALUES; None since 2.0).
var missing = []string{
	"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
	"<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
}

// Missing tells whether pandas reads a cell as a missing value.
func Missing(cell string) bool { return slices.Contains(missing, cell) }

// Pandas reads UTF-8 text as pandas' read_csv does with its defaults: commas,
// doubled quotation marks, line ends inside of them, text behind a closing one
// taken into the cell, blank lines left out, short rows filled with empty cells.
// Use [Missing] to tell which cells are missing values.
func Pandas(data []byte) (*Sheet, error) {
	if !utf8.Valid(data) {
		return nil, &Error{Problem: "the text is not valid UTF-8"}
	}
	text, _, _, err := Decode(data, "")
	if err != nil {
		return nil, err
	}
	records, err := (&reader{text: text, comma: ',', loose: true}).records()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, &Error{Problem: "it has no header"}
	}
	s := &Sheet{Header: records[0].cells, Encoding: UTF8, Comma: ","}
	for _, row := range records[1:] {
		if len(row.cells) > len(s.Header) {
			return nil, &Error{row.line, fmt.Sprintf("has %d cells, the header has %d", len(row.cells), len(s.Header))}
		}
		if len(row.cells) < len(s.Header) {
			s.Short = append(s.Short, row.line)
		}
		cells := append(row.cells, make([]string, len(s.Header)-len(row.cells))...)
		s.Rows = append(s.Rows, cells)
		s.Lines = append(s.Lines, row.line)
	}
	return s, nil
}
