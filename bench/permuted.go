package bench

import (
	"fmt"
	"slices"

	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/bench/smmile"
)

// isPermuted tells whether a sample is a problem with its demonstrations in one
// of several orders.
func isPermuted(s card.Sample) bool { return s.Group != s.ID }

// permute makes samples of SMMILE++ of those of SMMILE, without the problems whose
// demonstrations do not support the answer (Rieff et al. 2025, section 3). The
// orders are the same whatever a run's seed; the note says how they were made.
func permute(samples []card.Sample) (permuted []card.Sample, note string) {
	supported := slices.DeleteFunc(slices.Clone(samples), func(s card.Sample) bool {
		return slices.Contains(s.Tags, smmile.Unsupported)
	})
	note = fmt.Sprintf("the orders were made from SMMILE, %d of its problems left out because their demonstrations do not support the answer: "+
		"of up to 4 demonstrations they are those that were published, of more they are 24 drawn ones, the same in every run, since the published draw is not known",
		len(samples)-len(supported))
	return icl.Permute(supported, 0), note
}

// joined puts a semicolon between two sentences, where both are there.
func joined(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}
