package preprocess

import (
	"encoding/binary"

	"lightbox/preprocess/dicom"
)

// Tags of a TIFF directory that are read (TIFF 6.0, appendix A).
const (
	tagSubfile       = 254
	tagWidth         = 256
	tagHeight        = 257
	tagBits          = 258
	tagCompression   = 259
	tagPhotometric   = 262
	tagFillOrder     = 266
	tagStripOffsets  = 273
	tagSamples       = 277
	tagRowsPerStrip  = 278
	tagStripCounts   = 279
	tagPlanar        = 284
	tagFax3          = 292
	tagFax4          = 293
	tagPredictor     = 317
	tagColours       = 320
	tagTileWidth     = 322
	tagTileHeight    = 323
	tagTileOffsets   = 324
	tagTileCounts    = 325
	tagInks          = 332
	tagExtraSamples  = 338
	tagSampleFormats = 339
)

// fieldBytes are the sizes of the types of a field's values, by the number of
// the type.
var fieldBytes = map[uint16]int{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}

// tiffFile is a TIFF whose first directory has been read. Its pixels are put
// together here: golang.org/x/image/tiff reads samples of 1, 8 and 16 bits only,
// and passes over tags that say how they are ordered.
type tiffFile struct {
	reworked
	data   []byte
	order  binary.ByteOrder
	fields map[uint16]field
	pages  int
	w, h   int
	window dicom.Window
	samples
	blocks
}

// field is an entry of a directory.
type field struct {
	kind  uint16 // type of its values
	count int
	data  []byte // the values
	order binary.ByteOrder
}

// at is the value of the index as a number; of types other than the unsigned
// whole numbers it is 0.
func (f field) at(i int) int {
	switch {
	case i >= f.count:
		return 0
	case f.kind == 1:
		return int(f.data[i])
	case f.kind == typeShort:
		return int(f.order.Uint16(f.data[2*i:]))
	case f.kind == typeLong:
		return int(f.order.Uint32(f.data[4*i:]))
	}
	return 0
}

// openTIFF reads the first directory, and makes sure that the others are there.
func openTIFF(data []byte, window dicom.Window) (*tiffFile, error) {
	t := &tiffFile{data: data, window: window, order: binary.LittleEndian}
	if data[0] == 'M' {
		t.order = binary.BigEndian
	}
	if len(data) < 8 {
		return nil, damaged("tiff", len(data), "the file ends in its header")
	}
	if err := t.readDirectories(int(t.order.Uint32(data[4:]))); err != nil {
		return nil, err
	}
	if t.number(tagSubfile, 0)&1 != 0 {
		return nil, unsupported("tiff", -1, "a first page that is a small copy of another")
	}
	t.w, t.h = t.number(tagWidth, 0), t.number(tagHeight, 0)
	if err := t.readSamples(); err != nil {
		return nil, err
	}
	if err := t.header().check(); err != nil {
		return nil, err
	}
	return t, t.readBlocks()
}

// readDirectories reads the first directory and counts all.
func (t *tiffFile) readDirectories(at int) error {
	seen := map[int]bool{}
	for at != 0 {
		if seen[at] {
			return damaged("tiff", at, "directories in a circle")
		}
		seen[at] = true
		if t.pages++; t.pages > maxFrames {
			return tooLarge("tiff", "more than %d pages", maxFrames)
		}
		if at+2 > len(t.data) {
			return damaged("tiff", at, "a directory behind the end of the file")
		}
		entries := t.data[at+2:]
		n := int(t.order.Uint16(t.data[at:])) * entryBytes
		if n+4 > len(entries) {
			return damaged("tiff", len(t.data), "the file ends in a directory")
		}
		fields, err := t.readFields(entries[:n], at+2)
		if err != nil {
			return err
		}
		if t.pages == 1 {
			t.fields = fields
		}
		at = int(t.order.Uint32(entries[n:]))
	}
	if t.pages == 0 {
		return damaged("tiff", 4, "no picture data")
	}
	return nil
}

// readFields reads the entries of a directory. The values of each must be within
// the file, of those that do not matter too: it may have been cut there.
func (t *tiffFile) readFields(entries []byte, at int) (map[uint16]field, error) {
	fields := map[uint16]field{}
	for ; len(entries) > 0; entries, at = entries[entryBytes:], at+entryBytes {
		tag := t.order.Uint16(entries)
		f := field{kind: t.order.Uint16(entries[2:]), count: int(t.order.Uint32(entries[4:])), order: t.order}
		size, known := fieldBytes[f.kind]
		if !known {
			continue // as the standard asks for
		}
		size *= f.count
		f.data = entries[8:12]
		if size > len(f.data) {
			start := int(t.order.Uint32(entries[8:]))
			if start+size > len(t.data) {
				return nil, damaged("tiff", at, "field %d ends behind the file", tag)
			}
			f.data = t.data[start : start+size]
		}
		if _, twice := fields[tag]; twice {
			return nil, damaged("tiff", at, "field %d comes twice", tag)
		}
		fields[tag] = f
	}
	return fields, nil
}

// number is the first value of a field, or what holds where there is none.
func (t *tiffFile) number(tag uint16, otherwise int) int {
	if f, ok := t.fields[tag]; ok && f.count > 0 {
		return f.at(0)
	}
	return otherwise
}

func (t *tiffFile) header() header {
	h := header{format: "tiff", w: t.w, h: t.h, orientation: 1, deep: t.bits == 16, heavy: t.bits == 16}
	if o := t.number(orientationTag, 1); o >= 1 && o <= 8 {
		h.orientation = o
	}
	return h
}
