package preprocess

// tables are the tables that scans refer to.
type tables struct {
	quant   [4]bool // which are defined; their values do not matter here
	dc, ac  [4]*huffman
	restart int // blocks or groups of blocks between restart markers, 0: none
}

// readQuant checks quantisation tables. A table with a zero would turn part of
// the picture grey.
func (j *jpegFile) readQuant(body []byte, at int) error {
	if j.frame != nil && j.frame.progressive && j.progress.scans > 0 {
		return unsupported("jpeg", at, "quantisation tables that change between scans")
	}
	for len(body) > 0 {
		wide, id := int(body[0]>>4), int(body[0]&15)
		n := 64 * (1 + wide)
		if wide > 1 || id > 3 || len(body) < 1+n {
			return damaged("jpeg", at, "a quantisation table of the wrong form")
		}
		for i := 1; i <= n; i += 1 + wide {
			if body[i] == 0 && (wide == 0 || body[i+1] == 0) {
				return damaged("jpeg", at, "a quantisation table with a zero")
			}
		}
		j.tables.quant[id] = true
		body, at = body[1+n:], at+1+n
	}
	return nil
}

// readHuffman reads Huffman tables.
func (j *jpegFile) readHuffman(body []byte, at int) error {
	for len(body) > 0 {
		class, id := body[0]>>4, body[0]&15
		if class > 1 || id > 3 || len(body) < 17 {
			return damaged("jpeg", at, "a Huffman table of the wrong form")
		}
		h, n := newHuffman(body[1:17], body[17:])
		if h == nil {
			return damaged("jpeg", at, "a Huffman table that is not a code")
		}
		if class == 0 {
			j.tables.dc[id] = h
		} else {
			j.tables.ac[id] = h
		}
		body, at = body[17+n:], at+17+n
	}
	return nil
}

// fastBits is the longest code that is found with one look.
const fastBits = 9

// huffman is a code as T.81 C.2 builds it: the codes of one length are
// consecutive.
type huffman struct {
	fast   [1 << fastBits]uint16 // length<<8 | symbol, 0: longer
	limit  [17]uint32            // one above the last code of the length, at 16 bits
	offset [17]int               // from code to index of its symbol
	symbol []byte
}

// newHuffman builds a code from the counts of its 16 lengths and its symbols. It
// gives the number of symbols, or nil where no code has such counts.
func newHuffman(counts, symbols []byte) (*huffman, int) {
	total := 0
	for _, n := range counts {
		total += int(n)
	}
	if total == 0 || total > 256 || total > len(symbols) {
		return nil, 0
	}
	h := &huffman{symbol: symbols[:total]}
	code, index := 0, 0
	for length := 1; length <= 16; length++ {
		n := int(counts[length-1])
		if code+n > 1<<length {
			return nil, 0
		}
		h.offset[length] = index - code
		for range n {
			if length <= fastBits {
				from := code << (fastBits - length)
				for i := range 1 << (fastBits - length) {
					h.fast[from+i] = uint16(length)<<8 | uint16(symbols[index])
				}
			}
			code, index = code+1, index+1
		}
		h.limit[length] = uint32(code) << (16 - length)
		code <<= 1
	}
	return h, total
}

// shortest is the number of bits of the shortest code.
func (h *huffman) shortest() int {
	length := 1
	for h.limit[length] == 0 {
		length++
	}
	return length
}
