package dicom

import "fmt"

// File is a DICOM file whose header is read and whose pixels are found. It keeps
// the bytes it was read from, and may be used from several goroutines.
type File struct {
	Header Header

	parser
	syntax  syntax
	enc     encoding
	display display
	palette palette
	pixels  element
	groups  []span    // functional groups of each frame, or nil
	within  encoding  // of the groups
	rest    *deflated // of a data set of which only the head is in data, or nil
	pieces  [][]span  // fragments of each frame; nil: native
	notes   []string
}

// Read reads a file's header and finds its pixels, but does not decode them.
// Errors are of type *Error.
func Read(data []byte, limits Limits) (*File, error) {
	l := limits.normal()
	o, err := open(data, l)
	if err != nil {
		return nil, err
	}
	r := reader{File: &File{parser: o.parser, syntax: o.syntax, enc: o.enc, rest: o.rest, notes: o.notes}, seen: map[Tag]bool{}}
	r.head.TransferSyntaxUID = o.syntax.uid
	if err := r.walk(o.from); err != nil {
		return nil, err
	}
	if err := r.finish(l); err != nil {
		return nil, err
	}
	return r.File, nil
}

// reader is a File under way.
type reader struct {
	*File
	head             header
	seen             map[Tag]bool
	offsets, lengths *value
	shared, perFrame *element
}

// walk goes through the elements of the data set. What is not right behind the
// pixels does no harm, and is only noted.
func (r *reader) walk(pos int) error {
	for pos < len(r.data) {
		e, next, err := r.element(pos, len(r.data), r.enc, 0)
		if err != nil && r.rest != nil && !r.seen[tagPixels] {
			e, err = r.beyond(pos)
			next = e.end
		}
		if err == nil {
			err = r.take(e)
		}
		if err != nil {
			if r.seen[tagPixels] && e.tag != tagPixels {
				r.notes = append(r.notes, fmt.Sprintf("left out %d bytes behind the pixels", len(r.data)-pos))
				return nil
			}
			return err
		}
		pos = next
	}
	if r.rest != nil && !r.seen[tagPixels] {
		_, err := r.beyond(pos)
		return err
	}
	if r.rest != nil && pos < r.rest.size {
		r.notes = append(r.notes, fmt.Sprintf("left out %d bytes behind the pixels", r.rest.size-pos))
	}
	return nil
}

// take reads an element if it is on the allow-list. One that comes twice could
// mean either, so it is refused.
func (r *reader) take(e element) error {
	if _, ok := names[e.tag]; !ok {
		return nil
	}
	if r.seen[e.tag] {
		return damaged(e.at, e.tag, "the element comes twice")
	}
	r.seen[e.tag] = true
	if e.tag == tagPixels {
		r.pixels = e
		return nil
	}
	v := r.value(e)
	switch e.tag {
	case tagExtendedOffsets:
		r.offsets = &v
	case tagExtendedLengths:
		r.lengths = &v
	case tagSharedGroups:
		r.shared = &e
	case tagFrameGroups:
		r.perFrame = &e
	default:
		if ok, err := r.head.set(v); ok || err != nil {
			return err
		}
		if r.palette.set(v) {
			return nil
		}
		_, err := r.display.set(v)
		return err
	}
	return nil
}

func (r *reader) finish(l Limits) error {
	if !r.seen[tagPixels] {
		return r.noPixels()
	}
	if err := r.head.finish(l); err != nil {
		return err
	}
	r.Header = r.head.Header
	if err := r.finishGroups(); err != nil {
		return err
	}
	if r.pixels.open {
		return r.findFrames()
	}
	return r.checkNative()
}

// noPixels tells a file that was cut from one that has none.
func (r *reader) noPixels() error {
	switch {
	case r.head.float != 0:
		return unsupported(r.head.float, "pixels of floating point are not read")
	case r.head.Rows > 0:
		return damaged(len(r.data), tagPixels, "the file ends before its pixels")
	case r.head.Modality != "":
		return &Error{Kind: ErrNoPixels, Offset: -1, Problem: "the file has no picture (modality " + r.head.Modality + ")"}
	}
	return &Error{Kind: ErrNoPixels, Offset: -1, Problem: "the file has no picture"}
}

// finishGroups reads the functional groups of all frames, and finds those of
// each.
func (r *reader) finishGroups() error {
	if r.shared != nil {
		err := r.items(*r.shared, func(s span) error { return r.display.group(r.parser, s, r.shared.enc) })
		if err != nil {
			return err
		}
	}
	if r.perFrame == nil {
		return nil
	}
	r.within = r.perFrame.enc
	err := r.items(*r.perFrame, func(s span) error {
		r.groups = append(r.groups, s)
		return nil
	})
	if err != nil {
		return err
	}
	switch groups, frames := len(r.groups), r.Header.NumberOfFrames; {
	case groups < frames:
		return damaged(r.perFrame.at, tagFrameGroups, "functional groups of %d frames, but there are %d", groups, frames)
	case groups > frames: // frames were cut from the end
		r.notes = append(r.notes, fmt.Sprintf("functional groups of %d frames, but there are %d", groups, frames))
	}
	return nil
}

// displayOf is how a frame becomes grey; i counts from 0.
func (f *File) displayOf(i int) (display, error) {
	d := f.display
	if f.groups == nil {
		return d, nil
	}
	err := d.group(f.parser, f.groups[i], f.within)
	return d, err
}

// Len is the number of frames.
func (f *File) Len() int { return f.Header.NumberOfFrames }
