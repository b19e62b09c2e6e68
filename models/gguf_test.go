package models_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/models"
)

// gguf writes a file with a few values of every kind and the tensors.
func gguf(tensors ...models.Tensor) []byte {
	var b bytes.Buffer
	put := func(v any) { binary.Write(&b, binary.LittleEndian, v) }
	text := func(s string) { put(uint64(len(s))); b.WriteString(s) }
	b.WriteString("GGUF")
	put(uint32(3))
	put(uint64(len(tensors)))
	put(uint64(4))
	text("general.architecture")
	put(uint32(8))
	text("tiny")
	text("tiny.context_length")
	put(uint32(4))
	put(uint32(2048))
	text("tokenizer.ggml.tokens")
	put([]uint32{9, 8})
	put(uint64(2))
	text("a")
	text("bc")
	text("tokenizer.ggml.scores")
	put([]uint32{9, 6})
	put(uint64(3))
	put([]float32{1, 2, 3})
	for _, t := range tensors {
		text(t.Name)
		put(uint32(len(t.Shape)))
		put(t.Shape)
		put(map[string]uint32{"F32": 0, "Q4_K": 12, "": 999}[t.Type])
		put(uint64(0))
	}
	return b.Bytes()
}

func TestTensors(t *testing.T) {
	want := []models.Tensor{{"a.weight", "F32", []uint64{3, 4}}, {"b", "Q4_K", []uint64{256}}, {"c", "", []uint64{1}}}
	got, err := models.Tensors(bytes.NewReader(append(gguf(want...), make([]byte, 100)...)))
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("tensors (-want +got):\n%s%v", d, err)
	}
}

func TestTensorsOfThePhantom(t *testing.T) {
	f, err := os.Open(filepath.Join("phantom", "phantom-vlm.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := models.Tensors(f)
	if err != nil || len(got) < 10 || got[0].Name == "" || got[0].Type == "" {
		t.Errorf("%d tensors, %v", len(got), err)
	}
}

func TestTensorsOfWhatIsNone(t *testing.T) {
	whole := gguf(models.Tensor{Name: "a", Type: "F32", Shape: []uint64{1}})
	with := func(at int, b ...byte) []byte {
		out := bytes.Clone(whole)
		copy(out[at:], b)
		return out
	}
	for name, data := range map[string][]byte{
		"empty":            nil,
		"another format":   []byte("PK\x03\x04 and much more text than a header"),
		"version 1":        with(4, 1),
		"tensors no end":   with(8, 255, 255, 255, 255),
		"keys no end":      with(16, 255, 255, 255, 255),
		"a key no end":     with(24, 255, 255, 255, 255),
		"a value no end":   with(24+8+20+4, 255, 255, 255, 255, 255),
		"an unknown value": with(24+8+20, 77),
		"cut":              whole[:len(whole)-3],
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := models.Tensors(bytes.NewReader(data)); !errors.Is(err, models.ErrGGUF) {
				t.Errorf("tensors %v, error %v", got, err)
			}
		})
	}
}

func FuzzTensors(f *testing.F) {
	f.Add(gguf(models.Tensor{Name: "a", Type: "F32", Shape: []uint64{1, 2}}))
	f.Add([]byte("GGUF"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := models.Tensors(bytes.NewReader(data))
		if err == nil && len(tensors) > len(data) {
			t.Errorf("%d tensors in %d bytes", len(tensors), len(data))
		}
	})
}
