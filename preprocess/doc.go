// Package preprocess turns the bytes of a picture file into the exact bytes
// that a model gets. Its functions are pure and may be called from several
// goroutines: the same file and the same [Recipe] give the same bytes.
//
// # Order of work
//
//	limits ► check and decode whole ► 16 to 8 bit ► gamma ► alpha on white
//	       ► orient ► scale down ► pad ► encode
//
// Formats are told by content: PNG, JPEG, WebP, TIFF, BMP, GIF and DICOM, which
// package dicom reads. A PNG or JPEG
// that needs none of the work passes: its compressed pixels go out as they came,
// but only after it was decoded whole, and without its metadata (names, dates and
// places live there). Of a PNG the chunks IHDR, PLTE, IDAT and IEND stay; of a
// JPEG the tables, the frame, the scans and the Adobe marker. What stands behind
// the end of the picture is cut too.
//
// # What servers do, and why this is done here
//
// Servers differ: some take a cut JPEG or a PNG with a wrong checksum in
// silence, some drop alpha where others put white behind it, none turns a
// picture by its EXIF orientation, and a picture of a few pixels ends some of
// them. So a file is refused here unless it is complete: every PNG chunk has
// its checksum, the compressed data are exactly one picture, every block of
// every JPEG scan is there and no more, and all scans of a progressive JPEG have
// come. A JPEG without its end marker is refused as well:
// what was cut from it cannot be known.
//
// One fault of real files is harmless: bytes between the last block and the end
// marker, which some cameras and scanners leave there and libjpeg only warns of.
// All blocks are there then, so nothing was cut. Could the bytes be more of the
// picture, with a header that was made smaller? Not if they are fewer than the
// shortest codes of one row or column of blocks would fill. So that many are left
// out, 16 at most, and Steps says so. A progressive scan has rows that cost no
// bits, so nothing may be left behind it.
//
// # Formats that never pass
//
// Some servers refuse WebP, TIFF, BMP or GIF, others show them differently. They
// are checked as strictly and encoded anew, as PNG unless the recipe says JPEG.
// This is read of them; a file that has something else is refused by its name:
//
//   - WebP: lossy, lossless, alpha, EXIF. Lossy pictures have the luma of video, 16
//     to 235, and are turned into colours by the numbers of libwebp. Of an
//     animation the first frame is taken. A flag or byte behind the picture does no
//     harm; data behind the last block does.
//   - TIFF: grey of 1, 2, 4, 8 and 16 bits with black or white as zero; palettes;
//     RGB of 8 and 16 bits; CMYK of 8; alpha of both kinds; samples side by side or
//     in planes; strips and tiles; plain, LZW, deflate, PackBits, and fax (Group 3 of
//     one dimension, Group 4). Of several pages the first is taken; of the others
//     only the directories are checked. A strip must hold exactly its rows. Samples
//     of 12 bits, of floating point or with a sign, YCbCr and JPEG are not read.
//   - BMP: 1, 2, 4, 8, 24 and 32 bits, without compression. The fourth byte of a
//     pixel is alpha only where a mask says so.
//   - GIF: the first frame, on its canvas. The blocks must go on to the trailer.
//
// What a frame leaves free of its canvas is white.
//
// # Colour
//
// Colour profiles and chromaticities are not applied, because no server applies
// them; CMYK becomes RGB by the usual formula without one. A PNG's gamma is
// applied: where a file has a gAMA chunk, neither sRGB nor iCCP (which override
// it), and its value is not 0.45455, samples become display values by the power
// 0.45455/gamma. 0.45455 is what a screen expects, so such a file passes. JPEGs of
// four components (CMYK, YCCK) and of plain RGB are re-encoded, because readers
// disagree about them.
//
// 16-bit samples are taken as measurements: the picture's own 0.5 to 99.5
// percentile becomes black to white, one window for all colours, so that a
// picture using 0 to 4095 does not come out black. A recipe's centre and width take
// its place, in the values as they are stored; presets do not, because nothing says
// that the values are Hounsfield units. What does not apply to a picture is left out
// and said in its steps.
//
// # DICOM
//
// Of DICOM the window, the frame and the masks are applied to the stored pixels,
// the masks in every frame of a sheet; then pixels are made square. A [Series] is
// single slices as one picture. A file that says that text is burned into it is
// refused unless the recipe allows it.
//
// # Sameness
//
// Scaling uses floating point. Processors that fuse multiplication and addition
// can round a sample to the neighbouring value, so scaled pictures are equal on
// machines of one architecture; all else is equal everywhere. Compression is the
// standard library's and can change with its release.
package preprocess
