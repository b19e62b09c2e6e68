package bench

import (
	"slices"

	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/bench/smmile"
)

// permutedNote says how SMMILE++ was made from SMMILE.
const permutedNote = "the orders were made from SMMILE: of up to 4 demonstrations they are those that were published, of more they are 24 drawn ones, since the published draw is not known"

// isPermuted tells whether a sample is a problem with its demonstrations in one
// of several orders.
func isPermuted(s card.Sample) bool { return s.Group != s.ID }

// permute makes samples of SMMILE++ of those of SMMILE, without the problems whose
// demonstrations do not support the answer (Rieff et al. 2025, section 3).
func permute(samples []card.Sample) []card.Sample {
	supported := slices.DeleteFunc(slices.Clone(samples), func(s card.Sample) bool {
		return slices.Contains(s.Tags, smmile.Unsupported)
	})
	return icl.Permute(supported, 0)
}

// joined puts a semicolon between two sentences, where both are there.
func joined(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}
