package dicom

import "fmt"

// lut is a lookup table (PS3.3, C.11.1.1).
type lut struct {
	first   int // the value of the first entry
	bits    int // of the entries
	entries []uint16
}

// at is the entry for v; values outside get the entry at the nearer end.
func (t *lut) at(v int64) uint16 {
	i := min(max(v-int64(t.first), 0), int64(len(t.entries)-1))
	return t.entries[i]
}

// descriptor is the number of entries, the first value mapped, and the bits.
type descriptor struct {
	entries, first, bits int
	signed               bool // the value's type says so
}

func readDescriptor(v value) (descriptor, error) {
	all, err := v.shorts(3)
	if err != nil {
		return descriptor{}, err
	}
	d := descriptor{all[0], all[1], all[2], v.vr == "SS"}
	if d.entries == 0 {
		d.entries = 1 << 16
	}
	if d.bits < 8 || d.bits > 16 {
		return d, v.bad("entries of %d bits", d.bits)
	}
	return d, nil
}

// table makes the lookup table of a descriptor and the data that belong to it.
// signed tells whether the first value mapped may be below zero.
func (d descriptor) table(v value, signed bool) (*lut, error) {
	t := &lut{first: d.first, bits: d.bits}
	if (signed || d.signed) && t.first >= 1<<15 {
		t.first -= 1 << 16
	}
	switch {
	case v.open:
		return nil, v.bad("the table has no length")
	case len(v.bytes) >= 2*d.entries:
		t.entries = v.words(d.entries)
	case d.bits == 8 && len(v.bytes) >= d.entries:
		t.entries = v.octets(d.entries)
	default:
		return nil, v.bad("the table has %d bytes, too few for %d entries of %d bits", len(v.bytes), d.entries, d.bits)
	}
	for i, n := range t.entries {
		if int(n)>>d.bits != 0 {
			return nil, v.bad("entry %d has more than %d bits", i+1, d.bits)
		}
	}
	return t, nil
}

func (v value) words(n int) []uint16 {
	out := make([]uint16, n)
	for i := range out {
		out[i] = v.enc.order.Uint16(v.bytes[2*i:])
	}
	return out
}

// octets are entries of 8 bits, two in a word of the file's order.
func (v value) octets(n int) []uint16 {
	out := make([]uint16, n)
	swap := v.enc.order == big.order && v.vr == "OW"
	for i := range out {
		at := i
		if swap && i^1 < len(v.bytes) {
			at ^= 1
		}
		out[i] = uint16(v.bytes[at])
	}
	return out
}

// readLUT reads the first item of a LUT sequence, nil where there is none, and
// how many items there are.
func (p parser) readLUT(e element, signed bool) (t *lut, n int, err error) {
	err = p.items(e, func(s span) error {
		if n++; n > 1 {
			return nil
		}
		var d, table *value
		err := p.elements(s, e.enc, func(e element) error {
			v := p.value(e)
			switch e.tag {
			case tagLUTDescriptor:
				d = &v
			case tagLUTTable:
				table = &v
			}
			return nil
		})
		if err != nil {
			return err
		}
		if d == nil || table == nil {
			return damaged(s.from, e.tag, "the item has no descriptor or no table")
		}
		desc, err := readDescriptor(*d)
		if err != nil {
			return err
		}
		t, err = desc.table(*table, signed)
		return err
	})
	return t, n, err
}

// palette holds what was read of the three tables of PALETTE COLOR.
type palette struct {
	descriptors [3]*value
	tables      [3]*value
	segmented   [3]bool
}

// set takes an element of the palette. ok is false for any other.
func (p *palette) set(v value) (ok bool) {
	switch v.tag {
	case tagRedDescriptor, tagGreenDescriptor, tagBlueDescriptor:
		p.descriptors[v.tag-tagRedDescriptor] = &v
	case tagRedTable, tagGreenTable, tagBlueTable:
		p.tables[v.tag-tagRedTable] = &v
	case tagRedSegments, tagGreenSegments, tagBlueSegments:
		if i := v.tag - tagRedSegments; p.tables[i] == nil {
			p.tables[i], p.segmented[i] = &v, true
		}
	default:
		return false
	}
	return true
}

// luts are the tables for red, green and blue.
func (p *palette) luts(signed bool) (out [3]*lut, err error) {
	for i, colour := range []string{"red", "green", "blue"} {
		if p.descriptors[i] == nil || p.tables[i] == nil {
			return out, damaged(-1, tagRedDescriptor+Tag(i), "the palette has no table for %s", colour)
		}
		d, err := readDescriptor(*p.descriptors[i])
		if err != nil {
			return out, err
		}
		v := *p.tables[i]
		if p.segmented[i] {
			if v, err = expand(v, d); err != nil {
				return out, fmt.Errorf("expanding the table for %s: %w", colour, err)
			}
		}
		if out[i], err = d.table(v, signed); err != nil {
			return out, err
		}
	}
	return out, nil
}
