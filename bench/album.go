package bench

import (
	"strings"

	"lightbox/infer"
	"lightbox/models"
	"lightbox/preprocess"
)

// pictureFacts is what the plan knows of a picture: its source and the size it
// will have when it is sent.
type pictureFacts struct {
	digest infer.Digest
	bytes  int         // of the file; of a series 0, because it is not kept in memory
	whole  models.Side // upright, before it is scaled
	side   models.Side // as it is sent
	err    error
}

// album reads pictures for planning, each once.
type album struct {
	pictures blankable
	recipe   preprocess.Recipe
	facts    map[string]pictureFacts
}

func newAlbum(pictures Pictures, recipe preprocess.Recipe) *album {
	return &album{pictures: blankable{pictures, recipe}, recipe: recipe, facts: map[string]pictureFacts{}}
}

func (a *album) look(reference string) pictureFacts {
	if f, ok := a.facts[reference]; ok {
		return f
	}
	var f pictureFacts
	n, err := openNegative(a.pictures, reference)
	if err == nil {
		f.digest, f.bytes = n.digest, len(n.data)
		whole := a.recipe
		whole.MaxSide, whole.MinSide, whole.Fit = 0, 0, preprocess.Keep
		f.whole.W, f.whole.H, err = n.measure(whole)
		f.side = a.sized(f.whole)
	}
	f.err = err
	a.facts[reference] = f
	return f
}

// sized is the size that a picture will have when it is sent.
func (a *album) sized(whole models.Side) (side models.Side) {
	side.W, side.H = a.recipe.Size(whole.W, whole.H)
	return side
}

// resize is another longest side for all pictures. Grey ones are made for it anew.
func (a *album) resize(maxSide int) {
	a.recipe.MaxSide = maxSide
	a.pictures.recipe = a.recipe
	for reference, f := range a.facts {
		if strings.HasPrefix(reference, blankPicture) {
			delete(a.facts, reference)
		} else if f.err == nil {
			f.side = a.sized(f.whole)
			a.facts[reference] = f
		}
	}
}

// memory bounds the bytes that a prompt's pictures need while they are prepared,
// one after the other, and when they are ready: encoded, a picture is not larger
// than its pixels of three bytes, or than its file where that passes.
func (a *album) memory(turns []turn) (int64, int64) {
	var most, ready int64
	for _, t := range turns {
		for _, reference := range t.pictures {
			f := a.facts[reference]
			pixels := int64(f.whole.W) * int64(f.whole.H)
			most = max(most, int64(f.bytes)+decodedBytes*pixels)
			ready += max(int64(f.bytes), 3*int64(f.side.W)*int64(f.side.H))
		}
	}
	return most, ready
}

// decodedBytes of a pixel: 16 bits of four channels, or a DICOM sample of 32 bits
// with the picture that is made of it.
const decodedBytes = 8
