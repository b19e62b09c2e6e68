package codec

// mqState is a row of T.800 table C.2.
type mqState struct {
	qe         uint32
	mps, lps   uint8
	switchable uint8
}

var mqStates = [47]mqState{
	{0x5601, 1, 1, 1},
	{0x3401, 2, 6, 0},
	{0x1801, 3, 9, 0},
	{0x0AC1, 4, 12, 0},
	{0x0521, 5, 29, 0},
	{0x0221, 38, 33, 0},
	{0x5601, 7, 6, 1},
	{0x5401, 8, 14, 0},
	{0x4801, 9, 14, 0},
	{0x3801, 10, 14, 0},
	{0x3001, 11, 17, 0},
	{0x2401, 12, 18, 0},
	{0x1C01, 13, 20, 0},
	{0x1601, 29, 21, 0},
	{0x5601, 15, 14, 1},
	{0x5401, 16, 14, 0},
	{0x5101, 17, 15, 0},
	{0x4801, 18, 16, 0},
	{0x3801, 19, 17, 0},
	{0x3401, 20, 18, 0},
	{0x3001, 21, 19, 0},
	{0x2801, 22, 19, 0},
	{0x2401, 23, 20, 0},
	{0x2201, 24, 21, 0},
	{0x1C01, 25, 22, 0},
	{0x1801, 26, 23, 0},
	{0x1601, 27, 24, 0},
	{0x1401, 28, 25, 0},
	{0x1201, 29, 26, 0},
	{0x1101, 30, 27, 0},
	{0x0AC1, 31, 28, 0},
	{0x09C1, 32, 29, 0},
	{0x08A1, 33, 30, 0},
	{0x0521, 34, 31, 0},
	{0x0441, 35, 32, 0},
	{0x02A1, 36, 33, 0},
	{0x0221, 37, 34, 0},
	{0x0141, 38, 35, 0},
	{0x0111, 39, 36, 0},
	{0x0085, 40, 37, 0},
	{0x0049, 41, 38, 0},
	{0x0025, 42, 39, 0},
	{0x0015, 43, 40, 0},
	{0x0009, 44, 41, 0},
	{0x0005, 45, 42, 0},
	{0x0001, 45, 43, 0},
	{0x5601, 46, 46, 0},
}

// Contexts of the coder, T.800 table D.7.
const (
	contextSign    = 9
	contextRefine  = 14
	contextRun     = 17
	contextUniform = 18
	contexts       = 19
)

// mqDecoder is the arithmetic decoder of T.800 annex C.
type mqDecoder struct {
	data   []byte
	pos    int
	a, c   uint32
	n      int // CT
	states [contexts]uint8
	mps    [contexts]uint8
	rest   int // bits that raw has of last
	last   byte
}

// reset sets all contexts to their beginnings, table D.7.
func (m *mqDecoder) reset() {
	m.states, m.mps = [contexts]uint8{}, [contexts]uint8{}
	m.states[0], m.states[contextRun], m.states[contextUniform] = 4, 3, 46
}

// at is a byte of the data, which go on with 0xFF.
func (m *mqDecoder) at(i int) byte {
	if i < len(m.data) {
		return m.data[i]
	}
	return 0xFF
}

// begin starts to decode a segment.
func (m *mqDecoder) begin(data []byte) {
	m.data, m.pos = data, 0
	m.c = uint32(m.at(0)) << 16
	m.byteIn()
	m.c <<= 7
	m.n -= 7
	m.a = 0x8000
	m.rest, m.last = 0, 0
}

func (m *mqDecoder) byteIn() {
	if m.at(m.pos) == 0xFF {
		if next := m.at(m.pos + 1); next > 0x8F {
			m.c += 0xFF00
			m.n = 8
		} else {
			m.pos++
			m.c += uint32(next) << 9
			m.n = 7
		}
		return
	}
	m.pos++
	m.c += uint32(m.at(m.pos)) << 8
	m.n = 8
}

// decode is the next decision in a context.
func (m *mqDecoder) decode(context uint8) uint8 {
	s := &mqStates[m.states[context]]
	d := m.mps[context]
	m.a -= s.qe
	if m.c>>16 < s.qe {
		likely := m.a < s.qe
		m.a = s.qe
		return m.exchange(context, s, d, likely)
	}
	m.c -= s.qe << 16
	if m.a&0x8000 != 0 {
		return d
	}
	return m.exchange(context, s, d, m.a >= s.qe)
}

// exchange ends a decision that changes the context's state.
func (m *mqDecoder) exchange(context uint8, s *mqState, d uint8, likely bool) uint8 {
	if likely {
		m.states[context] = s.mps
	} else {
		m.mps[context] ^= s.switchable
		m.states[context] = s.lps
		d ^= 1
	}
	for {
		if m.n == 0 {
			m.byteIn()
		}
		m.a <<= 1
		m.c <<= 1
		m.n--
		if m.a&0x8000 != 0 {
			return d
		}
	}
}

// beginRaw starts to read a segment that is not arithmetic.
func (m *mqDecoder) beginRaw(data []byte) {
	m.data, m.pos, m.rest, m.last = data, 0, 0, 0
}

// raw is the next bit of such a segment.
func (m *mqDecoder) raw() uint8 {
	if m.rest == 0 {
		m.rest = 8
		if m.last == 0xFF {
			m.rest = 7
		}
		m.last = m.at(m.pos)
		m.pos++
	}
	m.rest--
	return m.last >> m.rest & 1
}
