// Package dicom makes pictures of DICOM files: it walks through the header,
// decodes the pixels, and brings them to 8 bits through a window. Its functions
// are pure and may be called from several goroutines.
//
// # What is read
//
// Of the header an allow-list of elements is read (see [Header]), and nothing else
// reaches a picture, a note or an error: no name, date or comment. UIDs are for
// grouping only, and never part of notes and errors. Text burnt into pixels
// stays; BurnedInAnnotation is passed on, but is often missing or wrong. Overlays
// are not drawn.
//
// Files may be implicit or explicit, little or big endian, deflated, and without
// preamble or file meta information. Lengths are checked against what is there,
// so that a file cannot ask for more memory than its size and [Limits] allow. Every
// file that is cut, or whose description does not fit its pixels, is refused.
//
// Pixels are of 1, 8, 16 or 32 bits, with or without sign, grey, RGB, YBR_FULL,
// YBR_FULL_422, or PALETTE COLOR, also segmented. They may be native, RLE, deflated
// frames, or JPEG of 8 bits; other syntaxes go to a [Decoder], or are refused by
// UID and name. A JPEG's components are what the header says, and their halved
// colours are brought to full size as libjpeg does it.
//
// # Grey
//
//	stored bits ► modality table or rescale ► window ► 0 to 255 ► invert MONOCHROME1
//
// Windows are in rescaled values, which are Hounsfield units in CT. The functions
// LINEAR, LINEAR_EXACT and SIGMOID are those of PS3.3, C.11.2, computed with 64-bit
// floating point and rounded to the nearest level, halves up. DCMTK truncates,
// so that it can differ by one level, and by two where a fractional slope meets a
// narrow window, because it truncates rescaled values too.
//
// Where nothing else is asked, the file's first window is taken that can be used,
// else its first VOI table, else an automatic one: the 0.5 percentile becomes
// black, the 99.5 percentile white, the same for all frames of a sheet, and
// padding values do not count. Windows that are asked for are LINEAR. Padding is
// shown as any other value is: black where it lies below the window, white there in
// MONOCHROME1. DCMTK does the same. Colours have no window.
//
// Every [Rendering] says in words which window and frame it shows.
//
// # Frames and slices
//
// Frames have their own windows, rescale and spacing where functional groups say
// so. Single slices become a [Series] in the order of their places. A contact
// sheet is at most 4096 pixels wide and high.
package dicom
