package preprocess

import (
	"bytes"
	"encoding/binary"
	"image"
	"io"

	"golang.org/x/image/vp8l"
	"golang.org/x/image/webp"
)

const (
	// maxBlocks is how many blocks of 16×16 pixels a byte of VP8 data can hold. The
	// cheapest modes of a block cost 3.4 bits (RFC 6386, sections 8.2 and 11.2).
	maxBlocks = 4

	// maxCopies is how many pixels a byte of VP8L data can hold: 4096 in a code of a
	// bit (RFC 9649, section 5.2.2). A larger picture of one colour could do with no
	// bits at all, but libwebp does not write it so. Canvases are held to it too.
	maxCopies = 8 * 4096

	// How many bytes may follow a picture: encoders end lossy data with up to four
	// bytes of padding, lossless ones with the last byte that they need.
	maxLossyRest    = 8
	maxLosslessRest = 1
)

func (w *webpFile) pixels() (image.Image, []string, error) {
	p := &w.picture
	if w.canvas.X*w.canvas.Y > max(len(p.data)*maxCopies, maxFree) {
		return nil, nil, damaged("webp", -1, "%d bytes of data cannot hold %s pixels", len(p.data), by(w.canvas))
	}
	decode := p.decodeLossy
	if p.lossless {
		decode = p.decodeLossless
	}
	m, err := decode()
	if err != nil {
		return nil, nil, err
	}
	if m.Rect != (image.Rectangle{Max: p.size}) {
		return nil, nil, damaged("webp", -1, "header says %s, decoder %v", by(p.size), m.Rect)
	}
	var steps []string
	if w.animated {
		steps = append(steps, firstFrame)
	}
	covered := p.size == w.canvas
	if p.transparent() {
		onWhite(m)
	}
	if p.transparent() || !covered {
		steps = append(steps, "composited on white")
	}
	if !covered {
		return place(m, w.at, w.canvas), steps, nil
	}
	return m, steps, nil
}

// decodeLossless decodes VP8L data, which must end with the picture.
func (p *webpPicture) decodeLossless() (*image.NRGBA, error) {
	r := bytes.NewReader(p.data) // read byte by byte, no further than needed
	decoded, err := vp8l.Decode(r)
	if err != nil {
		return nil, webpError(err)
	}
	if r.Len() > maxLosslessRest {
		return nil, damaged("webp", -1, "more data than the picture has pixels")
	}
	m := decoded.(*image.NRGBA)
	if !p.transparent() {
		makeOpaque(m)
	}
	return m, nil
}

// decodeLossy decodes VP8 data.
func (p *webpPicture) decodeLossy() (*image.NRGBA, error) {
	if blocks := ceil(p.size.X, 16) * ceil(p.size.Y, 16); blocks > maxBlocks*p.first {
		return nil, damaged("webp", -1, "%d bytes of data cannot hold %s pixels", p.first, by(p.size))
	}
	decoded, err := webp.Decode(p.file(p.alpha, p.data))
	if err != nil {
		return nil, webpError(err)
	}
	// The decoder does not say how much it has read. Data whose end is not needed
	// are those of a larger picture.
	if cut := len(p.data) - maxLossyRest; cut > 0 {
		if _, err := webp.Decode(p.file(nil, p.data[:cut])); err == nil {
			return nil, damaged("webp", -1, "more data than the picture has blocks")
		}
	}
	switch m := decoded.(type) {
	case *image.YCbCr:
		return fromVideo(m), nil
	case *image.NYCbCrA:
		out := fromVideo(&m.YCbCr)
		for y := range p.size.Y {
			for x := range p.size.X {
				out.Pix[y*out.Stride+4*x+3] = m.A[y*m.AStride+x]
			}
		}
		return out, nil
	}
	return nil, damaged("webp", -1, "the decoder gave a %T", decoded)
}

// file is a still picture as the decoder takes it, which wants flags that fit the
// chunks.
func (p *webpPicture) file(alpha, data []byte) io.Reader {
	var chunks []io.Reader
	size := 4
	add := func(name string, body []byte) {
		head := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body)))
		chunks = append(chunks, bytes.NewReader(head), bytes.NewReader(body))
		if size += 8 + len(body); len(body)%2 != 0 {
			size++
			chunks = append(chunks, bytes.NewReader([]byte{0}))
		}
	}
	if alpha != nil {
		extended := make([]byte, 10)
		extended[0] = 0x10 // alpha
		for i, side := range []int{p.size.X - 1, p.size.Y - 1} {
			extended[4+3*i], extended[5+3*i] = byte(side), byte(side>>8)
		}
		add("VP8X", extended)
		add("ALPH", alpha)
	}
	add("VP8 ", data)
	head := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(size))
	return io.MultiReader(append([]io.Reader{bytes.NewReader(append(head, "WEBP"...))}, chunks...)...)
}

func webpError(err error) error {
	return &Error{Kind: ErrDamaged, Format: "webp", Offset: -1, Problem: "decoding failed", Err: err}
}
