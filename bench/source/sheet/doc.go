// Package sheet reads the text that spreadsheets write: rows of cells between
// commas, semicolons or tabs (RFC 4180), as UTF-8, UTF-16 or GB18030. It also
// reads such text as pandas' read_csv does, for files that were written to be
// read so.
package sheet
