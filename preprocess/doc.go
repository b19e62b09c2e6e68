// Package preprocess turns the bytes of a picture file into the exact bytes
// that a model gets. Its functions are pure and may be called from several
// goroutines: the same file and the same [Recipe] give the same bytes.
//
// # Order of work
//
//	limits ► check and decode whole ► 16 to 8 bit ► gamma ► alpha on white
//	       ► orient ► scale down ► pad ► encode
//
// A picture that needs none of it passes: its compressed pixels go out as they
// came, but only after it was decoded whole, and without its metadata (names,
// dates and places live there). Of a PNG the chunks IHDR, PLTE, IDAT and IEND
// stay; of a JPEG the tables, the frame, the scans and the Adobe marker. What
// stands behind the end of the picture is cut too.
//
// # What servers do, and why this is done here
//
// Servers differ: some take a cut JPEG or a PNG with a wrong checksum in
// silence, some drop alpha where others put white behind it, none turns a
// picture by its EXIF orientation, and a picture of a few pixels ends some of
// them. So a file is refused here unless it is complete: every PNG chunk has
// its checksum, the compressed data are exactly one picture, every block of
// every JPEG scan is there and nothing is left over, and all scans of a
// progressive JPEG have come. A JPEG without its end marker is refused as well:
// what was cut from it cannot be known.
//
// # Colour
//
// Colour profiles and chromaticities are not applied, because no server applies
// them. A PNG's gamma is: where a file has a gAMA chunk, neither sRGB nor iCCP
// (which override it), and its value is not 0.45455, samples become display
// values by the power 0.45455/gamma. 0.45455 is what a screen expects, so such a
// file passes. JPEGs of four components (CMYK, YCCK) and of plain RGB are
// re-encoded, because readers disagree about them.
//
// 16-bit samples are taken as measurements: the picture's own 0.5 to 99.5
// percentile becomes black to white, one window for all colours, so that a
// picture using 0 to 4095 does not come out black.
//
// # Sameness
//
// Scaling uses floating point. Processors that fuse multiplication and addition
// can round a sample to the neighbouring value, so scaled pictures are equal on
// machines of one architecture; all else is equal everywhere. Compression is the
// standard library's and can change with its release.
package preprocess
