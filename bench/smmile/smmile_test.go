package smmile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
)

func row(problem string, order any, question, answer string, more ...any) map[string]any {
	r := map[string]any{"problem_id": problem, "order": order, "question": question, "answer": answer, "image": problem + fmt.Sprint(order) + ".png"}
	for i := 0; i+1 < len(more); i += 2 {
		r[more[i].(string)] = more[i+1]
	}
	return r
}

func TestProblems(t *testing.T) {
	rows := []map[string]any{
		row("b", int64(3), "Which?\n", " left ", "speciality", "radiology", "flag_rarity", nil, "flag_difficulty_llms", "hard"),
		row("a", int64(1), "Is it?", "Yes"),
		row("b", int64(1), "Which? ", "left", "speciality", "ignored"),
		row("b", 2.0, "Which?", "right", "image", nil),
		row("a", "2", "Is it now?", "No", "image", nil, "flag_rarity", "nan"),
	}
	b := func(id, question, answer, picture string) card.Sample {
		return card.Sample{ID: id, Name: id, Group: id[:1], Subset: "all", Split: "train", Question: question, References: []string{answer}, Pictures: []string{picture}}
	}
	first := b("a", "Is it now?", "No", NoPicture)
	first.Tags = []string{"rarity:none"}
	first.Demonstrations = []card.Sample{b("a/1", "Is it?", "Yes", "a1.png")}
	second := b("b", "Which?\n", " left ", "b3.png")
	second.Tags = []string{"speciality:radiology", "rarity:none", "difficulty:hard"}
	second.Demonstrations = []card.Sample{b("b/1", "Which? ", "left", "b1.png"), b("b/2", "Which?", "right", NoPicture)}
	got, err := Problems(rows)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]card.Sample{first, second}, got); diff != "" {
		t.Error(diff)
	}
}

// TestOrders: the orders of one problem stand by their number, and are one group.
func TestOrders(t *testing.T) {
	var rows []map[string]any
	for _, id := range []string{"u2_perm_1", "u1_perm_10", "u1_perm_2", "u1_perm_1"} {
		rows = append(rows, row(id, int64(2), "q", "b"), row(id, int64(1), "d", "a"))
	}
	got, err := Problems(rows)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range got {
		ids = append(ids, s.ID+" of "+s.Group)
	}
	if diff := cmp.Diff([]string{"u1_perm_1 of u1", "u1_perm_2 of u1", "u1_perm_10 of u1", "u2_perm_1 of u2"}, ids); diff != "" {
		t.Error(diff)
	}
}

// TestEqualOrders: a stable sort leaves rows of equal order as they came.
func TestEqualOrders(t *testing.T) {
	got, err := Problems([]map[string]any{row("a", int64(1), "x", "1"), row("a", int64(1), "y", "2"), row("a", int64(0), "z", "3"), row("a", int64(1), "w", "4")})
	if err != nil {
		t.Fatal(err)
	}
	questions := ""
	for _, d := range got[0].Demonstrations {
		questions += d.Question
	}
	if questions += got[0].Question; questions != "zxyw" {
		t.Errorf("order %s, want zxyw", questions)
	}
}

func TestBadRows(t *testing.T) {
	good := row("a", int64(1), "q", "x")
	with := func(key string, v any) map[string]any { return row("b", int64(1), "q", "x", key, v) }
	tests := []struct {
		name string
		rows []map[string]any
		want string
	}{
		{"no problem", []map[string]any{good, with("problem_id", nil)}, `row 2: column "problem_id" is missing`},
		{"no question", []map[string]any{with("question", nil)}, `row 1: column "question" is missing`},
		{"blank answer", []map[string]any{with("answer", " \n")}, `row 1: column "answer" is empty`},
		{"answer a number", []map[string]any{with("answer", int64(7))}, `row 1: column "answer" is 7, want text`},
		{"no order", []map[string]any{with("order", nil)}, `row 1: column "order" is missing`},
		{"order between", []map[string]any{with("order", 1.5)}, `row 1: column "order" is 1.5, want a whole number`},
		{"order in words", []map[string]any{with("order", "first")}, `row 1: column "order" is first, want a whole number`},
		{"the same row twice", []map[string]any{good, with("order", int64(2)), good}, `row 3: column "order" is 1, and the whole panel is the same as in row 1`},
		{"several", []map[string]any{{}}, "row 1: column \"problem_id\" is missing\nrow 1: column \"question\" is missing\nrow 1: column \"answer\" is missing\nrow 1: column \"order\" is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Problems(tt.rows)
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v\nwant %s", err, tt.want)
			}
		})
	}
	_, err := Problems(slices.Repeat([]map[string]any{{}}, 50))
	if err == nil || strings.Count(err.Error(), "\n") != maxErrors || !strings.HasSuffix(err.Error(), "stopped after 20 problems") {
		t.Errorf("error %v", err)
	}
}

