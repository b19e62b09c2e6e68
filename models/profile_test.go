package models_test

import (
	"math"
	"testing"

	"lightbox/models"
)

// phantomVision is the geometry that models/phantom declares.
var phantomVision = models.Vision{ImageSize: 72, PatchSize: 8, Merge: 3}

func TestProfileTokens(t *testing.T) {
	tests := []struct {
		name  string
		facts models.Facts
		w, h  int
		want  []int // prompt tokens that servers take, each must be inside
	}{
		{"gemma3", models.Facts{Architecture: "gemma3"}, 896, 896, []int{256, 260}},
		{"gemma3, small", models.Facts{Architecture: "gemma3"}, 64, 64, []int{256}},
		{"gemma4 by budget", models.Facts{Architecture: "gemma4"}, 1024, 768, []int{40, 280, 1120}},
		{"qwen2.5vl, old and new servers", models.Facts{Architecture: "qwen25vl"}, 280, 280, []int{100, 102, 1024, 1026}},
		{"qwen2.5vl", models.Facts{Architecture: "qwen25vl"}, 1024, 1024, []int{37 * 37}},
		{"qwen3-vl, old and new servers", models.Facts{Architecture: "qwen3vl"}, 256, 256, []int{64, 1024}},
		{"qwen3-vl", models.Facts{Architecture: "qwen3vlmoe"}, 1024, 1024, []int{1024, 1026}},
		{"mistral-small3.1, old servers", models.Facts{Architecture: "mistral3"}, 1540, 1540, []int{55 * 56}},
		{"mistral-small3.1, new servers", models.Facts{Architecture: "mistral3"}, 1540, 1540, []int{1024 + 32}},
		{"phantom", models.Facts{Architecture: "mistral3", Vision: phantomVision}, 72, 72, []int{12}},
		{"phantom, old servers shrink", models.Facts{Architecture: "mistral3", Vision: phantomVision}, 256, 256, []int{12, 11 * 12}},
		{"llava 1.5", models.Facts{Architecture: "llama", Families: []string{"llama", "clip"}}, 336, 336, []int{576}},
		{"llava 1.6", models.Facts{Architecture: "llama", Families: []string{"llama", "clip"}}, 672, 672, []int{2880}},
		{"minicpm-v", models.Facts{Architecture: "qwen2", Families: []string{"qwen2", "clip"}}, 448, 448, []int{64}},
		{"llama3.2-vision", models.Facts{Architecture: "mllama"}, 1120, 1120, []int{1}},
		{"moondream", models.Facts{Architecture: "phi2", Families: []string{"phi2", "clip"}}, 378, 378, []int{729}},
		{"unknown", models.Facts{Architecture: "newvl"}, 1024, 1024, []int{256, 74 * 74}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := models.ProfileOf(tt.facts).Tokens(tt.w, tt.h)
			for _, n := range tt.want {
				if n < got.Low || n > got.High {
					t.Errorf("%d×%d takes %d to %d tokens, want %d inside", tt.w, tt.h, got.Low, got.High, n)
				}
			}
		})
	}
}

func TestProfileSides(t *testing.T) {
	tests := []struct {
		facts    models.Facts
		max, min int
	}{
		{models.Facts{Architecture: "gemma3"}, 896, 28},
		{models.Facts{Architecture: "mistral3"}, 1540, 28},
		{models.Facts{Architecture: "mistral3", Vision: phantomVision}, 72, 28},
		{models.Facts{Architecture: "mllama"}, 1120, 28},
		{models.Facts{Architecture: "phi2"}, 378, 28},
		{models.Facts{Architecture: "newvl"}, 1024, 28},
	}
	for _, tt := range tests {
		t.Run(tt.facts.Architecture, func(t *testing.T) {
			p := models.ProfileOf(tt.facts)
			if p.MaxSide != tt.max || p.MinSide != tt.min {
				t.Errorf("sides %d to %d, want %d to %d", p.MinSide, p.MaxSide, tt.min, tt.max)
			}
		})
	}
}

// TestProfilesOfFamilies holds the profiles against what is known of the families:
// what their servers make of a picture of that size, in tokens, and the side beyond
// which they see no more (0: not known).
func TestProfilesOfFamilies(t *testing.T) {
	clip := func(architecture string) models.Facts {
		return models.Facts{Architecture: architecture, Families: []string{architecture, "clip"}}
	}
	for _, tt := range []struct {
		family      string
		facts       models.Facts
		w, h        int
		least, most int // tokens
		sees        int // pixels of the longer side
		squashes    bool
		cross       bool
	}{
		{"gemma3, medgemma, medgemma1.5", models.Facts{Architecture: "gemma3"}, 896, 896, 256, 256, 896, true, false},
		{"gemma4", models.Facts{Architecture: "gemma4"}, 1024, 768, 40, 280, 0, false, false},
		{"gemma4, largest budget", models.Facts{Architecture: "gemma4"}, 1024, 768, 70, 1120, 0, false, false},
		{"qwen2.5vl", models.Facts{Architecture: "qwen25vl"}, 1008, 1008, 36 * 36, 36 * 36, 0, false, false},
		{"qwen2.5vl, small", models.Facts{Architecture: "qwen25vl"}, 280, 280, 1024, 1024, 0, false, false},
		{"qwen3-vl", models.Facts{Architecture: "qwen3vl"}, 1024, 1024, 32 * 32, 32 * 32, 0, false, false},
		{"qwen3-vl, least pixels", models.Facts{Architecture: "qwen3vl"}, 32, 32, 65536 / 1024, 65536 / 1024, 0, false, false},
		{"mistral-small3.1 and 3.2", models.Facts{Architecture: "mistral3"}, 1540, 1540, 1540 / 28 * 1540 / 28, 1540 / 28 * 1540 / 28, 1540, false, false},
		{"llava 1.5, bakllava", clip("llama"), 336, 336, 576, 576, 0, false, false},
		{"llava 1.6", clip("llama"), 672, 672, 576, 2880, 672, false, false},
		{"llama3.2-vision", models.Facts{Architecture: "mllama"}, 1120, 1120, 0, 2, 2 * 560, false, true},
		{"minicpm-v, one tile", clip("qwen2"), 448, 448, 64, 64, 0, false, false},
		{"moondream", clip("phi2"), 378, 378, 729, 729, 378, false, false},
	} {
		t.Run(tt.family, func(t *testing.T) {
			p := models.ProfileOf(tt.facts)
			if got := p.Tokens(tt.w, tt.h); got.Low > tt.least || got.High < tt.most {
				t.Errorf("%d×%d takes %d to %d tokens, want %d to %d inside", tt.w, tt.h, got.Low, got.High, tt.least, tt.most)
			}
			if tt.sees > 0 && p.MaxSide != tt.sees {
				t.Errorf("a longer side of %d, want %d", p.MaxSide, tt.sees)
			}
			if p.Squashes != tt.squashes || p.CrossAttention != tt.cross {
				t.Errorf("squashes %v, cross-attention %v; want %v and %v", p.Squashes, p.CrossAttention, tt.squashes, tt.cross)
			}
		})
	}
}

