package codec

import (
	"slices"
	"testing"
)

// fuzz changes the stored streams of some syntaxes. Nothing may panic, and what
// is decoded has the size that was asked for.
func fuzz(f *testing.F, syntaxes ...string) {
	for i, s := range stored {
		if slices.Contains(syntaxes, s.syntax) {
			f.Add(i, readStored(f, s.name))
		}
	}
	f.Fuzz(func(t *testing.T, i int, stream []byte) {
		if i < 0 || i >= len(stored) || !slices.Contains(syntaxes, stored[i].syntax) {
			return
		}
		s := stored[i]
		got, err := Decode(s.syntax, stream, s.Description)
		if err == nil && len(got.Values) != s.Columns*s.Rows*s.Channels {
			t.Errorf("%d samples", len(got.Values))
		}
		if top := int32(1) << got.Bits; err == nil && (slices.Max(got.Values) >= top || slices.Min(got.Values) < -top/2) {
			t.Errorf("values %d to %d of %d bits", slices.Min(got.Values), slices.Max(got.Values), got.Bits)
		}
	})
}

func FuzzLossless(f *testing.F) { fuzz(f, JPEGLossless, JPEGLosslessSV1) }
func FuzzExtended(f *testing.F) { fuzz(f, JPEGExtended) }
func FuzzLS(f *testing.F)       { fuzz(f, JPEGLSLossless, JPEGLSNearLossless) }
func FuzzJ2K(f *testing.F)      { fuzz(f, JPEG2000, JPEG2000Lossless) }
