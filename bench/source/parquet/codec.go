package parquet

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Limits of a page. Writers put a row group's pictures, often a hundred or more
// and sometimes all, into one page.
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

// inBuffer is how many compressed bytes are read at once, outBuffer how many
// are decompressed at once where little is asked for.
const (
	inBuffer  = 64 << 10
	outBuffer = 16 << 10
)

// packed is the content of a page as it lies in the file.
type packed struct {
	r          io.ReaderAt
	at         int64
	compressed int // bytes
	size       int // bytes when decompressed
	codec      int
}

func (p packed) section() *io.SectionReader {
	return io.NewSectionReader(p.r, p.at, int64(p.compressed))
}

// check holds the sizes that a page claims against each other.
func (p packed) check() error {
	if max(p.size, p.compressed) > maxPage || p.size > smallPage && p.size/maxRatio > p.compressed {
		return fmt.Errorf("a page of %d bytes, %d when decompressed, is too large; write the file with smaller row groups", p.compressed, p.size)
	}
	if p.codec == codecNone && p.compressed != p.size {
		return fmt.Errorf("%d bytes where %d are claimed", p.compressed, p.size)
	}
	return nil
}

// unpacker decompresses one page after the other, all in the memory of the first.
type unpacker struct {
	in     *bufio.Reader
	gzip   *gzip.Reader
	zstd   *zstd.Decoder
	snappy *unsnapper
	stream stream
}

// open begins with a page. The stream of the page before must not be used any
// more.
func (u *unpacker) open(p packed) (*stream, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	content := io.Reader(p.section())
	if p.size > 0 || p.compressed > 0 { // nothing at all is also what compresses to nothing
		var err error
		if content, err = u.decompressor(p); err != nil {
			return nil, err
		}
	}
	s := &u.stream
	if s.r == nil {
		s.r = bufio.NewReaderSize(nil, outBuffer)
	}
	s.r.Reset(content)
	s.size, s.left = p.size, p.size
	return s, nil
}

// decompressor gives the decompressed bytes of a page.
func (u *unpacker) decompressor(p packed) (r io.Reader, err error) {
	if u.in == nil {
		u.in = bufio.NewReaderSize(nil, inBuffer)
	}
	u.in.Reset(p.section())
	switch p.codec {
	case codecNone:
		return u.in, nil
	case codecSnappy:
		r, err = u.unsnap(p)
	case codecGzip:
		r, err = u.gunzip()
	case codecZstd:
		r, err = u.unzstd()
	default:
		name := fmt.Sprint(p.codec)
		if p.codec < len(codecNames) {
			name = codecNames[p.codec]
		}
		return nil, fmt.Errorf("compression %s is not read; Snappy, gzip, Zstandard and none are", name)
	}
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", noEOF(err))
	}
	return r, nil
}

func (u *unpacker) unsnap(p packed) (io.Reader, error) {
	if u.snappy == nil {
		u.snappy = &unsnapper{in: u.in}
	}
	return u.snappy, u.snappy.open(p)
}

func (u *unpacker) gunzip() (io.Reader, error) {
	if u.gzip == nil {
		u.gzip = &gzip.Reader{}
	}
	return u.gzip, u.gzip.Reset(u.in)
}

func (u *unpacker) unzstd() (io.Reader, error) {
	if u.zstd != nil {
		return u.zstd, u.zstd.Reset(u.in)
	}
	var err error
	u.zstd, err = zstd.NewReader(u.in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	return u.zstd, err
}

// close gives back what a decompressor holds.
func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
	*u = unpacker{}
}

// noEOF keeps an end that comes too early from passing for a proper one.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
