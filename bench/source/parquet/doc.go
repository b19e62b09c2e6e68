// Package parquet reads columns of Parquet files, as data sets are published in
// them, within bounded memory.
//
// [Open] reads the footer, [File.Column] goes through one column from the first
// row to the last, and a [Cursor] finds the cell of any row. At most one page of
// one column is held, so that a file of pictures is never in memory as a whole.
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
// is wrong comes as an [Error].
package parquet
