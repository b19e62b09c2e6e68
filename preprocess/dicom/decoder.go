package dicom

import (
	"errors"
	"fmt"
)

// Decoder decodes frames of transfer syntaxes that this package does not.
type Decoder interface {
	// Decode decodes one frame: one whole codestream, at most with a byte behind
	// it that makes its length even. The result must have the size of want, and an
	// error be returned rather than a part of the frame. Errors that wrap ErrUnsupported
	// or ErrTooLarge keep their kind, others are ErrDamaged; they hold nothing of
	// the file but sizes. It may be called from several goroutines.
	Decode(syntax string, frame []byte, want Description) (Samples, error)
}

// Description is what the header says of a frame.
type Description struct {
	Columns, Rows int
	Channels      int // samples a pixel
	BitsAllocated int
	BitsStored    int
	HighBit       int
	Signed        bool
	Photometric   string // PhotometricInterpretation
}

// Samples are a decoded frame: row by row, the channels of a pixel side by side.
type Samples struct {
	Width, Height, Channels int

	Bits   int  // of a sample, as the codestream says
	Signed bool // as the codestream says

	// RGB tells that the decoder has undone a colour transform of the codestream,
	// so that the values are red, green and blue whatever the header says.
	RGB bool

	// Values are the samples. Of 32 bits without a sign they are bit patterns.
	Values []int32
}

func (h *Header) description() Description {
	return Description{h.Columns, h.Rows, h.SamplesPerPixel, h.BitsAllocated, h.BitsStored, h.HighBit, h.Signed, h.Photometric}
}

// check refuses samples that are not those of the header.
func (s *Samples) check(want Description) error {
	switch {
	case s.Width != want.Columns || s.Height != want.Rows:
		return damaged(-1, tagPixels, "header says %d×%d pixels, codestream %d×%d", want.Columns, want.Rows, s.Width, s.Height)
	case s.Channels != want.Channels:
		return damaged(-1, tagSamples, "header says %d samples a pixel, codestream %d", want.Channels, s.Channels)
	case len(s.Values) != s.Width*s.Height*s.Channels:
		return damaged(-1, tagPixels, "decoder gave %d samples, not %d", len(s.Values), s.Width*s.Height*s.Channels)
	case s.Bits < 1 || s.Bits > 32:
		return damaged(-1, tagPixels, "codestream has samples of %d bits", s.Bits)
	}
	return nil
}

// frame decodes frame i to stored values: without the bits that are not stored,
// with their sign.
func (f *File) frame(i int, d Decoder) (s sampled, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = sampled{}, &Error{Kind: ErrDamaged, Offset: -1, Tag: tagPixels, Problem: "the decoder gave up", Err: fmt.Errorf("panic: %v", p)}
		}
	}()
	want := f.Header.description()
	if f.pieces == nil {
		return f.nativeSamples(i)
	}
	if s.Samples, err = f.decode(f.fragment(i), d, want); err != nil {
		if f.Len() > 1 {
			err = fmt.Errorf("frame %d: %w", i+1, err)
		}
		return sampled{}, err
	}
	return s, nil
}

// decode decodes an encapsulated frame.
func (f *File) decode(b []byte, d Decoder, want Description) (s Samples, err error) {
	switch f.syntax.way {
	case encapsulated, deflatedOnes, runLengths:
		if f.syntax.way == runLengths {
			s, err = f.Header.runLengths(b)
		} else {
			s, err = f.Header.unwrap(b, f.syntax.way)
		}
		if err == nil {
			s.cut(want)
		}
		return s, err
	case jpeg8:
		if head := readJPEGHead(b); head.plain {
			return decodeJPEG(b, head, want)
		} else if d == nil {
			return s, unsupported(tagTransferSyntaxUID, "transfer syntax %v with %s is not read", f.syntax, head.what)
		}
	}
	if d == nil {
		return s, unsupported(tagTransferSyntaxUID, "transfer syntax %v is not read", f.syntax)
	}
	if s, err = d.Decode(f.syntax.uid, b, want); err != nil {
		kind := ErrDamaged
		for _, k := range []error{ErrUnsupported, ErrTooLarge} {
			if errors.Is(err, k) {
				kind = k
			}
		}
		return s, &Error{Kind: kind, Offset: -1, Tag: tagPixels, Problem: "decoding " + f.syntax.String() + " failed", Err: err}
	}
	if err = s.check(want); err != nil {
		return s, err
	}
	s.adopt(want, f.syntax.lossless())
	return s, nil
}

// cut leaves the stored bits of native samples, and gives them their sign.
func (s *Samples) cut(want Description) {
	s.Bits, s.Signed = want.BitsStored, want.Signed
	want.cut(s.Values)
}

// cut leaves the stored bits of words, and gives them their sign.
func (d Description) cut(values []int32) {
	down := (d.HighBit + 1 - d.BitsStored) & 31 // within that already; a shift that is known to be is quick
	up := (32 - d.BitsStored) & 31
	if d.Signed {
		for i, v := range values {
			values[i] = int32(uint32(v)>>down<<up) >> up
		}
		return
	}
	for i, v := range values {
		values[i] = int32(uint32(v) >> down << up >> up)
	}
}

// adopt brings the values of a codestream to those of the header. Many encoders
// compress whole words: without loss, the bits that are not stored are cut off as
// in native pixels. JPEG and JPEG-LS know no sign, and in JPEG 2000 that of the
// stream can be wrong: then the bits are read again with the sign of the header.
func (s *Samples) adopt(want Description, lossless bool) {
	switch {
	case lossless && s.Bits > want.BitsStored:
		s.cut(want)
	case s.Signed != want.Signed:
		stored := want.BitsStored
		want.BitsStored, want.HighBit = s.Bits, s.Bits-1
		s.cut(want)
		s.Bits = min(s.Bits, stored)
	default:
		s.Bits = min(s.Bits, want.BitsStored)
	}
}
