package dicom

import "encoding/binary"

var (
	little         = encoding{binary.LittleEndian, true}
	littleImplicit = encoding{binary.LittleEndian, false}
	big            = encoding{binary.BigEndian, true}
)

// preamble is what stands before the mark (PS3.10, 7.1).
const (
	preamble = 128
	mark     = "DICM"
)

// IsDICOM tells whether a file is DICOM, also without preamble or without file
// meta information: then its first elements must be some that begin a data set.
func IsDICOM(data []byte) bool {
	if marked(data) {
		return true
	}
	_, ok := guess(data[stray(data):])
	return ok
}

// stray is the length of what stands before a data set that was cut from its file
// meta information one byte too early: the blank that made the last value even.
func stray(data []byte) int {
	if _, ok := guess(data); !ok && len(data) > 0 && data[0] == ' ' {
		return 1
	}
	return 0
}

func marked(data []byte) bool {
	return len(data) >= preamble+len(mark) && string(data[preamble:preamble+len(mark)]) == mark
}

// guess finds how a data set without file meta information is encoded, by its
// first two elements: the tags must rise and be of groups 2 or 8, the lengths fit.
func guess(data []byte) (encoding, bool) {
	for _, enc := range []encoding{little, big, littleImplicit} {
		if begins(data, enc) {
			return enc, true
		}
	}
	return encoding{}, false
}

func begins(data []byte, enc encoding) bool {
	p := parser{data}
	if len(data) < 8 || !starts(p.tag(0, enc)) {
		return false
	}
	first, next, err := p.element(0, len(data), enc, 1)
	if err != nil || first.open {
		return false
	}
	if next == len(data) {
		return true
	}
	second, _, err := p.element(next, len(data), enc, 1)
	return err == nil && second.tag > first.tag && second.tag>>16 <= 0x0010
}

// starts tells whether a tag may be the first: the file meta information, or the
// elements of group 8 up to the SOP class and the study's date.
func starts(t Tag) bool {
	return t>>16 == 2 && t&0xffff <= 0x10 || t>>16 == 8 && t&0xffff <= 0x60
}

// opened is a file whose data set is found.
type opened struct {
	parser
	from   int
	enc    encoding
	syntax syntax
	rest   *deflated // nil: all of the data set is in data
	notes  []string
}

// open reads the file meta information, and inflates the data set where it is
// deflated.
func open(data []byte, l Limits) (*opened, error) {
	if len(data) > l.Bytes {
		return nil, tooLarge("%d bytes, more than %d", len(data), l.Bytes)
	}
	o := &opened{parser: parser{data}}
	if marked(data) {
		o.from = preamble + len(mark)
	} else if !IsDICOM(data) {
		return nil, unsupported(0, "there is no mark of DICOM, nor a data set that begins as one")
	} else if o.from = stray(data); o.from > 0 {
		o.notes = append(o.notes, "left out a byte before the data set")
	}
	uid, err := o.meta()
	if err != nil {
		return nil, err
	}
	if uid == nil {
		return o, o.guess()
	}
	if o.syntax, err = syntaxOf(*uid); err != nil {
		return nil, err
	}
	switch o.enc = little; {
	case *uid == implicitLittle:
		o.enc = littleImplicit
	case *uid == explicitBig:
		o.enc = big
	case o.syntax.way == deflatedSet:
		if err := o.inflate(l); err != nil {
			return nil, err
		}
	}
	o.correct()
	return o, nil
}

// correct finds data sets that are explicit where the transfer syntax says
// implicit, or the other way, which some writers make.
func (o *opened) correct() {
	if o.enc == big || begins(o.data[o.from:], o.enc) {
		return
	}
	other := encoding{binary.LittleEndian, !o.enc.explicit}
	if begins(o.data[o.from:], other) {
		o.enc = other
		o.notes = append(o.notes, "the data set is not encoded as its transfer syntax says, read as it is")
	}
}

// meta reads group 2, which is always explicit and little endian. It goes by the
// group of the elements, because lengths of the group are often wrong. uid is nil
// where no transfer syntax is named.
func (o *opened) meta() (uid *string, err error) {
	for len(o.data)-o.from >= 8 && o.tag(o.from, little)>>16 == 2 {
		e, next, err := o.element(o.from, len(o.data), little, 1)
		if err != nil {
			return nil, err
		}
		if e.tag == tagTransferSyntaxUID {
			s, err := o.value(e).uid()
			if err != nil {
				return nil, err
			}
			uid = &s
		}
		o.from = next
	}
	return uid, nil
}

// guess takes the encoding from the data set itself.
func (o *opened) guess() error {
	enc, ok := guess(o.data[o.from:])
	if !ok {
		return damaged(o.from, 0, "no transfer syntax is named, and the data set does not begin as one")
	}
	o.enc = enc
	uid := explicitLittle
	switch enc {
	case big:
		uid = explicitBig
	case littleImplicit:
		uid = implicitLittle
	}
	var err error
	o.syntax, err = syntaxOf(uid)
	o.notes = append(o.notes, "no transfer syntax named, read as "+o.syntax.name)
	return err
}
