package dicom

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
)

// deflated is a data set too large to be held inflated: its head is, and frames
// are inflated when they are shown.
type deflated struct {
	packed []byte
	size   int // bytes, inflated
}

// inflate reads a deflated data set, all of it or its head alone, and goes through
// the rest to see that it is whole.
func (o *opened) inflate(l Limits) error {
	packed := o.data[o.from:]
	fail := func(err error) error {
		return &Error{Kind: kindOfInflate(err), Offset: int64(o.from), Problem: "inflating the data set failed", Err: err}
	}
	r := flate.NewReader(bytes.NewReader(packed))
	head, err := io.ReadAll(io.LimitReader(r, int64(min(l.Bytes, max(minHead, maxHead*len(packed))))))
	if err != nil {
		return fail(err)
	}
	rest, err := io.Copy(io.Discard, io.LimitReader(r, int64(l.Bytes-len(head))+1))
	if err == nil && int64(len(head))+rest > int64(l.Bytes) {
		err = errLong
	}
	if err != nil {
		return fail(err)
	}
	if rest > 0 {
		o.rest = &deflated{packed, len(head) + int(rest)}
	}
	o.parser, o.from = parser{head}, 0
	return nil
}

var errLong = errors.New("there is more in it than allowed")

func kindOfInflate(err error) error {
	if errors.Is(err, errLong) {
		return ErrTooLarge
	}
	return ErrDamaged
}

// inflated is what raw deflate has packed, at most limit bytes.
func inflated(packed []byte, limit int) ([]byte, error) {
	var out bytes.Buffer
	r := flate.NewReader(bytes.NewReader(packed))
	n, err := io.Copy(&out, io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if n > int64(limit) {
		return nil, errLong
	}
	return out.Bytes(), nil
}

// beyond finds pixels that begin in the head of a deflated data set and go on
// behind it. Other elements must stand in the head.
func (r *reader) beyond(pos int) (e element, err error) {
	if len(r.data)-pos >= 12 {
		e = element{tag: r.tag(pos, r.enc), at: pos, enc: r.enc}
	}
	if e.tag != tagPixels {
		return e, &Error{Kind: ErrTooLarge, Offset: int64(pos), Tag: e.tag, Problem: "the elements before the pixels are too long for a deflated file of its size"}
	}
	length, err := r.length(&e, len(r.data))
	switch {
	case err != nil:
		return e, err
	case int64(length) > int64(r.rest.size-e.body):
		return e, damaged(pos, e.tag, "the value has %d bytes, but %d are left", length, r.rest.size-e.body)
	}
	e.end = e.body + int(length)
	return e, nil
}

// part inflates n bytes from an offset on.
func (d *deflated) part(from, n int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(d.packed))
	_, err := io.CopyN(io.Discard, r, int64(from))
	out := make([]byte, n)
	if err == nil {
		_, err = io.ReadFull(r, out)
	}
	if err != nil {
		return nil, &Error{Kind: ErrDamaged, Offset: int64(from), Tag: tagPixels, Problem: "inflating a frame failed", Err: err}
	}
	return out, nil
}
