package preprocess

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodeJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// grey is the picture in one channel.
func grey(m image.Image) *image.Gray {
	g := image.NewGray(m.Bounds())
	draw.Draw(g, g.Rect, m, m.Bounds().Min, draw.Src)
	return g
}

// greys is a grey picture of the given rows.
func greys(rows ...[]byte) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, len(rows[0]), len(rows)))
	for y, row := range rows {
		copy(g.Pix[y*g.Stride:], row)
	}
	return g
}

// rows is the inverse of greys, for pictures of grey pixels.
func rows(t testing.TB, m image.Image) [][]byte {
	t.Helper()
	var out [][]byte
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		var row []byte
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			if c.R != c.G || c.G != c.B || c.A != 255 {
				t.Fatalf("pixel %d,%d is %v, not an opaque grey", x, y, c)
			}
			row = append(row, c.R)
		}
		out = append(out, row)
	}
	return out
}

// shown decodes a prepared picture.
func shown(t testing.TB, m Image) image.Image {
	t.Helper()
	p, format, err := image.Decode(bytes.NewReader(m.Data))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Bounds(); got != image.Rect(0, 0, m.Width, m.Height) || "image/"+format != m.MediaType {
		t.Fatalf("data are a %s of %v, image says %s of %dx%d", format, got, m.MediaType, m.Width, m.Height)
	}
	return p
}

func prepare(t testing.TB, r Recipe, data []byte) Image {
	t.Helper()
	m, err := r.Prepare(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// samePixels tells whether two pictures look the same.
func samePixels(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			ar, ag, ab, aa := a.At(x, y).RGBA()
			br, bg, bb, ba := b.At(x, y).RGBA()
			if ar != br || ag != bg || ab != bb || aa != ba {
				return false
			}
		}
	}
	return true
}

// chunkOf is a PNG chunk with its checksum.
func chunkOf(name string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// pngOf is a PNG file of chunks.
func pngOf(chunks ...[]byte) []byte {
	return append([]byte(pngSignature), bytes.Join(chunks, nil)...)
}

// chunksOf are the chunks of a PNG file.
func chunksOf(t testing.TB, data []byte) (names []string, chunks [][]byte) {
	t.Helper()
	for rest := data[len(pngSignature):]; len(rest) > 0; {
		n := chunkFrame + int(binary.BigEndian.Uint32(rest))
		names, chunks = append(names, string(rest[4:8])), append(chunks, rest[:n])
		rest = rest[n:]
	}
	return names, chunks
}

// withChunks puts chunks behind a PNG's header.
func withChunks(t testing.TB, data []byte, extra ...[]byte) []byte {
	t.Helper()
	_, chunks := chunksOf(t, data)
	return pngOf(append(append([][]byte{chunks[0]}, extra...), chunks[1:]...)...)
}

// segmentOf is a JPEG segment.
func segmentOf(marker byte, body []byte) []byte {
	out := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2))
	return append(out, body...)
}

// withSegments puts segments behind a JPEG's start.
func withSegments(data []byte, extra ...[]byte) []byte {
	out := append([]byte{}, data[:2]...)
	out = append(out, bytes.Join(extra, nil)...)
	return append(out, data[2:]...)
}

// segmentAt is where the first segment of the marker begins in a JPEG whose
// segments stand without fill bytes.
func segmentAt(t testing.TB, data []byte, marker byte) int {
	t.Helper()
	for at := 2; at+4 <= len(data); at += 2 + int(binary.BigEndian.Uint16(data[at+2:])) {
		if data[at+1] == marker {
			return at
		}
		if data[at+1] == sos {
			break
		}
	}
	t.Fatalf("no segment %#x", marker)
	return 0
}
