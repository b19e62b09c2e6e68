package models

import (
	"math"
	"slices"
	"strings"
)

// Profile is how a family of models sees pictures.
type Profile struct {
	Family  string
	MaxSide int // longer side beyond which the model sees no more, pixels
	MinSide int // shorter side below which engines fail, pixels

	// CrossAttention marks families whose pictures take almost no prompt tokens,
	// so that token counts say nothing about them.
	CrossAttention bool
	PerMessage     int // pictures a message can hold, 0: any number

	// Squashes marks families whose pictures servers make square by changing their
	// aspect.
	Squashes bool

	tokens func(w, h int) Bounds
}

// UnknownFamily is the family of a profile that is safe for any model.
const UnknownFamily = "unknown"

// Bounds are a lower and an upper bound of a count of tokens.
type Bounds struct{ Low, High int }

// Tokens bounds the prompt tokens that a picture of w×h pixels takes.
func (p Profile) Tokens(w, h int) Bounds { return p.tokens(w, h) }

// minSide is what the llama.cpp engines need of a picture's shorter side.
const minSide = 28

// family is a profile, and which models it is of: those of an architecture (one that
// ends in * begins so), or those whose vision part is of a kind that the server names
// beside it.
type family struct {
	architectures []string
	beside        string
	Profile
}

// families are known from the servers' sources and the models' files. The first that
// fits counts.
var families = []family{
	{architectures: []string{"gemma3"}, Profile: Profile{MaxSide: 896, Squashes: true, tokens: fixed(256, 264)}},
	{architectures: []string{"gemma4"}, Profile: Profile{MaxSide: 1024, tokens: fixed(40, 1124)}},
	{architectures: []string{"qwen2vl", "qwen25vl"}, Profile: Profile{MaxSide: 1024, tokens: grid(28, 1024)}},
	{architectures: []string{"qwen3*"}, Profile: Profile{MaxSide: 1024, tokens: grid(32, 1024)}},
	{architectures: []string{"mistral3"}, Profile: Profile{MaxSide: 1540, tokens: rows(Vision{ImageSize: 1540, PatchSize: 14, Merge: 2})}},
	{architectures: []string{"mllama"}, Profile: Profile{MaxSide: 1120, CrossAttention: true, PerMessage: 1, tokens: fixed(0, 16)}},
	{architectures: []string{"phi2"}, Profile: Profile{MaxSide: 378, tokens: fixed(729, 740)}},
	{architectures: []string{"llama4"}, Profile: Profile{MaxSide: 1024, tokens: fixed(1, 3200)}},
	{beside: "clip", Profile: Profile{MaxSide: 672, tokens: fixed(64, 2900)}},
}

// unknown is safe for any model.
var unknown = Profile{Family: UnknownFamily, MaxSide: 1024, MinSide: minSide, tokens: patches}

// ProfileOf chooses the profile of a model: by its architecture, refined by the
// geometry that its file declares.
func ProfileOf(f Facts) Profile {
	at := slices.IndexFunc(families, func(known family) bool { return known.has(f) })
	if at < 0 {
		return unknown
	}
	p := families[at].Profile
	p.Family, p.MinSide = f.Architecture, minSide
	if v := f.Vision; p.Family == "mistral3" && v.ImageSize > 0 && v.PatchSize > 0 {
		p.MaxSide, p.tokens = v.ImageSize, rows(v)
	}
	return p
}

func (known family) has(f Facts) bool {
	for _, name := range known.architectures {
		if prefix, any := strings.CutSuffix(name, "*"); name == f.Architecture || any && strings.HasPrefix(f.Architecture, prefix) {
			return true
		}
	}
	return known.beside != "" && slices.Contains(f.Families, known.beside)
}

// fixed is a cost that does not depend on the picture's size.
func fixed(low, high int) func(int, int) Bounds {
	return func(int, int) Bounds { return Bounds{low, high} }
}

// gridLimit is the least of the limits that engines put on the pixels of a
// picture in the Qwen families.
const gridLimit = 2 << 20

// grid is one token per cell of side px. Engines round each side to whole cells,
// shrink pictures beyond gridLimit, and the newer ones enlarge small pictures
// until they fill atLeast tokens.
func grid(side, atLeast int) func(int, int) Bounds {
	return func(w, h int) Bounds {
		columns, rows := ceil(w, side), ceil(h, side)
		wide, high := cellsFor(atLeast, w, h)
		return Bounds{
			Low:  atMost(gridLimit/(side*side), w, h, side),
			High: max(columns*rows+columns+rows, wide*high) + 4,
		}
	}
}

// Limits of merged tokens that newer engines keep a picture of the Mistral
// family within.
const mistralLeast, mistralMost = 8, 1024

// rows is rows of merged patches, each row with a token for its end, as the Mistral
// family has it. Older engines shrink larger pictures to the declared size, newer ones
// to a number of tokens.
func rows(v Vision) func(int, int) Bounds {
	cell := v.PatchSize * max(1, v.Merge)
	return func(w, h int) Bounds {
		wide, high := cellsFor(mistralLeast, w, h)
		newer := Bounds{
			Low:  atMost(mistralMost, w, h, cell),
			High: max(ceil(h, cell)*(ceil(w, cell)+1), high*(wide+1)),
		}
		if maxWide, maxHigh := cellsFor(mistralMost, w, h); ceil(w, cell) > maxWide {
			newer.High = maxHigh * (maxWide + 1)
		}
		if long := max(w, h); long > v.ImageSize {
			w, h = ceil(w*v.ImageSize, long), ceil(h*v.ImageSize, long)
		}
		older := Bounds{max(1, (h/cell)*(w/cell)), ceil(h, cell) * (ceil(w, cell) + 1)}
		return Bounds{min(older.Low, newer.Low), max(older.High, newer.High) + 2}
	}
}

// cellsFor is at least the columns and rows of a w×h picture that is scaled to
// fill n cells, each side rounded up.
func cellsFor(n, w, h int) (columns, rows int) {
	x := math.Sqrt(float64(n) * float64(w) / float64(h))
	return int(math.Ceil(x)) + 1, int(math.Ceil(float64(n)/x)) + 1
}

// atMost is at most the cells of side px of a w×h picture, where it is shrunk to
// n cells if it has more, each side rounded down.
func atMost(n, w, h, side int) int {
	x := math.Sqrt(float64(n) * float64(w) / float64(h))
	shrunk := int(x) * int(float64(n)/x)
	return max(1, min((w/side)*(h/side), shrunk))
}

// patches is the bound for a family that is not known: every 14×14 patch a
// token, the finest that is common.
func patches(w, h int) Bounds {
	return Bounds{1, max(ceil(w, 14)*(ceil(h, 14)+1), 1024) + 16}
}

func ceil(a, b int) int { return (a + b - 1) / b }
