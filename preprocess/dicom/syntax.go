package dicom

import "strings"

// way is how the pixels of a transfer syntax are stored.
type way int

const (
	native       way = iota // as they are, in PixelData
	encapsulated            // as they are, each frame in a fragment
	deflatedSet             // the whole data set deflated
	deflatedOnes            // each frame deflated
	runLengths              // RLE
	jpeg8                   // JPEG that the standard library can have
	coded                   // for a Decoder
	never                   // not read
)

type syntax struct {
	uid, name string
	way       way
}

// syntaxes are the transfer syntaxes of PS3.6, table A-1, with their retired
// ones and a private one that is common.
var syntaxes = []syntax{
	{"1.2.840.10008.1.2", "Implicit VR Little Endian", native},
	{"1.2.840.10008.1.2.1", "Explicit VR Little Endian", native},
	{"1.2.840.10008.1.2.1.98", "Encapsulated Uncompressed Explicit VR Little Endian", encapsulated},
	{"1.2.840.10008.1.2.1.99", "Deflated Explicit VR Little Endian", deflatedSet},
	{"1.2.840.10008.1.2.2", "Explicit VR Big Endian", native},
	{"1.2.840.10008.1.2.4.50", "JPEG Baseline (Process 1)", jpeg8},
	{"1.2.840.10008.1.2.4.51", "JPEG Extended (Process 2 and 4)", jpeg8},
	{"1.2.840.10008.1.2.4.52", "JPEG Extended (Process 3 and 5)", coded},
	{"1.2.840.10008.1.2.4.53", "JPEG Spectral Selection, Non-Hierarchical (Process 6 and 8)", coded},
	{"1.2.840.10008.1.2.4.54", "JPEG Spectral Selection, Non-Hierarchical (Process 7 and 9)", coded},
	{"1.2.840.10008.1.2.4.55", "JPEG Full Progression, Non-Hierarchical (Process 10 and 12)", coded},
	{"1.2.840.10008.1.2.4.56", "JPEG Full Progression, Non-Hierarchical (Process 11 and 13)", coded},
	{"1.2.840.10008.1.2.4.57", "JPEG Lossless, Non-Hierarchical (Process 14)", coded},
	{"1.2.840.10008.1.2.4.58", "JPEG Lossless, Non-Hierarchical (Process 15)", coded},
	{"1.2.840.10008.1.2.4.59", "JPEG Extended, Hierarchical (Process 16 and 18)", coded},
	{"1.2.840.10008.1.2.4.60", "JPEG Extended, Hierarchical (Process 17 and 19)", coded},
	{"1.2.840.10008.1.2.4.61", "JPEG Spectral Selection, Hierarchical (Process 20 and 22)", coded},
	{"1.2.840.10008.1.2.4.62", "JPEG Spectral Selection, Hierarchical (Process 21 and 23)", coded},
	{"1.2.840.10008.1.2.4.63", "JPEG Full Progression, Hierarchical (Process 24 and 26)", coded},
	{"1.2.840.10008.1.2.4.64", "JPEG Full Progression, Hierarchical (Process 25 and 27)", coded},
	{"1.2.840.10008.1.2.4.65", "JPEG Lossless, Hierarchical (Process 28)", coded},
	{"1.2.840.10008.1.2.4.66", "JPEG Lossless, Hierarchical (Process 29)", coded},
	{"1.2.840.10008.1.2.4.70", "JPEG Lossless, Non-Hierarchical, First-Order Prediction (Process 14, Selection Value 1)", coded},
	{"1.2.840.10008.1.2.4.80", "JPEG-LS Lossless", coded},
	{"1.2.840.10008.1.2.4.81", "JPEG-LS Lossy (Near-Lossless)", coded},
	{"1.2.840.10008.1.2.4.90", "JPEG 2000 (Lossless Only)", coded},
	{"1.2.840.10008.1.2.4.91", "JPEG 2000", coded},
	{"1.2.840.10008.1.2.4.92", "JPEG 2000 Part 2 Multi-component (Lossless Only)", coded},
	{"1.2.840.10008.1.2.4.93", "JPEG 2000 Part 2 Multi-component", coded},
	{"1.2.840.10008.1.2.4.94", "JPIP Referenced", never},
	{"1.2.840.10008.1.2.4.95", "JPIP Referenced Deflate", never},
	{"1.2.840.10008.1.2.4.100", "MPEG2 Main Profile / Main Level", never},
	{"1.2.840.10008.1.2.4.100.1", "Fragmentable MPEG2 Main Profile / Main Level", never},
	{"1.2.840.10008.1.2.4.101", "MPEG2 Main Profile / High Level", never},
	{"1.2.840.10008.1.2.4.101.1", "Fragmentable MPEG2 Main Profile / High Level", never},
	{"1.2.840.10008.1.2.4.102", "MPEG-4 AVC/H.264 High Profile / Level 4.1", never},
	{"1.2.840.10008.1.2.4.102.1", "Fragmentable MPEG-4 AVC/H.264 High Profile / Level 4.1", never},
	{"1.2.840.10008.1.2.4.103", "MPEG-4 AVC/H.264 BD-compatible High Profile / Level 4.1", never},
	{"1.2.840.10008.1.2.4.103.1", "Fragmentable MPEG-4 AVC/H.264 BD-compatible High Profile / Level 4.1", never},
	{"1.2.840.10008.1.2.4.104", "MPEG-4 AVC/H.264 High Profile / Level 4.2 For 2D Video", never},
	{"1.2.840.10008.1.2.4.104.1", "Fragmentable MPEG-4 AVC/H.264 High Profile / Level 4.2 For 2D Video", never},
	{"1.2.840.10008.1.2.4.105", "MPEG-4 AVC/H.264 High Profile / Level 4.2 For 3D Video", never},
	{"1.2.840.10008.1.2.4.105.1", "Fragmentable MPEG-4 AVC/H.264 High Profile / Level 4.2 For 3D Video", never},
	{"1.2.840.10008.1.2.4.106", "MPEG-4 AVC/H.264 Stereo High Profile / Level 4.2", never},
	{"1.2.840.10008.1.2.4.106.1", "Fragmentable MPEG-4 AVC/H.264 Stereo High Profile / Level 4.2", never},
	{"1.2.840.10008.1.2.4.107", "HEVC/H.265 Main Profile / Level 5.1", never},
	{"1.2.840.10008.1.2.4.108", "HEVC/H.265 Main 10 Profile / Level 5.1", never},
	{"1.2.840.10008.1.2.4.110", "JPEG XL Lossless", coded},
	{"1.2.840.10008.1.2.4.111", "JPEG XL JPEG Recompression", coded},
	{"1.2.840.10008.1.2.4.112", "JPEG XL", coded},
	{"1.2.840.10008.1.2.4.201", "High-Throughput JPEG 2000 (Lossless Only)", coded},
	{"1.2.840.10008.1.2.4.202", "High-Throughput JPEG 2000 with RPCL Options (Lossless Only)", coded},
	{"1.2.840.10008.1.2.4.203", "High-Throughput JPEG 2000", coded},
	{"1.2.840.10008.1.2.4.204", "JPIP HTJ2K Referenced", never},
	{"1.2.840.10008.1.2.4.205", "JPIP HTJ2K Referenced Deflate", never},
	{"1.2.840.10008.1.2.5", "RLE Lossless", runLengths},
	{"1.2.840.10008.1.2.6.1", "RFC 2557 MIME encapsulation", never},
	{"1.2.840.10008.1.2.6.2", "XML Encoding", never},
	{"1.2.840.10008.1.2.7.1", "SMPTE ST 2110-20 Uncompressed Progressive Active Video", never},
	{"1.2.840.10008.1.2.7.2", "SMPTE ST 2110-20 Uncompressed Interlaced Active Video", never},
	{"1.2.840.10008.1.2.7.3", "SMPTE ST 2110-30 PCM Digital Audio", never},
	{"1.2.840.10008.1.2.8.1", "Deflated Image Frame Compression", deflatedOnes},
	{"1.2.840.10008.1.20", "Papyrus 3 Implicit VR Little Endian", never},
	{"1.2.840.113619.5.2", "Implicit VR Little Endian with Big Endian Pixels (GE private)", never},
}

// UIDs that the reader itself goes by.
const (
	implicitLittle = "1.2.840.10008.1.2"
	explicitLittle = "1.2.840.10008.1.2.1"
	explicitBig    = "1.2.840.10008.1.2.2"
)

// String is the UID with its name.
func (s syntax) String() string { return s.uid + " (" + s.name + ")" }

// lossless tells whether a compression keeps every bit, by its name.
func (s syntax) lossless() bool {
	return strings.Contains(s.name, "Lossless") && !strings.Contains(s.name, "Lossy")
}

// syntaxOf finds a transfer syntax that may be read.
func syntaxOf(uid string) (syntax, error) {
	for _, s := range syntaxes {
		if s.uid != uid {
			continue
		}
		if s.way == never {
			return s, unsupported(tagTransferSyntaxUID, "transfer syntax %v is not read", s)
		}
		return s, nil
	}
	if uid == "" {
		uid = "that is no UID"
	}
	return syntax{}, unsupported(tagTransferSyntaxUID, "transfer syntax %s is not known", uid)
}