func TestShown(t *testing.T) {
	sample := func(answers ...string) card.Sample {
		s := card.Sample{References: []string{answers[0]}}
		for _, a := range answers[1:] {
			s.Demonstrations = append(s.Demonstrations, card.Sample{References: []string{a}})
		}
		return s
	}
	tests := []struct {
		s    card.Sample
		want string
	}{
		{sample("Yes"), "demonstrations:0 first_match:no last_match:no"},
		{sample("Yes", "Yes"), "demonstrations:1 first_match:yes last_match:yes"},
		{sample("Yes", "Yes ", "No", "Yes"), "demonstrations:3 first_match:no last_match:yes"},
		{sample("Yes", "Yes", "no"), "demonstrations:2 first_match:yes last_match:no"},
	}
	for _, tt := range tests {
		if got := strings.Join(Shown(tt.s), " "); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestFamilyOf(t *testing.T) {
	for _, name := range FamilyNames() {
		if f, err := FamilyOf(name); err != nil || f.Name != name {
			t.Errorf("%s: family %q, error %v", name, f.Name, err)
		}
	}
	if f, err := FamilyOf(""); err != nil || f.Name != "none" || f.System != "" {
		t.Errorf("no name: family %+v, error %v", f, err)
	}
	if _, err := FamilyOf("medgema"); err == nil || !strings.HasSuffix(err.Error(), `did you mean "medgemma"?`) {
		t.Errorf("error %v", err)
	}
}

func TestOneTurn(t *testing.T) {
	medvlm, err := FamilyOf("medvlm-r1")
	if err != nil {
		t.Fatal(err)
	}
	s := card.Sample{Question: "What?", References: []string{"y"}}
	const frame = "\n        %s\n\n        Please provide your response to this question.\n        "
	if text, ok := medvlm.OneTurn(s); !ok || text != fmt.Sprintf(frame, "What?") {
		t.Errorf("got %q", text)
	}
	s.Demonstrations = []card.Sample{{Question: "Which?", References: []string{"x"}}, {Question: "Who?", References: []string{"z "}}}
	want := fmt.Sprintf(frame, "Example 1:\nQuestion: Which?\nAnswer: x\n\nExample 2:\nQuestion: Who?\nAnswer: z \n\nNow answer this question:\nWhat?")
	if text, ok := medvlm.OneTurn(s); !ok || text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	if _, ok := (Family{}).OneTurn(s); ok {
		t.Error("the plain way is in one turn")
	}
}

func TestDifferences(t *testing.T) {
	b := Benchmark{Counts: Counts{
		Problems: 2, Panels: 6, Demonstrations: map[int]int{2: 2},
		Tags: map[string]map[string]int{"image_type": {"CT": 1, "MRI": 1}, "first_match": {"yes": 1, "no": 1}, "rarity": {"common": 2}},
	}}
	if got := b.Differences(b.Counts); got != nil {
		t.Errorf("the same differs: %q", got)
	}
	samples, err := Problems([]map[string]any{
		row("a", int64(1), "q", "x"), row("a", int64(2), "q", "y", "flag_image_type", "CT"), row("b", int64(1), "q", "x", "flag_image_type", "PET", "image", nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := Count(samples)
	want := []string{
		"panels: 3, published 6", "problems with 0 demonstrations: 1, published 0", "problems with 1 demonstrations: 1, published 0",
		"problems with 2 demonstrations: 0, published 2", "first match no: 2, published 1", "first match yes: 0, published 1",
		"image type MRI: 0, published 1", "image type PET: 1, published 0", "rarity: not in the data",
	}
	if diff := cmp.Diff(want, b.Differences(c)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"b/1"}, c.NoPicture); diff != "" {
		t.Error(diff)
	}
}

// TestPublished: the counts that are given together agree.
func TestPublished(t *testing.T) {
	for _, b := range Benchmarks {
		problems, panels := 0, 0
		for k, n := range b.Counts.Demonstrations {
			problems += n
			panels += n * (k + 1)
		}
		if problems != b.Counts.Problems || panels != b.Counts.Panels {
			t.Errorf("%s: %d problems and %d panels by their demonstrations", b.Name, problems, panels)
		}
		for tag, values := range b.Counts.Tags {
			sum := 0
			for _, n := range values {
				sum += n
			}
			if sum != b.Counts.Problems {
				t.Errorf("%s: %d problems by %s", b.Name, sum, tag)
			}
		}
	}
}

// shared reads a file of rebuilt texts of the data, which have a licence of their
// own and lie beside the project.
func shared(t *testing.T, name string) []map[string]any {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../shared/data/smmile", name))
	if err != nil {
		t.Skipf("the texts of the data set are not here: %v", err)
	}
	defer f.Close()
	var rows []map[string]any
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var r map[string]any
		if err := json.Unmarshal(scan.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestParityTexts counts the whole of SMMILE. The flags are not among its texts.
func TestParityTexts(t *testing.T) {
	samples, err := Problems(shared(t, "smmile_text.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := ByName(Name)
	for _, d := range b.Differences(Count(samples)) {
		if !strings.HasSuffix(d, ": not in the data") {
			t.Error(d)
		}
	}
	blank := 0
	for _, s := range samples {
		for _, p := range append(slices.Clone(s.Demonstrations), s) {
			if strings.TrimSpace(p.References[0]) != p.References[0] {
				blank++
			}
		}
	}
	if blank != 65 {
		t.Errorf("%d answers with blanks around them, want 65", blank)
	}
}

// TestParityOrdersPublished counts the whole of SMMILE++, built from SMMILE's texts.
func TestParityOrdersPublished(t *testing.T) {
	var rows []map[string]any
	var want []string
	for _, o := range shared(t, "smmile_plusplus_order.jsonl") {
		id := o["problem_id"].(string)
		want = append(want, id)
		answers := append(o["demos"].([]any), o["query_answer"])
		for i, a := range answers {
			rows = append(rows, row(id, float64(i+1), "q", a.(string)))
		}
	}
	slices.Reverse(rows)
	samples, err := Problems(rows)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range samples {
		got = append(got, s.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b, _ := ByName(NamePlus)
	if diff := b.Differences(Count(samples)); diff != nil {
		t.Error(diff)
	}
}
