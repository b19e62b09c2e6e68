package codec

// Limits are checked on headers, before samples are allocated, so that a small
// stream cannot ask for much memory or time.
const (
	// maxSamples of a frame: mammograms and slides have up to 60 million.
	maxSamples = 100_000_000

	// maxFree is how many samples may be there without data that could hold them:
	// empty frames take very few bytes.
	maxFree = 1 << 24

	// maxPerByte is how many samples a byte of JPEG-LS or JPEG 2000 may stand for
	// beyond maxFree.
	maxPerByte = 1 << 16

	// maxSegments of a JPEG stream before and between its scans.
	maxSegments = 4096

	// maxSpare is how many bytes may stand between the last sample of a scan and
	// the marker behind it; some encoders leave a few.
	maxSpare = 16

	// maxPrecincts of a component of a tile of JPEG 2000. Encoders make thousands.
	maxPrecincts = 1 << 18

	// maxBlocks of the same: above 100 million samples in blocks of 16×16.
	maxBlocks = 1 << 20
)
