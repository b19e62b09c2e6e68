package answers

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
				{ID: "7", Subset: "zh", Language: "zh", Case: score.Case{References: []string{"a", "b"}}},
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
			"a place as a text is one as a number", "a.jsonl", `{"response":"B","options":["CT","MRI"],"answer":"1"}`,
			[]Answer{{ID: "1", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B"}}},
		},
		{
			"numerals for options, which the reference tells apart", "a.csv", "response,options,answer,reference\nB,0|2|1,1,2\nB,0|2|1,B,\n",
			[]Answer{
				{ID: "2", Case: score.Case{Response: "B", Options: []score.Option{{Letter: "A", Text: "0"}, {Letter: "B", Text: "2"}, {Letter: "C", Text: "1"}}, Key: "B", References: []string{"2"}}},
				{ID: "3", Case: score.Case{Response: "B", Options: []score.Option{{Letter: "A", Text: "0"}, {Letter: "B", Text: "2"}, {Letter: "C", Text: "1"}}, Key: "B"}},
			},
		},
		{
			"options in a column each, names in other letter case", "a.csv", "ID,Response,option_a,option_b,option_c,answer\nx,B,CT,MRI,,b\n",
			[]Answer{{ID: "x", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B"}}},
		},
		{
			"options in columns of a letter, and in a cell with semicolons", "a.csv", "response,B,A,answer\nB,MRI,CT,1\n",
			[]Answer{{ID: "2", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B"}}},
		},
		{
			"a list of references in a cell", "a.csv", "response,reference\nB,\"[\"\"CT\"\", \"\"computed tomography\"\"]\"\nB,[18F]FDG\n",
			[]Answer{
				{ID: "2", Case: score.Case{Response: "B", References: []string{"CT", "computed tomography"}}},
				{ID: "3", Case: score.Case{Response: "B", References: []string{"[18F]FDG"}}},
			},
		},
		{
			"key and reference agree", "a.jsonl", `{"response":"B","options":["CT","MRI"],"answer":"B","reference":["MRI","magnetic resonance"]}
{"response":"B","options":["CT","MRI"],"answer":"B","reference":"b"}
{"response":"B","options":["CT","MRI"],"reference":" mri"}`,
			[]Answer{
				{ID: "1", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B", References: []string{"MRI", "magnetic resonance"}}},
				{ID: "2", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B", References: []string{"b"}}},
				{ID: "3", Case: score.Case{Response: "B", Options: ctOrMRI, Key: "B", References: []string{" mri"}}},
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
			set, err := Parse(tt.file, []byte(tt.text), "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, set.Answers, cmpopts.IgnoreFields(Answer{}, "Row")); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseSaysWhichFieldsAreNotUsed(t *testing.T) {
	set, err := Parse("a.jsonl", []byte(`{"response":"CT","reference":"CT","lanugage":"zh","model":"m"}
{"response":"CT","reference":"CT","model":"m"}`), "")
	want := "fields that are not used: lanugage (did you mean language?), model"
	if err != nil || set.How != want {
		t.Errorf("%v, how %q, want %q", err, set.How, want)
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
		{"response twice", "a.jsonl", `{"response":"x","response":"y"}`, 1, "response"},
		{"response twice, once escaped", "a.jsonl", `{"response":"x","\u0072esponse":"y"}`, 1, "response"},
		{"response twice, once in capitals", "a.jsonl", `{"response":"x","Response":"y"}`, 1, "Response"},
		{"options in capitals", "a.jsonl", `{"response":"x","OPTIONS":["a","b"]}`, 1, "OPTIONS"},
		{"not UTF-8", "a.jsonl", "{\"response\":\"\"}\n{\"response\":\"\xff\"}", 2, ""},
		{"half a character", "a.jsonl", `{"response":"\ud83d"}`, 1, ""},
		{"place among letters in another order", "a.jsonl", `{"response":"A","options":[["B","x"],["A","y"]],"answer":1}`, 1, "answer"},
		{"place among letters with gaps", "a.jsonl", `{"response":"A","options":{"A":"x","C":"y"},"answer":0}`, 1, "answer"},
		{"texts with letters in another order", "a.jsonl", `{"response":"A","options":["B) x","A) y"],"answer":1}`, 1, "options"},
		{"texts that are each other's letters", "a.jsonl", `{"response":"A","options":["B","A"],"answer":"A"}`, 1, "options"},
		{"the place of one, the text of another", "a.jsonl", `{"response":"A","options":["1","2"],"answer":"1"}`, 1, "answer"},
		{"the place of one, the text of another, in a cell", "a.csv", "response,options,answer\nA,1|2,1\n", 2, "answer"},
		{"the place of one, the text of another, and a reference that is neither", "a.csv", "response,options,answer,reference\nA,1|2,1,x\n", 2, "answer"},
		{"the letter of one, the text of another", "a.jsonl", `{"response":"A","options":[["A","B"],["B","A"]],"reference":"A"}`, 1, "reference"},
		{"key against reference", "a.jsonl", `{"response":"A","options":["CT","MRI"],"answer":"A","reference":"MRI"}`, 1, "reference"},
		{"key against reference in other letter case", "a.jsonl", `{"response":"A","options":["CT","MRI"],"answer":"A","reference":" mri"}`, 1, "reference"},
		{"key against one of the references", "a.jsonl", `{"response":"A","options":["CT","MRI"],"answer":0,"reference":["CT","MRI"]}`, 1, "reference"},
		{"reference that is no option", "a.jsonl", `{"response":"A","options":["CT","MRI"],"reference":"X-ray"}`, 1, "reference"},
		{"reference that is no option, beside a key", "a.csv", "response,options,answer,reference\nA,CT|MRI,A,X-ray\n", 2, "reference"},
		{"references that are two options", "a.jsonl", `{"response":"A","options":["CT","MRI"],"reference":["MRI","CT"]}`, 1, "reference"},
		{"empty reference", "a.jsonl", `{"response":"A","reference":" "}`, 1, "reference"},
		{"no reference in the list", "a.jsonl", `{"response":"A","reference":[]}`, 1, "reference"},
		{"published file that was cut", "r.csv", "problem_id,final_question,true_answer,generated_answer\np,Which?,a,a\nq,What", 3, ""},
		{"key against letter, no options", "a.csv", "response,answer,reference\nA,B,A\n", 2, "reference"},
		{"gap between option columns", "a.csv", "response,A,B,C\nA,CT,,MRI\n", 2, "A"},
		{"no JSON list of references", "a.csv", "response,reference\nA,\"['a','b']\"\n", 2, "reference"},
		{"a list of references that was cut", "a.csv", "response,reference\nA,\"[\"\"a\"\",\"\"b\"\"\"\n", 2, "reference"},
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
			_, err := Parse(tt.file, []byte(tt.text), "")
			var bad *source.RowError
			if !errors.As(err, &bad) || bad.Row != tt.row || bad.Field != tt.field {
				t.Errorf("error %v, want row %d, field %q", err, tt.row, tt.field)
			}
		})
	}
	for name, text := range map[string]string{"a.jsonl": "\n", "c.csv": "id,reply\n1,x\n", "d.csv": "response,Response\n1,x\n"} {
		if _, err := Parse(name, []byte(text), ""); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestParseSaysWhatItMeans: the words of messages are those of the data.
func TestParseSaysWhatItMeans(t *testing.T) {
	for _, tt := range []struct{ file, text, want string }{
		{"a.jsonl", `{"response":"A","answer":"Lung"}`, `is "Lung", want a letter`},
		{"a.jsonl", `{"reference":"x"}`, `key "response": is missing`},
		{"a.jsonl", `{"reference":"x","respons":"y"}`, `is missing; is it "respons"?`},
		{"a.csv", "reference,respons\nx,y\n", `there is no column "response"; there are reference, respons; is it "respons"?`},
		{"a.jsonl", `{"response":"A","options":["CT","MRI"],"answer":"A","reference":"MRI"}`, `is "MRI", which is option B, and the key answer says option A`},
	} {
		_, err := Parse(tt.file, []byte(tt.text), "")
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), `"reference" by`) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
	_, err := Parse("a.jsonl", []byte(`{"reference":"x"}`), "")
	if err == nil || strings.Contains(err.Error(), "is it") {
		t.Errorf("error %v guesses", err)
	}
}

func TestParseSaysWhatWasTaken(t *testing.T) {
	set, err := Parse("a.csv", []byte("Response,B,A,note,reference\nx,1,2,y,\"[\"\"2\"\"]\"\n"), "")
	want := "columns: options = A + B, reference = reference, response = Response; not used: note (UTF-8); the reference of 1 of 1 rows is a list of alternatives"
	if err != nil || set.How != want {
		t.Errorf("%v, how %q, want %q", err, set.How, want)
	}
}

// TestNumbersArePlaces: a number that is an option's text too is a place in JSON,
// and that is said.
func TestNumbersArePlaces(t *testing.T) {
	set, err := Parse("a.jsonl", []byte(`{"response":"B","options":["1","2"],"answer":1}
{"response":"B","options":["1","2"],"answer":1,"reference":"2"}
{"response":"B","options":["0","1"],"answer":1}`), "")
	if err != nil || set.Answers[0].Case.Key != "B" || !strings.HasPrefix(set.How, "1 of the answers") || !strings.HasSuffix(set.How, "row 1") {
		t.Errorf("%v, %+v", err, set)
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
			set, err := Parse(name, data, "")
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
