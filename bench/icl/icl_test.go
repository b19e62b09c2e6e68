package icl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
)

// problem is a sample whose demonstrations have the answers.
func problem(id, answer string, answers ...string) card.Sample {
	s := card.Sample{ID: id, Group: id, Question: "Which?", References: []string{answer}, Pictures: []string{id + ".png"}}
	for i, a := range answers {
		s.Demonstrations = append(s.Demonstrations, card.Sample{
			ID: fmt.Sprintf("%s/%d", id, i+1), Group: id, Question: "Which?", References: []string{a}, Pictures: []string{fmt.Sprintf("%s-%d.png", id, i+1)},
		})
	}
	return s
}

// byName is a stock of pictures that their references name.
func byName(all ...card.Sample) Stock {
	return Stock{All: all, Content: func(reference string) string { return reference }}
}

// shownAnswers are the answers that a sample shows, those put in with a star.
func shownAnswers(s card.Sample) string {
	var all []string
	for _, d := range s.Demonstrations {
		text := d.References[0]
		if d.Inserted {
			text += "*"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func TestOrders(t *testing.T) {
	s := problem("p", "Lung.", "heart", "lung", "liver", "LUNG")
	for order, want := range map[string]string{
		"": "heart lung liver LUNG", Natural: "heart lung liver LUNG", Reverse: "LUNG liver lung heart",
		RelevantFirst: "lung LUNG heart liver", RelevantLast: "heart liver lung LUNG",
	} {
		shown, left, err := Arrangement{Order: order}.Show([]card.Sample{s}, byName(), card.Shots{}, 0)
		if err != nil || left != (Tally{}) || shownAnswers(shown[0]) != want {
			t.Errorf("%s: %q, %+v, %v; want %q", order, shownAnswers(shown[0]), left, err, want)
		}
	}
	if got := shownAnswers(s); got != "heart lung liver LUNG" {
		t.Errorf("the sample itself was changed: %q", got)
	}
}

func TestSamplesWithoutARelevantDemonstrationAreLeftOut(t *testing.T) {
	samples := []card.Sample{problem("p", "lung", "heart"), problem("q", "lung", "heart", "lung"), problem("r", "lung")}
	shown, left, err := Arrangement{Order: RelevantLast}.Show(samples, byName(), card.Shots{}, 0)
	if err != nil || left.LeftOut != 2 || len(shown) != 1 || shown[0].ID != "q" {
		t.Errorf("%d shown, %+v, %v", len(shown), left, err)
	}
}

func TestShuffleDependsOnSeedAndSampleOnly(t *testing.T) {
	answers := strings.Fields("a b c d e f g h")
	p, q := problem("p", "x", answers...), problem("q", "x", answers...)
	show := func(seed int, samples ...card.Sample) string {
		shown, _, err := Arrangement{Order: Shuffle}.Show(samples, byName(), card.Shots{}, seed)
		if err != nil {
			t.Fatal(err)
		}
		return shownAnswers(shown[len(shown)-1])
	}
	alone := show(0, p)
	if alone != show(0, q, p) || alone == show(1, p) || alone == show(0, q) || alone == "a b c d e f g h" {
		t.Errorf("shuffled %q", alone)
	}
	sorted := strings.Fields(alone)
	slices.Sort(sorted)
	if !slices.Equal(sorted, answers) {
		t.Errorf("shuffled %q", alone)
	}
}

// TestOrderMovesWhatShotsShow: an order changes the places of the demonstrations
// that are shown without it, and no others come in.
func TestOrderMovesWhatShotsShow(t *testing.T) {
	shots, err := card.ParseShots("2")
	if err != nil {
		t.Fatal(err)
	}
	all := []card.Sample{problem("p", "x", "a", "x", "b"), problem("q", "x", "a", "b", "x")}
	for order, want := range map[string][]string{
		Natural: {"a x", "a b"}, Reverse: {"x a", "b a"}, RelevantFirst: {"x a"}, RelevantLast: {"a x"},
	} {
		shown, tally, err := Arrangement{Order: order}.Show(all, byName(), shots, 0)
		var got []string
		for _, s := range shown {
			got = append(got, shownAnswers(s))
		}
		if err != nil || !slices.Equal(got, want) || tally.LeftOut != len(all)-len(want) {
			t.Errorf("%s: shown %q, %+v, %v, want %q", order, got, tally, err, want)
		}
	}
	for seed := range 20 {
		shown, _, err := Arrangement{Order: Shuffle}.Show(all[:1], byName(), shots, seed)
		if got := shownAnswers(shown[0]); err != nil || got != "a x" && got != "x a" {
			t.Errorf("shuffled: shown %q, %v", got, err)
		}
	}
}

func TestDistract(t *testing.T) {
	p, q, r, s := problem("p", "x", "a", "b"), problem("q", "y", "c"), problem("r", "z", "d"), problem("s", "w", "e")
	p.Tags, q.Tags = []string{"speciality:radiology"}, []string{"speciality:radiology"}
	r.Tags, s.Tags = []string{"speciality:surgery"}, []string{"speciality:surgery"}
	q.Demonstrations[0].Pictures = p.Pictures // shows the query of p
	all := []card.Sample{p, q, r, s}
	for seed := range 50 {
		shown, _, err := Arrangement{Distract: Targeted}.Show(all[:1], byName(all...), card.Shots{}, seed)
		if err != nil {
			t.Fatal(err)
		}
		got := shownAnswers(shown[0])
		if !slices.Contains([]string{"y* a b", "a y* b", "a b y*"}, got) {
			t.Errorf("targeted: %q", got)
		}
		shown, _, err = Arrangement{Distract: Random, DistractCount: 3}.Show(all[:1], byName(all...), card.Shots{}, seed)
		if err != nil {
			t.Fatal(err)
		}
		got = shownAnswers(shown[0])
		if strings.Count(got, "*") != 3 || strings.Contains(got, "c*") || strings.Contains(got, "x*") || strings.Contains(got, "a*") {
			t.Errorf("random: %q", got)
		}
	}
	if _, _, err := (Arrangement{Distract: Random, DistractCount: 6}).Show(all[:1], byName(all...), card.Shots{}, 0); err == nil {
		t.Error("six distractors out of five")
	}
	first, _, _ := Arrangement{Distract: Random}.Show(all[:1], byName(all...), card.Shots{}, 7)
	again, _, _ := Arrangement{Distract: Random}.Show(all, byName(all...), card.Shots{}, 7)
	if shownAnswers(first[0]) != shownAnswers(again[0]) {
		t.Error("distractors depend on which samples are asked")
	}
}

// TestDistractorsAreShownAsDemonstrationsAre: a query that was made multiple
// choice is an open question where it distracts a problem with demonstrations of
// its own, and keeps its words where demonstrations are drawn.
func TestDistractorsAreShownAsDemonstrationsAre(t *testing.T) {
	p, q := problem("p", "x", "a"), problem("q", "y")
	q.Prompt, q.Key, q.Shown = "Choose.", "A", "The answer is A."
	q.Options = []card.Option{{Letter: "A", Text: "y"}}
	inserted := func(all ...card.Sample) card.Sample {
		shown, _, err := Arrangement{Distract: Random}.Show(all[:1], byName(all...), card.Shots{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(shown[0].Demonstrations, func(d card.Sample) bool { return d.Inserted })
		return shown[0].Demonstrations[at]
	}
	if d := inserted(p, q); d.Prompt != "Choose." || d.Reply() != "The answer is A." {
		t.Errorf("drawn: %q, answered %q", d.Prompt, d.Reply())
	}
	q.Demonstrations = problem("q", "y", "y").Demonstrations
	q.Demonstrations[0].References, q.Demonstrations[0].Pictures = nil, nil // cannot be shown
	if d := inserted(p, q); d.Prompt != "" || d.Reply() != "y" || d.Options != nil {
		t.Errorf("of a problem with its own: %q, answered %q", d.Prompt, d.Reply())
	}
}

func TestNoDistractorShowsTheQuerysPicture(t *testing.T) {
	all := []card.Sample{problem("p", "x"), problem("q", "y"), problem("r", "z")}
	stock := Stock{All: all, Content: func(reference string) string { return strings.Replace(reference, "q", "p", 1) }} // q is a copy of p
	for seed := range 20 {
		shown, _, err := Arrangement{Distract: Random}.Show(all[:1], stock, card.Shots{}, seed)
		if err != nil || shownAnswers(shown[0]) != "z*" {
			t.Fatalf("seed %d: %q, %v", seed, shownAnswers(shown[0]), err)
		}
	}
}

func TestTooFewOfASpecialty(t *testing.T) {
	all := []card.Sample{problem("p", "x"), problem("q", "y"), problem("r", "z"), problem("s", "w")}
	all[0].Tags, all[1].Tags, all[2].Tags = []string{"specialty:a"}, []string{"specialty:a"}, []string{"specialty:b"}
	all[3].Subset = "other"
	for n, want := range map[int]string{1: "y*", 2: "y* z*"} {
		shown, tally, err := Arrangement{Distract: Targeted, DistractCount: n}.Show(all[:1], byName(all...), card.Shots{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(shownAnswers(shown[0]))
		slices.Sort(got)
		if strings.Join(got, " ") != want || tally.Elsewhere != n-1 {
			t.Errorf("%d: %v, %+v", n, got, tally)
		}
	}
	if _, _, err := (Arrangement{Distract: Targeted, DistractCount: 3}).Show(all[:1], byName(all...), card.Shots{}, 0); err == nil {
		t.Error("another subset's were put in")
	}
}

// TestNoDistractorGivesTheQuerysAnswer: not in other words for it either. A sample
// for which there is no other is left out.
func TestNoDistractorGivesTheQuerysAnswer(t *testing.T) {
	all := []card.Sample{problem("p", "Lung"), problem("q", "lung."), problem("r", "heart"), problem("s", "right lung")}
	all[3].References = append(all[3].References, "LUNG")
	for seed := range 20 {
		shown, _, err := Arrangement{Distract: Random}.Show(all[:1], byName(all...), card.Shots{}, seed)
		if err != nil || shownAnswers(shown[0]) != "heart*" {
			t.Fatalf("seed %d: %q, %v", seed, shownAnswers(shown[0]), err)
		}
	}
	all[2].References = []string{"lung"}
	shown, tally, err := Arrangement{Distract: Random}.Show(all, byName(all...), card.Shots{}, 0)
	if err != nil || len(shown) != 0 || tally != (Tally{Spared: 4}) {
		t.Errorf("%d shown, %+v, %v", len(shown), tally, err)
	}
}

// TestNoDistractorIsBroken: a picture that cannot be sent spoils the samples that it
// belongs to, and no other.
func TestNoDistractorIsBroken(t *testing.T) {
	all := []card.Sample{problem("p", "x"), problem("q", "y"), problem("r", "z")}
	stock := byName(all...)
	stock.Broken = func(reference string) bool { return reference == "q.png" }
	for seed := range 20 {
		shown, _, err := Arrangement{Distract: Random}.Show(all[:1], stock, card.Shots{}, seed)
		if err != nil || shownAnswers(shown[0]) != "z*" {
			t.Fatalf("seed %d: %q, %v", seed, shownAnswers(shown[0]), err)
		}
	}
}

// TestNoSpecialty: distractors of the same specialty need one; a sample that has
// none among others that have is distracted by its subset, and counted.
func TestNoSpecialty(t *testing.T) {
	all := []card.Sample{problem("p", "x"), problem("q", "y"), problem("r", "z")}
	if _, _, err := (Arrangement{Distract: Targeted}).Show(all, byName(all...), card.Shots{}, 0); !errors.Is(err, ErrNoSpecialty) {
		t.Errorf("error %v, want %v", err, ErrNoSpecialty)
	}
	all[1].Tags, all[2].Tags = []string{"specialty:a"}, []string{"specialty:a"}
	shown, tally, err := Arrangement{Distract: Targeted}.Show(all, byName(all...), card.Shots{}, 0)
	if err != nil || len(shown) != 3 || tally != (Tally{Elsewhere: 1}) {
		t.Errorf("%d shown, %+v, %v", len(shown), tally, err)
	}
}

func TestRelevantToAnyReference(t *testing.T) {
	query := card.Sample{References: []string{"left lung", "Lung"}}
	for answer, want := range map[string]bool{"lung.": true, "left lung": true, "heart": false, "": false} {
		if got := Relevant(card.Sample{References: []string{answer}}, query); got != want {
			t.Errorf("%q: %t", answer, got)
		}
	}
}

func TestDistractorsAreDrawnOnce(t *testing.T) {
	p := problem("p", "x", "a")
	other := []card.Sample{problem("q_perm_1", "y", "c"), problem("q_perm_2", "y", "c")}
	for i := range other {
		other[i].Group = "q"
		other[i].Pictures = []string{"q.png"}
		other[i].Demonstrations[0].Group = "q"
		other[i].Demonstrations[0].Pictures = []string{"q1.png"}
	}
	if _, _, err := (Arrangement{Distract: Random, DistractCount: 3}).Show([]card.Sample{p}, byName(append(other, p)...), card.Shots{}, 0); err == nil {
		t.Error("a demonstration of two orders of one problem was put in twice")
	}
}

func TestSwap(t *testing.T) {
	all := []card.Sample{problem("p", "x"), problem("q", "x"), problem("r", "x"), {ID: "text"}}
	content := func(reference string) string { return strings.TrimPrefix(strings.TrimSuffix(reference, ".png"), "q") } // q is what "" is
	all[1].Pictures = []string{"p.png"}
	got := Swap([]card.Sample{all[0], all[2], all[3]}, all, content)
	want := map[string][]string{"p": {"r.png"}, "r": {"p.png"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	unread := func(reference string) string { return strings.TrimPrefix(reference, "r.png") }
	if got := Swap(all[:1], all, unread); len(got) > 0 {
		t.Errorf("a picture that cannot be read was taken: %v", got)
	}
	if got := Swap(all[:2], all[:2], content); len(got) > 0 {
		t.Errorf("equal pictures were swapped: %v", got)
	}
}

func TestCheck(t *testing.T) {
	for _, a := range []Arrangement{{Order: "backwards"}, {Distract: "some"}, {Ablate: "black"}, {DistractCount: -1}} {
		if a.Check() == nil {
			t.Errorf("%+v was taken", a)
		}
	}
	a := Arrangement{Order: Reverse, Distract: Targeted, DistractCount: 2, Ablate: Blank}
	if err := a.Check(); err != nil || a.String() != "order reverse, 2 targeted distractors, query picture blank" {
		t.Errorf("%v: %q", err, a)
	}
	if text := (Arrangement{Order: Natural, Distract: None, DistractCount: 1, Ablate: Keep}).String(); text != "" {
		t.Errorf("nothing is %q", text)
	}
}

func TestPermute(t *testing.T) {
	var got []string
	for _, s := range Permute([]card.Sample{problem("p", "x", "a", "b", "c")}, 0) {
		got = append(got, s.ID+" "+s.Group+" "+shownAnswers(s))
	}
	want := []string{"p_perm_1 p a b c", "p_perm_2 p a c b", "p_perm_3 p b a c", "p_perm_4 p b c a", "p_perm_5 p c a b", "p_perm_6 p c b a"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	seen := map[string]bool{}
	many := Permute([]card.Sample{problem("p", "x", strings.Fields("a b c d e")...)}, 0)
	for _, s := range many {
		seen[shownAnswers(s)] = true
	}
	if len(many) != 24 || len(seen) != 24 || shownAnswers(many[0]) == "a b c d e" {
		t.Errorf("%d orders, %d different, the first %q", len(many), len(seen), shownAnswers(many[0]))
	}
}

// sharedLines are the objects of a file of lines that lies beside the project.
func sharedLines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open("../../../shared/data/smmile/" + name)
	if err != nil {
		t.Skipf("the data of SMMILE are not beside this checkout: %v", err)
	}
	defer f.Close()
	var all []T
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		var x T
		if err := json.Unmarshal(scan.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

// TestParityOrders makes SMMILE++ of SMMILE and compares the orders of up to four
// demonstrations with those that were published. One problem has a demonstration
// fewer there.
func TestParityOrders(t *testing.T) {
	published := map[string][]string{}
	for _, o := range sharedLines[struct {
		ID    string `json:"problem_id"`
		Demos []string
	}](t, "smmile_plusplus_order.jsonl") {
		published[o.ID] = o.Demos
	}
	demonstrations := map[string][]string{}
	for _, panel := range sharedLines[struct {
		ID           string `json:"problem_id"`
		Role, Answer string
	}](t, "smmile_text.jsonl") { // in rising order
		if panel.Role == "demo" {
			demonstrations[panel.ID] = append(demonstrations[panel.ID], panel.Answer)
		}
	}
	compared, shorter := 0, 0
	for id, answers := range demonstrations {
		first := published[id+"_perm_1"]
		switch {
		case first == nil: // not in SMMILE++
			continue
		case len(first) != len(answers):
			shorter++
			continue
		case len(answers) > 4:
			continue
		}
		for _, s := range Permute([]card.Sample{problem(id, "x", answers...)}, 0) {
			var got []string
			for _, d := range s.Demonstrations {
				got = append(got, d.References[0])
			}
			compared++
			if want := published[s.ID]; !slices.Equal(got, want) {
				t.Errorf("%s: %q, published %q", s.ID, got, want)
			}
		}
	}
	t.Logf("%d orders", compared)
	if compared < 500 || shorter != 1 {
		t.Errorf("%d orders were compared, %d problems are shorter", compared, shorter)
	}
}
