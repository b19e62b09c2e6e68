package dicom

// expand turns a segmented table into a plain one (PS3.3, C.7.9.2). Segments of
// entries (0) and lines (1) are read; those that point back (2) are refused.
func expand(v value, d descriptor) (value, error) {
	words, err := segmentWords(v, d)
	if err != nil {
		return v, err
	}
	var out []uint16
	for len(words) > 0 {
		if out, words, err = segment(v, d, out, words); err != nil {
			return v, err
		}
		if len(words) == 1 && len(out) == d.entries { // pads bytes to even
			break
		}
	}
	if len(out) != d.entries {
		return v, v.bad("the segments have %d entries, not %d", len(out), d.entries)
	}
	v.bytes = make([]byte, 2*len(out))
	for i, n := range out {
		v.enc.order.PutUint16(v.bytes[2*i:], n)
	}
	return v, nil
}

// segment appends the entries of the first segment in words, and gives the rest.
func segment(v value, d descriptor, out, words []uint16) (entries, rest []uint16, err error) {
	if len(words) < 3 {
		return nil, nil, v.bad("the table ends within a segment")
	}
	kind, n := words[0], int(words[1])
	words = words[2:]
	if n == 0 || n > d.entries-len(out) {
		return nil, nil, v.bad("the segments have more than %d entries", d.entries)
	}
	switch kind {
	case 0:
		if n > len(words) {
			return nil, nil, v.bad("the table ends within a segment")
		}
		return append(out, words[:n]...), words[n:], nil
	case 1:
		if len(out) == 0 {
			return nil, nil, v.bad("the table begins with a line from nowhere")
		}
		return line(out, n, words[0]), words[1:], nil
	case 2:
		return nil, nil, unsupported(v.tag, "segmented palettes that point back are not read")
	}
	return nil, nil, v.bad("there is no segment of type %d", kind)
}

// line appends n entries from the last one to end, rounded to nearest.
func line(out []uint16, n int, end uint16) []uint16 {
	from := int(out[len(out)-1])
	rise := int(end) - from
	for i := 1; i <= n; i++ {
		twice := 2*(from*n+rise*i) + n // never below zero
		out = append(out, uint16(twice/(2*n)))
	}
	return out
}

func segmentWords(v value, d descriptor) ([]uint16, error) {
	switch {
	case v.open || len(v.bytes) > 1<<20:
		return nil, v.bad("the segments are too long")
	case d.bits == 8:
		return v.octets(len(v.bytes)), nil
	case len(v.bytes)%2 != 0:
		return nil, v.bad("the segments have an odd number of bytes")
	}
	return v.words(len(v.bytes) / 2), nil
}
