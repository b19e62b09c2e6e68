package dicom

// Limits bound what a file may ask for. A zero field is the default.
type Limits struct {
	Bytes   int // of the file, and of a deflated one inflated; default 1 GiB
	Samples int // of one frame, rows × columns × samples per pixel; default 64 Mi; a sample costs 4 bytes
	Frames  int // default 100000
}

func (l Limits) normal() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 1 << 30
	}
	if l.Samples <= 0 {
		l.Samples = 64 << 20
	}
	if l.Frames <= 0 {
		l.Frames = 100_000
	}
	return l
}

const (
	// maxDepth of sequences of undefined length within each other. Others are
	// skipped by their length.
	maxDepth = 32

	// maxText is the longest value that is read as text or numbers, bytes.
	maxText = 1 << 12

	// maxInflate is the most that deflate can expand a byte (RFC 1951: 258 bytes
	// from two bits).
	maxInflate = 1032

	// minHead and maxHead bound what of a deflated data set is held: so many bytes,
	// or so many for one that is deflated. Text before the pixels, such as the groups
	// of many frames, shrinks to a tenth; larger pixels are inflated frame by frame.
	minHead = 8 << 20
	maxHead = 16

	// maxRLE is the most that RLE can expand a byte: 128 from two.
	maxRLE = 64
)
