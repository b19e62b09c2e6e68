package smmile

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
	"lightbox/score"
	"lightbox/score/analysis"
)

// TestMersenne has what CPython 3.11 gives after random.seed(42).
func TestMersenne(t *testing.T) {
	m := pythonRandom(42)
	var got []uint32
	for range 3 {
		got = append(got, m.uint32())
	}
	if diff := cmp.Diff([]uint32{2746317213, 478163327, 107420369}, got); diff != "" {
		t.Error(diff)
	}
	m = pythonRandom(42)
	list := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	m.shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if diff := cmp.Diff([]int{7, 3, 2, 8, 5, 6, 9, 4, 0, 1}, list); diff != "" {
		t.Error(diff)
	}
	for range 2000 { // beyond the first state
		m.below(7)
	}
}

func choiceProblem(id, question string, answers ...string) card.Sample {
	s := card.Sample{ID: id, Question: question}
	for _, a := range answers[:len(answers)-1] {
		s.Demonstrations = append(s.Demonstrations, card.Sample{Question: "Which?", References: []string{a}})
	}
	s.References = []string{answers[len(answers)-1]}
	return s
}

func TestMultipleChoice(t *testing.T) {
	samples := []card.Sample{
		choiceProblem("p", "What is it?", "nodule", "mass", "nodule", "cyst"),
		choiceProblem("q", "Is it?", "Yes", "Yes ", "No", "Yes"),
		choiceProblem("r", "Single?", "one", "one"),
	}
	made, err := MultipleChoice(samples, Family{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range made {
		text := s.Key
		for _, o := range s.Options {
			text += " " + o.Letter + "=" + o.Text
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"C B=mass A=nodule C=cyst", "A C=No B=Yes  A=Yes", "A A=one"}, got); diff != "" {
		t.Error(diff)
	}
	want := "\nWhat is it?\n\nPlease select the best answer from the following options:\nB. mass\nA. nodule\nC. cyst\n\nYour task:\n" +
		"1. Think through the question, enclose your reasoning process in <think>...</think> tags.\n" +
		"2. Then provide the correct single-letter choice (A, B, C, D, E, F, ...) inside <answer>...</answer> tags.\n" +
		"Example of the expected format:\n<think>This is my thought.</think>\n<answer>Correct letter.</answer>\n"
	if diff := cmp.Diff(want, made[0].Prompt); diff != "" {
		t.Error(diff)
	}
	notes := strings.Join(ChoiceNotes(made), "; ")
	for _, part := range []string{"A 2, C 1", "1 problems have two options", "1 problems have a single option"} {
		if !strings.Contains(notes, part) {
			t.Errorf("notes %q lack %q", notes, part)
		}
	}
	if samples[0].Key != "" || samples[0].Options != nil {
		t.Error("the samples themselves were changed")
	}
}

// TestOptionsDoNotDependOnWhatIsAsked: the draws go through the whole data set.
func TestOptionsDoNotDependOnWhatIsAsked(t *testing.T) {
	all := []card.Sample{choiceProblem("p", "?", "a", "b", "c", "d"), choiceProblem("q", "?", "a", "b", "c", "d"), choiceProblem("r", "?", "a", "b", "c", "d")}
	made, err := MultipleChoice(all, Family{})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := MultipleChoice(all[2:], Family{})
	if err != nil {
		t.Fatal(err)
	}
	if cmp.Equal(made[2].Options, alone[0].Options) {
		t.Fatal("the two orders happen to be equal: the test needs others")
	}
	asked, err := card.Select(made, card.Selection{IDs: []string{"r"}}) // --ids
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(made[2:], asked); diff != "" {
		t.Errorf("asked alone (-of all +alone):\n%s", diff)
	}
	if cmp.Equal(made[0].Options, made[1].Options) && cmp.Equal(made[1].Options, made[2].Options) {
		t.Error("three problems have the same order")
	}
}

func TestMedVLMR1HasAKeyOfItsOwn(t *testing.T) {
	f, err := FamilyOf("medvlm-r1")
	if err != nil {
		t.Fatal(err)
	}
	made, err := MultipleChoice([]card.Sample{choiceProblem("p", "Where?", "Yes - left", "Yes")}, f)
	if err != nil {
		t.Fatal(err)
	}
	s := made[0]
	if own := score.SmmileD.Key(s.Key, optionsOf(s)); s.Key != "B" || own != "A" {
		t.Errorf("key %s, that of the script %s, of %v", s.Key, own, s.Options)
	}
	text, ok := f.OneTurn(s)
	if !ok || !strings.HasPrefix(text, "\nExample 1:\nQuestion: Which?\nA) Yes - left\nB) Yes\nAnswer: A\n\nNow answer this question:\nWhere?\nA) Yes - left\nB) Yes\n\nYour task:\n") {
		t.Errorf("turn %q", text)
	}
}

// wholeSets are all problems of SMMILE and SMMILE++ in the order of their ids,
// out of texts that lie beside the project.
func wholeSets(t *testing.T) map[string][]card.Sample {
	t.Helper()
	base, err := Problems(shared(t, "smmile_text.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	for _, o := range shared(t, "smmile_plusplus_order.jsonl") {
		for i, a := range append(o["demos"].([]any), o["query_answer"]) {
			rows = append(rows, row(o["problem_id"].(string), float64(i+1), "q", a.(string)))
		}
	}
	plus, err := Problems(rows)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]card.Sample{"SMMILE": base, "SMMILE++": plus}
}

// TestParityOptions compares every recorded list of options, its order and key.
func TestParityOptions(t *testing.T) {
	made := map[string]map[string]card.Sample{}
	for set, samples := range wholeSets(t) {
		all, err := MultipleChoice(samples, Family{})
		if err != nil {
			t.Fatal(err)
		}
		made[set] = map[string]card.Sample{}
		for _, s := range all {
			made[set][s.ID] = s
		}
	}
	n := 0
	for _, v := range sharedVectors(t, "smmile_mcqa_options.jsonl") {
		n++
		s := made[v["dataset"].(string)][v["problem_id"].(string)]
		var got []any
		for _, o := range s.Options {
			got = append(got, []any{o.Letter, o.Text})
		}
		if diff := cmp.Diff(v["displayed_options"].([]any), got); diff != "" || s.Key != v["correct_option"] {
			t.Errorf("%v: key %s, want %v; options (-want +got):\n%s", v["id"], s.Key, v["correct_option"], diff)
		}
	}
	t.Logf("%d lists of options", n)
}

// TestParityKeysOfMedVLMR1 decides on the published replies with the options of the
// data, whose keys are not those of the script, as the published file does.
func TestParityKeysOfMedVLMR1(t *testing.T) {
	f, err := os.Open("../../../shared/data/smmile/results/result_MedVLM-R1_ICL_mcqa.csv")
	if err != nil {
		t.Skipf("the published files are not here: %v", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	family, _ := FamilyOf("medvlm-r1")
	samples, err := MultipleChoice(wholeSets(t)["SMMILE"], family)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]card.Sample{}
	for _, s := range samples {
		by[s.ID] = s
	}
	rule, err := score.RuleNamed(family.ChoiceRules()[1])
	if err != nil {
		t.Fatal(err)
	}
	keys, otherwise := 0, 0
	for _, row := range rows[1:] { // problem_id, original_question, correct_letter, correct_answer, extracted_answer, is_correct, full_response
		s := by[row[0]]
		v := rule.Verdict(score.Case{Response: row[6], References: s.References, Options: optionsOf(s), Key: s.Key})
		right := row[5] == "True"
		if own := score.SmmileD.Key(s.Key, optionsOf(s)); own != row[2] || (v.Outcome == score.Correct) != right {
			t.Errorf("%s: key %s, published %s; %+v, published %t", row[0], own, row[2], v, right)
		}
		if row[2] != s.Key {
			keys++
		}
		if right != (v.Answer == s.Key) {
			otherwise++
		}
	}
	if len(rows) != 112 || keys != 4 || otherwise != 2 {
		t.Errorf("%d rows, %d keys differ, %d decisions, want 112, 4 and 2", len(rows), keys, otherwise)
	}
}

// TestParityBaselines compares the majority and the random choice of a letter.
// The published random open answers came from another stream and are left out.
func TestParityBaselines(t *testing.T) {
	want := map[string]map[string]any{}
	for _, v := range sharedVectors(t, "smmile_baselines.jsonl") {
		want[v["dataset"].(string)+v["problem_id"].(string)] = v
	}
	n := 0
	for set, samples := range wholeSets(t) {
		all, err := MultipleChoice(samples, Family{})
		if err != nil {
			t.Fatal(err)
		}
		random := numpyRandom(42)
		for _, s := range all {
			draw := s.Options[random.choice(len(s.Options))].Letter
			v, ok := want[set+s.ID]
			if !ok {
				continue
			}
			n++
			var shown []string
			for _, d := range s.Demonstrations {
				shown = append(shown, d.References[0])
			}
			majority := analysis.MostFrequent(shown)
			if letter := card.KeyOf(s.Options, majority); majority != v["majority_open"] || letter != v["majority_mcqa"] {
				t.Errorf("%s: the majority is %q, %s, want %v, %v", s.ID, majority, letter, v["majority_open"], v["majority_mcqa"])
			}
			if draw != v["random_mcqa_seed42"] {
				t.Errorf("%s: draws %s, want %v", s.ID, draw, v["random_mcqa_seed42"])
			}
		}
	}
	t.Logf("%d draws", n)
	if n != len(want) {
		t.Errorf("%d of %d rows were compared", n, len(want))
	}
}

// TestParityMajority: the table of baselines scores what was recorded, open and as
// multiple choice.
func TestParityMajority(t *testing.T) {
	recorded := map[string]map[string]any{}
	for _, v := range sharedVectors(t, "smmile_baselines.jsonl") {
		recorded[v["dataset"].(string)+v["problem_id"].(string)] = v
	}
	for set, samples := range wholeSets(t) {
		asChoice, err := MultipleChoice(samples, Family{})
		if err != nil {
			t.Fatal(err)
		}
		for _, choice := range []bool{false, true} {
			run, right := analysis.Run{Primary: score.ExactMatch}, 0
			for i, s := range samples {
				v, ok := recorded[set+s.ID]
				if !ok {
					continue
				}
				x := analysis.Sample{ID: s.ID, Subset: "all", References: s.References, Verdicts: []score.Verdict{{Metric: score.ExactMatch, Outcome: score.Incorrect}}}
				for _, d := range s.Demonstrations {
					x.Answers = append(x.Answers, d.References[0])
				}
				correct := score.Normalize(v["majority_open"].(string)) == score.Normalize(v["true_answer"].(string))
				if choice {
					x.Key = asChoice[i].Key
					for _, o := range asChoice[i].Options {
						x.Options = append(x.Options, score.Option(o))
					}
					correct = v["majority_mcqa"] == v["correct_option"]
				}
				if correct {
					right++
				}
				run.Samples = append(run.Samples, x)
			}
			table, ok := run.Baselines()
			n := len(run.Samples)
			if !ok || table.Rows[0][1] != n || table.Rows[0][2] != float64(right)/float64(n) {
				t.Errorf("%s, choice %t: %v, want %d of %d", set, choice, table.Rows, right, n)
			}
			t.Logf("%s, choice %t: %d of %d", set, choice, right, n)
		}
	}
}

// numpyRandom is numpy's legacy generator after numpy.random.seed(seed).
func numpyRandom(seed uint32) *mersenne {
	m := &mersenne{}
	m.fill(seed)
	return m
}

// choice is a place among n, as numpy's legacy choice draws it.
func (m *mersenne) choice(n int) int {
	if n == 1 {
		return 0
	}
	mask := uint32(1)<<bits.Len(uint(n-1)) - 1
	for {
		if r := m.uint32() & mask; int(r) < n {
			return int(r)
		}
	}
}

// sharedVectors reads recorded decisions that lie beside the project.
func sharedVectors(t *testing.T, name string) []map[string]any {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../shared/vectors", name))
	if err != nil {
		t.Skipf("the recorded decisions are not here: %v", err)
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
