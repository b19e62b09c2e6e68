package slake

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

// made is a row with some columns changed; a value of absent takes one out.
func made(changes map[string]any) map[string]any {
	row := map[string]any{
		"qid": int64(7), "img_id": int64(2), "img_name": "xmlab2/source.jpg", "question": " Which organ is this? ", "answer": "Liver", "q_lang": "en",
		"location": "Abdomen", "modality": "CT", "answer_type": "OPEN", "base_type": "vqa", "triple": []any{"vhead", "_", "_"}, "content_type": "Organ",
	}
	for key, value := range changes {
		if row[key] = value; value == absent {
			delete(row, key)
		}
	}
	return row
}

const absent = "\x00absent"

func TestSamples(t *testing.T) {
	rows := []map[string]any{
		made(nil),
		made(map[string]any{"qid": "8", "q_lang": "zh", "answer_type": "CLOSED", "question": "图中有肝脏吗？\u3000\x1f", "answer": "有", "location": absent, "content_type": nil}),
	}
	got, err := Samples(rows, "train", everything)
	if err != nil {
		t.Fatal(err)
	}
	want := []card.Sample{
		{
			ID: "7", Name: "7", Group: "xmlab2/source.jpg", Subset: "en_open", Split: "train", Language: "en",
			Question:   " Which organ is this? ",
			Prompt:     "Which organ is this?\nAnswer the question with a single word or phrase in English.\nThe last line of your response must be of the form \"ANSWER: <answer>\" (without quotes).",
			Pictures:   []string{"imgs/xmlab2/source.jpg"},
			References: []string{"Liver"}, Shown: "ANSWER: Liver",
			Tags: []string{"language:en", "answer_type:OPEN", "base_type:vqa", "content_type:Organ", "modality:CT", "location:Abdomen"},
		},
		{
			ID: "8", Name: "8", Group: "xmlab2/source.jpg", Subset: "zh_closed", Split: "train", Language: "zh",
			Question:   "图中有肝脏吗？\u3000\x1f",
			Prompt:     "图中有肝脏吗？\n请用一个中文词语或短语回答问题。\n回答的最后一行必须是 \"ANSWER: <答案>\" 的形式（不含引号）。",
			Pictures:   []string{"imgs/xmlab2/source.jpg"},
			References: []string{"有"}, Shown: "ANSWER: 有",
			Tags: []string{"language:zh", "answer_type:CLOSED", "base_type:vqa", "content_type:none", "modality:CT", "location:none"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBadRows(t *testing.T) {
	tests := []struct {
		name    string
		changes map[string]any
		column  string
		want    string
	}{
		{"no qid", map[string]any{"qid": absent}, "qid", "is missing"},
		{"qid of another type", map[string]any{"qid": true}, "qid", "is true, want a whole number"},
		{"no question", map[string]any{"question": nil}, "question", "is missing"},
		{"empty question", map[string]any{"question": " \u3000"}, "question", "is empty"},
		{"question of another type", map[string]any{"question": []any{"a"}}, "question", "is a list, want text"},
		{"empty answer", map[string]any{"answer": ""}, "answer", "is empty"},
		{"number for an answer", map[string]any{"answer": int64(2)}, "answer", "is 2, want text"},
		{"language", map[string]any{"q_lang": "EN"}, "q_lang", `is "EN", want en or zh`},
		{"no language", map[string]any{"q_lang": absent}, "q_lang", "is missing"},
		{"answer type", map[string]any{"answer_type": "open"}, "answer_type", `is "open", want OPEN or CLOSED`},
		{"no picture path", map[string]any{"img_name": absent}, "img_name", "is missing"},
		{"empty picture path", map[string]any{"img_name": ""}, "img_name", "is empty"},
		{"path out of the folder", map[string]any{"img_name": "../../x.jpg"}, "img_name", "want a path below imgs"},
		{"absolute path", map[string]any{"img_name": "/x.jpg"}, "img_name", "want a path below imgs"},
		{"missing picture", map[string]any{"img_name": "gone/source.jpg"}, "img_name", "is neither in the folder imgs nor in imgs.zip"},
		{"modality of another type", map[string]any{"modality": int64(1)}, "modality", "is 1, want text"},
		{"another kind of question", map[string]any{"base_type": "triple"}, "base_type", `is "triple", want vqa or kvqa`},
		{"kind in capitals", map[string]any{"base_type": "VQA"}, "base_type", `is "VQA", want vqa or kvqa`},
		{"another language", map[string]any{"q_lang": "fr"}, "q_lang", `is "fr", want en or zh`},
		{"twice", nil, "qid", "is 7, as in row 1"},
	}
	has := func(reference string) bool { return reference != "imgs/gone/source.jpg" }
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Samples([]map[string]any{made(nil), made(tt.changes)}, "test", has)
			var fe *card.FieldError
			if !errors.As(err, &fe) || fe.Row != 1 || fe.Column != tt.column || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want column %s, %q", err, tt.column, tt.want)
			}
			if n := strings.Count(fmt.Sprint(err), "row "); tt.name != "twice" && n != 1 {
				t.Errorf("%d errors: %v", n, err)
			}
		})
	}
}

