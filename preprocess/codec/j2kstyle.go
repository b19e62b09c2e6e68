package codec

import (
	"encoding/binary"
	"slices"
)

// j2kStyle holds the coding parameters of all components.
type j2kStyle struct {
	order, layers int
	transformed   bool // the components, by the colour transform
	sop, eph      bool
	components    []j2kCoding
	coded         bool   // COD was there
	own, ownSteps []bool // COC and QCC were there
}

// j2kCoding are the coding parameters of a component.
type j2kCoding struct {
	levels       int
	blockW       int // log2
	blockH       int // log2
	modes        byte
	reversible   bool
	precincts    []byte // of each resolution; log2 of height and width
	quantization int    // 0 none, 1 derived, 2 for each band
	guard        int
	steps        []j2kStep
}

// j2kStep is a quantization step: exponent and mantissa.
type j2kStep struct{ exponent, mantissa int }

// Modes of code-blocks, T.800 table A.19.
const (
	modeBypass = 1 << iota
	modeReset
	modeTerminate
	modeCausal
	modePredictable
	modeSegmentation
	modeHT
)

func (s *j2kStyle) clone() j2kStyle {
	c := *s
	c.components = slices.Clone(s.components)
	c.own, c.ownSteps = make([]bool, len(c.components)), make([]bool, len(c.components))
	return c
}

// read takes a marker segment of a header.
func (s *j2kStyle) read(at, marker int, body []byte, samples int) error {
	if s.components == nil {
		s.components = make([]j2kCoding, samples)
		s.own, s.ownSteps = make([]bool, samples), make([]bool, samples)
	}
	switch marker {
	case jCOD:
		return s.cod(at, body)
	case jCOC:
		if len(body) < 2 || int(body[0]) >= samples {
			return damaged(at, "parameters of a component that is not there")
		}
		s.own[body[0]] = true
		return s.components[body[0]].read(at, body[1]&1 != 0, body[2:])
	case jQCD:
		return s.qcd(at, body)
	case jQCC:
		if len(body) < 1 || int(body[0]) >= samples {
			return damaged(at, "quantization of a component that is not there")
		}
		s.ownSteps[body[0]] = true
		return s.components[body[0]].readSteps(at, body[1:])
	case jCAP:
		return unsupported(at, "high-throughput JPEG 2000")
	case jRGN:
		return unsupported(at, "a region of interest")
	case jPOC:
		return unsupported(at, "a change of the progression")
	case jPPM, jPPT:
		return unsupported(at, "packed packet headers")
	case jTLM, jPLM, jPLT, jCRG, jCOM:
	default:
		return unsupported(at, "the marker %04X is not read", marker)
	}
	return nil
}

func (s *j2kStyle) qcd(at int, body []byte) error {
	c := j2kCoding{}
	if err := c.readSteps(at, body); err != nil {
		return err
	}
	for i := range s.components {
		if !s.ownSteps[i] {
			s.components[i].setSteps(c)
		}
	}
	return nil
}

func (s *j2kStyle) cod(at int, body []byte) error {
	if len(body) < 10 {
		return damaged(at, "coding parameters of %d bytes", len(body))
	}
	s.coded = true
	s.sop, s.eph = body[0]&2 != 0, body[0]&4 != 0
	s.order, s.layers, s.transformed = int(body[1]), int(binary.BigEndian.Uint16(body[2:])), body[4] == 1
	if s.order > 4 || s.layers == 0 || body[4] > 1 || s.transformed && len(s.components) < 3 {
		return damaged(at, "progression %d, %d layers, colour transform %d", body[1], s.layers, body[4])
	}
	c := j2kCoding{}
	if err := c.read(at, body[0]&1 != 0, body[5:]); err != nil {
		return err
	}
	for i := range s.components {
		if !s.own[i] {
			old := s.components[i]
			s.components[i] = c
			s.components[i].setSteps(old)
		}
	}
	return nil
}

// read takes SPcod or SPcoc, T.800 table A.20.
func (c *j2kCoding) read(at int, precincts bool, b []byte) error {
	if len(b) < 5 || b[0] > 32 || precincts && len(b) != 5+int(b[0])+1 {
		return damaged(at, "coding parameters of %d bytes", len(b))
	}
	c.levels, c.blockW, c.blockH, c.modes, c.reversible = int(b[0]), int(b[1]&15)+2, int(b[2]&15)+2, b[3], b[4] == 1
	switch {
	case c.blockW > 10 || c.blockH > 10 || c.blockW+c.blockH > 12:
		return damaged(at, "blocks of 2^%d×2^%d", c.blockW, c.blockH)
	case c.modes&modeHT != 0:
		return unsupported(at, "high-throughput JPEG 2000")
	case b[4] > 1:
		return unsupported(at, "the wavelet %d", b[4])
	}
	c.precincts = slices.Repeat([]byte{0xFF}, c.levels+1)
	if precincts {
		copy(c.precincts, b[5:])
		for i, p := range c.precincts {
			if i > 0 && (p&15 == 0 || p>>4 == 0) {
				return damaged(at, "precincts of one sample")
			}
		}
	}
	return nil
}

// readSteps takes the body of QCD, T.800 A.6.4.
func (c *j2kCoding) readSteps(at int, b []byte) error {
	if len(b) < 2 {
		return damaged(at, "a quantization of %d bytes", len(b))
	}
	c.quantization, c.guard, c.steps = int(b[0]&31), int(b[0]>>5), nil
	b = b[1:]
	switch {
	case c.quantization == 0:
		for _, v := range b {
			c.steps = append(c.steps, j2kStep{exponent: int(v >> 3)})
		}
	case c.quantization > 2 || len(b)%2 != 0:
		return damaged(at, "a quantization that is none")
	default:
		for ; len(b) > 0; b = b[2:] {
			v := int(binary.BigEndian.Uint16(b))
			c.steps = append(c.steps, j2kStep{v >> 11, v & 0x7FF})
		}
	}
	return nil
}

func (c *j2kCoding) setSteps(from j2kCoding) {
	c.quantization, c.guard, c.steps = from.quantization, from.guard, from.steps
}

// step is the quantization of a band, counted from the lowest resolution.
func (c *j2kCoding) step(band int) j2kStep {
	if c.quantization == 1 {
		s := c.steps[0]
		if band > 0 {
			s.exponent = max(0, s.exponent-(band-1)/3)
		}
		return s
	}
	return c.steps[band]
}

// complete checks that all that decoding needs has come.
func (s *j2kStyle) complete(at int) error {
	if !s.coded {
		return damaged(at, "no coding parameters")
	}
	for _, c := range s.components {
		switch {
		case c.quantization == 1 && len(c.steps) != 1, c.quantization != 1 && len(c.steps) < 3*c.levels+1:
			return damaged(at, "%d quantization steps for %d levels", len(c.steps), c.levels)
		case c.reversible != (c.quantization == 0) && c.reversible:
			return damaged(at, "a lossless wavelet with quantization")
		case s.transformed && (c.reversible != s.components[0].reversible || c.levels != s.components[0].levels):
			return damaged(at, "a colour transform of components that were coded differently")
		}
	}
	return nil
}
