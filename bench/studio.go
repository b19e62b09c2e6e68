package bench

import (
	"fmt"
	"sync"

	"golang.org/x/sync/singleflight"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/preprocess"
)

// studio makes the prompts of planned samples. It keeps a picture as long as
// another sample is expected to show it, because demonstrations come again.
type studio struct {
	pictures Pictures
	recipe   preprocess.Recipe
	album    *album

	mu   sync.Mutex
	left map[string]int // how often a picture will be asked for
	kept map[string]shot
	size int // bytes of kept

	making singleflight.Group // a picture is prepared by one at a time
}

func newStudio(a *album) *studio {
	return &studio{pictures: a.pictures, recipe: a.recipe, album: a, left: map[string]int{}, kept: map[string]shot{}}
}

// shot is a prepared picture with its line for the record.
type shot struct {
	image infer.Image
	line  record.Picture
}

// keptBytes bounds what the studio keeps.
const keptBytes = 16 << 20

// expect says that the prompts of plans will be asked for, each once.
func (s *studio) expect(plans ...planned) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range plans {
		for _, t := range p.turns {
			for _, reference := range t.pictures {
				s.left[reference]++
			}
		}
	}
}

// prompt builds the messages of a planned sample. An error that is an
// *infer.Fault concerns the sample, any other the run.
func (s *studio) prompt(p planned) ([]infer.Message, []record.Picture, error) {
	var messages []infer.Message
	var lines []record.Picture
	for _, t := range p.turns {
		m := infer.Message{Role: t.role, Text: t.text}
		for _, reference := range t.pictures {
			shot, err := s.shoot(reference)
			if err != nil {
				return nil, nil, err
			}
			m.Images = append(m.Images, shot.image)
			lines = append(lines, shot.line)
		}
		messages = append(messages, m)
	}
	return messages, lines, nil
}

// shoot prepares a picture, or takes it from those kept.
func (s *studio) shoot(reference string) (shot, error) {
	defer s.shown(reference)
	if kept, ok := s.find(reference); ok {
		return kept, nil
	}
	made, err, _ := s.making.Do(reference, func() (any, error) {
		if kept, ok := s.find(reference); ok { // made between the look and now
			return kept, nil
		}
		return s.make(reference)
	})
	if err != nil {
		return shot{}, err
	}
	return made.(shot), nil
}

func (s *studio) find(reference string) (shot, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, ok := s.kept[reference]
	return kept, ok
}

// make prepares a picture.
func (s *studio) make(reference string) (shot, error) {
	n, err := openNegative(s.pictures, reference)
	if err != nil {
		return shot{}, pictureFault(err)
	}
	if n.digest != s.album.facts[reference].digest {
		return shot{}, fail(WrongData, "start again with another --out", "reading picture %q: it has changed since the run began", reference)
	}
	img, err := n.prepare(s.recipe)
	if err != nil {
		return shot{}, pictureFault(err)
	}
	made := shot{infer.NewImage(img.Data, img.MediaType, img.Width, img.Height), record.Picture{
		Digest: infer.Digest(img.Digest), MediaType: img.MediaType, Width: img.Width, Height: img.Height,
		Source: infer.Digest(img.SourceDigest), SourceWidth: img.SourceWidth, SourceHeight: img.SourceHeight, Steps: img.Steps,
	}}
	if made.image.Digest != made.line.Digest {
		return shot{}, fmt.Errorf("preparing picture %q: its digest is not that of its bytes", reference)
	}
	s.keep(reference, made)
	return made, nil
}

// keep stores a picture that is asked for again. Where the store is full, others
// make room.
func (s *studio) keep(reference string, made shot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left[reference] < 2 || len(made.image.Data) > keptBytes {
		return
	}
	s.kept[reference] = made
	s.size += len(made.image.Data)
	for other := range s.kept {
		if s.size <= keptBytes {
			return
		}
		if other != reference {
			s.drop(other)
		}
	}
}

// shown says that a picture was asked for; after the last time it is not kept.
func (s *studio) shown(reference string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left[reference]--; s.left[reference] < 1 {
		delete(s.left, reference)
		s.drop(reference)
	}
}

// drop takes a picture out of the store. The caller holds the lock.
func (s *studio) drop(reference string) {
	s.size -= len(s.kept[reference].image.Data)
	delete(s.kept, reference)
}
