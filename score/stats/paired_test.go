package stats

import (
	"fmt"
	"math"
	"math/bits"
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

func TestPairedPIsMcNemars(t *testing.T) {
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
		got := PairedP(pairs(100, tt.a, tt.b, 50))
		if math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("%d against %d: %.8f, want %.8f", tt.a, tt.b, got, tt.want)
		}
	}
}

// grouped are groups whose pairs add up to sums, each with a pair that is right
// under both.
func grouped(sums ...int) []Pair {
	var all []Pair
	for i, s := range sums {
		name := fmt.Sprint("group ", i)
		all = append(all, Pair{name, true, true})
		for range max(s, -s) {
			all = append(all, Pair{name, s < 0, s > 0})
		}
	}
	return all
}

// TestPairedPOfGroups compares with the share of all signs, counted one by one.
func TestPairedPOfGroups(t *testing.T) {
	for _, sums := range [][]int{{24, 24, 24, 24}, {3, -1, 2, 5, -4}, {7}, {2, -2}, {0, 6, 1, 1, 1}, {5, 4, 3, 2, 1, -1, 9}} {
		observed, extreme := 0, 0
		for _, s := range sums {
			observed += s
		}
		for signs := range uint(1 << len(sums)) {
			sum := 0
			for i, s := range sums {
				if signs>>i&1 == 1 {
					s = -s
				}
				sum += s
			}
			if sum*sum >= observed*observed {
				extreme++
			}
		}
		want := float64(extreme) / float64(uint(1)<<len(sums))
		if got := PairedP(grouped(sums...)); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", sums, got, want)
		}
	}
}

// TestPairedPOfManyGroups: where the normal distribution takes over, it gives
// what the exact one does.
func TestPairedPOfManyGroups(t *testing.T) {
	sums := make([]int, 1500)
	reach, total := 0, 0
	for i := range sums {
		sums[i] = 1 + i%9
		if bits.OnesCount(uint(i))%2 == 0 && i%40 != 0 {
			sums[i] = -sums[i]
		}
		reach += max(sums[i], -sums[i])
		total += sums[i]
	}
	total = max(total, -total)
	if steps := len(sums) * (2*reach + 1); steps <= mostSteps {
		t.Fatalf("%d steps are exact", steps)
	}
	got, exact := PairedP(grouped(sums...)), flipped(sums, reach, total)
	if math.Abs(got-exact) > 0.005 || exact < 0.001 || exact > 0.999 {
		t.Errorf("%v, exact %v", got, exact)
	}
}

func TestDifference(t *testing.T) {
	if _, _, _, ok := Difference(nil); ok {
		t.Error("a difference of nothing")
	}
	// bonettPrice is the interval as it is published, for pairs without groups.
	bonettPrice := func(a, b, n int) (low, high float64) {
		onlyA, onlyB, all := float64(a+1)/float64(n+2), float64(b+1)/float64(n+2), float64(n+2)
		half := Z95 * math.Sqrt((onlyA+onlyB-(onlyB-onlyA)*(onlyB-onlyA))/all)
		return max(-1, onlyB-onlyA-half), min(1, onlyB-onlyA+half)
	}
	for _, tt := range []struct{ both, a, b, neither int }{{50, 0, 0, 50}, {40, 5, 25, 30}, {0, 0, 1, 0}, {0, 40, 0, 0}, {35, 5, 0, 0}} {
		n := tt.both + tt.a + tt.b + tt.neither
		d, low, high, ok := Difference(pairs(tt.both, tt.a, tt.b, tt.neither))
		wantLow, wantHigh := bonettPrice(tt.a, tt.b, n)
		want := float64(tt.b-tt.a) / float64(n)
		if !ok || math.Abs(d-want) > 1e-12 || math.Abs(low-wantLow) > 1e-9 || math.Abs(high-wantHigh) > 1e-9 {
			t.Errorf("%+v: %v [%v, %v], want %v [%v, %v]", tt, d, low, high, want, wantLow, wantHigh)
		}
		if low >= high {
			t.Errorf("%+v: [%v, %v] has no width", tt, low, high)
		}
	}
	if _, low, _, _ := Difference(pairs(0, 0, 1, 0)); low >= 0 {
		t.Errorf("one pair is enough for a difference: from %v", low)
	}
}

// TestCopiesAreNoEvidence: copies of one sample say no more than one does.
func TestCopiesAreNoEvidence(t *testing.T) {
	var single, copied []Pair
	for i := range 20 {
		p := Pair{Group: fmt.Sprint(i), B: i%3 == 0}
		single = append(single, p)
		for range 10 {
			copied = append(copied, p)
		}
	}
	d, low, high, _ := Difference(single)
	dCopied, lowCopied, highCopied, _ := Difference(copied)
	if math.Abs(d-dCopied)+math.Abs(low-lowCopied)+math.Abs(high-highCopied) > 1e-9 {
		t.Errorf("%v [%v, %v] of samples, %v [%v, %v] of their copies", d, low, high, dCopied, lowCopied, highCopied)
	}
	if p, pCopied := PairedP(single), PairedP(copied); math.Abs(p-pCopied) > 1e-12 {
		t.Errorf("p %v of samples, %v of their copies", p, pCopied)
	}
}
