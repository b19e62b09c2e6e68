package codec

// extended decodes sequential JPEG of 8 and 12 bits with Huffman codes, ITU-T T.81
// annex F.
type extended struct {
	stream
}

// zigzag is the place of each coefficient in a block, T.81 figure 5.
var zigzag = [64]byte{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

func decodeExtended(frame []byte, want Description) (Samples, error) {
	d := &extended{stream: stream{segments: segments{data: frame}, want: want, frames: []byte{mSOF0, mSOF1}}}
	d.begin, d.scan = d.allocate, d.decodeScan
	if err := d.read(); err != nil {
		return Samples{}, err
	}
	return d.header.Samples, nil
}

func (d *extended) allocate() error {
	if p := d.header.Bits; p != 8 && p != 12 {
		return damaged(d.pos, "samples of %d bits", p)
	}
	// A block of 64 samples takes two codes, of a bit each at least.
	if err := d.want.filled(len(d.data), 256); err != nil {
		return err
	}
	d.header.Values = make([]int32, d.want.samples())
	return nil
}

// blockCoder is what a scan has for one component.
type blockCoder struct {
	index      int
	dc, ac     *huffman
	quantizers *[64]uint16
	last       int // DC of the block before
}

func (d *extended) coders(at int, list []scanComponent) ([]blockCoder, error) {
	var out []blockCoder
	for _, c := range list {
		dc, ac, q := c.tables>>4, c.tables&15, d.header.components[c.index].quantizers
		if dc > 3 || ac > 3 || q > 3 || d.huffmans[dc] == nil || d.huffmans[4+ac] == nil || d.quantizer[q] == nil {
			return nil, damaged(at, "the scan uses a table that is not there")
		}
		out = append(out, blockCoder{index: c.index, dc: d.huffmans[dc], ac: d.huffmans[4+ac], quantizers: d.quantizer[q]})
	}
	return out, nil
}

func (d *extended) decodeScan(at int, list []scanComponent, parameters []byte) error {
	if parameters[0] != 0 || parameters[1] != 63 || parameters[2] != 0 {
		return damaged(at, "a sequential scan of coefficients %d to %d", parameters[0], parameters[1])
	}
	coders, err := d.coders(at, list)
	if err != nil {
		return err
	}
	wide, high := (d.header.Width+7)/8, (d.header.Height+7)/8
	r := bitReader{data: d.data, pos: d.pos}
	for n := range wide * high {
		if d.restart > 0 && n > 0 && n%d.restart == 0 {
			if err := r.restart(n/d.restart - 1); err != nil {
				return err
			}
			for i := range coders {
				coders[i].last = 0
			}
		}
		for i := range coders {
			var block [64]int64
			if !coders[i].decode(&r, &block) || r.cut {
				return damaged(r.pos, "the data end or are wrong in block %d of %d", n, wide*high)
			}
			inverseDCT(&block, d.header.Bits)
			d.put(&block, n%wide*8, n/wide*8, coders[i].index)
		}
	}
	r.align()
	return d.afterScan(r.pos)
}

// decode reads a block's coefficients and multiplies them with their quantizers.
func (c *blockCoder) decode(r *bitReader, block *[64]int64) bool {
	n, ok := r.symbol(c.dc)
	if !ok || n > 15 {
		return false
	}
	c.last += r.receive(n)
	// Sums that no encoder makes stay where the arithmetic holds them.
	c.last = int(int32(c.last) << 8 >> 8)
	block[0] = int64(c.last) * int64(c.quantizers[0])
	for k := 1; k < 64; k++ {
		rs, ok := r.symbol(c.ac)
		if !ok {
			return false
		}
		run, size := rs>>4, rs&15
		if size == 0 {
			if run != 15 {
				break
			}
			k += 15
			continue
		}
		if k += run; k > 63 {
			return false
		}
		block[zigzag[k]] = int64(r.receive(size)) * int64(c.quantizers[k])
	}
	return true
}

// put writes a block of samples where it belongs, without what lies outside of
// the picture.
func (d *extended) put(block *[64]int64, x0, y0, index int) {
	w, step := d.header.Width, len(d.header.components)
	for y := y0; y < min(y0+8, d.header.Height); y++ {
		for x := x0; x < min(x0+8, w); x++ {
			d.header.Values[(y*w+x)*step+index] = int32(block[(y-y0)*8+x-x0])
		}
	}
}

// Constants of the DCT by Loeffler, Ligtenberg and Moschytz (ICASSP 1989) with
// 13 bits behind the point.
const (
	f0298, f0390, f0541, f0765 = 2446, 3196, 4433, 6270
	f0899, f1175, f1501, f1847 = 7373, 9633, 12299, 15137
	f1961, f2053, f2562, f3072 = 16069, 16819, 20995, 25172
)

// inverseDCT turns coefficients into samples, rounded exactly as libjpeg's
// default ("islow") does it, for which other decoders of DICOM are compared.
func inverseDCT(b *[64]int64, precision int) {
	// Bits that are kept between the passes.
	pass := 2
	if precision == 12 {
		pass = 1
	}
	for x := range 8 {
		dct8(b[x:], 8, 13-pass)
	}
	for y := range 8 {
		dct8(b[8*y:], 1, 13+pass+3)
	}
	top := int64(1)<<precision - 1
	for i := range b {
		b[i] = min(max(b[i]+(top+1)/2, 0), top)
	}
}

// dct8 is the transform of eight values that stand step apart.
func dct8(v []int64, step, shift int) {
	z := (v[2*step] + v[6*step]) * f0541
	e2, e3 := z-v[6*step]*f1847, z+v[2*step]*f0765
	e0, e1 := (v[0]+v[4*step])<<13, (v[0]-v[4*step])<<13
	even := [4]int64{e0 + e3, e1 + e2, e1 - e2, e0 - e3}

	a, b, c, d := v[7*step], v[5*step], v[3*step], v[step]
	z1, z2, z3, z4 := -(a+d)*f0899, -(b+c)*f2562, -(a+c)*f1961, -(b+d)*f0390
	z5 := (a + b + c + d) * f1175
	z3, z4 = z3+z5, z4+z5
	odd := [4]int64{d*f1501 + z1 + z4, c*f3072 + z2 + z3, b*f2053 + z2 + z4, a*f0298 + z1 + z3}

	half := int64(1) << (shift - 1)
	for i := range 4 {
		v[i*step] = (even[i] + odd[i] + half) >> shift
		v[(7-i)*step] = (even[i] - odd[i] + half) >> shift
	}
}
