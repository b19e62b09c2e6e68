package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/infer"
	"lightbox/preprocess"
)

// errNothingRelevant says that an order has nothing to order.
var errNothingRelevant = errors.New("none has a demonstration with the query's answer")

// shown are samples as they are asked: with their demonstrations arranged, as
// many of them as are wanted, and the tags that follow from what is shown.
func (r *run) shown(samples []card.Sample) ([]card.Sample, error) {
	stock := icl.Stock{All: r.cfg.Benchmark.Samples, Content: contents(r.cfg.Benchmark.Pictures)}
	arranged, tally, err := r.cfg.Arrangement.Show(samples, stock, r.cfg.Shots, r.cfg.Seed)
	switch {
	case err != nil:
		return nil, &Failure{Kind: Usage, Hint: "choose fewer distractors, or others", Err: err}
	case len(arranged) == 0:
		return nil, &Failure{Kind: Usage, Hint: "leave --order out, or choose another one", Err: fmt.Errorf("choosing from %d samples: %w", tally.LeftOut, errNothingRelevant)}
	}
	r.leftOut = tally.LeftOut
	if tally.Elsewhere > 0 {
		r.cfg.Benchmark.Warnings = append(slices.Clone(r.cfg.Benchmark.Warnings),
			fmt.Sprintf("for %d samples the same specialty has too few demonstrations to distract with: others of the subset were put in", tally.Elsewhere))
	}
	for i, s := range arranged {
		if tags := r.cfg.Benchmark.Shown; tags != nil {
			arranged[i].Tags = append(slices.Clone(s.Tags), tags(s)...)
		}
	}
	return arranged, nil
}

// contents names pictures by what they hold. One that cannot be read has its
// reference for a name.
func contents(pictures Pictures) func(reference string) string {
	known := map[string]string{}
	return func(reference string) string {
		if name, ok := known[reference]; ok {
			return name
		}
		name := reference
		if data, err := pictures.Open(reference); err == nil {
			name = string(infer.DigestOf(data))
		}
		known[reference] = name
		return name
	}
}

// ablate takes the queries' own pictures away where that is wanted.
func (r *run) ablate(samples []card.Sample, a *album) ([]card.Sample, error) {
	mode := r.cfg.Arrangement.Ablate
	if mode == "" || mode == icl.Keep {
		return samples, nil
	}
	var swapped map[string][]string
	if mode == icl.Swapped {
		swapped = icl.Swap(samples, r.cfg.Benchmark.Samples, func(reference string) string {
			if f := a.look(reference); f.err == nil {
				return string(f.digest)
			}
			return ""
		})
	}
	samples = slices.Clone(samples)
	for i, s := range samples {
		switch {
		case len(s.Pictures) == 0:
		case mode == icl.None:
			samples[i].Pictures = nil
		case mode == icl.Blank:
			samples[i].Pictures = nil
			for _, reference := range s.Pictures {
				samples[i].Pictures = append(samples[i].Pictures, blankPicture+reference)
			}
		case swapped[s.ID] == nil:
			return nil, fail(Usage, "--ablate image=blank takes its place", "swapping the picture of sample %q: all samples show the same", s.ID)
		default:
			samples[i].Pictures = swapped[s.ID]
		}
	}
	return samples, nil
}

// blankPicture begins the reference of a picture in whose place a grey one is
// shown. No path holds the character zero.
const blankPicture = "\x00blank "

// blankable are pictures with grey ones of the same size beside them.
type blankable struct {
	Pictures
	recipe preprocess.Recipe
}

// Open gives a mid-grey picture of the size that the picture is sent in, where
// the reference asks for one.
func (b blankable) Open(reference string) ([]byte, error) {
	own, blank := strings.CutPrefix(reference, blankPicture)
	if !blank {
		return b.Pictures.Open(reference)
	}
	n, err := openNegative(b.Pictures, own)
	if err != nil {
		return nil, err
	}
	width, height, err := n.measure(b.recipe)
	if err != nil {
		return nil, err
	}
	return preprocess.Grey(width, height)
}

// Series reads the headers of a series; a grey picture is none.
func (b blankable) Series(reference string) (s *preprocess.Series, ok bool, err error) {
	several, can := b.Pictures.(seriesPictures)
	if !can || strings.HasPrefix(reference, blankPicture) {
		return nil, false, nil
	}
	return several.Series(reference)
}
