// Package record reads and writes run directories. A run directory is the
// record of a run: what was asked of which model under which settings, what the
// model answered, and what the rules made of it.
//
//	manifest.json    the settings, written once ([Manifest])
//	responses.jsonl  one line a sample asked ([Response])
//	verdicts.jsonl   one line a decision ([Verdict])
//	timings.jsonl    everything that varies between equal runs ([Timing])
//	report.json      written at the end, as is report.html
//	lock             held by the one process that writes
//
// Two undisturbed runs of the same settings are equal byte for byte but for
// timings.jsonl. No file holds pictures, only their digests and sizes. Texts of
// a model can be personal data, so the directory has mode 0700 and its files
// 0600.
//
// # Design
//
// The three journals are only ever appended to. A line is a JSON object whose
// last field is a checksum over the bytes before it, so that common tools read
// it and a torn line shows. A process that dies leaves at most one torn line; a
// machine that dies leaves at most the lines since the last sync torn; the first
// line after a second brings one. On opening for writing, bad lines at the
// end are cut off, and their samples are asked again. A bad line that cannot
// come from a crash is damage and never cut: one with a good line behind it, or
// one that is whole JSON and hence was altered.
package record
