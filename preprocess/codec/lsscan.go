package codec

// lsScan is a scan of JPEG-LS under way. The names are those of T.87 annex A:
// maximum is MAXVAL, near NEAR, span RANGE, spanBits qbpp, limit LIMIT.
type lsScan struct {
	*ls
	bits                                       stuffedReader
	list                                       []scanComponent
	near, step, maximum, span, spanBits, limit int
	reset                                      int
	gradients                                  gradients
	contexts                                   [365 + 2]lsContext // the last two are those of interrupted runs
	negative                                   [2]int             // Nn of these
}

// lsContext holds the sums A, B, C and N of a context.
type lsContext struct{ a, b, c, n int }

// runBits is J, T.87 A.2.1.
var runBits = [32]int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// gradients quantizes the difference of two samples to -4…4 (A.3.3), as a table
// whose middle is zero.
type gradients struct {
	table  []int8
	middle int
}

func newGradients(p presets, near int) gradients {
	g := gradients{table: make([]int8, 2*p.maximum+1), middle: p.maximum}
	for i := range g.table {
		d := i - g.middle
		q := int8(0)
		for _, t := range []int{near + 1, p.t1, p.t2, p.t3} {
			if max(d, -d) >= t {
				q++
			}
		}
		if d < 0 {
			q = -q
		}
		g.table[i] = q
	}
	return g
}

func (g *gradients) of(d int) int { return int(g.table[d+g.middle]) }

// lsLine is one component's row with the samples that stand in for those outside
// of the picture (A.2.1): cur[0] and prev[0] left of the row, prev[w+1] right.
type lsLine struct {
	prev, cur []int
	run       int // RUNindex
}

func (l *lsLine) turn() {
	w := len(l.cur) - 2
	l.prev, l.cur = l.cur, l.prev
	l.prev[w+1] = l.prev[w]
	l.cur[0] = l.prev[1]
}

func (s *lsScan) decode(bySample bool) error {
	w, step := s.header.Width, len(s.header.components)
	lines := make([]lsLine, len(s.list))
	for i := range lines {
		lines[i] = lsLine{prev: make([]int, w+2), cur: make([]int, w+2)}
	}
	for y := range s.header.Height {
		ok := true
		if y > 0 {
			for i := range lines {
				lines[i].turn()
			}
		}
		if bySample {
			ok = s.pixels(lines)
		} else {
			for i := range lines {
				ok = ok && s.line(&lines[i])
			}
		}
		if !ok || s.bits.cut {
			return damaged(s.bits.pos, "the data end or are wrong in row %d", y)
		}
		for i, c := range s.list {
			for x, v := range lines[i].cur[1 : w+1] {
				s.header.Values[(y*w+x)*step+c.index] = int32(v)
			}
		}
	}
	return nil
}

// line decodes a row of one component.
func (s *lsScan) line(l *lsLine) bool {
	w := len(l.cur) - 2
	for x := 1; x <= w; {
		q := s.context(l, x)
		if q != 0 {
			v, ok := s.regular(q, l.cur[x-1], l.prev[x], l.prev[x-1])
			if !ok {
				return false
			}
			l.cur[x] = v
			x++
			continue
		}
		n, ended := s.run(&l.run, w+1-x)
		for ; n > 0; n-- {
			l.cur[x] = l.cur[x-1]
			x++
		}
		if ended {
			break
		}
		v, ok := s.interrupted(l.cur[x-1], l.prev[x], l.run, true)
		if !ok {
			return false
		}
		l.cur[x] = v
		l.run = max(0, l.run-1)
		x++
	}
	return true
}

// pixels decodes a row of all components, sample by sample. A run is one of all
// components.
func (s *lsScan) pixels(lines []lsLine) bool {
	w, run := len(lines[0].cur)-2, &lines[0].run
	for x := 1; x <= w; {
		flat := true
		var q [4]int
		for i := range lines {
			q[i] = s.context(&lines[i], x)
			flat = flat && q[i] == 0
		}
		n, ended := 0, false
		if flat {
			n, ended = s.run(run, w+1-x)
		}
		for ; n > 0; n-- {
			for _, l := range lines {
				l.cur[x] = l.cur[x-1]
			}
			x++
		}
		if ended {
			break
		}
		for i, l := range lines {
			var ok bool
			if flat {
				l.cur[x], ok = s.interrupted(l.cur[x-1], l.prev[x], *run, false)
			} else {
				l.cur[x], ok = s.regular(q[i], l.cur[x-1], l.prev[x], l.prev[x-1])
			}
			if !ok {
				return false
			}
		}
		if flat {
			*run = max(0, *run-1)
		}
		x++
	}
	return true
}

