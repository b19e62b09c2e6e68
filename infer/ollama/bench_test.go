package ollama_test

import (
	"bytes"
	"context"
	"testing"

	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/infer/ollama/fake"
)

// BenchmarkAsk shows what a request costs this side: most of its allocation is
// the 8 MB line buffer of Ollama's client.
func BenchmarkAsk(b *testing.B) {
	s := fake.Start(fake.Config{Discard: true})
	defer s.Close()
	h, err := ollama.ParseHost(s.Addr())
	if err != nil {
		b.Fatal(err)
	}
	c, err := ollama.New(ollama.Config{Host: h})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	picture := infer.NewImage(bytes.Repeat([]byte("picture "), 8<<10), "image/png", 512, 512)
	p := infer.Prompt{
		Options:  infer.Greedy(4096, 64, nil),
		Messages: []infer.Message{{Role: infer.User, Text: "Which side?", Images: []infer.Image{picture, picture}}},
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Ask(context.Background(), "fake:latest", p); err != nil {
			b.Fatal(err)
		}
	}
}
