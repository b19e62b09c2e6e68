package bench

import (
	"cmp"
	"slices"

	"lightbox/bench/card"
	"lightbox/bench/smmile"
	"lightbox/preprocess"
)

// Inventory is what a benchmark's pictures turn out to be.
type Inventory struct {
	Different  int            `json:"different"`          // pictures
	Smallest   *[2]int        `json:"smallest,omitempty"` // width and height in pixels, by area; as is Largest
	Largest    *[2]int        `json:"largest,omitempty"`
	Bytes      int64          `json:"bytes"`
	Formats    map[string]int `json:"formats"` // of files → pictures
	Unreadable []Unreadable   `json:"unreadable"`
}

// Unreadable is a picture that cannot be shown to a model.
type Unreadable struct {
	ID     string `json:"id"` // of a sample or demonstration that has it
	Detail string `json:"detail"`
}

// Inspect opens and decodes every picture of a benchmark, each once. Panels that
// have none are not its affair.
func Inspect(b Benchmark, watch func(Event)) Inventory {
	inv := Inventory{Formats: map[string]int{}, Unreadable: []Unreadable{}}
	seen := map[string]bool{}
	for i, s := range b.Samples {
		watch(Event{Phase: "reading pictures", Done: i, Total: len(b.Samples)})
		for _, x := range append(slices.Clone(s.Demonstrations), s) {
			for _, reference := range x.Pictures {
				if !seen[reference] && reference != smmile.NoPicture {
					seen[reference] = true
					inv.look(b.Pictures, x, reference)
				}
			}
		}
	}
	return inv
}

// look opens one picture.
func (inv *Inventory) look(pictures Pictures, x card.Sample, reference string) {
	n, err := openNegative(pictures, reference)
	var img preprocess.Image
	if err == nil {
		// A small result: decoding tells all, the rest is thrown away.
		img, err = n.prepare(preprocess.Recipe{MaxSide: 32})
	}
	if err != nil {
		inv.Unreadable = append(inv.Unreadable, Unreadable{x.ID, pictureFault(err).Detail})
		return
	}
	inv.Different++
	inv.Bytes += int64(len(n.data))
	inv.Formats[n.format()]++
	size := [2]int{img.SourceWidth, img.SourceHeight}
	byArea := func(a, b [2]int) int { return cmp.Compare(a[0]*a[1], b[0]*b[1]) }
	if inv.Smallest == nil || byArea(size, *inv.Smallest) < 0 {
		inv.Smallest = &size
	}
	if inv.Largest == nil || byArea(size, *inv.Largest) > 0 {
		inv.Largest = &size
	}
}
