package scienceqa

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

func everything(string) bool { return true }

// made is a row with some columns changed.
func made(changes map[string]any) map[string]any {
	row := map[string]any{
		"image": nil, "question": "Which is a metal?", "choices": []any{"wood", "copper"}, "answer": int64(1), "hint": "",
		"task": "closed choice", "grade": "grade4", "subject": "natural science", "topic": "physics", "category": "Materials", "skill": "s", "lecture": "", "solution": "",
	}
	for key, value := range changes {
		row[key] = value
	}
	return row
}

func usual(t *testing.T) Prompt {
	t.Helper()
	p, err := PromptNamed("")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSamples(t *testing.T) {
	rows := HubRows([]map[string]any{
		made(nil),
		made(map[string]any{"image": "sha256:1", "hint": "Look.\nTwice.", "answer": int64(0), "grade": "grade11"}),
	})
	got, err := Samples(rows, "test", usual(t), everything)
	if err != nil {
		t.Fatal(err)
	}
	options := []card.Option{{Letter: "A", Text: "wood"}, {Letter: "B", Text: "copper"}}
	want := []card.Sample{
		{
			ID: "0", Name: "0", Group: "0", Subset: "text", Split: "test", Language: "en", Question: "Which is a metal?",
			Prompt:  "Which is a metal?\nA. wood\nB. copper\nAnswer with the option's letter from the given choices directly.",
			Options: options, Key: "B", References: []string{"copper"}, Shown: "B",
			Tags: []string{"subject:natural science", "context:none", "grades:1-6", "grade:grade4", "topic:physics"},
		},
		{
			ID: "1", Name: "1", Group: "1", Subset: "image", Split: "test", Language: "en", Question: "Which is a metal?", Hint: "Look.\nTwice.",
			Prompt:  "Context: Look.\nTwice.\nWhich is a metal?\nA. wood\nB. copper\nAnswer with the option's letter from the given choices directly.",
			Options: options, Key: "A", References: []string{"wood"}, Shown: "A", Pictures: []string{"sha256:1"},
			Tags: []string{"subject:natural science", "context:text", "context:image", "grades:7-12", "grade:grade11", "topic:physics"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUndecided(t *testing.T) {
	rows := HubRows([]map[string]any{
		made(nil),
		made(map[string]any{"choices": []any{"wood", " Wood"}}),
		made(map[string]any{"choices": []any{"wood"}, "answer": int64(0)}),
		made(map[string]any{"choices": []any{"", "wood"}}),
	})
	samples, err := Samples(rows, "test", usual(t), everything)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1", "2", "3"}, Undecided(samples)); diff != "" {
		t.Error(diff)
	}
}

func TestOfficialPrompt(t *testing.T) {
	p, err := PromptNamed("qcm")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Samples(HubRows([]map[string]any{made(map[string]any{"hint": " A  hint. ", "choices": []any{" wood", "copper"}}), made(nil)}), "test", p, everything)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Question: Which is a metal?\nContext: A hint.\nOptions: (A) wood (B) copper\nAnswer:",
		"Question: Which is a metal?\nContext: N/A\nOptions: (A) wood (B) copper\nAnswer:",
	}
	for i, s := range got {
		if s.Prompt != want[i] || s.Shown != "The answer is B." {
			t.Errorf("%q, shown %q", s.Prompt, s.Shown)
		}
	}
	if _, err := PromptNamed("cqm"); err == nil || !strings.Contains(err.Error(), "want lmms or qcm") {
		t.Errorf("error %v", err)
	}
}

func TestBadRows(t *testing.T) {
	tests := []struct {
		name    string
		changes map[string]any
		column  string
		want    string
	}{
		{"no question", map[string]any{"question": nil}, "question", "is missing"},
		{"blank question", map[string]any{"question": " "}, "question", "is empty"},
		{"no choices", map[string]any{"choices": nil}, "choices", "is missing"},
		{"no choice", map[string]any{"choices": []any{}}, "choices", "is empty"},
		{"text for choices", map[string]any{"choices": "wood"}, "choices", "want a list of texts"},
		{"number as a choice", map[string]any{"choices": []any{"wood", int64(2)}}, "choices", "has element 2, which is 2"},
		{"too many choices", map[string]any{"choices": slices.Repeat([]any{"a"}, 27)}, "choices", "27 given"},
		{"no answer", map[string]any{"answer": nil}, "answer", "is missing"},
		{"answer outside the choices", map[string]any{"answer": int64(2)}, "answer", "is 2, outside of the 2 choices"},
		{"answer below the choices", map[string]any{"answer": int64(-1)}, "answer", "is -1, want a whole number"},
		{"letter for an answer", map[string]any{"answer": "B"}, "answer", `is "B", want a whole number`},
		{"empty reference", map[string]any{"choices": []any{"wood", " "}}, "choices", "has element 2, the answer, which is empty"},
		{"number as a hint", map[string]any{"hint": int64(1)}, "hint", "is 1, want text"},
		{"list as a subject", map[string]any{"subject": []any{}}, "subject", "is a list, want text"},
		{"missing picture", map[string]any{"image": "gone"}, "image", "a picture that is not there: gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Samples(HubRows([]map[string]any{made(nil), made(tt.changes)}), "test", usual(t), func(r string) bool { return r != "gone" })
			var fe *card.FieldError
			if !errors.As(err, &fe) || fe.Row != 1 || fe.Column != tt.column || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want column %s, %q", err, tt.column, tt.want)
			}
			if n := strings.Count(fmt.Sprint(err), "row "); n != 1 {
				t.Errorf("%d errors: %v", n, err)
			}
		})
	}
	var rows []map[string]any
	for range 50 {
		rows = append(rows, map[string]any{})
	}
	if _, err := Samples(HubRows(rows), "test", usual(t), everything); !strings.Contains(fmt.Sprint(err), "stopped after 20 problems") {
		t.Errorf("error %v", err)
	}
}

func TestOriginalRows(t *testing.T) {
	problem := func(pid, split string, image any) map[string]any {
		return made(map[string]any{"pid": pid, "split": split, "image": image})
	}
	rows := []map[string]any{
		problem("1", "train", nil), problem("11", "test", "image.png"), problem("12", "val", "images/image.png"), problem("5", "test", nil), problem("13", "test", "image.png"),
	}
	files := map[string][]string{
		"by split":              {"images/test/11/image.png", "images/val/12/image.png", "images/test/13/image.png"},
		"by split, at the top":  {"test/11/image.png", "val/12/image.png", "test/13/image.png"},
		"by number":             {"images/11/image.png", "images/12/image.png", "images/13/image.png"},
		"by number, at the top": {"11/image.png", "12/image.png", "13/image.png"},
	}
	splits := map[string][]string{"train": {"1"}, "val": {"12"}, "test": {"13", "5", "11"}, "minitest": {"5", "11"}}
	for name, at := range files {
		find := func(names ...string) string {
			for _, n := range names {
				if slices.Contains(at, n) {
					return n
				}
			}
			return ""
		}
		tests := []struct {
			split  string
			splits map[string][]string
			want   []Row
		}{
			{"test", splits, []Row{{4, "13", rows[4], at[2]}, {3, "5", rows[3], ""}, {1, "11", rows[1], at[0]}}},
			{"minitest", splits, []Row{{3, "5", rows[3], ""}, {1, "11", rows[1], at[0]}}},
			{"validation", splits, []Row{{2, "12", rows[2], at[1]}}},
			{"test", nil, []Row{{1, "11", rows[1], at[0]}, {3, "5", rows[3], ""}, {4, "13", rows[4], at[2]}}},
		}
		for _, tt := range tests {
			t.Run(name+"/"+tt.split, func(t *testing.T) {
				got, err := OriginalRows(rows, tt.splits, tt.split, find)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestBadOriginals(t *testing.T) {
	good := func(pid string) map[string]any { return made(map[string]any{"pid": pid, "split": "test"}) }
	nowhere := func(...string) string { return "" }
	tests := []struct {
		name   string
		rows   []map[string]any
		splits map[string][]string
		want   string
	}{
		{"twice", []map[string]any{good("1"), good("1")}, nil, `column "pid" is 1, as in row 1`},
		{"no number", []map[string]any{made(map[string]any{"split": "test"})}, nil, `column "pid" is missing`},
		{"unknown split of a problem", []map[string]any{made(map[string]any{"pid": "1", "split": "dev"})}, nil, `is "dev", want train or val or test`},
		{"in two splits", []map[string]any{good("1")}, map[string][]string{"train": {"1"}, "minitrain": {"1"}, "test": {"1"}}, `reading pid_splits.json: problem "1" is in the splits train and test`},
		{"no such split", []map[string]any{good("1")}, map[string][]string{"train": {"1"}, "val": nil}, `choosing split "test": pid_splits.json has train, val`},
		{"empty split", []map[string]any{good("1")}, map[string][]string{"test": {}}, "there is no problem in it"},
		{"problem that is not there", []map[string]any{good("1")}, map[string][]string{"test": {"2"}}, `problem "2" is not in the data`},
		{"problem twice in a split", []map[string]any{good("1")}, map[string][]string{"test": {"1", "1"}}, `problem "1" is there twice`},
		{"missing picture", []map[string]any{made(map[string]any{"pid": "1", "split": "test", "image": "image.png"})}, nil, `row 1: column "image" names a picture that is not there: images/test/1/image.png`},
		{"picture of another type", []map[string]any{made(map[string]any{"pid": "1", "split": "test", "image": int64(1)})}, nil, `column "image" is 1, want text`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := OriginalRows(tt.rows, tt.splits, "test", nowhere); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	for _, text := range []string{"", "[]", `{"test": "1"}`, `{"test": [1]}`} {
		if _, err := ParseSplits([]byte(text)); err == nil || !strings.Contains(err.Error(), "reading pid_splits.json") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

func TestCount(t *testing.T) {
	rows := HubRows([]map[string]any{made(nil), made(map[string]any{"image": "x", "choices": []any{"a", "b", "c"}}), made(map[string]any{"image": "x"})})
	samples, err := Samples(rows, "test", usual(t), everything)
	if err != nil {
		t.Fatal(err)
	}
	got := Count(samples)
	want := Counts{
		Questions: 3, Pictures: 1, Subsets: map[string]int{"image": 2, "text": 1}, Choices: map[int]int{2: 2, 3: 1}, Keys: map[string]int{"B": 3},
		Tags: map[string]map[string]int{"subject": {"natural science": 3}, "context": {"none": 1, "image": 2}, "grades": {"1-6": 3}, "grade": {"grade4": 3}, "topic": {"physics": 3}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p := Published{Questions: 4, Subsets: map[string]int{"image": 2, "text": 2}, Choices: map[int]int{2: 2, 4: 2}}
	if diff := cmp.Diff([]string{"questions: 3, published 4", "subset text: 1, published 2", "choices 3: 1, published 0", "choices 4: 0, published 2"}, p.Differences(got)); diff != "" {
		t.Error(diff)
	}
}

// TestPublished: the counts of a split add up.
func TestPublished(t *testing.T) {
	sum := func(counts map[string]int) (n int) {
		for _, v := range counts {
			n += v
		}
		return n
	}
	for split, p := range PublishedSplits {
		if got := sum(p.Subsets); got != p.Questions {
			t.Errorf("%s: %d in subsets, %d in all", split, got, p.Questions)
		}
		if got := sum(p.Keys); p.Keys != nil && got != p.Questions {
			t.Errorf("%s: %d by key, %d in all", split, got, p.Questions)
		}
	}
}

// TestParityPrompts: prompts are those that lmms-eval and the authors' code made.
func TestParityPrompts(t *testing.T) {
	f, err := os.Open("../../../shared/vectors/scienceqa_prompts.jsonl")
	if err != nil {
		t.Skip("the vectors that this test compares with are not beside the project")
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var v struct {
			ID, Hint, Caption, Target string
			LMMS                      map[string]string
			Official                  map[string]string `json:"lupantech_zero_shot"`
			Shots                     map[string]string `json:"lupantech_train_example"`
			Letter                    string            `json:"lmms_target"`
		}
		var row map[string]any
		if err := errors.Join(json.Unmarshal(lines.Bytes(), &v), json.Unmarshal(lines.Bytes(), &row)); err != nil {
			t.Fatal(err)
		}
		for _, p := range Prompts {
			samples, err := Samples(HubRows([]map[string]any{row}), "test", p, everything)
			if err != nil {
				t.Fatal(err)
			}
			s, want := samples[0], v.LMMS["default"]
			if p.Name == "qcm" {
				want = v.Official["QCM-ALE"]
			}
			if p.Name == "qcm" && v.Caption != "" {
				continue // captions are not used
			}
			if s.Prompt != want || s.Key != v.Letter {
				t.Errorf("%s, %s: key %s %q, want key %s %q", v.ID, p.Name, s.Key, s.Prompt, v.Letter, want)
			}
			if example := s.Prompt + " " + s.Shown; p.Name == "qcm" && example != v.Shots["QCM-A"] {
				t.Errorf("%s: example %q, want %q", v.ID, example, v.Shots["QCM-A"])
			}
			n++
		}
	}
	if n < 60 {
		t.Errorf("%d vectors", n)
	}
}

// FuzzSamples: whatever rows hold, samples are whole or an error says which row
// is not.
func FuzzSamples(f *testing.F) {
	f.Add([]byte(`[{"pid":"1","split":"test","question":"q","choices":["a","b"],"answer":1,"hint":"h","image":"x.png","grade":"grade2"}]`))
	f.Add([]byte(`[{"question":" ","choices":"a","answer":[],"hint":3,"image":{}},{}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var values []map[string]any
		if json.Unmarshal(data, &values) != nil {
			return
		}
		for _, p := range Prompts {
			samples, err := Samples(HubRows(values), "test", p, everything)
			var fe *card.FieldError
			if err != nil && (!errors.As(err, &fe) || fe.Row >= len(values)) {
				t.Fatalf("error %v", err)
			}
			for _, s := range samples {
				if s.Prompt == "" || s.References[0] == "" || s.Options[s.Key[0]-'A'].Text != s.References[0] {
					t.Errorf("sample %+v", s)
				}
			}
		}
		rows, err := OriginalRows(values, nil, "test", func(names ...string) string { return names[0] })
		if err == nil && len(rows) == 0 {
			t.Error("no rows and no error")
		}
	})
}