func TestProfileOfOnePicturePerMessage(t *testing.T) {
	p := models.ProfileOf(models.Facts{Architecture: "mllama"})
	if !p.CrossAttention || p.PerMessage != 1 {
		t.Errorf("mllama: cross-attention %v, %d pictures a message; want true and 1", p.CrossAttention, p.PerMessage)
	}
	for _, a := range []string{"gemma3", "gemma4", "qwen25vl", "qwen3vl", "mistral3", "newvl"} {
		p := models.ProfileOf(models.Facts{Architecture: a})
		if p.CrossAttention || p.PerMessage != 0 {
			t.Errorf("%s: cross-attention %v, %d pictures a message; want false and 0", a, p.CrossAttention, p.PerMessage)
		}
	}
}

// cells is the arithmetic that the engines of the Qwen and Mistral families
// share: sides to whole cells, then shrunk or enlarged into a range of cells.
func cells(w, h, side, least, most int) (columns, rows int) {
	whole := func(v float64, round func(float64) float64) int { return max(1, int(round(v/float64(side)))) }
	area := float64(w) * float64(h) / float64(side*side)
	x, y := float64(w), float64(h)
	columns, rows = whole(x, math.Round), whole(y, math.Round)
	switch n := columns * rows; {
	case n > most:
		f := math.Sqrt(float64(most) / area)
		columns, rows = whole(x*f, math.Floor), whole(y*f, math.Floor)
	case n < least:
		f := math.Sqrt(float64(least) / area)
		columns, rows = whole(x*f, math.Ceil), whole(y*f, math.Ceil)
	}
	return columns, rows
}

func TestTokensHoldForEveryPicture(t *testing.T) {
	qwen := func(side, least, most int) func(w, h int) int {
		return func(w, h int) int {
			columns, rows := cells(w, h, side, least, most)
			return columns*rows + 2
		}
	}
	newMistral := func(side int) func(w, h int) int {
		return func(w, h int) int {
			columns, rows := cells(w, h, side, 8, 1024)
			return rows*(columns+1) + 1
		}
	}
	oldMistral := func(v models.Vision) func(w, h int) int {
		return func(w, h int) int {
			if long := float64(max(w, h)); long > float64(v.ImageSize) {
				f := long / float64(v.ImageSize)
				w, h = int(math.Floor(float64(w)/f)), int(math.Floor(float64(h)/f))
			}
			patches := func(n int) int { return max(1, (n+v.PatchSize-1)/v.PatchSize/v.Merge) }
			return patches(h) * (patches(w) + 1)
		}
	}
	small := models.Vision{ImageSize: 1540, PatchSize: 14, Merge: 2}
	tests := []struct {
		name   string
		facts  models.Facts
		tokens func(w, h int) int
	}{
		{"qwen25vl, old", models.Facts{Architecture: "qwen25vl"}, qwen(28, 4, 2<<20/(28*28))},
		{"qwen25vl, new", models.Facts{Architecture: "qwen25vl"}, qwen(28, 1024, 4096)},
		{"qwen3vl, old", models.Facts{Architecture: "qwen3vl"}, qwen(32, 64, 2048)},
		{"qwen3vl, new", models.Facts{Architecture: "qwen3vl"}, qwen(32, 1024, 16384)},
		{"mistral3, old", models.Facts{Architecture: "mistral3"}, oldMistral(small)},
		{"mistral3, new", models.Facts{Architecture: "mistral3"}, newMistral(28)},
		{"phantom, old", models.Facts{Architecture: "mistral3", Vision: phantomVision}, oldMistral(phantomVision)},
		{"phantom, new", models.Facts{Architecture: "mistral3", Vision: phantomVision}, newMistral(24)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := models.ProfileOf(tt.facts)
			for w := p.MinSide; w <= 2600; w += 13 {
				for h := p.MinSide; h <= 2600; h += 17 {
					got, n := p.Tokens(w, h), tt.tokens(w, h)
					if n < got.Low || n > got.High {
						t.Fatalf("%d×%d: %d tokens are outside %d to %d", w, h, n, got.Low, got.High)
					}
				}
			}
		})
	}
}