func TestManyBadRows(t *testing.T) {
	var rows []map[string]any
	for range 50 {
		rows = append(rows, map[string]any{})
	}
	_, err := Samples(rows, "test", everything)
	if n := strings.Count(fmt.Sprint(err), "is missing"); n != 20 {
		t.Errorf("%d problems are told of", n)
	}
}

func TestCount(t *testing.T) {
	samples := []card.Sample{
		{Group: "a", Subset: "en_open", Prompt: "abc", Tags: []string{"language:en"}},
		{Group: "a", Subset: "zh_open", Prompt: "图中", Tags: []string{"language:zh"}},
		{Group: "b", Subset: "en_open", Prompt: "abcdef", Tags: []string{"language:en"}},
	}
	got := Count(samples)
	want := Counts{
		Questions: 3, Pictures: 2,
		Prompts: Lengths{N: 3, Mean: 11.0 / 3, Min: 2, Max: 6, sum: 11},
		Subsets: map[string]Lengths{"en_open": {2, 4.5, 3, 6, 9}, "zh_open": {1, 2, 2, 2, 2}},
		Tags:    map[string]map[string]int{"language": {"en": 2, "zh": 1}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Lengths{})); diff != "" {
		t.Error(diff)
	}
	published := Published{Questions: 4, Pictures: 2, Prompts: want.Prompts, Subsets: map[string]Lengths{"en_open": {2, 4.5, 3, 7, 0}}, Tags: map[string]map[string]int{"language": {"en": 2, "fr": 1}}}
	differences := []string{
		"questions: 3, published 4",
		"subset en_open: 2, mean 4.50, 3 to 6 characters, published 2, mean 4.50, 3 to 7 characters",
		"language fr: 0, published 1", "language zh: 1, published 0",
	}
	if diff := cmp.Diff(differences, published.Differences(got)); diff != "" {
		t.Error(diff)
	}
	if d := (Published{Questions: 3, Pictures: 2}).Differences(got); d != nil {
		t.Errorf("what was not published differs: %v", d)
	}
}

// TestPublished: the counts of a split add up.
func TestPublished(t *testing.T) {
	for split, p := range PublishedSplits {
		for tag, values := range p.Tags {
			n := 0
			for _, v := range values {
				n += v
			}
			if n != p.Questions {
				t.Errorf("%s: %d questions by %s, %d in all", split, n, tag, p.Questions)
			}
		}
	}
}

// sharedFile opens a file of data beside the project, or skips.
func sharedFile(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open("../../../shared/" + name)
	if err != nil {
		t.Skip("the data that this test compares with are not beside the project")
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestParityPublishedData: the published test split has the published counts.
func TestParityPublishedData(t *testing.T) {
	dec := json.NewDecoder(sharedFile(t, "data/slake/test.json"))
	var rows []map[string]any
	if err := dec.Decode(&rows); err != nil {
		t.Fatal(err)
	}
	samples, err := Samples(rows, "test", everything)
	if err != nil {
		t.Fatal(err)
	}
	counts := Count(samples)
	if d := PublishedSplits["test"].Differences(counts); d != nil {
		t.Error(strings.Join(d, "\n"))
	}
	if counts.Prompts.text("%.1f") != "2094, mean 130.2, 60 to 257 characters" {
		t.Error(counts.Prompts)
	}
	// All that could be shown as demonstrations for a query is in its language.
	for _, s := range samples[:50] {
		for _, d := range card.Draw(samples, s, 3, 1) {
			if d.Language != s.Language || d.Group == s.Group {
				t.Errorf("sample %s shows %s", s.ID, d.ID)
			}
		}
	}
}

// TestParityPrompts: prompts are those that evalscope made.
func TestParityPrompts(t *testing.T) {
	lines := bufio.NewScanner(sharedFile(t, "vectors/slake_prompts.jsonl"))
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var v map[string]any
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		samples, err := Samples([]map[string]any{v}, "test", everything)
		if err != nil {
			t.Fatal(err)
		}
		if s := samples[0]; s.Prompt != v["evalscope_prompt"] || s.Subset != v["subset"] || !slices.Contains(Subsets, s.Subset) {
			t.Errorf("%s: %s %q, want %q", v["id"], s.Subset, s.Prompt, v["evalscope_prompt"])
		}
		n++
	}
	if n < 70 {
		t.Errorf("%d vectors", n)
	}
}

// FuzzSamples: whatever rows hold, samples are whole or an error says which row
// is not.
func FuzzSamples(f *testing.F) {
	f.Add([]byte(`[{"qid":1,"img_name":"a/b.jpg","question":"q","answer":"a","q_lang":"en","answer_type":"OPEN"}]`))
	f.Add([]byte(`[{"qid":-1.5,"img_name":"../b","question":" ","answer":[],"q_lang":3,"answer_type":null,"modality":{}},{}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var rows []map[string]any
		if json.Unmarshal(data, &rows) != nil {
			return
		}
		samples, err := Samples(rows, "test", everything)
		if err != nil {
			var fe *card.FieldError
			if !errors.As(err, &fe) || fe.Row >= len(rows) {
				t.Fatalf("error %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range samples {
			if s.Prompt == "" || s.References[0] == "" || seen[s.ID] || !slices.Contains(Subsets, s.Subset) || s.Pictures[0] == Folder+"/" {
				t.Errorf("sample %+v", s)
			}
			seen[s.ID] = true
		}
	})
}
