package stats

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEvalscope(t *testing.T) {
	for _, tt := range []struct {
		name    string
		subsets []Subset
		want    EvalscopeMeans
		ok      bool
	}{
		{"nothing", nil, EvalscopeMeans{}, false},
		{"no samples", []Subset{{"a", "x", 0, 0}}, EvalscopeMeans{}, false},
		{
			"one subset",
			[]Subset{{"a", "x", 2, 3}},
			EvalscopeMeans{[]Mean{{"a", 0.6667, 3}}, []Mean{{"x", 0.6667, 3}}, Mean{"", 0.6667, 3}},
			true,
		},
		{
			// Exactly, 5 of 9 are 0.5556.
			"rounded means are weighed",
			[]Subset{{"open", "zh", 0, 3}, {"closed", "zh", 2, 3}, {"left out", "en", 0, 0}, {"impossible", "en", 2, 1}, {"open", "en", 3, 3}},
			EvalscopeMeans{
				[]Mean{{"open", 0, 3}, {"closed", 0.6667, 3}, {"open", 1, 3}},
				[]Mean{{"en", 1, 3}, {"zh", 0.3333, 6}},
				Mean{"", 0.5555, 9},
			},
			true,
		},
	} {
		got, ok := Evalscope(tt.subsets)
		if diff := cmp.Diff(tt.want, got); diff != "" || ok != tt.ok {
			t.Errorf("%s: ok %t, means (-want +got):\n%s", tt.name, ok, diff)
		}
	}
}

func TestRoundingIsThatOfPython(t *testing.T) {
	for _, tt := range []struct{ in, want float64 }{
		{0.03125, 0.0312}, {0.09375, 0.0938}, // halves, exactly
		{0.00005, 0.0001}, {0.00015, 0.0001}, {0.00025, 0.0003}, {2.675, 2.675}, {0.12345, 0.1235}, // halves in decimals only
		{0, 0}, {1, 1}, {0.99995, 1}, {2.0 / 3, 0.6667},
	} {
		if got := round4(tt.in); got != tt.want {
			t.Errorf("round4(%v) = %v, want %v", tt.in, got, tt.want)
		}
	}
}
