// Package parquet reads columns of Parquet files, as data sets are published in
// them, within bounded memory.
//
// [Open] reads the footer, [File.Column] goes through one column from the first
// row to the last, and a [Cursor] finds the cell of any row. Pages are read as
// streams: a file of pictures is never in memory as a whole, nor is a page or a
// dictionary of them, which some writers make as large as the file.
//
// It reads columns that are flat, in structures, or lists; data pages of both
// versions, plain, in dictionaries or as differences; not compressed, or by
// Snappy, gzip or Zstandard. Everything else is refused by name. The format is
// that of the Apache Parquet specification (apache/parquet-format, 2.12).
//
// # Design
//
// A file comes from anywhere and may be damaged or hostile. Sizes that it claims
// are believed only as far as bytes of the file stand behind them: lists of the
// footer, page sizes and run lengths allocate nothing by themselves. All that
// is wrong comes as an [Error]: that a page is too short or too long, only after
// its cells.
//
// A stream cannot go back. A cursor holds the last 16 MB of values that it went
// past, and begins a page again for one further back: in a page of 128 MB that
// takes some hundredths of a second, or tenths where gzip found much to compress.
// Holding it would take the memory of the model.
package parquet
