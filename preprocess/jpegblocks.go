package preprocess

// blocks walks through the data of a scan block by block, without decoding
// samples: too little data, too much, and wrong codes show.
func (s *scan) blocks() error {
	for u := range s.units() {
		if s.restart > 0 && u > 0 && u%s.restart == 0 {
			if err := s.nextInterval(); err != nil {
				return err
			}
		}
		for i := range s.parts {
			p := &s.parts[i]
			for range p.blocks {
				if !s.block(p, u) {
					return s.broken()
				}
			}
		}
	}
	return s.finishLast()
}

// units is the number of units a scan is made of: blocks where a component is
// alone, else groups of blocks of all components (MCUs).
func (s *scan) units() int {
	if len(s.parts) == 1 {
		return s.parts[0].across * s.parts[0].down
	}
	f := s.frame
	return ceil(f.w, 8*f.hmax) * ceil(f.h, 8*f.vmax)
}

// finish makes sure that an interval of the scan is used up: less than a byte is
// left, no run of empty blocks is open.
func (s *scan) finish() error {
	if s.fill(); s.n >= 8 {
		return damaged("jpeg", s.pos-s.n/8, "a scan with more data than its picture has blocks")
	}
	if s.runs > 0 {
		return damaged("jpeg", s.pos, "a scan with fewer blocks than it says")
	}
	return nil
}

// finishLast is finish for the last interval. Cameras and scanners are known to
// leave a few bytes before the end marker, and libjpeg only warns of them. They
// are spare where they are too few for one more row or column of blocks, so that
// a picture whose header was made smaller is still refused. Other scans than
// sequential ones have rows that cost no bits, so nothing may be left there.
func (s *scan) finishLast() error {
	s.fill()
	s.after = s.pos
	most := s.mostSpare()
	if s.n < 8 || most == 0 {
		return s.finish()
	}
	for range s.n / 8 { // back to the first byte that no block has read
		if s.pos--; s.data[s.pos] == 0 && s.data[s.pos-1] == 0xff {
			s.pos--
		}
	}
	for rest := (&bits{data: s.data, pos: s.pos}); ; rest.n = 0 {
		rest.fill()
		s.spare, s.after = s.spare+rest.n/8, rest.pos
		if rest.end || s.spare > most {
			break
		}
	}
	if s.spare > most {
		return damaged("jpeg", s.pos, "a scan with more data than its picture has blocks")
	}
	return nil
}

// mostSpare is how many bytes may be left after the last block: less than the
// shortest row or column of units.
func (s *scan) mostSpare() int {
	if s.frame.progressive {
		return 0
	}
	unit := 0 // bits at least
	for _, p := range s.parts {
		unit += p.blocks * (p.dc.shortest() + p.ac.shortest())
	}
	across, down := s.parts[0].across, s.parts[0].down
	if len(s.parts) > 1 {
		across, down = ceil(s.frame.w, 8*s.frame.hmax), ceil(s.frame.h, 8*s.frame.vmax)
	}
	return min(maxSpare, max(0, min(across, down)*unit/8-1))
}

// nextInterval goes on after the restart marker that must come next.
func (s *scan) nextInterval() error {
	if err := s.finish(); err != nil {
		return err
	}
	pos := s.pos
	for pos < len(s.data)-1 && s.data[pos] == 0xff && s.data[pos+1] == 0xff {
		pos++
	}
	if pos+2 > len(s.data) || s.data[pos+1] != byte(rst0+s.restarts%8) {
		return damaged("jpeg", s.pos, "a restart marker is missing")
	}
	s.restarts++
	s.bits = bits{data: s.data, pos: pos + 2}
	return nil
}

// broken says why a block could not be read.
func (s *scan) broken() error {
	if s.pos >= len(s.data) {
		return damaged("jpeg", len(s.data), "the file ends in a scan")
	}
	if s.end {
		return damaged("jpeg", s.pos, "a scan ends before its last block")
	}
	return damaged("jpeg", s.pos, "a scan with a wrong code")
}

// block reads one block; false: the data are broken.
func (s *scan) block(p *part, unit int) bool {
	if s.from == 0 {
		if s.refine {
			return s.skip(1)
		}
		size := s.next(p.dc)
		if size < 0 || size > 16 || !s.skip(size) {
			return false
		}
	}
	switch {
	case s.to == 0:
		return true
	case !s.frame.progressive:
		return s.sequential(p.ac)
	case s.refine:
		return s.refinement(p.ac, &p.nonzero[unit])
	}
	return s.first(p.ac, &p.nonzero[unit])
}

// sequential reads the coefficients 1 to 63 of a block, T.81 F.2.2.2.
func (s *scan) sequential(h *huffman) bool {
	for k := 1; k <= 63; k++ {
		symbol := s.next(h)
		run, size := symbol>>4, symbol&15
		switch {
		case symbol < 0 || size == 0 && run != 0 && run != 15:
			return false
		case symbol == 0:
			return true
		}
		if k += run; k > 63 || !s.skip(size) {
			return false
		}
	}
	return true
}

// first reads the first bits of coefficients, T.81 G.1.2.2.
func (s *scan) first(h *huffman, nonzero *uint64) bool {
	if s.runs > 0 {
		s.runs--
		return true
	}
	for k := s.from; k <= s.to; k++ {
		symbol := s.next(h)
		if symbol < 0 {
			return false
		}
		run, size := symbol>>4, symbol&15
		if size == 0 && run < 15 {
			return s.openRun(run)
		}
		if k += run; k > s.to || !s.skip(size) {
			return false
		}
		if size > 0 {
			*nonzero |= 1 << k
		}
	}
	return true
}

// openRun reads the length of a run of blocks without further coefficients, and
// counts the block it stands in.
func (s *scan) openRun(size int) bool {
	extra := s.take(size)
	s.runs = 1<<size + extra - 1
	return extra >= 0
}

// refinement reads one more bit of coefficients, T.81 G.1.2.3: those that are
// not zero have a bit each, and others may become not zero.
func (s *scan) refinement(h *huffman, nonzero *uint64) bool {
	k := s.from
	if s.runs > 0 {
		s.runs--
		_, ok := s.correct(k, 64, *nonzero)
		return ok
	}
	for k <= s.to {
		symbol := s.next(h)
		run, size := symbol>>4, symbol&15
		if symbol < 0 || size > 1 || !s.skip(size) {
			return false
		}
		if size == 0 && run < 15 {
			if !s.openRun(run) {
				return false
			}
			_, ok := s.correct(k, 64, *nonzero)
			return ok
		}
		var ok bool
		if k, ok = s.correct(k, run, *nonzero); !ok || k > s.to {
			return false
		}
		if size == 1 {
			*nonzero |= 1 << k
		}
		k++
	}
	return true
}

// correct reads the bits of coefficients that are not zero, from k to the zero
// that follows run others, whose place it gives.
func (s *scan) correct(k, run int, nonzero uint64) (int, bool) {
	for ; k <= s.to; k++ {
		if nonzero>>k&1 == 0 {
			if run == 0 {
				break
			}
			run--
		} else if !s.skip(1) {
			return k, false
		}
	}
	return k, true
}
