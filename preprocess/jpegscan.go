package preprocess

// progress is what the scans have brought so far.
type progress struct {
	scans int

	// level is, for a component and a coefficient in zigzag order, one more than
	// the lowest bit that has come: 0 nothing yet, 1 complete.
	level [4][64]int

	// nonzero has a bit for each coefficient of each block that is not zero, in a
	// progressive picture; refinements are coded by it.
	nonzero [4][]uint64
}

// scan is one scan header, with what its blocks need.
type scan struct {
	bits
	frame    *frame
	restart  int
	parts    []part
	from, to int // first and last coefficient
	refine   bool
	runs     int // blocks still to come that add no coefficient
	restarts int // markers seen
	spare    int // bytes after the last block
	after    int // the byte behind them
}

// part is one component of a scan.
type part struct {
	component
	index   int
	dc, ac  *huffman
	across  int // blocks a row, where the component is alone in the scan
	down    int
	blocks  int      // in a unit of the scan
	nonzero []uint64 // of progress
}

// readScans walks through the scans to the end marker, and makes sure that all
// blocks have come, and nothing else.
func (j *jpegFile) readScans() error {
	for m := byte(sos); m != eoi; {
		var err error
		if m == sos {
			err = j.readScan()
		} else {
			err = j.segment(m)
		}
		if err != nil {
			return err
		}
		if m, err = j.marker(); err != nil {
			return err
		}
		if j.spare > 0 && m != eoi {
			return damaged("jpeg", j.pos-2, "bytes left over within the picture")
		}
	}
	for c := range j.frame.components {
		for _, level := range j.progress.level[c] {
			if level != 1 {
				return damaged("jpeg", j.pos-2, "a scan is missing")
			}
		}
	}
	return nil
}

// readScan reads one scan, whose marker was read, with its data.
func (j *jpegFile) readScan() error {
	start := j.pos - 2
	if j.progress.scans++; j.progress.scans > maxScans {
		return tooLarge("jpeg", "more than %d scans", maxScans)
	}
	body, err := j.body()
	if err != nil {
		return err
	}
	s, err := j.scanHeader(body, start+4)
	if err != nil {
		return err
	}
	s.bits = bits{data: j.data, pos: j.pos}
	if err := s.blocks(); err != nil {
		return err
	}
	j.kept = append(j.kept, [2]int{start, s.pos})
	j.pos, j.spare = s.after, s.spare
	j.skipRestart()
	return nil
}

// skipRestart passes over a restart marker after the last block, which some
// writers leave there.
func (j *jpegFile) skipRestart() {
	rest := j.data[j.pos:]
	if len(rest) >= 2 && rest[0] == 0xff && rest[1] >= rst0 && rest[1] <= rst7 {
		j.pos += 2
	}
}

// scanHeader reads the header of a scan and notes its progress.
func (j *jpegFile) scanHeader(body []byte, at int) (*scan, error) {
	if len(body) < 6 || len(body) != 4+2*int(body[0]) || int(body[0]) > len(j.frame.components) {
		return nil, damaged("jpeg", at, "a scan header of the wrong length")
	}
	s := &scan{frame: j.frame, restart: j.tables.restart, to: 63}
	for c := body[1 : len(body)-3]; len(c) > 0; c = c[2:] {
		if err := j.addPart(s, c[0], c[1], at); err != nil {
			return nil, err
		}
	}
	for i := range s.parts {
		p := &s.parts[i]
		if p.blocks = 1; len(s.parts) > 1 {
			p.blocks = p.h * p.v
		}
	}
	return s, j.scanRange(s, body[len(body)-3:], at)
}

// scanRange reads which coefficients and which of their bits a scan brings. In
// a sequential frame these fields mean nothing.
func (j *jpegFile) scanRange(s *scan, tail []byte, at int) error {
	high, low := 0, 0
	if j.frame.progressive {
		s.from, s.to, high, low = int(tail[0]), int(tail[1]), int(tail[2]>>4), int(tail[2]&15)
		if s.from > s.to || s.to > 63 || (s.from == 0 && s.to > 0) || (s.from > 0 && len(s.parts) > 1) {
			return damaged("jpeg", at, "a scan of coefficients %d to %d", s.from, s.to)
		}
		if low > 13 || high > 0 && high != low+1 {
			return damaged("jpeg", at, "a scan of bits %d to %d", high, low)
		}
	}
	s.refine = high > 0
	if err := j.advance(s, high, low, at); err != nil {
		return err
	}
	return j.checkTables(s, at)
}

// addPart adds a component to a scan.
func (j *jpegFile) addPart(s *scan, id, tables byte, at int) error {
	dc, ac := tables>>4, tables&15
	for i, c := range j.frame.components {
		if c.id != id || dc > 3 || ac > 3 {
			continue
		}
		for _, p := range s.parts {
			if p.id == id {
				return damaged("jpeg", at, "a colour twice in a scan")
			}
		}
		f := j.frame
		s.parts = append(s.parts, part{
			component: c, index: i, dc: j.tables.dc[dc], ac: j.tables.ac[ac],
			across: ceil(ceil(f.w*c.h, f.hmax), 8), down: ceil(ceil(f.h*c.v, f.vmax), 8),
		})
		return nil
	}
	return damaged("jpeg", at, "a scan of an unknown colour or table")
}

// advance notes what the scan brings. Every bit of every coefficient comes once,
// from the top down.
func (j *jpegFile) advance(s *scan, high, low, at int) error {
	for i := range s.parts {
		p := &s.parts[i]
		level := &j.progress.level[p.index]
		for k := s.from; k <= s.to; k++ {
			if s.refine && level[k] != high+1 || !s.refine && level[k] != 0 {
				return damaged("jpeg", at, "scans that repeat or leave out a part of the picture")
			}
			level[k] = low + 1
		}
		if s.from > 0 && j.progress.nonzero[p.index] == nil {
			j.progress.nonzero[p.index] = make([]uint64, p.across*p.down)
		}
		p.nonzero = j.progress.nonzero[p.index]
	}
	return nil
}

// checkTables makes sure that the tables of a scan have come before it. The
// decoder takes a missing quantisation table for zeros, which makes all grey.
func (j *jpegFile) checkTables(s *scan, at int) error {
	for _, p := range s.parts {
		switch {
		case !j.tables.quant[p.quant]:
			return damaged("jpeg", at, "quantisation table %d is missing", p.quant)
		case s.from == 0 && !s.refine && p.dc == nil, s.to > 0 && p.ac == nil:
			return damaged("jpeg", at, "a Huffman table is missing")
		case s.restart > 0 && s.restart < p.across*p.down && len(s.parts) == 1 && p.h*p.v > 1:
			// The decoder counts such blocks in groups, against T.81 A.2.2.
			return unsupported("jpeg", at, "restart markers in a scan of one colour")
		}
	}
	return nil
}

func ceil(a, b int) int { return (a + b - 1) / b }
