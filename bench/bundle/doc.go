// Package bundle packs models, data sets, cards and the program into one file
// that is carried to a machine without a network, checks such a file, and
// unpacks it there.
//
// # Format
//
// A bundle is a .tar.zst that zstd and tar unpack as well. Its entries are plain
// files, in this order:
//
//	bundle.json                              what follows, see [Index]
//	models/manifests/HOST/NAMESPACE/MODEL/TAG
//	models/blobs/sha256-…                    small ones first
//	cards/…  bin/…  data/…
//	SHA256SUMS                               all of the above, for sha256sum -c
//
// models is a model directory as Ollama keeps it (OLLAMA_MODELS), so that a
// bundle unpacked by hand can be served as it is.
//
// The tar is cut into segments of 1 MiB, each of which is one zstd frame with a
// checksum of its own. Frames are compressed side by side; what does not
// compress, as most models' weights, is stored. Behind the last one stands a
// skippable frame with the length of all others and their CRC-32C: it shows at
// once that a file was cut, and finds every changed bit, also where no file's
// content changes.
//
// # Promises
//
// Equal contents give equal bytes. Memory does not grow with what is packed, but
// for the list of files. [Unpack] reads all of a bundle and writes it beside its
// target, where it is not looked for, checks every digest, and only then moves
// it in; whatever goes wrong before that leaves the target as it was. A frame of
// more than 8 MiB is damage, and so is one that is to be skipped.
package bundle
