package dicom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Series is the order of the slices of one series.
type Series struct {
	// Order has the index of each slice among the headers it was made of.
	Order []int

	// Notes say in words what the slices were ordered by, and what was odd.
	Notes []string

	// ByFile tells that neither place nor number tells some slices apart, so that
	// these stand as their headers came.
	ByFile bool
}

// NewSeries orders the headers of single slices along the normal of their planes:
// with axial slices from the feet to the head. Slices of one place, and those
// without place, are ordered by their instance number, else they stay as they came.
// Headers of several series are an error that tells their kinds and sizes.
func NewSeries(headers []Header) (*Series, error) {
	if len(headers) == 0 {
		return nil, fmt.Errorf("ordering slices: there is none")
	}
	if err := oneSeries(headers); err != nil {
		return nil, err
	}
	s := &Series{Order: make([]int, len(headers))}
	for i := range s.Order {
		s.Order[i] = i
	}
	if len(headers) == 1 {
		return s, nil
	}
	for i := range headers {
		if n := headers[i].NumberOfFrames; n > 1 {
			return nil, fmt.Errorf("ordering slices: one of %d files has %d frames", len(headers), n)
		}
	}
	s.sort(headers)
	return s, nil
}

// oneSeries refuses several series, naming none.
func oneSeries(headers []Header) error {
	type group struct {
		modality string
		n        int
	}
	groups := map[string]*group{}
	for _, h := range headers {
		if groups[h.SeriesInstanceUID] == nil {
			groups[h.SeriesInstanceUID] = &group{modality: h.Modality}
		}
		groups[h.SeriesInstanceUID].n++
	}
	if len(groups) == 1 {
		return nil
	}
	var list []string
	for _, g := range groups {
		list = append(list, fmt.Sprintf("%s of %d", cmp.Or(g.modality, "unknown"), g.n))
	}
	slices.Sort(list)
	if len(list) > 10 {
		list = append(list[:10], fmt.Sprintf("and %d more", len(list)-10))
	}
	return fmt.Errorf("ordering slices: there are %d series, not one: %s", len(groups), strings.Join(list, ", "))
}

// sort orders the slices by place or, where not all have one, by number.
func (s *Series) sort(headers []Header) {
	places, planes := places(headers)
	numbered := 0
	for i := range headers {
		if headers[i].InstanceNumber != nil {
			numbered++
		}
	}
	number := func(i, j int) int {
		if numbered < len(headers) {
			return 0
		}
		return cmp.Compare(*headers[i].InstanceNumber, *headers[j].InstanceNumber)
	}
	switch {
	case places != nil:
		s.Notes = append(s.Notes, "slices ordered by place")
	case numbered == len(headers):
		s.Notes = append(s.Notes, "slices ordered by number: "+planes)
	default:
		s.Notes = append(s.Notes, "slices in the order of their files: "+planes+", and not all have a number")
	}
	order := func(i, j int) int {
		if places == nil || places[i] == places[j] {
			return number(i, j)
		}
		return cmp.Compare(places[i], places[j])
	}
	slices.SortStableFunc(s.Order, order)
	for k := 1; k < len(s.Order) && !s.ByFile; k++ {
		s.ByFile = order(s.Order[k-1], s.Order[k]) == 0
	}
	if n := repeated(s.Order, places); n > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d slices are in the place of another", n))
	}
}

func repeated(order []int, places []float64) (n int) {
	for k := 1; k < len(order) && places != nil; k++ {
		if places[order[k-1]] == places[order[k]] {
			n++
		}
	}
	return n
}

// maxPlace is how far from the middle of the scanner a slice can lie, in mm.
const maxPlace = 1e9

// places are how far along the normal of the first slice each lies, in steps of
// 10 µm, so that what writers round is one place; why tells why there are none.
func places(headers []Header) (at []float64, why string) {
	first := headers[0].ImageOrientationPatient
	for i := range headers {
		h := &headers[i]
		switch {
		case h.ImagePositionPatient == nil || h.ImageOrientationPatient == nil:
			return nil, "not all have a place"
		case !parallel(first, h.ImageOrientationPatient):
			return nil, "their planes are not parallel"
		}
		n := normal(first)
		if size := math.Hypot(math.Hypot(n[0], n[1]), n[2]); !(math.Abs(size-1) <= 0.01) { // also where it is no number
			return nil, "their planes have no normal"
		}
		along := 0.0
		for k, x := range h.ImagePositionPatient {
			along += x * n[k]
		}
		if !(math.Abs(along) < maxPlace) {
			return nil, "some lie nowhere"
		}
		at = append(at, math.Round(along*100))
	}
	return at, ""
}

// parallel allows what writers round.
func parallel(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 0.01 {
			return false
		}
	}
	return true
}

// normal of a plane, from the directions of its rows and columns.
func normal(o []float64) [3]float64 {
	return [3]float64{
		o[1]*o[5] - o[2]*o[4],
		o[2]*o[3] - o[0]*o[5],
		o[0]*o[4] - o[1]*o[3],
	}
}

// Render makes a picture of the slices that the options choose. open gives the
// file of a header by its index; it is called for chosen ones only, and can be
// called twice for one.
func (s *Series) Render(open func(i int) (*File, error), o Options) (Rendering, error) {
	if len(s.Order) == 1 {
		f, err := open(s.Order[0])
		if err != nil {
			return Rendering{}, err
		}
		return f.Render(o)
	}
	r, err := (&film{
		noun: "slice", n: len(s.Order), options: o,
		open: func(i int) (*File, int, error) {
			f, err := open(s.Order[i])
			return f, 0, err
		},
	}).render()
	r.Notes = append(slices.Clip(s.Notes), r.Notes...)
	return r, err
}