// context is the number of the gradients' context, negative where all signs are
// turned, 0 where all are flat.
func (s *lsScan) context(l *lsLine, x int) int {
	a, b, c, d := l.cur[x-1], l.prev[x], l.prev[x-1], l.prev[x+1]
	return 81*s.gradients.of(d-b) + 9*s.gradients.of(b-c) + s.gradients.of(c-a)
}

// run is how many samples repeat the left one, of the rest of the row, and
// whether the row ends with them (A.7.1).
func (s *lsScan) run(index *int, rest int) (n int, ended bool) {
	for s.bits.read(1) == 1 {
		full, left := 1<<runBits[*index], rest-n
		n += min(full, left)
		if full <= left {
			*index = min(*index+1, 31)
		}
		if n == rest {
			return n, true
		}
	}
	n += s.bits.read(runBits[*index])
	if n >= rest { // no encoder says so
		s.bits.cut = true
		return rest, true
	}
	return n, false
}

// regular decodes a sample by its context, A.4 to A.6.
func (s *lsScan) regular(q, a, b, c int) (int, bool) {
	sign := 1
	if q < 0 {
		q, sign = -q, -1
	}
	t := &s.contexts[q]
	p := min(max(median(a, b, c)+sign*t.c, 0), s.maximum)
	k := 0
	for t.n<<k < t.a {
		k++
	}
	mapped, ok := s.golomb(k, s.limit)
	if !ok {
		return 0, false
	}
	e := mapped >> 1
	if mapped&1 == 1 {
		e = -e - 1
	}
	if s.near == 0 && k == 0 && 2*t.b <= -t.n {
		e = -e - 1
	}
	t.update(e, s.step, s.reset)
	return s.restore(p, sign*e), true
}

// median is the predictor of A.4.1.
func median(a, b, c int) int {
	switch {
	case c >= max(a, b):
		return min(a, b)
	case c <= min(a, b):
		return max(a, b)
	}
	return a + b - c
}

// update learns from an error, A.6.
func (t *lsContext) update(e, step, reset int) {
	t.b += e * step
	t.a += max(e, -e)
	if t.n == reset {
		t.a, t.b, t.n = t.a>>1, t.b>>1, t.n>>1
	}
	t.n++
	switch {
	case t.b <= -t.n:
		t.b = max(t.b+t.n, 1-t.n)
		t.c = max(t.c-1, -128)
	case t.b > 0:
		t.b = min(t.b-t.n, 0)
		t.c = min(t.c+1, 127)
	}
}

// golomb decodes a number by the code of A.5.3.
func (s *lsScan) golomb(k, limit int) (int, bool) {
	most := limit - s.spanBits - 1
	n, ok := s.bits.zeros(most)
	if !ok || k > 32 {
		return 0, false
	}
	if n < most {
		return n<<k | s.bits.read(k), true
	}
	return s.bits.read(s.spanBits) + 1, true
}

// restore adds an error to a prediction, A.4.5.
func (s *lsScan) restore(p, e int) int {
	v := p + e*s.step
	switch {
	case v < -s.near:
		v += s.span * s.step
	case v > s.maximum+s.near:
		v -= s.span * s.step
	}
	return min(max(v, 0), s.maximum)
}

// interrupted decodes the sample that ends a run, A.7.2. Where components are
// interleaved by sample, equal neighbours are no case of their own.
func (s *lsScan) interrupted(a, b, run int, alone bool) (int, bool) {
	equal := 0
	if alone && max(a-b, b-a) <= s.near {
		equal = 1
	}
	t := &s.contexts[365+equal]
	sum := t.a + equal*(t.n>>1)
	k := 0
	for t.n<<k < sum {
		k++
	}
	mapped, ok := s.golomb(k, s.limit-runBits[run]-1)
	if !ok {
		return 0, false
	}
	odd := (mapped + equal) & 1
	e := (mapped + equal + odd) / 2
	if (k != 0 || 2*s.negative[equal] >= t.n) == (odd == 1) {
		e = -e
	}
	if e < 0 {
		s.negative[equal]++
	}
	t.a += (mapped + 1 - equal) >> 1
	if t.n == s.reset {
		t.a, t.n, s.negative[equal] = t.a>>1, t.n>>1, s.negative[equal]>>1
	}
	t.n++
	p := b
	if equal == 1 {
		p = a
	} else if a > b {
		e = -e
	}
	return s.restore(p, e), true
}
