package codec

// Description is what a DICOM header says of one frame.
type Description struct {
	Columns, Rows int
	Channels      int // samples a pixel: 1 or 3
	BitsAllocated int
	BitsStored    int
	HighBit       int
	Signed        bool
	Photometric   string // PhotometricInterpretation
}

// Samples are a decoded frame: row by row, the channels of a pixel side by side.
type Samples struct {
	Width, Height, Channels int

	// Bits of a sample and whether samples have a sign, as the codestream says.
	// Bits can be more than are stored: common encoders compress whole words. Only
	// JPEG 2000 knows a sign; the values of the others are bit patterns.
	Bits   int
	Signed bool

	// RGB tells that a colour transform of the codestream was undone, so that the
	// values are red, green and blue whatever the header says.
	RGB bool

	Values []int32
}

// Decode decompresses one frame of the transfer syntax with this UID. The stream
// must be whole and must agree with want; everything else is an [*Error]. It may
// be called from several goroutines.
func Decode(syntax string, frame []byte, want Description) (Samples, error) {
	s, ok := syntaxes[syntax]
	if !ok {
		return Samples{}, &Error{Syntax: syntax, Offset: -1, Problem: "this compression is not read", Kind: ErrUnsupported}
	}
	if err := want.check(); err != nil {
		return Samples{}, s.named(syntax, err)
	}
	got, err := s.decode(frame, want)
	if err != nil {
		return Samples{}, s.named(syntax, err)
	}
	return got, nil
}

// check refuses descriptions that no decoder here can serve.
func (d Description) check() error {
	switch {
	case d.Columns < 1 || d.Rows < 1 || d.Columns > 65535 || d.Rows > 65535:
		return damaged(-1, "the header says %d×%d pixels", d.Columns, d.Rows)
	case d.Channels != 1 && d.Channels != 3:
		return unsupported(-1, "the header says %d samples a pixel; 1 and 3 are read", d.Channels)
	case d.BitsStored < 1 || d.BitsStored > d.BitsAllocated:
		return damaged(-1, "the header says %d bits stored of %d", d.BitsStored, d.BitsAllocated)
	case d.samples() > maxSamples:
		return tooLarge("%d×%d pixels of %d samples are more than %d samples", d.Columns, d.Rows, d.Channels, maxSamples)
	}
	return nil
}

// samples is their number in a frame.
func (d Description) samples() int { return d.Columns * d.Rows * d.Channels }

// agree compares a stream's own header, at offset, with d before anything is
// allocated.
func (d Description) agree(offset int, s Samples) error {
	switch {
	case s.Width != d.Columns || s.Height != d.Rows:
		return damaged(offset, "the stream has %d×%d pixels, the header says %d×%d", s.Width, s.Height, d.Columns, d.Rows)
	case s.Channels != d.Channels:
		return damaged(offset, "the stream has %d samples a pixel, the header says %d", s.Channels, d.Channels)
	case s.Bits > d.BitsAllocated:
		return damaged(offset, "the stream has samples of %d bits, the header allocates %d", s.Bits, d.BitsAllocated)
	case s.Bits < 2 || s.Bits > 16:
		return unsupported(offset, "samples of %d bits; 2 to 16 are read", s.Bits)
	case d.Signed && !s.Signed && s.Bits < d.BitsStored:
		return damaged(offset, "the stream has samples of %d bits, the header says %d with a sign: where that is cannot be known", s.Bits, d.BitsStored)
	}
	return nil
}

// filled refuses a stream of so few bytes that its samples cannot be more than
// free ones; most is how many samples a byte can hold.
func (d Description) filled(bytes, most int) error {
	if n := d.samples(); n > maxFree && n/most > bytes {
		return damaged(-1, "%d bytes cannot hold %d samples", bytes, n)
	}
	return nil
}
