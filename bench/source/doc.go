// Package source reads the questions of a benchmark and the pictures that they
// name.
//
// [Load] reads JSON Lines, plain or compressed: one object a row, with the keys
//
//	question    text; the only key a row must have
//	answer      text, the reference answer; absent: asked, but unscored
//	image       path of a picture below the data folder, with slashes; absent: no picture
//	images      list of such paths, where a question has several
//	options     list of 2 to 26 texts, one of which equals the answer
//	problem_id  text that joins rows to a problem
//	order       whole number: the row's place in its problem
//	task, tags  text and list of texts, by which scores are broken down
//	subset      text
//
// The rows of a problem, sorted by order, are demonstrations but for the last,
// which is the query. Rows without order are samples of their own; those that
// share a problem_id are in one group. A key with the value null is absent.
//
// It also reads what spreadsheets write (package sheet): the columns that hold
// these fields are guessed by their names, said, or named by the user.
//
// [OpenTable] reads a published data set as it was downloaded: Parquet files, or
// JSON, in a folder or in the cache of a hub's tools. Its rows keep the data's
// own columns; the package of the benchmark says what they mean. Pictures stay
// in their files until they are asked for.
//
// # Design
//
// A file with a bad row is refused as a whole, with all that is wrong in it:
// skipping a row would change the score in silence. Unknown keys are refused
// too, since a misspelt "order" or "image" would change what is asked.
package source
