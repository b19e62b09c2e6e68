package preprocess

// Limits are checked on headers, before a decoder sees a byte, so that a small
// file cannot ask for much memory or time.
const (
	// maxFileBytes is far above any picture a question comes with.
	maxFileBytes = 256 << 20

	// maxPixels is a 10000×10000 picture: 400 MB decoded as RGBA.
	maxPixels = 100_000_000

	// maxHeavyPixels is for pictures that cost twice the memory or more while they
	// are decoded: a progressive JPEG is held as coefficients of 4 bytes, a 16-bit
	// PNG or TIFF as 8 bytes a pixel, a WebP with alpha or without loss together
	// with its transforms.
	maxHeavyPixels = 50_000_000

	// maxSide is a little below the 65535 that a JPEG can say.
	maxSide = 65500

	// maxChunks of a PNG; common writers make an IDAT of 8 KiB or more, so that
	// the largest file has 32768.
	maxChunks = 100_000

	// maxSegments of a JPEG; as many full ones make the largest file.
	maxSegments = 4096

	// maxScans of a JPEG. Progressive files have about ten; each scan can cost a
	// pass over the whole picture for a few bytes.
	maxScans = 100

	// maxSpare is how many bytes a JPEG may have between its last block and its end
	// marker, where these are not enough for more blocks.
	maxSpare = 16

	// maxFrames of an animation, and pages of a TIFF.
	maxFrames = 10_000

	// maxSamples of a pixel of a TIFF; all but the colours and one alpha are left
	// out.
	maxSamples = 16

	// maxFree is how many pixels may be there without data that could hold them.
	maxFree = 1 << 20

	// maxLZW is the most that LZW can expand a byte: a code of 12 bits stands for
	// less than 4096 bytes.
	maxLZW = 2731

	// maxPackBits is the most that PackBits can expand a byte: 128 from two.
	maxPackBits = 64

	// maxInflate is the most that deflate can expand a byte (RFC 1951: 258 bytes
	// from two bits), so a PNG with less data than that cannot be whole.
	maxInflate = 1032

	// Gamma exponents outside are mistakes that would make a picture black or
	// white; in units of 1/100000 as the file has them.
	minGamma, maxGamma = 10_000, 500_000
)
