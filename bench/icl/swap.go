package icl

import "lightbox/bench/card"

// Swap gives for every sample the pictures of the next one in the benchmark that
// shows other ones, beginning again at its start. Content names a picture by what
// it holds, and is "" for one that cannot be read. A sample for which there is
// none is not in the result.
func Swap(samples, all []card.Sample, content func(reference string) string) map[string][]string {
	place := map[string]int{}
	for i, s := range all {
		place[s.ID] = i
	}
	swapped := map[string][]string{}
	for _, s := range samples {
		if len(s.Pictures) == 0 {
			continue
		}
		own := content(s.Pictures[0])
		for step := 1; step < len(all); step++ {
			next := all[(place[s.ID]+step)%len(all)]
			if len(next.Pictures) == 0 {
				continue
			}
			if other := content(next.Pictures[0]); other != "" && other != own {
				swapped[s.ID] = next.Pictures
				break
			}
		}
	}
	return swapped
}
