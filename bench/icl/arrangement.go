package icl

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/score"
)

// The orders of demonstrations.
const (
	Natural       = "natural" // that of the data
	Reverse       = "reverse"
	Shuffle       = "shuffle"        // by the seed and the sample's ID
	RelevantFirst = "relevant-first" // those with the query's answer before all others
	RelevantLast  = "relevant-last"  // behind all others
)

// Where demonstrations that do not belong come from.
const (
	None     = "none"
	Random   = "random"   // any other problem
	Targeted = "targeted" // other problems of the same specialty, else of the same subset
)

// What becomes of the query's picture. None: it is not sent.
const (
	Keep    = "keep"
	Blank   = "blank"   // mid-grey of the same size
	Swapped = "swapped" // the picture of the next sample that has another
)

// Orders, Distractions and Ablations are the values that are known.
var (
	Orders       = []string{Natural, Reverse, Shuffle, RelevantFirst, RelevantLast}
	Distractions = []string{None, Random, Targeted}
	Ablations    = []string{Keep, None, Blank, Swapped}
)

// Arrangement says how demonstrations and the query's picture are shown. Its
// zero value is as the data have them.
type Arrangement struct {
	Order         string // empty: natural
	Distract      string // empty: none
	DistractCount int    // demonstrations that are put in; 0: one
	Ablate        string // of the query's picture; empty: keep
}

// Check reports a value that is not known.
func (a Arrangement) Check() error {
	for _, v := range []struct {
		name, value string
		known       []string
	}{{"order", a.Order, Orders}, {"distract", a.Distract, Distractions}, {"ablate image", a.Ablate, Ablations}} {
		if v.value != "" && !slices.Contains(v.known, v.value) {
			return fmt.Errorf("%s %q: want %s", v.name, v.value, strings.Join(v.known, " or "))
		}
	}
	if a.DistractCount < 0 {
		return fmt.Errorf("distracting with %d demonstrations: want 1 or more", a.DistractCount)
	}
	return nil
}

// Blanked ends what [Arrangement.String] says where the query's picture is grey.
const Blanked = "query picture " + Blank

// String says in words what is not as in the data, "" where all is.
func (a Arrangement) String() string {
	var parts []string
	if a.Order != "" && a.Order != Natural {
		parts = append(parts, "order "+a.Order)
	}
	if n := a.distractors(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s distractors", n, a.Distract))
	}
	if a.Ablate != "" && a.Ablate != Keep {
		parts = append(parts, "query picture "+a.Ablate)
	}
	return strings.Join(parts, ", ")
}

// distractors is how many demonstrations are put in.
func (a Arrangement) distractors() int {
	if a.Distract == "" || a.Distract == None {
		return 0
	}
	return max(a.DistractCount, 1)
}

// Tally counts the samples that could not be shown as others are.
type Tally struct {
	LeftOut   int // no demonstration is relevant, and the order asks for one
	Spared    int // left out: too few can be shown to distract that have another answer and a sound picture
	Elsewhere int // distractors came from the subset: the specialty has too few, or is not named
}

// Stock is what demonstrations come from.
type Stock struct {
	All     []card.Sample                 // samples of the benchmark, asked or not
	Content func(reference string) string // names a picture by what it holds
	Broken  func(reference string) bool   // tells of a picture that cannot be sent; nil: none
}

// Show arranges the demonstrations of samples: the first of them by the order of
// the data, as shots says, in the order that is asked for, then with distractors out
// of the stock put in. Orders thus change places and never what is shown. Samples
// of which no demonstration that is shown is relevant are left out where the order
// asks for one, and those that nothing can distract where distractors are asked for.
// The error is [ErrNoSpecialty] where those are to be of the same specialty and none
// of the samples has one.
func (a Arrangement) Show(samples []card.Sample, from Stock, shots card.Shots, seed int) (shown []card.Sample, t Tally, err error) {
	var strangers strangers
	if a.distractors() > 0 {
		if a.Distract == Targeted && !slices.ContainsFunc(samples, hasSpecialty) {
			return nil, t, ErrNoSpecialty
		}
		strangers = strangersOf(from)
	}
	for _, s := range samples {
		s, ok := a.ordered(shots.Show(s), seed)
		if !ok {
			t.LeftOut++
			continue
		}
		if n := a.distractors(); n > 0 {
			var how drawn
			if s, how, err = strangers.distract(s, n, a.Distract == Targeted, seed); err != nil {
				return nil, t, err
			}
			switch how {
			case fromSubset:
				t.Elsewhere++
			case fromNowhere:
				t.Spared++
				continue
			}
		}
		shown = append(shown, s)
	}
	return shown, t, nil
}

// ordered is a sample with its demonstrations in order. It is not ok where none
// is relevant and the order asks for one.
func (a Arrangement) ordered(s card.Sample, seed int) (card.Sample, bool) {
	demonstrations := slices.Clone(s.Demonstrations)
	switch a.Order {
	case Reverse:
		slices.Reverse(demonstrations)
	case Shuffle:
		draw(seed, s.ID, "order").Shuffle(len(demonstrations), func(i, j int) {
			demonstrations[i], demonstrations[j] = demonstrations[j], demonstrations[i]
		})
	case RelevantFirst, RelevantLast:
		var relevant, others []card.Sample
		for _, d := range demonstrations {
			if Relevant(d, s) {
				relevant = append(relevant, d)
			} else {
				others = append(others, d)
			}
		}
		if len(relevant) == 0 {
			return s, false
		}
		demonstrations = slices.Concat(relevant, others)
		if a.Order == RelevantLast {
			demonstrations = slices.Concat(others, relevant)
		}
	}
	s.Demonstrations = demonstrations
	return s, true
}

// Relevant tells whether the answer that a demonstration shows is one of the
// query's, by the normalisation of exact match.
func Relevant(demonstration, query card.Sample) bool {
	if len(demonstration.References) == 0 {
		return false
	}
	answer := score.Normalize(demonstration.References[0])
	return answer != "" && slices.ContainsFunc(query.References, func(r string) bool { return score.Normalize(r) == answer })
}

// draw is a source of chance that depends on the seed, the sample and what is
// drawn, and on nothing else.
func draw(seed int, id, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(id + "\x00" + purpose))
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
}
