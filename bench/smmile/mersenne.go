package smmile

import "math/bits"

// mersenne is the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998,
// doi:10.1145/272991.272995), which CPython's random and numpy's legacy
// generator draw from.
type mersenne struct {
	state [mersenneSize]uint32
	at    int
}

// The parameters of the paper.
const (
	mersenneSize  = 624
	mersenneShift = 397
	upperMask     = 0x80000000
	lowerMask     = 0x7fffffff
)

// fill sets the state from one number, as init_genrand does.
func (m *mersenne) fill(seed uint32) {
	m.state[0] = seed
	for i := 1; i < mersenneSize; i++ {
		m.state[i] = 1812433253*(m.state[i-1]^m.state[i-1]>>30) + uint32(i)
	}
	m.at = mersenneSize
}

// pythonRandom is in the state of CPython's random.seed(seed), which is
// init_by_array of the one number (Modules/_randommodule.c).
func pythonRandom(seed uint32) *mersenne {
	m := &mersenne{}
	m.fill(19650218)
	i := 1
	next := func() {
		if i++; i >= mersenneSize {
			m.state[0] = m.state[mersenneSize-1]
			i = 1
		}
	}
	for range mersenneSize {
		m.state[i] = (m.state[i] ^ (m.state[i-1]^m.state[i-1]>>30)*1664525) + seed
		next()
	}
	for range mersenneSize - 1 {
		m.state[i] = (m.state[i] ^ (m.state[i-1]^m.state[i-1]>>30)*1566083941) - uint32(i)
		next()
	}
	m.state[0] = upperMask
	return m
}

// uint32 is the next number.
func (m *mersenne) uint32() uint32 {
	if m.at == mersenneSize {
		m.refill()
	}
	y := m.state[m.at]
	m.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// refill makes the next numbers.
func (m *mersenne) refill() {
	for i := range mersenneSize {
		y := m.state[i]&upperMask | m.state[(i+1)%mersenneSize]&lowerMask
		m.state[i] = m.state[(i+mersenneShift)%mersenneSize] ^ y>>1 ^ (y&1)*0x9908b0df
	}
	m.at = 0
}

// below is a number under n, as CPython's Random._randbelow draws it.
func (m *mersenne) below(n int) int {
	width := bits.Len(uint(n))
	for {
		if r := int(m.uint32() >> (32 - width)); r < n {
			return r
		}
	}
}

// shuffle changes the places of n things, as CPython's random.shuffle does.
func (m *mersenne) shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, m.below(i+1))
	}
}
