// Package codec decodes frames of DICOM files that are compressed in ways that
// the standard library does not read:
//
//   - JPEG lossless (Process 14, ITU-T T.81 annex H): all predictors, point
//     transforms, restart markers at the ends of rows, 2 to 16 bits.
//   - JPEG extended (Processes 2 and 4): sequential, Huffman, 8 and 12 bits.
//   - JPEG-LS (T.87), lossless and near-lossless: 2 to 16 bits, components in
//     planes, by line and by sample.
//   - JPEG 2000 (T.800), lossless and lossy: all progressions, layers, precincts,
//     tiles and modes of code-blocks, 2 to 16 bits.
//
// Frames have one sample a pixel or three of the same resolution.
//
// # What is refused
//
// A stream that was cut, ends early or lacks a packet; one whose size, number of
// components or precision is not that of the DICOM header; more samples than the
// data can hold. And by name: components of different resolution, arithmetic and
// progressive JPEG, restart markers, mapping tables and point transforms of
// JPEG-LS, and of JPEG 2000 high throughput (HTJ2K), regions of interest, changes
// of the progression and packed packet headers.
//
// A flipped bit within the data can go unseen, as none of these formats has
// checksums.
//
// # Sameness
//
// Samples are those of gdcm 3.0, which decodes with libjpeg, CharLS and openjpeg:
// the tests compare them where its tools are installed. Where a standard leaves
// rounding free (the inverse DCT, the lossy wavelet and colour transform), the
// arithmetic is that of libjpeg's default and of openjpeg, rounded alike on all
// processors.
//
// YCbCr of JPEG stays YCbCr; the colour transform of JPEG 2000 is a part of its
// compression and is undone.
package codec
