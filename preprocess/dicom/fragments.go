package dicom

import "encoding/binary"

// findFrames finds the frames of encapsulated pixels (PS3.5, A.4): by the
// extended offset table, by the basic one, or without.
func (r *reader) findFrames() error {
	switch r.syntax.way {
	case native, deflatedSet:
		return damaged(r.pixels.at, tagPixels, "the pixels are in fragments, in transfer syntax %v", r.syntax)
	}
	var all []span
	if err := r.items(r.pixels, func(s span) error {
		all = append(all, s)
		return nil
	}); err != nil {
		return err
	}
	if len(all) < 2 {
		return damaged(r.pixels.at, tagPixels, "there are no fragments")
	}
	table, rest := all[0], all[1:]
	starts, err := r.starts(table, rest)
	if err != nil {
		return err
	}
	if starts == nil {
		return r.guessFrames(rest)
	}
	r.cut(rest, starts)
	return r.checkLengths()
}

// checkLengths holds the lengths of the extended offset table against the
// frames. A frame may have a byte that makes its length even.
func (r *reader) checkLengths() error {
	if r.offsets == nil || r.lengths == nil {
		return nil
	}
	b := r.lengths.bytes
	if len(b) != 8*len(r.pieces) {
		return damaged(r.lengths.at, tagExtendedLengths, "the lengths are of %d frames, but there are %d", len(b)/8, len(r.pieces))
	}
	for i, pieces := range r.pieces {
		n := 0
		for _, s := range pieces {
			n += s.to - s.from
		}
		if want := binary.LittleEndian.Uint64(b[8*i:]); want != uint64(n) && want+1 != uint64(n) {
			return damaged(r.lengths.at, tagExtendedLengths, "frame %d has %d bytes, not %d", i+1, n, want)
		}
	}
	return nil
}

// starts is the index of the first fragment of each frame as the offset tables
// say, nil where there is none.
func (r *reader) starts(table span, fragments []span) ([]int, error) {
	n := r.Header.NumberOfFrames
	offsets := make([]uint64, 0, min(n, len(fragments)))
	at := table.from
	switch b := r.data[table.from:table.to]; {
	case r.offsets != nil && len(r.offsets.bytes) > 0:
		b, at = r.offsets.bytes, r.offsets.at
		for ; len(b) >= 8; b = b[8:] {
			offsets = append(offsets, binary.LittleEndian.Uint64(b))
		}
	case len(b) == 0:
		return nil, nil
	default:
		for ; len(b) >= 4; b = b[4:] {
			offsets = append(offsets, uint64(binary.LittleEndian.Uint32(b)))
		}
	}
	if len(offsets) != n {
		return nil, damaged(at, tagPixels, "the offset table has %d frames, but there are %d", len(offsets), n)
	}
	return r.match(offsets, fragments, at)
}

// match finds the fragment at each offset; offsets count from behind the table.
func (r *reader) match(offsets []uint64, fragments []span, at int) ([]int, error) {
	base := fragments[0].from - 8
	starts := make([]int, 0, len(offsets))
	next := 0
	for i, offset := range offsets {
		for next < len(fragments) && uint64(fragments[next].from-8-base) < offset {
			next++
		}
		if next == len(fragments) || uint64(fragments[next].from-8-base) != offset || i == 0 && next != 0 {
			return nil, damaged(at, tagPixels, "the offset table has no fragment for frame %d", i+1)
		}
		starts = append(starts, next)
		next++
	}
	return starts, nil
}

// cut makes frames of fragments.
func (r *reader) cut(fragments []span, starts []int) {
	for i, from := range starts {
		to := len(fragments)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		r.pieces = append(r.pieces, fragments[from:to])
	}
}

// guessFrames finds frames without an offset table. As many fragments as frames
// are one each, unless codestreams go over several; one frame has all, unless
// they are several codestreams.
func (r *reader) guessFrames(fragments []span) error {
	n := r.Header.NumberOfFrames
	var starts []int
	for i, s := range fragments {
		if r.syntax.way == runLengths || r.syntax.way == deflatedOnes || r.syntax.way == encapsulated || r.begins(s) {
			starts = append(starts, i)
		}
	}
	switch {
	case len(starts) == n && starts[0] == 0:
	case n == 1 && len(starts) == 0: // codestreams of another kind
		starts = []int{0}
	case n == len(fragments) && len(starts) == 0:
		for i := range fragments {
			starts = append(starts, i)
		}
	default:
		return damaged(r.pixels.at, tagPixels, "%d frames, but %d fragments of which %d begin one", n, len(fragments), len(starts))
	}
	r.cut(fragments, starts)
	return nil
}

// begins tells whether a fragment begins a codestream: JPEG and JPEG-LS with SOI,
// JPEG 2000 with SOC, or in its box (T.81 B.1.1.3, T.800 A.2 and I.5).
func (r *reader) begins(s span) bool {
	b := r.data[s.from:s.to]
	for _, head := range []string{"\xff\xd8\xff", "\xff\x4f\xff\x51", "\x00\x00\x00\x0cjP  ", "\xff\x0a", "\x00\x00\x00\x0cJXL "} {
		if len(b) >= len(head) && string(b[:len(head)]) == head {
			return true
		}
	}
	return false
}

// fragment is the bytes of frame i, of one fragment without copying.
func (f *File) fragment(i int) []byte {
	pieces := f.pieces[i]
	if len(pieces) == 1 {
		return f.data[pieces[0].from:pieces[0].to]
	}
	var out []byte
	for _, s := range pieces {
		out = append(out, f.data[s.from:s.to]...)
	}
	return out
}
