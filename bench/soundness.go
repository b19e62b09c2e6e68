package bench

import "lightbox/preprocess"

// soundness remembers which pictures can be prepared, each tried once. It is not safe
// for concurrent use.
type soundness struct{ broken map[string]bool }

// isBroken tells whether a picture cannot be sent: that of a file whose head is right
// shows only where it is decoded. A recipe that makes no sense is no picture's fault.
func (s *soundness) isBroken(a *album, reference string) bool {
	if broken, known := s.broken[reference]; known {
		return broken
	}
	if s.broken == nil {
		s.broken = map[string]bool{}
	}
	broken := a.recipe.Validate() == nil && (a.look(reference).err != nil || a.prepare(reference) != nil)
	s.broken[reference] = broken
	return broken
}

// prepare makes a small picture, which fails where that of any size does.
func (a *album) prepare(reference string) error {
	n, err := openNegative(a.pictures, reference)
	if err != nil {
		return err
	}
	small := a.recipe
	small.MaxSide, small.MinSide, small.Fit = 64, 0, preprocess.Keep
	_, err = n.prepare(small)
	return err
}
