package stats

import (
	"fmt"
	"math"
	"testing"
)

// pairs are n samples right under both, a under A only, b under B only, and
// neither wrong under both.
func pairs(both, a, b, neither int) []Pair {
	var all []Pair
	add := func(n int, p Pair) {
		for range n {
			all = append(all, p)
		}
	}
	add(both, Pair{A: true, B: true})
	add(a, Pair{A: true})
	add(b, Pair{B: true})
	add(neither, Pair{})
	return all
}

func TestMcNemar(t *testing.T) {
	for _, tt := range []struct {
		a, b int
		want float64
	}{
		{0, 0, 1},
		{1, 1, 1},
		{0, 5, 0.0625},
		{5, 0, 0.0625},
		{2, 10, 2 * 79.0 / 4096},
		{7, 22, 0.008130}, // of 220 samples; unpaired the difference is not significant
	} {
		got := McNemar(pairs(100, tt.a, tt.b, 50))
		if math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("%d against %d: %.8f, want %.8f", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestDifference(t *testing.T) {
	if _, _, _, ok := Difference(nil); ok {
		t.Error("a difference of nothing")
	}
	d, low, high, ok := Difference(pairs(50, 0, 0, 50))
	if !ok || d != 0 || low != 0 || high != 0 {
		t.Errorf("no difference: %v [%v, %v]", d, low, high)
	}
	d, low, high, _ = Difference(pairs(40, 5, 25, 30))
	// The normal interval of a mean of 100 differences with variance 0.26.
	half := Z95 * math.Sqrt(0.26/100)
	if math.Abs(d-0.2) > 1e-12 || math.Abs(low-(0.2-half)) > 0.015 || math.Abs(high-(0.2+half)) > 0.015 {
		t.Errorf("difference %v [%v, %v], want about 0.2 ± %v", d, low, high, half)
	}
	again, low2, high2, _ := Difference(pairs(40, 5, 25, 30))
	if again != d || low2 != low || high2 != high {
		t.Error("two computations differ")
	}
}

// TestGroupsAreDrawnTogether: copies of one sample say no more than one does.
func TestGroupsAreDrawnTogether(t *testing.T) {
	var single, copied []Pair
	for i := range 20 {
		p := Pair{Group: fmt.Sprint(i), B: i%3 == 0}
		single = append(single, p)
		for range 10 {
			copied = append(copied, p)
		}
	}
	_, low, high, _ := Difference(single)
	_, lowCopied, highCopied, _ := Difference(copied)
	if math.Abs((high-low)-(highCopied-lowCopied)) > 0.06 {
		t.Errorf("interval [%v, %v] of samples, [%v, %v] of their copies", low, high, lowCopied, highCopied)
	}
}
