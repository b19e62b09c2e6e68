package models

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Tensor is one entry of a GGUF file's list of tensors.
type Tensor struct {
	Name  string   `json:"name"`
	Type  string   `json:"type"`  // as servers write it, "Q4_K"; empty: not known here
	Shape []uint64 `json:"shape"` // elements, fastest dimension first
}

// Limits of what is read of a GGUF file.
const (
	maxGGUFEntries = 1 << 20 // key-value pairs, and tensors
	maxGGUFName    = 1 << 16 // bytes of a key or of a tensor's name
	maxGGUFDims    = 8
)

// ErrGGUF is beneath every error about bytes that are no GGUF file.
var ErrGGUF = errors.New("not a GGUF file")

// Tensors reads the list of tensors at the start of a GGUF file, of the versions
// 2 and 3 in little-endian order. The format is described in docs/gguf.md of
// ggml-org/ggml.
func Tensors(r io.Reader) ([]Tensor, error) {
	g := &ggufReader{r: bufio.NewReaderSize(r, 1<<16)}
	if magic := g.uint32(); magic != 0x46554747 { // "GGUF"
		g.fail("it begins with %#x", magic)
	}
	if version := g.uint32(); version != 2 && version != 3 {
		g.fail("version %d", version)
	}
	tensors, pairs := g.count("tensors"), g.count("keys")
	for range pairs {
		g.skip(g.length(maxGGUFName))
		g.skipValue(g.uint32(), false)
		if g.err != nil {
			break
		}
	}
	var list []Tensor
	for range tensors {
		t := g.tensor()
		if g.err != nil {
			return nil, fmt.Errorf("reading the tensors of a model: %w", g.err)
		}
		list = append(list, t)
	}
	if g.err != nil {
		return nil, fmt.Errorf("reading the tensors of a model: %w", g.err)
	}
	return list, nil
}

// ggufReader reads the parts of a GGUF file. After an error all it reads is zero.
type ggufReader struct {
	r   *bufio.Reader
	err error
}

func (g *ggufReader) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf("%w: "+format, append([]any{ErrGGUF}, args...)...)
	}
}

func (g *ggufReader) bytes(n int) []byte {
	b := make([]byte, n)
	if g.err != nil {
		return b
	}
	if _, err := io.ReadFull(g.r, b); err != nil {
		g.err = fmt.Errorf("%w: %w", ErrGGUF, err)
		clear(b)
	}
	return b
}

func (g *ggufReader) uint32() uint32 { return binary.LittleEndian.Uint32(g.bytes(4)) }
func (g *ggufReader) uint64() uint64 { return binary.LittleEndian.Uint64(g.bytes(8)) }

// count is a number of entries.
func (g *ggufReader) count(what string) int {
	n := g.uint64()
	if n > maxGGUFEntries {
		g.fail("%d %s", n, what)
		return 0
	}
	return int(n)
}

// length is the length of a string, in bytes.
func (g *ggufReader) length(most uint64) uint64 {
	n := g.uint64()
	if n > most {
		g.fail("a text of %d bytes", n)
		return 0
	}
	return n
}

func (g *ggufReader) skip(n uint64) {
	if g.err != nil {
		return
	}
	if _, err := io.CopyN(io.Discard, g.r, int64(n)); err != nil {
		g.err = fmt.Errorf("%w: %w", ErrGGUF, err)
	}
}

// Types of values that are not of a fixed size.
const (
	ggufString = 8
	ggufArray  = 9
)

// ggufSizes are the bytes of the other types of values, by their number.
var ggufSizes = map[uint32]uint64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

// skipValue passes over a value. Arrays of arrays do not occur.
func (g *ggufReader) skipValue(kind uint32, inArray bool) {
	const most = 1 << 40 // far above any file's vocabulary, below any overflow
	size, fixed := ggufSizes[kind]
	switch {
	case fixed:
		g.skip(size)
	case kind == ggufString:
		g.skip(g.length(most))
	case kind == ggufArray && !inArray:
		kind, n := g.uint32(), g.length(most)
		if size, fixed := ggufSizes[kind]; fixed {
			g.skip(n * size)
			return
		}
		for ; n > 0 && g.err == nil; n-- {
			g.skipValue(kind, true)
		}
	default:
		g.fail("a value of type %d", kind)
	}
}

func (g *ggufReader) tensor() Tensor {
	t := Tensor{Name: string(g.bytes(int(g.length(maxGGUFName))))}
	dims := g.uint32()
	if dims > maxGGUFDims {
		g.fail("tensor %q has %d dimensions", t.Name, dims)
		return t
	}
	for range dims {
		t.Shape = append(t.Shape, g.uint64())
	}
	t.Type = tensorTypes[g.uint32()]
	g.uint64() // where its numbers begin
	return t
}

// tensorTypes are the names of ggml's types by their number (enum ggml_type).
var tensorTypes = map[uint32]string{
	0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1",
	10: "Q2_K", 11: "Q3_K", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K", 15: "Q8_K",
	24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 30: "BF16",
}
