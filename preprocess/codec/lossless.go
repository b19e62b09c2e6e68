package codec

// lossless decodes JPEG lossless, ITU-T T.81 annex H: a sample is predicted from
// its neighbours, and the difference is in a Huffman code.
type lossless struct {
	stream
}

func decodeLossless(frame []byte, want Description) (Samples, error) {
	d := &lossless{stream: stream{segments: segments{data: frame}, want: want, frames: []byte{mSOF3}}}
	d.begin, d.scan = d.allocate, d.decodeScan
	if err := d.read(); err != nil {
		return Samples{}, err
	}
	return d.header.Samples, nil
}

func (d *lossless) allocate() error {
	// Each difference takes a bit at least.
	if err := d.want.filled(len(d.data), 8); err != nil {
		return err
	}
	d.header.Values = make([]int32, d.want.samples())
	return nil
}

// losslessScan is one scan under way.
type losslessScan struct {
	*lossless
	bits      bitReader
	list      []scanComponent
	predictor int
	shift     int // point transform
	initial   int // prediction of the first sample
	top       uint16
	fresh     bool
}

func (d *lossless) decodeScan(at int, list []scanComponent, parameters []byte) error {
	s := &losslessScan{lossless: d, list: list, predictor: int(parameters[0]), shift: int(parameters[2] & 15)}
	if s.predictor < 1 || s.predictor > 7 {
		return damaged(at, "a predictor %d", s.predictor)
	}
	if s.shift >= d.header.Bits {
		return damaged(at, "a point transform by %d bits", s.shift)
	}
	for _, c := range list {
		if t := c.tables >> 4; t > 3 || d.huffmans[t] == nil {
			return damaged(at, "the scan uses a Huffman table that is not there")
		}
	}
	if d.restart%d.header.Width != 0 {
		return unsupported(at, "restart markers within rows")
	}
	s.top = uint16(1<<(d.header.Bits-s.shift) - 1)
	s.initial = 1 << (d.header.Bits - s.shift - 1)
	s.bits = bitReader{data: d.data, pos: d.pos}
	if err := s.rows(); err != nil {
		return err
	}
	s.bits.align()
	return d.afterScan(s.bits.pos)
}

func (s *losslessScan) rows() error {
	every, w := s.restart/s.header.Width, s.header.Width*len(s.header.components)
	s.fresh = true
	for y := range s.header.Height {
		if every > 0 && y > 0 && y%every == 0 {
			if err := s.bits.restart(y/every - 1); err != nil {
				return err
			}
			s.fresh = true
		}
		above := s.header.Values // not looked at in a fresh row
		if y > 0 {
			above = s.header.Values[(y-1)*w : y*w]
		}
		if !s.row(s.header.Values[y*w:(y+1)*w], above) {
			return damaged(s.bits.pos, "a code or a sample that there cannot be in row %d", y)
		}
		if s.bits.cut {
			return damaged(s.bits.pos, "the data end in row %d", y)
		}
		s.fresh = false
	}
	s.unshift()
	return nil
}

// row decodes a row of all components of the scan. The first sample of a fresh
// row is predicted by a constant, the others by their left neighbour (H.1.1).
func (s *losslessScan) row(row, above []int32) bool {
	step := len(s.header.components)
	for x := 0; x < len(row); x += step {
		for _, c := range s.list {
			i := x + c.index
			var p int
			switch {
			case s.fresh && x == 0:
				p = s.initial
			case s.fresh:
				p = int(row[i-step])
			case x == 0:
				p = int(above[i])
			default:
				p = predict(s.predictor, int(row[i-step]), int(above[i]), int(above[i-step]))
			}
			n, ok := s.bits.symbol(s.huffmans[c.tables>>4])
			if !ok || n > 16 {
				return false
			}
			if n == 16 { // has no additional bits
				p += 1 << 15
			} else {
				p += s.bits.receive(n)
			}
			if uint16(p) > s.top {
				return false
			}
			row[i] = int32(uint16(p))
		}
	}
	return true
}

// predict is table H.1 of T.81: left, above, and above left.
func predict(selection, a, b, c int) int {
	switch selection {
	case 1:
		return a
	case 2:
		return b
	case 3:
		return c
	case 4:
		return a + b - c
	case 5:
		return a + (b-c)>>1
	case 6:
		return b + (a-c)>>1
	}
	return (a + b) >> 1
}

// unshift undoes the point transform.
func (s *losslessScan) unshift() {
	if s.shift == 0 {
		return
	}
	for _, c := range s.list {
		for i := c.index; i < len(s.header.Values); i += len(s.header.components) {
			s.header.Values[i] <<= s.shift
		}
	}
}
