package dicomtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Element is a data element. Its value is a string, []int (of type US or SS),
// []byte as it stands in the file, or [][]Element, the items of a sequence.
type Element struct {
	Tag   uint32
	VR    string
	Value any
}

// Number is an element of a decimal or integer string.
func Number(tag uint32, vr string, n any) Element { return Element{tag, vr, fmt.Sprint(n)} }

// Sequence is an element with items.
func Sequence(tag uint32, items ...[]Element) Element { return Element{tag, "SQ", items} }

// writer encodes elements.
type writer struct {
	bytes.Buffer
	order    binary.AppendByteOrder
	explicit bool
	open     bool
}

const undefined = 0xffffffff

func (w *writer) element(e Element) {
	body := w.value(e)
	length := uint32(len(body))
	if e.VR == "SQ" && w.open {
		length = undefined
		body = append(body, w.mark(0xfffee0dd, 0)...)
	}
	w.header(e.Tag, e.VR, length)
	w.Write(body)
}

func (w *writer) header(tag uint32, vr string, length uint32) {
	b := w.order.AppendUint16(nil, uint16(tag>>16))
	b = w.order.AppendUint16(b, uint16(tag))
	switch {
	case !w.explicit:
		b = w.order.AppendUint32(b, length)
	case vr == "OB" || vr == "OW" || vr == "SQ" || vr == "UN" || vr == "UT":
		b = w.order.AppendUint32(append(b, vr[0], vr[1], 0, 0), length)
	default:
		b = w.order.AppendUint16(append(b, vr...), uint16(length))
	}
	w.Write(b)
}

// mark is a mark of structure.
func (w *writer) mark(tag, length uint32) []byte {
	b := w.order.AppendUint16(nil, uint16(tag>>16))
	b = w.order.AppendUint16(b, uint16(tag))
	return w.order.AppendUint32(b, length)
}

func (w *writer) value(e Element) (out []byte) {
	switch v := e.Value.(type) {
	case string:
		out = []byte(v)
		if len(out)%2 == 1 {
			pad := byte(' ')
			if e.VR == "UI" {
				pad = 0
			}
			out = append(out, pad)
		}
	case []int:
		for _, n := range v {
			out = w.order.AppendUint16(out, uint16(n))
		}
	case []byte:
		out = even(v)
	case [][]Element:
		for _, item := range v {
			inner := &writer{order: w.order, explicit: w.explicit, open: w.open}
			for _, e := range item {
				inner.element(e)
			}
			if w.open {
				out = append(out, w.mark(0xfffee000, undefined)...)
				out = append(append(out, inner.Bytes()...), w.mark(0xfffee00d, 0)...)
			} else {
				out = append(out, w.mark(0xfffee000, uint32(inner.Len()))...)
				out = append(out, inner.Bytes()...)
			}
		}
	default:
		panic(fmt.Sprintf("a value of type %T", v))
	}
	return out
}

// fragments writes encapsulated pixels.
func (w *writer) fragments(all [][]byte) {
	w.header(0x7fe00010, "OB", undefined)
	for _, b := range all {
		b = even(b)
		w.Write(w.mark(0xfffee000, uint32(len(b))))
		w.Write(b)
	}
	w.Write(w.mark(0xfffee0dd, 0))
}

func even(b []byte) []byte {
	if len(b)%2 == 1 {
		return append(b[:len(b):len(b)], 0)
	}
	return b
}
