package icl

import (
	"bufio"
	"encoding/json"
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
		shown, left, err := Arrangement{Order: order}.Show([]card.Sample{s}, nil, card.Shots{}, 0)
		if err != nil || left != 0 || shownAnswers(shown[0]) != want {
			t.Errorf("%s: %q, %d left out, %v; want %q", order, shownAnswers(shown[0]), left, err, want)
		}
	}
	if got := shownAnswers(s); got != "heart lung liver LUNG" {
		t.Errorf("the sample itself was changed: %q", got)
	}
}

func TestSamplesWithoutARelevantDemonstrationAreLeftOut(t *testing.T) {
	samples := []card.Sample{problem("p", "lung", "heart"), problem("q", "lung", "heart", "lung"), problem("r", "lung")}
	shown, left, err := Arrangement{Order: RelevantLast}.Show(samples, nil, card.Shots{}, 0)
	if err != nil || left != 2 || len(shown) != 1 || shown[0].ID != "q" {
		t.Errorf("%d shown, %d left out, %v", len(shown), left, err)
	}
}

func TestShuffleDependsOnSeedAndSampleOnly(t *testing.T) {
	answers := strings.Fields("a b c d e f g h")
	p, q := problem("p", "x", answers...), problem("q", "x", answers...)
	show := func(seed int, samples ...card.Sample) string {
		shown, _, err := Arrangement{Order: Shuffle}.Show(samples, nil, card.Shots{}, seed)
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

func TestOrderComesBeforeShots(t *testing.T) {
	shots, err := card.ParseShots("1")
	if err != nil {
		t.Fatal(err)
	}
	shown, _, err := Arrangement{Order: Reverse}.Show([]card.Sample{problem("p", "x", "a", "b")}, nil, shots, 0)
	if err != nil || shownAnswers(shown[0]) != "b" {
		t.Errorf("shown %q, %v", shownAnswers(shown[0]), err)
	}
}

func TestDistract(t *testing.T) {
	p, q, r, s := problem("p", "x", "a", "b"), problem("q", "y", "c"), problem("r", "z", "d"), problem("s", "w", "e")
	p.Tags, q.Tags = []string{"speciality:radiology"}, []string{"speciality:radiology"}
	r.Tags, s.Tags = []string{"speciality:surgery"}, []string{"speciality:surgery"}
	q.Demonstrations[0].Pictures = p.Pictures // shows the query of p
	all := []card.Sample{p, q, r, s}
	for seed := range 50 {
		shown, _, err := Arrangement{Distract: Targeted}.Show(all[:1], all, card.Shots{}, seed)
		if err != nil {
			t.Fatal(err)
		}
		got := shownAnswers(shown[0])
		if !slices.Contains([]string{"y* a b", "a y* b", "a b y*"}, got) {
			t.Errorf("targeted: %q", got)
		}
		shown, _, err = Arrangement{Distract: Random, DistractCount: 3}.Show(all[:1], all, card.Shots{}, seed)
		if err != nil {
			t.Fatal(err)
		}
		got = shownAnswers(shown[0])
		if strings.Count(got, "*") != 3 || strings.Contains(got, "c*") || strings.Contains(got, "x*") || strings.Contains(got, "a*") {
			t.Errorf("random: %q", got)
		}
	}
	if _, _, err := (Arrangement{Distract: Random, DistractCount: 6}).Show(all[:1], all, card.Shots{}, 0); err == nil {
		t.Error("six distractors out of five")
	}
	first, _, _ := Arrangement{Distract: Random}.Show(all[:1], all, card.Shots{}, 7)
	again, _, _ := Arrangement{Distract: Random}.Show(all, all, card.Shots{}, 7)
	if shownAnswers(first[0]) != shownAnswers(again[0]) {
		t.Error("distractors depend on which samples are asked")
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
	if _, _, err := (Arrangement{Distract: Random, DistractCount: 3}).Show([]card.Sample{p}, append(other, p), card.Shots{}, 0); err == nil {
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

// TestParityOrders compares the orders of up to four demonstrations with those of
// SMMILE++, whose first order is the natural one.
func TestParityOrders(t *testing.T) {
	f, err := os.Open("../../../shared/data/smmile/smmile_plusplus_order.jsonl")
	if err != nil {
		t.Skipf("the orders of SMMILE++ are not beside this checkout: %v", err)
	}
	defer f.Close()
	type order struct {
		Base  string
		Perm  int
		Demos []string
	}
	byBase := map[string][]order{}
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		var o order
		if err := json.Unmarshal(scan.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		byBase[o.Base] = append(byBase[o.Base], o)
	}
	compared := 0
	for base, all := range byBase {
		slices.SortFunc(all, func(a, b order) int { return a.Perm - b.Perm })
		if len(all[0].Demos) > 4 {
			continue
		}
		made := Permute([]card.Sample{problem(base, "x", all[0].Demos...)}, 0)
		if len(made) != len(all) {
			t.Errorf("%s: %d orders, published %d", base, len(made), len(all))
			continue
		}
		for i, o := range all {
			compared++
			var got []string
			for _, d := range made[i].Demonstrations {
				got = append(got, d.References[0])
			}
			if !slices.Equal(got, o.Demos) {
				t.Errorf("%s: order %d is %v, published %v", base, i+1, got, o.Demos)
			}
		}
	}
	t.Logf("%d orders", compared)
	if compared == 0 {
		t.Error("nothing was compared")
	}
}
