package bundle

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// framesOf is one zstd frame for each part.
func framesOf(t testing.TB, parts ...[]byte) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	check(t, err)
	var b []byte
	for _, p := range parts {
		b = e.EncodeAll(p, b)
	}
	return b
}

// unframed is the stream that is in frames.
func unframed(t testing.TB, r io.Reader) ([]byte, error) {
	t.Helper()
	u, err := newUnframer(r)
	check(t, err)
	defer u.close()
	return io.ReadAll(u)
}

func TestUnframer(t *testing.T) {
	text, raw := bytes.Repeat([]byte("text "), 300_000), noise(1, 2*segmentSize+7)
	var streamed bytes.Buffer
	e, err := zstd.NewWriter(&streamed, zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1)) // of no stated size
	check(t, err)
	_, err = e.Write(text)
	check(t, err)
	check(t, e.Close())
	mark := (&endMark{}).bytes()
	for _, tt := range []struct {
		name   string
		packed []byte
		plain  []byte
		fails  bool
	}{
		{"nothing", nil, nil, false},
		{"one byte", framesOf(t, []byte("x")), []byte("x"), false},
		{"what compresses and what does not", framesOf(t, text, nil, nil, nil, nil, raw, text), bytes.Join([][]byte{text, raw, text}, nil), false},
		{"all the same", framesOf(t, make([]byte, 3<<20)), make([]byte, 3<<20), false},
		{"of no stated size", streamed.Bytes(), text, false},
		{"the largest", framesOf(t, make([]byte, maxFrame)), make([]byte, maxFrame), false},
		{"larger unpacked", framesOf(t, make([]byte, maxFrame+1)), nil, true},
		{"larger packed", framesOf(t, noise(1, maxFrame)), nil, true},
		{"to be skipped", append(framesOf(t, text), mark...), text, true},
		{"no frame behind one", append(framesOf(t, text), "text, and more of it"...), text, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := unframed(t, bytes.NewReader(tt.packed))
			if (err != nil) != tt.fails || !bytes.Equal(got, tt.plain) && !tt.fails {
				t.Errorf("%d bytes, error %v; want %d", len(got), err, len(tt.plain))
			}
			if tt.fails && !bytes.HasPrefix(got, tt.plain) {
				t.Error("what stands before the fault is not given")
			}
		})
	}
}

func TestUnframerNamesTheEnd(t *testing.T) {
	b := framesOf(t, []byte("some text"))
	for n := 1; n < len(b); n++ {
		if _, err := unframed(t, bytes.NewReader(b[:n])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut at %d of %d: error %v", n, len(b), err)
		}
	}
}

// TestUnframerStops reads a part, and nothing when it is closed.
func TestUnframerStops(t *testing.T) {
	b := framesOf(t, noise(1, segmentSize), noise(2, segmentSize), noise(3, segmentSize), noise(4, segmentSize), noise(5, segmentSize))
	r := &checked{ctx: context.Background(), r: bytes.NewReader(b)}
	u, err := newUnframer(r)
	check(t, err)
	if _, err := io.ReadFull(u, make([]byte, 10)); err != nil {
		t.Error(err)
	}
	u.close()
	if r.mark.length == 0 || r.mark.length == int64(len(b)) {
		t.Errorf("%d bytes were read", r.mark.length)
	}
	if _, err := io.ReadAll(u); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v after it was closed", err)
	}
}

// hostile is a bundle whose stream is zeros behind a start, each frame the
// largest.
func hostile(t testing.TB, start []entry, zeros int) []byte {
	t.Helper()
	whole := handMade(t, start)
	b := append(whole[:len(whole)-markSize:len(whole)-markSize], bytes.Repeat(framesOf(t, make([]byte, maxFrame)), zeros)...)
	var mark endMark
	mark.add(b)
	return append(b, mark.bytes()...)
}

func TestZerosWithoutEnd(t *testing.T) {
	good := []entry{{name: "data/a", content: "a"}}
	b := hostile(t, framed(t, listing(t, good), good), 100)
	d := damageOf(b)
	if d == nil || d.Problems[0].What != "behind its last file: there is more than a bundle holds" {
		t.Errorf("damage %v", d)
	}
}

// TestInterruptedWithinWhatIsSkipped stops where no file's bytes come for long.
func TestInterruptedWithinWhatIsSkipped(t *testing.T) {
	b := framesOf(t, bytes.Repeat([]byte{1}, maxFrame))
	b = bytes.Repeat(b, 10_000)
	ctx, cancel := context.WithCancel(context.Background())
	r := &checked{ctx: ctx, r: bytes.NewReader(b)}
	u, err := newUnframer(r)
	check(t, err)
	defer u.close()
	if _, err := io.ReadFull(u, make([]byte, 10)); err != nil {
		t.Error(err)
	}
	cancel()
	if n, err := io.Copy(io.Discard, u); !errors.Is(err, context.Canceled) || n > 1<<30 {
		t.Errorf("error %v after %d bytes more", err, n)
	}
}
