package bench

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lightbox/bench/card"
	"lightbox/infer/ollama/fake"
	"lightbox/preprocess"
)

// deepPNG is a 16-bit picture of which 12 bits are used.
func deepPNG(t *testing.T) []byte {
	t.Helper()
	m := image.NewGray16(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		m.SetGray16(i%64, i/64, color.Gray16{uint16(i)})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFormatsBecome8BitPNG asks about pictures that servers refuse, or read
// differently, and looks at what stands on the wire.
func TestFormatsBecome8BitPNG(t *testing.T) {
	s, cfg := play(t, 0, fake.Config{})
	cfg.Recipe = preprocess.Recipe{MaxSide: 512, MinSide: 28}
	pictures := gallery{"deep.png": deepPNG(t)}
	for _, name := range []string{"deep.tiff", "deep_white_is_zero.tiff", "cmyk.tiff", "palette_packbits.tiff", "rgba32.bmp", "transparent.gif", "animated.gif", "lossy.webp", "lossless_alpha.webp"} {
		data, err := os.ReadFile(filepath.Join("..", "preprocess", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		pictures[name] = data
	}
	cfg.Benchmark.Pictures = pictures
	for name := range pictures {
		cfg.Benchmark.Samples = append(cfg.Benchmark.Samples, card.Sample{
			ID: name, Question: "question " + name + "?", Pictures: []string{name}, References: []string{"yes"},
		})
	}
	result, err := Run(context.Background(), cfg)
	if err != nil || result.Unscored != 0 {
		t.Fatalf("%v, %d samples unscored", err, result.Unscored)
	}
	for name, data := range pictures {
		want, err := cfg.Recipe.Prepare(data)
		if err != nil {
			t.Fatal(err)
		}
		check8Bit(t, name, want)
		sent := slices.IndexFunc(s.Chats(), func(r fake.Request) bool { return r.Last() == "question "+name+"?" && isSample(r) })
		if sent < 0 {
			t.Errorf("%s was not sent", name)
			continue
		}
		if images := s.Chats()[sent].Images(); len(images) != 1 || images[0].Digest != want.Digest || images[0].Bytes != len(want.Data) {
			t.Errorf("%s: %+v on the wire, want %s", name, images, want.Digest)
		}
		line := lineOf(t, cfg.Out, name).Pictures[0]
		if line.MediaType != "image/png" || string(line.Source) != want.SourceDigest || !slices.Equal(line.Steps, want.Steps) {
			t.Errorf("%s: the record says %+v", name, line)
		}
	}
}

// check8Bit demands a PNG of 8 bits that is neither black nor of one value.
func check8Bit(t *testing.T, name string, got preprocess.Image) {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(got.Data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	switch m.(type) {
	case *image.Gray, *image.RGBA, *image.NRGBA, *image.Paletted:
	default:
		t.Errorf("%s became a %T", name, m)
	}
	top := uint32(0)
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			r, g, b, alpha := m.At(x, y).RGBA()
			if top = max(top, r, g, b); alpha != 0xffff {
				t.Fatalf("%s: pixel %d,%d is not opaque", name, x, y)
			}
		}
	}
	if top>>8 <= 200 {
		t.Errorf("%s: the brightest sample is %d", name, top>>8)
	}
}
