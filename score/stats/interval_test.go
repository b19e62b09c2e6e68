package stats

import (
	"math"
	"testing"
)

// TestWilson compares the first four rows with published intervals (R. G.
// Newcombe, Statistics in Medicine 17, 1998, table I, method 3). The other rows
// are the formula by hand: with nothing correct the upper end is z²/(n+z²), with
// all correct the lower end is n/(n+z²).
func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		correct, n int
		low, high  float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{29, 29, 0.8830, 1},
		{5, 10, 0.2366, 0.7634},
		{39, 40, 0.8712, 0.9956},
		{0, 1, 0, 0.7935},
	} {
		low, high, ok := Wilson(tt.correct, tt.n, Z95)
		if !ok || math.Abs(low-tt.low) > 5e-5 || math.Abs(high-tt.high) > 5e-5 {
			t.Errorf("Wilson(%d, %d) = %.5f, %.5f, %t; want %.4f, %.4f", tt.correct, tt.n, low, high, ok, tt.low, tt.high)
		}
	}
}

// TestWilsonHolds holds what is true of every interval: it contains the
// fraction, lies within 0 to 1, mirrors when right and wrong change places, and
// solves the equation that defines it.
func TestWilsonHolds(t *testing.T) {
	for n := 1; n <= 120; n++ {
		for correct := range n + 1 {
			p := float64(correct) / float64(n)
			low, high, ok := Wilson(correct, n, Z95)
			if !ok || !(0 <= low && low <= p && p <= high && high <= 1) {
				t.Fatalf("Wilson(%d, %d) = %v, %v, %t", correct, n, low, high, ok)
			}
			mirrorLow, mirrorHigh, _ := Wilson(n-correct, n, Z95)
			if math.Abs(low-(1-mirrorHigh)) > 1e-12 || math.Abs(high-(1-mirrorLow)) > 1e-12 {
				t.Errorf("Wilson(%d, %d) is no mirror of the interval of %d", correct, n, n-correct)
			}
			for _, end := range []float64{low, high} {
				gap := math.Abs(p - end)
				reach := Z95 * math.Sqrt(end*(1-end)/float64(n))
				if math.Abs(gap-reach) > 1e-9 && end != 0 && end != 1 {
					t.Errorf("Wilson(%d, %d): end %v is %v from p, want %v", correct, n, end, gap, reach)
				}
			}
		}
	}
}

func TestNoNumberFromNothing(t *testing.T) {
	for _, tt := range []struct {
		name       string
		correct, n int
		z          float64
	}{
		{"no samples", 0, 0, Z95},
		{"negative n", 0, -1, Z95},
		{"negative correct", -1, 5, Z95},
		{"more correct than samples", 6, 5, Z95},
		{"z is zero", 1, 5, 0},
		{"z is negative", 1, 5, -1},
		{"z is no number", 1, 5, math.NaN()},
		{"z is infinite", 1, 5, math.Inf(1)},
	} {
		if low, high, ok := Wilson(tt.correct, tt.n, tt.z); ok || low != 0 || high != 0 {
			t.Errorf("%s: Wilson = %v, %v, %t; want no number", tt.name, low, high, ok)
		}
	}
	if value, ok := Fraction(0, 0); ok || value != 0 {
		t.Errorf("Fraction(0, 0) = %v, %t; want no number", value, ok)
	}
}

func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		name                      string
		correct, scored, unscored int
		low, high                 float64
		ok                        bool
	}{
		{"half scored right, a third of all unscored", 5, 10, 5, 5.0 / 15, 10.0 / 15, true},
		{"nothing unscored", 3, 4, 0, 0.75, 0.75, true},
		{"nothing scored", 0, 0, 7, 0, 1, true},
		{"no samples", 0, 0, 0, 0, 0, false},
		{"more correct than scored", 2, 1, 0, 0, 0, false},
		{"negative unscored", 1, 5, -1, 0, 0, false},
		{"negative scored", 0, -5, 5, 0, 0, false},
	} {
		low, high, ok := Bounds(tt.correct, tt.scored, tt.unscored)
		if low != tt.low || high != tt.high || ok != tt.ok {
			t.Errorf("%s: Bounds = %v, %v, %t; want %v, %v, %t", tt.name, low, high, ok, tt.low, tt.high, tt.ok)
		}
	}
}

func TestGroupedWilson(t *testing.T) {
	tally := func(n int, g ...Tally) (all []Tally) {
		for range n {
			all = append(all, g...)
		}
		return all
	}
	for _, tt := range []struct {
		name   string
		groups []Tally
		c, n   int // of the Wilson interval that it must be
	}{
		{"one sample each", append(tally(7, Tally{1, 1}), tally(3, Tally{0, 1})...), 7, 10},
		{"all right", tally(4, Tally{24, 24}), 4, 4},
		{"all wrong", tally(4, Tally{0, 24}), 0, 4},
		{"one group", tally(1, Tally{24, 24}), 1, 1},
		{"groups no more alike than samples", tally(50, Tally{1, 2}), 50, 100},
	} {
		low, high, ok := GroupedWilson(tt.groups, Z95)
		wantLow, wantHigh, _ := Wilson(tt.c, tt.n, Z95)
		if !ok || math.Abs(low-wantLow)+math.Abs(high-wantHigh) > 1e-12 {
			t.Errorf("%s: [%v, %v], want [%v, %v]", tt.name, low, high, wantLow, wantHigh)
		}
	}
	// Ten copies of 40 samples say as much as 40 samples, up to the correction
	// for their number.
	low, high, _ := GroupedWilson(append(tally(10, Tally{10, 10}), tally(30, Tally{0, 10})...), Z95)
	wantLow, wantHigh, _ := Wilson(10, 40, Z95)
	if math.Abs(low-wantLow) > 0.005 || math.Abs(high-wantHigh) > 0.005 {
		t.Errorf("copies: [%v, %v], want about [%v, %v]", low, high, wantLow, wantHigh)
	}
	if _, _, ok := GroupedWilson(nil, Z95); ok {
		t.Error("an interval of nothing")
	}
	if _, _, ok := GroupedWilson(tally(2, Tally{1, 2}), -1); ok {
		t.Error("an interval of a negative quantile")
	}
}
