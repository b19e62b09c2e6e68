package answers

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/source"
	"lightbox/score"
)

var ctOrMRI = []score.Option{{Letter: "A", Text: "CT"}, {Letter: "B", Text: "MRI"}}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             []Answer
	}{
		{
			"open", "a.jsonl", `{"id":"x","response":"Lung.","reference":"None","question":"Which?","subset":"en_open"}
{"id":7,"response":"","reference":["a","b"],"language":"zh","more":1}

{"response":null}
`,
			[]Answer{
				{ID: "x", Subset: "en_open", Case: score.Case{Response: "Lung.", References: []string{"None"}, Question: "Which?"}},
				{ID: "7", Subset: "zh", Case: score.Case{References: []string{"a", "b"}}},
				{ID: "4", Absent: true},
			},
		},
		{
			"options as texts, answer a place", "a.jsonl", `{"response":"B","options":["CT","MRI"],"answer":1}`,
			[]Answer{{ID: "1", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B"}}},
		},
		{
			"options as pairs in the order shown, answer a letter", "a.jsonl", `{"response":"B","options":[["b","MRI"],["a","CT"]],"answer":"a"}`,
			[]Answer{{ID: "1", Case: score.Case{Response: "B", Options: []score.Option{ctOrMRI[1], ctOrMRI[0]}, Key: "A"}}},
		},
		{
			"options as an object, in its order", "a.jsonl", `{"response":"B","options":{"C":"x","A":"y"},"reference":"y"}`,
			[]Answer{{ID: "1", Case: score.Case{Response: "B", References: []string{"y"}, Options: []score.Option{{Letter: "C", Text: "x"}, {Letter: "A", Text: "y"}}, Key: "A"}}},
		},
		{
			"no options", "a.jsonl", `{"response":"B","answer":"B"}`,
			[]Answer{{ID: "1", Case: score.Case{Response: "B", Key: "B"}}},
		},
		{
			"a sheet keeps words and blanks", "a.csv", "id,response,reference,options,answer\nx, none ,None,,\ny,B,,CT|MRI,1\nz,,,\"[\"\"CT\"\",\"\"MRI\"\"]\",a\n",
			[]Answer{
				{ID: "x", Case: score.Case{Response: " none ", References: []string{"None"}}},
				{ID: "y", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B"}},
				{ID: "z", Case: score.Case{Options: ctOrMRI, Key: "A"}},
			},
		},
		{
			"published, open: missing values are read as such", "r.csv", "problem_id,final_question,true_answer,generated_answer,full_response\np,Which?,\"a \"\"b\"\"\",,x\nq,What?,yes,\"ERROR: no\nreply\",x\nr,Who?,no,NA,x\n",
			[]Answer{
				{ID: "p", Case: score.Case{Question: "Which?", References: []string{`a "b"`}, Response: "nan"}},
				{ID: "q", Case: score.Case{Question: "What?", References: []string{"yes"}, Response: "ERROR: no\nreply"}, Failed: true},
				{ID: "r", Case: score.Case{Question: "Who?", References: []string{"no"}, Response: "nan"}},
			},
		},
		{
			"published, choices", "r.csv", "problem_id,final_question,true_answer,correct_option,selected_option,is_correct,full_response\np,Which?,a,A,A,True,<answer>A</answer>\nq,What?,b,B,EXTRACTION_FAILED,False,?\n",
			[]Answer{
				{ID: "p", Case: score.Case{Question: "Which?", References: []string{"a"}, Response: "<answer>A</answer>", Key: "A"}, Picked: "A"},
				{ID: "q", Case: score.Case{Question: "What?", References: []string{"b"}, Response: "?", Key: "B"}, Picked: "EXTRACTION_FAILED"},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set, err := Parse(tt.file, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, set.Answers); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseNamesRowAndField(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		row              int
		field            string
	}{
		{"no object", "a.jsonl", "{\"response\":\"x\"}\n[1]", 2, ""},
		{"misspelt", "a.jsonl", `{"respons":"x"}`, 1, "response"},
		{"id twice", "a.jsonl", "{\"id\":\"x\",\"response\":\"\"}\n{\"id\":\"x\",\"response\":\"\"}", 2, "id"},
		{"response a number", "a.jsonl", `{"response":1}`, 1, "response"},
		{"place beyond the options", "a.jsonl", `{"response":"A","options":["a","b"],"answer":2}`, 1, "answer"},
		{"letter of no option", "a.jsonl", `{"response":"A","options":["a","b"],"answer":"C"}`, 1, "answer"},
		{"place below", "a.jsonl", `{"response":"A","answer":-1}`, 1, "answer"},
		{"letter twice", "a.jsonl", `{"response":"A","options":[["A","x"],["a","y"]]}`, 1, "options"},
		{"no letter", "a.jsonl", `{"response":"A","options":{"AB":"x"}}`, 1, "options"},
		{"too many options", "a.jsonl", `{"response":"A","options":["` + strings.Repeat(`x","`, 26) + `x"]}`, 1, "options"},
		{"reference an object", "a.jsonl", `{"response":"A","reference":{}}`, 1, "reference"},
		{"open quotation mark", "a.csv", "id,response\n1,\"x\n", 2, ""},
		{"options that are no JSON", "a.csv", "response,options\nA,[1\n", 2, "options"},
		{"published and cut", "r.csv", "problem_id,final_question,true_answer,generated_answer\np,Which?,a,\"b\n", 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.file, []byte(tt.text))
			var bad *source.RowError
			if !errors.As(err, &bad) || bad.Row != tt.row || bad.Field != tt.field {
				t.Errorf("error %v, want row %d, field %q", err, tt.row, tt.field)
			}
		})
	}
	for name, text := range map[string]string{"a.jsonl": "\n", "b.jsonl": "\xff", "c.csv": "id,reply\n1,x\n"} {
		if _, err := Parse(name, []byte(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestParityPublishedFiguresAreReproduced counts the authors' files again.
func TestParityPublishedFiguresAreReproduced(t *testing.T) {
	const shared = "../../../shared"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the published files are not beside this checkout")
	}
	results, err := Folder(filepath.Join(shared, "data/smmile/results"))
	if err != nil {
		t.Fatal(err)
	}
	type figures struct {
		Rows        int
		EM          *int     `json:"computed_correct"`
		EMAccuracy  float64  `json:"computed_accuracy"`
		Errors      int      `json:"computed_err_count"`
		Judge       *float64 `json:"judge_accuracy"`
		Correct     int
		Accuracy    float64
		ErrorsOfTwo int `json:"error_rows"`
	}
	want := map[string]figures{}
	for _, name := range []string{"smmile_em_summary.json", "smmile_mcqa_summary.json"} {
		data, err := os.ReadFile(filepath.Join(shared, "vectors", name))
		if err != nil {
			t.Fatal(err)
		}
		var summary struct{ Files map[string]figures }
		if err := json.Unmarshal(data, &summary); err != nil {
			t.Fatal(err)
		}
		for file, f := range summary.Files {
			want[file] = f
		}
	}
	for _, r := range results {
		w, ok := want["results/"+r.File]
		if !ok {
			t.Errorf("%s: no recorded figures", r.File)
			continue
		}
		correct, accuracy, failed := w.Correct, w.Accuracy, w.ErrorsOfTwo
		if w.EM != nil {
			correct, accuracy, failed = *w.EM, w.EMAccuracy, w.Errors
		}
		if r.Rows != w.Rows || r.Correct != correct || r.Accuracy != accuracy || r.Failed != failed || r.Published != nil && *r.Published != accuracy {
			t.Errorf("%s: %+v, recorded %+v", r.File, r, w)
		}
		if r.Judged != nil && *r.Judged != *w.Judge {
			t.Errorf("%s: judge %v, recorded %v", r.File, *r.Judged, *w.Judge)
		}
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Folder(dir); err == nil {
		t.Error("an empty folder was taken")
	}
	write("result_gpt-4o_ICL_open.csv", "problem_id,final_question,true_answer,generated_answer\np,a,Yes,yes.\nq,b,No,ERROR: x\n")
	write("result_gpt-4o_ICL_open_evaluation.json", `{"accuracy": 50.0}`)
	write("notes.csv", "x\n1\n")
	got, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	whole, half, paper := 100.0, 50.0, 49.88
	want := []Result{{
		File: "result_gpt-4o_ICL_open.csv", Model: "gpt-4o", Shots: "ICL", Rows: 2, Correct: 1, Failed: 1,
		Accuracy: 50, WithoutFailed: &whole, Published: &half, Paper: &paper,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	write("result_gpt-4o_ICL_open_evaluation.json", `{}`)
	if _, err := Folder(dir); err == nil {
		t.Error("an evaluation without accuracy was taken")
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{`{"id":1,"response":"B","options":{"A":"x"},"answer":"A"}`, `{"response":"","reference":["a"],"options":[["A","b"]],"answer":0}`, "id,response,options\n1,a,x|y\n", "problem_id,final_question,true_answer,generated_answer\np,a,b,\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.jsonl", "a.csv"} {
			set, err := Parse(name, data)
			if err != nil {
				continue
			}
			seen := map[string]bool{}
			for _, a := range set.Answers {
				if seen[a.ID] {
					t.Errorf("id %q twice", a.ID)
				}
				seen[a.ID] = true
				if set.Published == nil && a.Case.Key != "" && len(a.Case.Options) > 0 && !has(a.Case.Options, a.Case.Key) {
					t.Errorf("key %q of options %v", a.Case.Key, a.Case.Options)
				}
			}
		}
	})
}
