package bench

import (
	"fmt"
	"sync"

	"golang.org/x/sync/singleflight"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/preprocess"
)

// studio makes the prompts of planned samples: it prepares their pictures and
// keeps some, because demonstrations come again.
type studio struct {
	pictures Pictures
	recipe   preprocess.Recipe
	facts    map[string]pictureFacts

	mu   sync.Mutex
	kept map[string]shot
	size int // bytes of kept

	making singleflight.Group // a picture is prepared by one at a time
}

// shot is a prepared picture with its line for the record.
type shot struct {
	image infer.Image
	line  record.Picture
}

// keptBytes bounds what the studio keeps.
const keptBytes = 16 << 20

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
	s.mu.Lock()
	kept, ok := s.kept[reference]
	s.mu.Unlock()
	if ok {
		return kept, nil
	}
	made, err, _ := s.making.Do(reference, func() (any, error) { return s.make(reference) })
	if err != nil {
		return shot{}, err
	}
	return made.(shot), nil
}

// make prepares a picture.
func (s *studio) make(reference string) (shot, error) {
	data, err := s.pictures.Open(reference)
	if err != nil {
		return shot{}, pictureFault(err)
	}
	if want := s.facts[reference].digest; infer.DigestOf(data) != want {
		return shot{}, fail(WrongData, "start again with another --out", "reading picture %q: it has changed since the run began", reference)
	}
	img, err := s.recipe.Prepare(data)
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

// keep stores a prepared picture and empties the store when it is full.
func (s *studio) keep(reference string, made shot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size > keptBytes || s.kept == nil {
		s.kept, s.size = map[string]shot{}, 0
	}
	if _, ok := s.kept[reference]; !ok {
		s.kept[reference] = made
		s.size += len(made.image.Data)
	}
}
