package codec

import "math"

// untransform undoes the colour transform of the first three planes, T.800
// annex G. The factors and the order of the sums are those of openjpeg.
func untransform(planes []j2kPlane) {
	if planes[0].coding.reversible {
		y, u, v := planes[0].ints, planes[1].ints, planes[2].ints
		for i := range y {
			g := y[i] - (u[i]+v[i])>>2
			y[i], u[i], v[i] = v[i]+g, g, u[i]+g
		}
		return
	}
	y, u, v := planes[0].floats, planes[1].floats, planes[2].floats
	for i := range y {
		r := y[i] + float32(v[i]*1.402)
		g := float32(y[i]-float32(u[i]*0.34413)) - float32(v[i]*0.71414)
		b := y[i] + float32(u[i]*1.772)
		y[i], u[i], v[i] = r, g, b
	}
}

// put rounds a plane's samples and writes them into the picture.
func (d *j2k) put(p *j2kPlane, index int) {
	shift, low := 1<<(d.out.Bits-1), 0
	if d.out.Signed {
		shift, low = 0, -1<<(d.out.Bits-1)
	}
	high := low + 1<<d.out.Bits - 1
	w, step := p.width(), d.want.Channels
	for y := range p.y1 - p.y0 {
		out := d.out.Values[((p.y0-d.y0+y)*d.want.Columns+p.x0-d.x0)*step+index:]
		for x := range w {
			var v int
			if p.ints != nil {
				v = int(p.ints[y*w+x])
			} else {
				v = int(math.RoundToEven(min(max(float64(p.floats[y*w+x]), -1<<30), 1<<30)))
			}
			out[x*step] = int32(min(max(v+shift, low), high))
		}
	}
}
