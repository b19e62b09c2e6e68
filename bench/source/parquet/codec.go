package parquet

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// Limits of a page, which is decompressed as a whole. Writers put a row group's
// pictures, often a hundred or more, into one page.
const (
	maxPage   = 1 << 30  // bytes, decompressed
	smallPage = 16 << 20 // bytes that any page may decompress to
	maxRatio  = 1100     // of a larger page; deflate reaches 1032
)

// The compression codecs of the format.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecZstd   = 6
)

// codecNames are those of all codecs, for messages.
var codecNames = []string{"none", "Snappy", "gzip", "LZO", "Brotli", "LZ4", "Zstandard", "raw LZ4"}

// decompress gives exactly size bytes.
func decompress(codec int, b []byte, size int) ([]byte, error) {
	if size > maxPage || size > smallPage && size/maxRatio > len(b) {
		return nil, fmt.Errorf("a page of %d bytes, %d when decompressed, is too large; write the file with smaller row groups", len(b), size)
	}
	if size == 0 && len(b) == 0 {
		return nil, nil
	}
	var out []byte
	var err error
	switch codec {
	case codecNone:
		out = b
	case codecSnappy:
		out, err = unsnap(b, size)
	case codecGzip:
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			out, err = drain(r, size)
		}
	case codecZstd:
		var r *zstd.Decoder
		if r, err = zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20)); err == nil {
			out, err = drain(r, size)
			r.Close()
		}
	default:
		name := fmt.Sprint(codec)
		if codec < len(codecNames) {
			name = codecNames[codec]
		}
		return nil, fmt.Errorf("compression %s is not read; Snappy, gzip, Zstandard and none are", name)
	}
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	if len(out) != size {
		return nil, fmt.Errorf("%d bytes where %d are claimed", len(out), size)
	}
	return out, nil
}

// unsnap decompresses a Snappy block, of which 3 bytes make 64 at most.
func unsnap(b []byte, size int) ([]byte, error) {
	n, err := snappy.DecodedLen(b)
	if err != nil {
		return nil, err
	}
	if n != size || n/22 > len(b) {
		return nil, fmt.Errorf("%d bytes where %d are claimed", n, size)
	}
	return snappy.Decode(nil, b)
}

// drain reads size bytes and one more, should there be one. Memory grows with
// what is read, not with what is claimed.
func drain(r io.Reader, size int) ([]byte, error) {
	var out bytes.Buffer
	_, err := io.Copy(&out, io.LimitReader(r, int64(size)+1))
	return out.Bytes(), err
}
