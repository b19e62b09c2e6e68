package codec

import "errors"

// UIDs of the transfer syntaxes, DICOM PS3.6 table A-1.
const (
	JPEGExtended       = "1.2.840.10008.1.2.4.51"
	JPEGLossless       = "1.2.840.10008.1.2.4.57"
	JPEGLosslessSV1    = "1.2.840.10008.1.2.4.70"
	JPEGLSLossless     = "1.2.840.10008.1.2.4.80"
	JPEGLSNearLossless = "1.2.840.10008.1.2.4.81"
	JPEG2000Lossless   = "1.2.840.10008.1.2.4.90"
	JPEG2000           = "1.2.840.10008.1.2.4.91"
)

type syntax struct {
	name   string
	decode func(frame []byte, want Description) (Samples, error)
}

var syntaxes = map[string]syntax{
	JPEGExtended:       {"JPEG Extended (Process 2 & 4)", decodeExtended},
	JPEGLossless:       {"JPEG Lossless (Process 14)", decodeLossless},
	JPEGLosslessSV1:    {"JPEG Lossless (Process 14, Selection Value 1)", decodeLossless},
	JPEGLSLossless:     {"JPEG-LS Lossless", decodeLS},
	JPEGLSNearLossless: {"JPEG-LS Near-Lossless", decodeLS},
	JPEG2000Lossless:   {"JPEG 2000 Lossless", decodeJ2K},
	JPEG2000:           {"JPEG 2000", decodeJ2K},
}

// Name is that of the transfer syntax with this UID, where [Decode] reads it.
func Name(uid string) (name string, ok bool) {
	s, ok := syntaxes[uid]
	return s.name, ok
}

// named puts the syntax into an error of a decoder.
func (s syntax) named(uid string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Syntax, e.Name = uid, s.name
	}
	return err
}
