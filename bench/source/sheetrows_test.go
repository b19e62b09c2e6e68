package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
)

// loadSheet writes a sheet and reads it.
func loadSheet(t *testing.T, text string, o Options) (*Set, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "病例 1.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(path, o)
}

func TestSheetOfQuestions(t *testing.T) {
	choice := []card.Option{{Letter: "A", Text: "CT"}, {Letter: "B", Text: "MRI"}}
	for _, tt := range []struct {
		name, text string
		columns    []string
		want       []card.Sample
		how        string
	}{
		{
			name: "Chinese names, path of Windows",
			text: "编号,问题,答案,图片,备注\nc1,哪个器官？,肺,胸片\\图 1.png,张三\n",
			want: []card.Sample{{ID: "c1", Name: "c1", Group: "c1", Question: "哪个器官？", References: []string{"肺"}, Pictures: []string{"胸片/图 1.png"}}},
			how:  "columns: answer = 答案, id = 编号, image = 图片, question = 问题; not used: 备注 (UTF-8)",
		},
		{
			name:    "named by the user",
			text:    "id;Frage;Befund;Modus;file\n1;Welches Organ?;Lunge;CT;a.png;\n",
			columns: []string{"question=Frage", "answer=Befund", "tag=Modus"},
			want:    []card.Sample{{ID: "1", Name: "1", Group: "1", Question: "Welches Organ?", References: []string{"Lunge"}, Pictures: []string{"a.png"}, Tags: []string{"Modus:CT"}}},
			how:     "columns: answer = Befund, id = id, image = file, question = Frage, tag = Modus (UTF-8)",
		},
		{
			name: "options in a cell, answered by letter",
			text: "id,question,options,answer\n1,Which?,CT|MRI,b\n2,Which?,CT|MRI,MRI\n3,Which?,\"[\"\"CT\"\", \"\"MRI\"\"]\",A\n",
			want: []card.Sample{
				{ID: "1", Name: "1", Group: "1", Question: "Which?", Options: choice, References: []string{"MRI"}, Key: "B"},
				{ID: "2", Name: "2", Group: "2", Question: "Which?", Options: choice, References: []string{"MRI"}, Key: "B"},
				{ID: "3", Name: "3", Group: "3", Question: "Which?", Options: choice, References: []string{"CT"}, Key: "A"},
			},
			how: "columns: answer = answer, id = id, options = options, question = question (UTF-8)",
		},
		{
			name: "options and pictures in columns",
			text: "id,question,A,B,answer,image 1,image 2\n1,Which?,CT,MRI,MRI,a.png,b.png\n",
			want: []card.Sample{{ID: "1", Name: "1", Group: "1", Question: "Which?", Options: choice, References: []string{"MRI"}, Key: "B", Pictures: []string{"a.png", "b.png"}}},
			how:  "columns: answer = answer, id = id, image = image 1 + image 2, options = A + B, question = question (UTF-8)",
		},
		{
			name: "numbered pictures beside one without a number, by their numbers",
			text: "id,question,answer,图像３,图像,图像 (2)\n1,Which?,MRI,c.png,a.png,b.png\n2,Which?,MRI,,,\n",
			want: []card.Sample{
				{ID: "1", Name: "1", Group: "1", Question: "Which?", References: []string{"MRI"}, Pictures: []string{"a.png", "b.png", "c.png"}},
				{ID: "2", Name: "2", Group: "2", Question: "Which?", References: []string{"MRI"}},
			},
			how: "columns: answer = answer, id = id, image = 图像 + 图像 (2) + 图像３, question = question (UTF-8); 1 of 2 questions have no picture: row 3",
		},
		{
			name: "one numbered picture, numerals for options",
			text: "id,question,options,answer,picture_2,picture\n1,How many?,1|2,1,b.png,a.png\n",
			want: []card.Sample{{ID: "1", Name: "1", Group: "1", Question: "How many?", Options: []card.Option{{Letter: "A", Text: "1"}, {Letter: "B", Text: "2"}}, References: []string{"1"}, Key: "A", Pictures: []string{"a.png", "b.png"}}},
			how:  "columns: answer = answer, id = id, image = picture + picture_2, options = options, question = question (UTF-8)",
		},
		{
			name: "pictures in a column that nothing names",
			text: "id,question,answer,image,lateral,note\n1,Which?,MRI,a.png,b.PNG,see a.png too\n",
			want: []card.Sample{{ID: "1", Name: "1", Group: "1", Question: "Which?", References: []string{"MRI"}, Pictures: []string{"a.png"}}},
			how:  `columns: answer = answer, id = id, image = image, question = question; not used: lateral, note (UTF-8); there are pictures in "lateral", which are not shown: --column image=NAME names a column of pictures`,
		},
		{
			name: "a problem with a demonstration, no answer to the query",
			text: "problem_id,order,question,answer\np,1,First?,one\np,2,Second?,\n",
			want: []card.Sample{{
				ID: "p", Name: "p", Group: "p", Question: "Second?",
				Demonstrations: []card.Sample{{ID: "p/1", Name: "p", Group: "p", Question: "First?", References: []string{"one"}}},
			}},
			how: "columns: answer = answer, order = order, problem_id = problem_id, question = question (UTF-8)",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set, err := loadSheet(t, tt.text, Options{KeepNames: true, Columns: tt.columns})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, set.Samples); diff != "" || set.How != tt.how {
				t.Errorf("how %q, want %q; samples (-want +got):\n%s", set.How, tt.how, diff)
			}
		})
	}
}

func TestSheetsOfQuestionsThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		columns    []string
		want       []string
	}{
		{"open quotation mark", "question,answer\nWhich?,\"a\nWhat?,b\n", nil, []string{"row 2", "never closed"}},
		{"no question", "q1,answer\nWhich?,a\n", nil, []string{`"q1"`, "question"}},
		{"empty question, by its own name", "问题,答案\n,肺\n", nil, []string{"row 2", `"问题"`, "missing"}},
		{"two that could be it", "question,answer,reference\nWhich?,a,b\n", nil, []string{`"answer"`, `"reference"`, "--column answer=NAME"}},
		{"id twice", "id,question\n1,Which?\n1,What?\n", nil, []string{"row 3", `"id"`, "row 2"}},
		{"answer outside of the options", "question,options,answer\nWhich?,CT|MRI,US\n", nil, []string{"row 2", `"options"`, `"US"`}},
		{"letter outside of the options", "question,options,answer\nWhich?,CT|MRI,C\n", nil, []string{"row 2", `"C"`}},
		{"gap between options", "question,option a,option b,option c,answer\nWhich?,CT,,MRI,CT\n", nil, []string{"row 2", "option c"}},
		{"a text that is another option's letter", "question,options,answer\nWhich?,B|A,A\n", nil, []string{"row 2", `"options"`, `"B" as option A`, `"A" as option B`}},
		{"letters of their own in another order", "question,options,answer\nWhich?,B) CT|A) MRI,A\n", nil, []string{"row 2", `"options"`, `"B) CT" in the place of option A`}},
		{"a text missing between bars", "question,options,answer\nWhich?,CT||MRI,B\n", nil, []string{"row 2", `"options"`, `before "MRI"`}},
		{"a list of answers", "question,answer\nWhich?,\"[\"\"CT\"\",\"\"MRI\"\"]\"\n", nil, []string{"row 2", `"answer"`, "a list"}},
		{"pictures of two names", "question,file,image 2\nWhich?,a.png,b.png\n", nil, []string{`"file"`, `"image 2"`, "--column image=NAME"}},
		{"one number twice", "question,image2,image 02\nWhich?,a.png,b.png\n", nil, []string{`"image2"`, `"image 02"`}},
		{"order in words", "problem_id,order,question,answer\np,first,Which?,a\n", nil, []string{"row 2", `"order"`, "whole number"}},
		{"path above", "question,image\nWhich?,..\\a.png\n", nil, []string{"row 2", `"image"`, "below the data folder"}},
		{"unknown column", "question\nWhich?\n", []string{"answer=Antwort"}, []string{`"answer=Antwort"`, "no column"}},
		{"unknown field", "question\nWhich?\n", []string{"reply=question"}, []string{"FIELD=NAME"}},
		{"named twice", "question,a,b\nWhich?,x,y\n", []string{"answer=a", "answer=b"}, []string{"already"}},
		{"only a header", "question,answer\n", nil, []string{"no rows"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := loadSheet(t, tt.text, Options{Columns: tt.columns})
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
		})
	}
}

func FuzzSheet(f *testing.F) {
	for _, text := range []string{"question,answer\nWhich?,a\n", "id;问题;选项;答案;图片\n1;哪;a|b;A;x.png;\n", "problem_id,order,question,answer\np,1,a,b\np,2,c,\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := read("cases.csv", strings.NewReader(string(data)), Options{})
		if err == nil {
			conform(t, set.Samples, Options{})
		}
	})
}
