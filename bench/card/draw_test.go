package card

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawPool is samples of two languages about twenty pictures.
func drawPool() []Sample {
	var pool []Sample
	for i := range 200 {
		s := Sample{ID: fmt.Sprint(i), Language: []string{"en", "zh"}[i%2], Group: fmt.Sprint("g", i%20), Pictures: []string{fmt.Sprint("p", i%20)}, References: []string{"x"}}
		if i%17 == 0 {
			s.References = nil
		}
		pool = append(pool, s)
	}
	return pool
}

func idsOf(samples []Sample) []string {
	var all []string
	for _, s := range samples {
		all = append(all, s.ID)
	}
	return all
}

func TestDrawQualifies(t *testing.T) {
	pool := drawPool()
	query := Sample{ID: "2", Language: "en", Group: "g4", Pictures: []string{"p6"}}
	drawn := Draw(pool, query, len(pool), 1)
	var want []string
	for _, s := range pool {
		if s.Language == "en" && s.ID != "2" && s.Group != "g4" && s.Pictures[0] != "p6" && s.References != nil {
			want = append(want, s.ID)
		}
	}
	got := idsOf(drawn)
	if slices.Equal(got, want) {
		t.Error("the pool's order is kept")
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDrawGroupless: samples without a group are not of one.
func TestDrawGroupless(t *testing.T) {
	pool := []Sample{{ID: "a", References: []string{"x"}}}
	if got := Draw(pool, Sample{ID: "b"}, 1, 0); len(got) != 1 {
		t.Errorf("%d drawn, want 1", len(got))
	}
}

func TestDrawRepeats(t *testing.T) {
	pool := drawPool()
	query := Sample{ID: "q", Language: "zh"}
	// Published figures hang on what is drawn: it may not change with a version.
	want := []string{"11", "21", "139", "3", "121"}
	for n := range 6 {
		if got := idsOf(Draw(pool, query, n, 7)); !slices.Equal(want[:n], got) {
			t.Errorf("%d shots: %v, want %v", n, got, want[:n])
		}
	}
	if slices.Equal(want, idsOf(Draw(pool, query, 5, 8))) {
		t.Error("another seed draws the same")
	}
	query.ID = "r"
	if slices.Equal(want, idsOf(Draw(pool, query, 5, 7))) {
		t.Error("another query draws the same")
	}
}

// TestDrawEvenly draws each of ten samples about as often.
func TestDrawEvenly(t *testing.T) {
	var pool []Sample
	for i := range 10 {
		pool = append(pool, Sample{ID: fmt.Sprint(i), References: []string{"x"}})
	}
	counts := map[string]int{}
	for i := range 5000 {
		for _, s := range Draw(pool, Sample{ID: fmt.Sprint("q", i)}, 2, 3) {
			counts[s.ID]++
		}
	}
	for id, n := range counts { // 1000 expected, standard deviation below 29
		if n < 850 || n > 1150 {
			t.Errorf("sample %s was drawn %d times of 10000", id, n)
		}
	}
}
