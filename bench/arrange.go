package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/icl"
	"lightbox/preprocess"
)

// What leaves an arrangement nothing to show for any sample.
var (
	errNothingRelevant = errors.New("none has a demonstration with the query's answer")
	errNothingOther    = errors.New("for none are there enough demonstrations of other problems that have another answer and a picture that can be sent")
	errOnePicture      = errors.New("all samples show the same")
)

// nothingToShow tells whether an error says that an arrangement has nothing to show
// in these data.
func nothingToShow(err error) bool {
	return slices.ContainsFunc([]error{errNothingRelevant, errNothingOther, errOnePicture, icl.ErrNoSpecialty}, func(why error) bool { return errors.Is(err, why) })
}

// shown are samples as they are asked: with their demonstrations arranged, as
// many of them as are wanted, and the tags that follow from what is shown.
func (r *run) shown(samples []card.Sample) ([]card.Sample, error) {
	arranged, tally, err := r.cfg.Arrangement.Show(samples, r.stock(), r.cfg.Shots, r.cfg.Seed)
	switch {
	case errors.Is(err, icl.ErrNoSpecialty):
		return nil, &Failure{Kind: Usage, Hint: "--distract random takes demonstrations of any other problem", Err: fmt.Errorf("distracting by the same specialty: %w", err)}
	case err != nil:
		return nil, &Failure{Kind: Usage, Hint: "choose fewer distractors, or others", Err: err}
	case len(arranged) == 0 && tally.Spared > 0:
		return nil, &Failure{Kind: Usage, Hint: "choose fewer distractors, or others", Err: fmt.Errorf("distracting %d samples: %w", tally.Spared, errNothingOther)}
	case len(arranged) == 0:
		return nil, &Failure{Kind: Usage, Hint: "leave --order out, or choose another one", Err: fmt.Errorf("choosing from %d samples: %w", tally.LeftOut, errNothingRelevant)}
	}
	r.leftOut = tally.LeftOut
	r.doubt(tally.Elsewhere, "for %d samples the same specialty has too few demonstrations to distract with, or the data name none: "+fromTheSubset)
	r.doubt(tally.Spared, "%d samples were left out: too few demonstrations of other problems have another answer than theirs, and a picture that can be sent")
	for i, s := range arranged {
		if tags := r.cfg.Benchmark.Shown; tags != nil {
			arranged[i].Tags = append(slices.Clone(s.Tags), tags(s)...)
		}
	}
	return arranged, nil
}

// fromTheSubset ends what is said of distractors that are not of the same specialty.
const fromTheSubset = "others of the subset were put in"

// doubt warns of n samples in the report.
func (r *run) doubt(n int, format string) {
	if n > 0 {
		r.cfg.Benchmark.Warnings = append(slices.Clone(r.cfg.Benchmark.Warnings), fmt.Sprintf(format, n))
	}
}

// stock is what demonstrations come from. Pictures are named by what they hold; one
// that cannot be read has its reference for a name.
func (r *run) stock() icl.Stock {
	a := newAlbum(r.cfg.Benchmark.Pictures, r.cfg.Recipe)
	return icl.Stock{
		All: r.cfg.Benchmark.Samples,
		Content: func(reference string) string {
			if digest := a.look(reference).digest; digest != "" {
				return string(digest)
			}
			return reference
		},
		Broken: func(reference string) bool { return r.cfg.sound.isBroken(a, reference) },
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
			if r.cfg.sound.isBroken(a, reference) {
				return ""
			}
			return string(a.look(reference).digest)
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
			return nil, fail(Usage, "--ablate image=blank takes its place", "swapping the picture of sample %q: %w", s.ID, errOnePicture)
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
