package preprocess

import (
	"bytes"
	"compress/zlib"
	"io"
	mathbits "math/bits"

	"golang.org/x/image/ccitt"
	"golang.org/x/image/tiff/lzw"
)

// TIFF compressions that are read.
const (
	tiffPlain      = 1
	tiffGroup3     = 3
	tiffGroup4     = 4
	tiffLZW        = 5
	tiffDeflate    = 8
	tiffOldDeflate = 32946
	tiffPackBits   = 32773
)

// tiffExpansion is the most that a byte of a compression can become. Fax codes
// are not listed: they are bounded by their rows, which take a bit at least.
var tiffExpansion = map[int]int{
	tiffPlain: 1, tiffLZW: maxLZW, tiffDeflate: maxInflate, tiffOldDeflate: maxInflate, tiffPackBits: maxPackBits,
}

// tiffCompressions are those that are not read.
var tiffCompressions = map[int]string{
	2: "CCITT run-length", 6: "old JPEG", 7: "JPEG", 9: "JBIG", 34712: "JPEG 2000", 34887: "LERC",
	34925: "LZMA", 50000: "Zstandard", 50001: "WebP", 50002: "JPEG XL",
}

// blocks is how a TIFF's pixels are cut into strips or tiles.
type blocks struct {
	compression  int
	predictor    bool // a sample is the difference to the one before
	reversed     bool // the lowest bit of a byte comes first
	planes       int  // 1, or as many as samples, which are then apart
	blockW       int
	blockH       int
	tiled        bool
	across, down int
	offsets      field
	counts       field
}

// readBlocks reads how the picture is cut and compressed.
func (t *tiffFile) readBlocks() error {
	b := &t.blocks
	b.compression = t.number(tagCompression, tiffPlain)
	fax := b.compression == tiffGroup3 || b.compression == tiffGroup4
	switch {
	case tiffExpansion[b.compression] == 0 && !fax:
		name := tiffCompressions[b.compression]
		if name == "" {
			name = "unknown"
		}
		return unsupported("tiff", -1, "%s compression (%d)", name, b.compression)
	case fax && (t.bits != 1 || t.perPixel != 1):
		return damaged("tiff", -1, "fax compression of %d samples of %d bits", t.perPixel, t.bits)
	case b.compression == tiffGroup3 && t.number(tagFax3, 0)&7 != 0, fax && t.number(tagFax4, 0)&2 != 0:
		return unsupported("tiff", -1, "fax compression with options")
	}
	b.reversed = t.number(tagFillOrder, 1) == 2
	switch p := t.number(tagPredictor, 1); {
	case b.compression != tiffLZW && b.compression != tiffDeflate && b.compression != tiffOldDeflate, p == 1:
	case p == 2 && t.bits >= 8:
		b.predictor = true
	default:
		return unsupported("tiff", -1, "predictor %d of %d-bit samples", p, t.bits)
	}
	b.planes = 1
	if t.number(tagPlanar, 1) == 2 {
		b.planes = t.perPixel
	}
	return t.readGrid()
}

// readGrid reads the sizes and places of the blocks.
func (t *tiffFile) readGrid() error {
	b := &t.blocks
	if _, b.tiled = t.fields[tagTileWidth]; b.tiled {
		b.blockW, b.blockH = t.number(tagTileWidth, 0), t.number(tagTileHeight, 0)
		b.offsets, b.counts = t.fields[tagTileOffsets], t.fields[tagTileCounts]
	} else {
		b.blockW, b.blockH = t.w, min(t.number(tagRowsPerStrip, t.h), t.h)
		b.offsets, b.counts = t.fields[tagStripOffsets], t.fields[tagStripCounts]
	}
	if b.blockW < 1 || b.blockH < 1 || b.blockW > maxSide || b.blockH > maxSide {
		return damaged("tiff", -1, "strips or tiles of %dx%d", b.blockW, b.blockH)
	}
	b.across, b.down = ceil(t.w, b.blockW), ceil(t.h, b.blockH)
	if b.tiled && int64(b.across*b.blockW)*int64(b.down*b.blockH) > maxPixels {
		return tooLarge("tiff", "tiles of %dx%d", b.blockW, b.blockH)
	}
	if n := b.across * b.down * b.planes; b.offsets.count != n || b.counts.count != n {
		return damaged("tiff", -1, "%d places and %d sizes for %d strips or tiles", b.offsets.count, b.counts.count, n)
	}
	return nil
}

