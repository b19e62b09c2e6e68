package preprocess

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

func (p *pngFile) pixels() (image.Image, []string, error) {
	if err := p.checkSums(); err != nil {
		return nil, nil, err
	}
	gamma, err := p.gamma()
	if err != nil {
		return nil, nil, err
	}
	stream, size := p.stream()
	if raw := p.rawBytes(); raw > int64(size)*maxInflate {
		return nil, nil, damaged("png", -1, "%d bytes of data cannot hold %dx%d pixels", size, p.w, p.h)
	}
	m, err := png.Decode(stream)
	if err != nil {
		return nil, nil, pngError(err)
	}
	if pal, ok := m.(*image.Paletted); ok {
		if err := p.fillPalette(pal); err != nil {
			return nil, nil, err
		}
	}
	var steps []string
	if p.find("acTL") != nil {
		steps = append(steps, firstFrame)
	}
	if p.depth == 16 {
		var step string
		m, step = window(m, p.window, false)
		steps = append(steps, step)
	}
	if gamma != screenGamma {
		apply(gammaTable(gamma), m)
		steps = append(steps, fmt.Sprintf("gamma %.5f to %.5f", float64(gamma)/1e5, screenGamma/1e5))
	}
	if p.transparent() {
		onWhite(m)
		steps = append(steps, "composited on white")
	}
	return m, steps, nil
}

// pngError sorts the decoder's errors by kind.
func pngError(err error) error {
	kind := ErrDamaged
	if u := png.UnsupportedError(""); errors.As(err, &u) {
		kind = ErrUnsupported
	}
	return &Error{Kind: kind, Format: "png", Offset: -1, Problem: "decoding failed", Err: err}
}

// rawBytes is a lower bound of the inflated size.
func (p *pngFile) rawBytes() int64 {
	return int64(p.h) * ((int64(p.w)*int64(p.channels())*int64(p.depth) + 7) / 8)
}

// stream is the file as the decoder gets it: only what decoding needs, and all
// data in one chunk, so that the decoder finds data that are left over. It gives
// the size of the data, too.
func (p *pngFile) stream() (io.Reader, int) {
	parts := []io.Reader{bytes.NewReader([]byte(pngSignature))}
	var data []io.Reader
	size, sum := 0, crc32.ChecksumIEEE([]byte("IDAT"))
	for _, c := range p.chunks {
		switch c.name {
		case "IDAT":
			data = append(data, bytes.NewReader(c.body))
			size += len(c.body)
			sum = crc32.Update(sum, crc32.IEEETable, c.body)
		case "IHDR", "PLTE", "tRNS":
			parts = append(parts, bytes.NewReader(p.data[c.at:c.next()]))
		}
	}
	begin := append(binary.BigEndian.AppendUint32(nil, uint32(size)), "IDAT"...)
	end := binary.BigEndian.AppendUint32(nil, sum)
	iend := p.chunks[len(p.chunks)-1]
	parts = append(parts, bytes.NewReader(begin), &slowEnd{r: io.MultiReader(data...), left: size},
		bytes.NewReader(end), bytes.NewReader(p.data[iend.at:p.end]))
	return io.MultiReader(parts...), size
}

// slowEnd gives the last bytes of the data one by one. The decoder reads through
// a buffer and sees data after the picture's end only where the buffer has not
// taken them.
type slowEnd struct {
	r    io.Reader
	left int
}

// bufferBytes is the size of the decoder's buffer (bufio's default) or more.
const bufferBytes = 4096

func (s *slowEnd) Read(b []byte) (int, error) {
	if len(b) > 0 {
		b = b[:min(len(b), max(1, s.left-bufferBytes))]
	}
	n, err := s.r.Read(b)
	s.left -= n
	return n, err
}

// fillPalette refuses pixels without a colour, for which the decoder lengthens
// the palette, and fills it.
func (p *pngFile) fillPalette(m *image.Paletted) error {
	if colours := len(p.find("PLTE").body) / 3; len(m.Palette) > colours {
		return damaged("png", -1, "a pixel has a colour that the palette of %d lacks", colours)
	}
	fillPalette(m)
	return nil
}
