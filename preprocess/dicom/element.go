package dicom

import "encoding/binary"

// encoding is how elements are written.
type encoding struct {
	order    binary.ByteOrder
	explicit bool // the value representation stands in each element
}

// undefined is the length of a value that ends with a mark (PS3.5, 7.1.1).
const undefined = 0xffff_ffff

// element is one data element; its value is data[body:end].
type element struct {
	tag       Tag
	vr        string // empty where it is implicit
	at        int    // of its header
	body, end int
	open      bool     // of undefined length: items and no mark behind them
	enc       encoding // of the value
}

// parser walks through an encoded data set without copying it.
type parser struct {
	data []byte
}

// long has a length of 32 bits in explicit encodings (PS3.5, 7.1.2).
func long(vr string) bool {
	switch vr {
	case "OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV":
		return true
	}
	return false
}

func short(vr string) bool {
	switch vr {
	case "AE", "AS", "AT", "CS", "DA", "DS", "DT", "FD", "FL", "IS", "LO", "LT",
		"PN", "SH", "SL", "SS", "ST", "TM", "UI", "UL", "US":
		return true
	}
	return false
}

// tag needs 4 bytes at pos.
func (p parser) tag(pos int, enc encoding) Tag {
	return Tag(enc.order.Uint16(p.data[pos:]))<<16 | Tag(enc.order.Uint16(p.data[pos+2:]))
}

// element reads the element at pos, which ends before limit, and gives where the
// next one stands.
func (p parser) element(pos, limit int, enc encoding, depth int) (e element, next int, err error) {
	if limit-pos < 8 {
		return e, 0, damaged(pos, 0, "the data end within the header of an element, %d bytes are left", limit-pos)
	}
	e = element{tag: p.tag(pos, enc), at: pos, enc: enc}
	if e.tag>>16 == 0xfffe {
		return e, 0, damaged(pos, e.tag, "a mark of structure stands where an element should")
	}
	length, err := p.length(&e, limit)
	if err != nil {
		return e, 0, err
	}
	if e.vr == "UN" { // implicit and little endian within, whatever the file is (PS3.5, 6.2.2)
		e.enc = littleImplicit
	}
	if length != undefined {
		if int64(length) > int64(limit-e.body) {
			return e, 0, damaged(pos, e.tag, "the value has %d bytes, but %d are left", length, limit-e.body)
		}
		e.end = e.body + int(length)
		return e, e.end, nil
	}
	e.open = true
	switch e.vr {
	case "", "SQ", "OB", "OW", "UN":
	default:
		return e, 0, damaged(pos, e.tag, "a value of type %s has no length", e.vr)
	}
	e.end, next, err = p.itemsEnd(e, limit, depth)
	return e, next, err
}

// length reads the rest of an element's header.
func (p parser) length(e *element, limit int) (uint32, error) {
	pos, order := e.at, e.enc.order
	if !e.enc.explicit {
		e.body = pos + 8
		return order.Uint32(p.data[pos+4:]), nil
	}
	e.vr = string(p.data[pos+4 : pos+6])
	switch {
	case short(e.vr):
		e.body = pos + 8
		return uint32(order.Uint16(p.data[pos+6:])), nil
	case !long(e.vr):
		e.vr = ""
		return 0, damaged(pos, e.tag, "the type of the value is none of DICOM")
	case limit-pos < 12:
		return 0, damaged(pos, e.tag, "the data end within the header of an element, %d bytes are left", limit-pos)
	}
	e.body = pos + 12
	return order.Uint32(p.data[pos+8:]), nil
}

// itemsEnd finds the mark that ends the items of e.
func (p parser) itemsEnd(e element, limit, depth int) (end, next int, err error) {
	if depth >= maxDepth {
		return 0, 0, damaged(e.at, e.tag, "sequences are nested deeper than %d", maxDepth)
	}
	for pos := e.body; ; {
		if limit-pos < 8 {
			return 0, 0, damaged(pos, e.tag, "the data end within a sequence")
		}
		tag, length := p.tag(pos, e.enc), e.enc.order.Uint32(p.data[pos+4:])
		switch {
		case tag == tagSequenceEnd:
			return pos, pos + 8, nil
		case tag != tagItem:
			return 0, 0, damaged(pos, e.tag, "there is %v where an item should begin", tag)
		case length != undefined && int64(length) > int64(limit-pos-8):
			return 0, 0, damaged(pos, e.tag, "an item has %d bytes, but %d are left", length, limit-pos-8)
		case length != undefined:
			pos += 8 + int(length)
		default:
			if _, pos, err = p.itemEnd(pos+8, limit, e, depth); err != nil {
				return 0, 0, err
			}
		}
	}
}

// itemEnd finds the mark that ends an item of e whose elements begin at pos.
func (p parser) itemEnd(pos, limit int, e element, depth int) (end, next int, err error) {
	for {
		if limit-pos < 8 {
			return 0, 0, damaged(pos, e.tag, "the data end within an item")
		}
		if p.tag(pos, e.enc) == tagItemEnd {
			return pos, pos + 8, nil
		}
		if _, pos, err = p.element(pos, limit, e.enc, depth+1); err != nil {
			return 0, 0, err
		}
	}
}

// span is a part of the data.
type span struct{ from, to int }

// items calls do with the contents of each item of a sequence.
func (p parser) items(e element, do func(span) error) error {
	for pos := e.body; pos < e.end; {
		if e.end-pos < 8 {
			return damaged(pos, e.tag, "the sequence ends within an item")
		}
		tag, length := p.tag(pos, e.enc), e.enc.order.Uint32(p.data[pos+4:])
		if tag == tagSequenceEnd && !e.open { // superfluous, but harmless
			return nil
		}
		if tag != tagItem {
			return damaged(pos, e.tag, "there is %v where an item should begin", tag)
		}
		item := span{pos + 8, e.end}
		switch {
		case length == undefined:
			var err error
			if item.to, pos, err = p.itemEnd(item.from, e.end, e, 1); err != nil {
				return err
			}
		case int64(length) > int64(e.end-item.from):
			return damaged(pos, e.tag, "an item has %d bytes, but %d are left", length, e.end-item.from)
		default:
			item.to = item.from + int(length)
			pos = item.to
		}
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

// elements calls do with each element of a part of the data.
func (p parser) elements(s span, enc encoding, do func(element) error) error {
	for pos := s.from; pos < s.to; {
		e, next, err := p.element(pos, s.to, enc, 1)
		if err != nil {
			return err
		}
		if err := do(e); err != nil {
			return err
		}
		pos = next
	}
	return nil
}
