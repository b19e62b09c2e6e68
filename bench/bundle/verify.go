package bundle

import (
	"context"
	"io"
)

// Verify reads the bundle of size bytes in r and checks everything in it. The
// error is a *[Damage] that names each thing that is wrong. The index is nil
// where it cannot be read.
func Verify(ctx context.Context, r io.ReaderAt, size int64, watch Watch) (*Index, error) {
	return verify(ctx, r, size, maxTotal, watch)
}

func verify(ctx context.Context, r io.ReaderAt, size, total int64, watch Watch) (*Index, error) {
	rd := &reader{sink: nothing{}, total: total}
	err := rd.read(ctx, r, size, watch)
	return rd.index, err
}

// nothing is a sink that keeps nothing.
type nothing struct{}

func (nothing) begin(*Index) error         { return nil }
func (nothing) file(File, io.Reader) error { return nil }
