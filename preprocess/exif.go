package preprocess

import (
	"bytes"
	"encoding/binary"
)

// exifMark begins an APP1 segment that holds EXIF; some writers leave it in a
// PNG's eXIf chunk too.
var exifMark = []byte("Exif\x00\x00")

// Of the EXIF standard (CIPA DC-008): the tag of the orientation, the two types
// that writers give it, and the size of an entry.
const (
	orientationTag = 0x0112
	typeShort      = 3
	typeLong       = 4
	entryBytes     = 12
)

// orientation reads the orientation, 1 to 8, out of the first directory of a
// TIFF structure. What cannot be read, or says another number, is 1: that is how
// viewers show such a picture.
func orientation(tiff []byte) int {
	tiff = bytes.TrimPrefix(tiff, exifMark)
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	entries := tiff[at+2:]
	for n := order.Uint16(tiff[at:]); n > 0 && len(entries) >= entryBytes; n-- {
		if order.Uint16(entries) == orientationTag {
			return orientationValue(entries, order)
		}
		entries = entries[entryBytes:]
	}
	return 1
}

// orientationValue is the value of one directory entry.
func orientationValue(entry []byte, order binary.ByteOrder) int {
	if order.Uint32(entry[4:]) != 1 {
		return 1
	}
	var v uint32
	switch order.Uint16(entry[2:]) {
	case typeShort:
		v = uint32(order.Uint16(entry[8:]))
	case typeLong:
		v = order.Uint32(entry[8:])
	}
	if v < 1 || v > 8 {
		return 1
	}
	return int(v)
}