// samplesOfRow is the number of samples of a pixel that stand in one block.
func (t *tiffFile) samplesOfRow() int {
	if t.planes > 1 {
		return 1
	}
	return t.perPixel
}

// rowBytes is the size of a row of a block.
func (t *tiffFile) rowBytes() int { return ceil(t.blockW*t.samplesOfRow()*t.bits, 8) }

// rows is the number of rows in a block: tiles are filled up, strips are not.
func (t *tiffFile) rows(index int) int {
	if t.tiled {
		return t.blockH
	}
	return min(t.blockH, t.h-index%t.down*t.blockH)
}

// checkBlocks makes sure that every block is in the file and can hold its rows,
// and that they do not share bytes, before memory is taken for the picture.
func (t *tiffFile) checkBlocks() error {
	total := 0
	for i := range t.offsets.count {
		at, n := t.offsets.at(i), t.counts.at(i)
		if at == 0 || n == 0 {
			return damaged("tiff", -1, "strip or tile %d is missing", i)
		}
		if at+n > len(t.data) {
			return damaged("tiff", at, "strip or tile %d ends behind the file", i)
		}
		rows := t.rows(i)
		if most := tiffExpansion[t.compression]; most > 0 && n*most < rows*t.rowBytes() || most == 0 && 8*n < rows {
			return damaged("tiff", at, "%d bytes of data cannot hold %dx%d pixels", n, t.blockW, rows)
		}
		if total += n; total > len(t.data) {
			return damaged("tiff", at, "strips or tiles that share bytes")
		}
	}
	return nil
}

// unpacker opens the blocks of a file one by one.
type unpacker struct {
	file    *tiffFile
	inflate io.ReadCloser
	packed  *bytes.Reader // of the open block
}

// open is a block's data, unpacked.
func (u *unpacker) open(index int) (io.Reader, error) {
	t := u.file
	at := t.offsets.at(index)
	data := t.data[at : at+t.counts.at(index)]
	if t.reversed {
		turned := make([]byte, len(data))
		for i, b := range data {
			turned[i] = mathbits.Reverse8(b)
		}
		data = turned
	}
	u.packed = bytes.NewReader(data)
	switch t.compression {
	case tiffLZW:
		return lzw.NewReader(u.packed, lzw.MSB, 8), nil
	case tiffDeflate, tiffOldDeflate:
		var err error
		if u.inflate == nil {
			u.inflate, err = zlib.NewReader(u.packed)
		} else {
			err = u.inflate.(zlib.Resetter).Reset(u.packed, nil)
		}
		return u.inflate, err
	case tiffPackBits:
		return &packBits{data: data}, nil
	case tiffGroup3, tiffGroup4:
		kind := ccitt.Group3
		if t.compression == tiffGroup4 {
			kind = ccitt.Group4
		}
		// A white run is zeros, whatever they mean then.
		return ccitt.NewReader(byByte{u.packed}, ccitt.MSB, kind, t.blockW, t.rows(index), &ccitt.Options{Invert: true}), nil
	}
	return u.packed, nil
}

// byByte reads one byte at a time, so that no more are taken than needed.
type byByte struct{ r io.Reader }

func (b byByte) Read(p []byte) (int, error) { return b.r.Read(p[:min(len(p), 1)]) }

// packBits unpacks the compression of that name (TIFF 6.0, section 9).
type packBits struct {
	data  []byte
	plain []byte // to come as it is
	again int    // how often value is to come
	value byte
}

func (p *packBits) Read(out []byte) (int, error) {
	for len(p.plain) == 0 && p.again == 0 {
		if len(p.data) < 2 {
			return 0, io.EOF
		}
		n := int(int8(p.data[0]))
		p.data = p.data[1:]
		switch {
		case n >= 0:
			n = min(n+1, len(p.data))
			p.plain, p.data = p.data[:n], p.data[n:]
		case n > -128:
			p.again, p.value, p.data = 1-n, p.data[0], p.data[1:]
		}
	}
	if p.again == 0 {
		n := copy(out, p.plain)
		p.plain = p.plain[n:]
		return n, nil
	}
	n := min(p.again, len(out))
	for i := range n {
		out[i] = p.value
	}
	p.again -= n
	return n, nil
}
