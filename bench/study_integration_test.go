//go:build integration

package bench

import (
	"strings"
	"testing"

	"lightbox/bench/card"
	"lightbox/bench/phantom"
)

// TestStudyOfThePhantom: the phantom learns made-up labels from demonstrations
// alone and reads them off the picture, and the study says so.
func TestStudyOfThePhantom(t *testing.T) {
	cfg := phantomConfig(t)
	cfg.Selection = card.Selection{Subsets: []string{phantom.InContext}}
	cfg.Out = t.TempDir() + "/study"
	study, err := OpenStudy("icl")
	if err != nil {
		t.Fatal(err)
	}
	results, err := RunStudy(t.Context(), study, cfg)
	if err != nil {
		t.Fatal(err)
	}
	r := study.Report(results)
	score := map[string]float64{}
	for _, a := range r.Arms {
		if without := a.Name == "distracted, same specialty"; (a.Accuracy == nil) != without { // the phantom names none
			t.Errorf("arm %q: score %v", a.Name, a.Accuracy)
		}
		if a.Accuracy == nil {
			continue
		}
		score[a.Name] = *a.Accuracy
	}
	for name, want := range map[string][2]float64{
		"in context": {0.95, 1}, "zero-shot": {0, 0}, "shuffled": {0.8, 1}, "relevant first": {0.8, 1}, "relevant last": {0.8, 1},
		"distracted": {0.8, 0.99}, "without picture": {0, 0.7}, "grey picture": {0, 0.7}, "another's picture": {0, 0.7}, "majority (a guess)": {0.1, 0.8},
	} {
		if got := score[name]; got < want[0] || got > want[1] {
			t.Errorf("%s scores %v, want %v to %v", name, got, want[0], want[1])
		}
	}
	if a := r.Answers[0].Answer; !strings.HasPrefix(a, "yes") {
		t.Errorf("learns: %q", a)
	}
	for _, at := range []int{1, 2} { // 37 of 40 against 40, and no difference at all
		if a := r.Answers[at].Answer; !strings.HasPrefix(a, "cannot be told") {
			t.Errorf("%s %q", r.Answers[at].Question, a)
		}
	}
	if a := r.Answers[3].Answer; !strings.HasPrefix(a, "yes") {
		t.Errorf("looks: %q", a)
	}
	var text strings.Builder
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + text.String())

	// The same study again asks nothing and says the same.
	again, err := RunStudy(t.Context(), study, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var second strings.Builder
	if err := study.Report(again).Text(&second); err != nil || second.String() != text.String() {
		t.Errorf("%v: the same study again:\n%s", err, second.String())
	}
}
