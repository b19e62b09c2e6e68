package codec

// lanes is how many columns are filtered at once.
const lanes = 32

// unwave undoes the wavelet transform of a plane, T.800 annex F, from the lowest
// resolution up: first rows, then columns. lift filters n items of k values each,
// of which every second one is of the low band, the first if odd is 0.
func unwave[T int32 | float32](p *j2kPlane, data []T, lift func(buf []T, n, k, odd int)) {
	stride := p.width()
	buf := make([]T, max(stride, p.y1-p.y0)*lanes)
	for _, r := range p.resolutions[1:] {
		w, h := r.x1-r.x0, r.y1-r.y0
		if w == 0 || h == 0 {
			continue
		}
		for y := range h {
			row := data[y*stride : y*stride+w]
			interleave(buf, row, 1, 1, w, r.x0&1)
			lift(buf, w, 1, r.x0&1)
			copy(row, buf[:w])
		}
		for x := 0; x < w; x += lanes {
			k := min(lanes, w-x)
			interleave(buf, data[x:], stride, k, h, r.y0&1)
			lift(buf, h, k, r.y0&1)
			for y := range h {
				copy(data[y*stride+x:y*stride+x+k], buf[y*k:(y+1)*k])
			}
		}
	}
}

// interleave puts n items of k values, low band first, in their order.
func interleave[T int32 | float32](buf, data []T, stride, k, n, odd int) {
	low := (n + 1 - odd) / 2
	for i := range n {
		at := 2*i + odd
		if i >= low {
			at = 2*(i-low) + 1 - odd
		}
		if k == 1 {
			buf[at] = data[i*stride]
			continue
		}
		copy(buf[at*k:(at+1)*k], data[i*stride:i*stride+k])
	}
}

// neighbours are the items beside i; at the edges the one neighbour stands for both.
func neighbours(i, n int) (left, right int) {
	left, right = i-1, i+1
	if left < 0 {
		left = right
	}
	if right >= n {
		right = left
	}
	return left, right
}

// lift53 is the lossless filter, F.3.8.1.
func lift53(buf []int32, n, k, odd int) {
	if n == 1 {
		if odd == 1 {
			for j := range k {
				buf[j] /= 2
			}
		}
		return
	}
	for i := odd; i < n; i += 2 {
		l, r := neighbours(i, n)
		a, b, c := buf[l*k:(l+1)*k], buf[r*k:(r+1)*k], buf[i*k:(i+1)*k]
		for j := range c {
			c[j] -= (a[j] + b[j] + 2) >> 2
		}
	}
	for i := 1 - odd; i < n; i += 2 {
		l, r := neighbours(i, n)
		a, b, c := buf[l*k:(l+1)*k], buf[r*k:(r+1)*k], buf[i*k:(i+1)*k]
		for j := range c {
			c[j] += (a[j] + b[j]) >> 1
		}
	}
}

// Factors of the lossy filter, T.800 table F.4. The high band's is the one of
// openjpeg, which takes twice the inverse of the low band's and leaves out the
// doubling of its steps.
const (
	waveAlpha float32 = -1.586134342
	waveBeta  float32 = -0.052980118
	waveGamma float32 = 0.882911075
	waveDelta float32 = 0.443506852
	waveLow   float32 = 1.230174105
	waveHigh  float32 = 1.625732422
)

// lift97 is the lossy filter, F.3.8.2. Products are rounded before they are
// added, so that processors that can do both at once give the same samples.
func lift97(buf []float32, n, k, odd int) {
	if n == 1 {
		return
	}
	for i := range n {
		f := waveLow
		if i&1 != odd {
			f = waveHigh
		}
		item := buf[i*k : (i+1)*k]
		for j := range item {
			item[j] *= f
		}
	}
	lift97Step(buf, n, k, odd, -waveDelta)
	lift97Step(buf, n, k, 1-odd, -waveGamma)
	lift97Step(buf, n, k, odd, -waveBeta)
	lift97Step(buf, n, k, 1-odd, -waveAlpha)
}

func lift97Step(buf []float32, n, k, first int, f float32) {
	for i := first; i < n; i += 2 {
		l, r := neighbours(i, n)
		a, b, c := buf[l*k:(l+1)*k], buf[r*k:(r+1)*k], buf[i*k:(i+1)*k]
		for j := range c {
			c[j] += float32(float32(a[j]+b[j]) * f)
		}
	}
}
