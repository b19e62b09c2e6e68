package card

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lightbox/infer/template"
)

// rowOfExample is a row that fits testdata/example.json, with changes; absent
// takes a column away.
func rowOfExample(changes map[string]any) map[string]any {
	row := map[string]any{
		"picture": "a.png", "id": "q1", "question": "Which bone?", "answer": int64(1), "hint": "", "choices": []any{"ulna", "radius"},
		"patient": "p", "grade": int64(3),
	}
	for column, v := range changes {
		row[column] = v
		if v == absent {
			delete(row, column)
		}
	}
	return row
}

const absent = "\x00absent"

var exampleColumns = []string{"picture", "id", "question", "answer", "hint", "choices", "patient", "grade"}

// dict is a mapping of keys and values in turn.
func dict(pairs ...any) *template.Mapping {
	m := template.NewMapping()
	for i := 0; i < len(pairs); i += 2 {
		m.Set(pairs[i].(string), pairs[i+1])
	}
	return m
}

func samplesOf(t *testing.T, labels Labels, rows ...map[string]any) ([]Sample, error) {
	t.Helper()
	columns := slices.Clone(exampleColumns)
	for _, row := range rows {
		for column := range row {
			if !slices.Contains(columns, column) {
				columns = append(columns, column)
			}
		}
	}
	slices.Sort(columns[len(exampleColumns):])
	return example(t).Subsets[0].Samples(Rows{Columns: columns, All: rows, Split: "test"}, &labels)
}

func TestSample(t *testing.T) {
	labels := Labels{KeepNames: true}
	got, err := samplesOf(t, labels, rowOfExample(map[string]any{"hint": "seen from behind"}))
	if err != nil {
		t.Fatal(err)
	}
	want := []Sample{{
		ID: "q1", Name: "q1", Group: "p", Subset: "plain", Split: "test", Language: "en",
		Question: "Which bone?", Prompt: "Note: seen from behind\nWhich bone?\nA) ulna\nB) radius\nAnswer with a letter. (3)",
		Options: []Option{{"A", "ulna"}, {"B", "radius"}}, Key: "B", Hint: "seen from behind", Pictures: []string{"a.png"},
		References: []string{"radius"}, Shown: "B", Tags: []string{"has_image:true", "grade:3"},
	}}
	if diff := cmp.Diff(want, got[:1], cmpopts.IgnoreFields(Sample{}, "Tags")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[0].Tags, got[0].Tags); diff != "" {
		t.Error(diff)
	}
}

func TestSampleVariants(t *testing.T) {
	ask := func(options string) string { return "Which bone?\n" + options + "Answer with a letter. (3)" }
	both := ask("A) ulna\nB) radius\n")
	tests := []struct {
		name    string
		changes map[string]any
		prompt  string
		key     string
		refs    []string
	}{
		{"by place", nil, both, "B", []string{"radius"}},
		{"by a place that is a fraction", map[string]any{"answer": 0.0}, both, "A", []string{"ulna"}},
		{"by letter", map[string]any{"answer": "A"}, both, "A", []string{"ulna"}},
		{"by small letter", map[string]any{"answer": "b"}, both, "B", []string{"radius"}},
		{"by text", map[string]any{"answer": "ulna"}, both, "A", []string{"ulna"}},
		{"no hint", map[string]any{"hint": nil}, both, "B", []string{"radius"}},
		{"no column of hints", map[string]any{"hint": absent}, both, "B", []string{"radius"}},
		{"no picture", map[string]any{"picture": nil}, both, "B", []string{"radius"}},
		{"a list of pictures", map[string]any{"picture": []any{"a.png"}}, both, "B", []string{"radius"}},
		{"no answer", map[string]any{"answer": nil}, both, "", nil},
		{"a dict of options", map[string]any{"choices": dict("E", "ulna", "A", "radius", "C", nil), "answer": "A"}, ask("E) ulna\nA) radius\n"), "A", []string{"radius"}},
		{"a dict by place", map[string]any{"choices": dict("E", "ulna", "A", "radius"), "answer": int64(0)}, ask("E) ulna\nA) radius\n"), "E", []string{"ulna"}},
		{"a structure of options", map[string]any{"choices": absent, "choices.A": "ulna", "choices.B": "radius", "choices.C": nil}, both, "B", []string{"radius"}},
		{"numbers as options", map[string]any{"choices": []any{int64(2), int64(1)}}, ask("A) 2\nB) 1\n"), "B", []string{"1"}},
		{"a number's text", map[string]any{"choices": []any{"2", "1"}, "answer": "2"}, ask("A) 2\nB) 1\n"), "A", []string{"2"}},
		{"an empty option", map[string]any{"choices": []any{"ulna", ""}}, ask("A) ulna\nB) \n"), "B", []string{""}},
		{"equal options", map[string]any{"choices": []any{"ulna", "ulna"}}, ask("A) ulna\nB) ulna\n"), "B", []string{"ulna"}},
		{"an open question", map[string]any{"choices": nil, "answer": "radius"}, ask(""), "", []string{"radius"}},
		{"several answers", map[string]any{"choices": []any{}, "answer": []any{"radius", "the radius"}}, ask(""), "", []string{"radius", "the radius"}},
		{"text of templates", map[string]any{"question": "{{ hint }} <b>&"}, "{{ hint }} <b>&\nA) ulna\nB) radius\nAnswer with a letter. (3)", "B", []string{"radius"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := samplesOf(t, Labels{}, rowOfExample(tt.changes))
			if err != nil {
				t.Fatal(err)
			}
			x := got[0]
			if x.Prompt != tt.prompt || x.Key != tt.key || !slices.Equal(x.References, tt.refs) || x.Shown != tt.key {
				t.Errorf("prompt %q, key %q, references %q, shown %q", x.Prompt, x.Key, x.References, x.Shown)
			}
			pictured := tt.changes["picture"] != nil || tt.name != "no picture"
			if want := fmt.Sprintf("has_image:%t", pictured); !slices.Contains(x.Tags, want) || (len(x.Pictures) == 1) != pictured {
				t.Errorf("tags %v, pictures %v", x.Tags, x.Pictures)
			}
		})
	}
}

func TestSampleFaults(t *testing.T) {
	many := make([]any, 27)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	tests := []struct {
		name    string
		changes map[string]any
		want    string
	}{
		{"no question", map[string]any{"question": nil}, `row 1: column "question" is missing`},
		{"a blank question", map[string]any{"question": " \n"}, `row 1: column "question" is empty`},
		{"a list for a question", map[string]any{"question": []any{}}, `row 1: column "question" is a list, want text`},
		{"no id", map[string]any{"id": nil}, `row 1: column "id" is missing`},
		{"a place too far", map[string]any{"answer": int64(2)}, `row 1: column "answer" is 2, and the places of the 2 options are 0 to 1`},
		{"a place below 0", map[string]any{"answer": int64(-1)}, `row 1: column "answer" is -1, and the places of the 2 options are 0 to 1`},
		{"a fraction", map[string]any{"answer": 0.5}, `row 1: column "answer" is 0.5, want the place, letter or text of an option`},
		{"a letter too far", map[string]any{"answer": "C"}, `row 1: column "answer" is "C", which is neither the letter nor the text of an option`},
		{"a number in a text", map[string]any{"answer": "1"}, `row 1: column "answer" is "1", which is neither the letter nor the text of an option`},
		{"an empty answer", map[string]any{"answer": ""}, `row 1: column "answer" is empty`},
		{"an empty open answer", map[string]any{"answer": " ", "choices": nil}, `row 1: column "answer" is empty`},
		{"no answers in a list", map[string]any{"answer": []any{}, "choices": nil}, `row 1: column "answer" is empty`},
		{"a letter that is another's text", map[string]any{"choices": []any{"B", "A"}, "answer": "A"}, `row 1: column "answer" is "A", which means option A and option B`},
		{"a text of two options", map[string]any{"choices": []any{"ulna", "ulna"}, "answer": "ulna"}, `row 1: column "answer" is "ulna", which means option A and option B`},
		{"several right options", map[string]any{"answer": []any{"A", "B"}}, `row 1: column "answer" is a list, want the place, letter or text of an option`},
		{"a place without options", map[string]any{"choices": nil}, `row 1: column "answer" is 1, the place of an option, and there are no options`},
		{"a truth value", map[string]any{"answer": true}, `row 1: column "answer" is true, want the place, letter or text of an option`},
		{"too many options", map[string]any{"choices": many}, `row 1: column "choices" labelling options: 27 given, 26 at most`},
		{"options in a text", map[string]any{"choices": "A. ulna"}, `row 1: column "choices" is "A. ulna", want a list or a dict of options, or texts with bars between`},
		{"an option that is none", map[string]any{"choices": []any{"a", nil}}, `row 1: column "choices" has an option that is null, want text`},
		{"keys that are no letters", map[string]any{"choices": dict("1", "ulna", "2", "radius")}, `row 1: column "choices" has the key "1", want letters`},
		{"one letter twice", map[string]any{"choices": dict("a", "ulna", "A", "radius")}, `row 1: column "choices" has the letter "A" twice`},
		{"too many pictures", map[string]any{"picture": []any{"a.png", "b.png"}}, `row 1: column "picture" has 2 pictures, the card wants 1 at most`},
		{"a picture that is none", map[string]any{"picture": []any{nil}}, `row 1: column "picture" has an element that is no picture`},
		{"a number for a picture", map[string]any{"picture": int64(1)}, `row 1: column "picture" is 1, want a picture or a list of pictures`},
		{"a picture that is not there", map[string]any{"picture": nil, "has_image": true}, `row 1: column "has_image" is true, and there is no picture`},
		{"a picture that should not be there", map[string]any{"has_image": false}, `row 1: column "has_image" is false, and there is a picture`},
		{"a value that is missing", map[string]any{"grade": nil}, `row 1: column "grade" is missing`},
		{"a mark behind text", map[string]any{"question": "What is <image>?"}, `row 1: column "prompt_template" renders <image> behind text; pictures can only stand at the start`},
		{"more marks than pictures", map[string]any{"question": "<image>What is it?"}, `row 1: column "prompt_template" renders <image> 2 times, and there are 1 pictures`},
		{"a mark without a picture", map[string]any{"question": "<image>What is it?", "picture": nil}, `row 1: column "prompt_template" renders <image> 1 times, and there are 0 pictures`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := samplesOf(t, Labels{}, rowOfExample(tt.changes))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestTypes: what a card says of a column's type holds for every row.
func TestTypes(t *testing.T) {
	text := strings.Replace(exampleText(t), `"from": "choices"`, `"from": "choices", "type": "list"`, 1)
	c, err := ParseCard("c", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	rows := Rows{Columns: exampleColumns, All: []map[string]any{rowOfExample(map[string]any{"choices": dict("A", "x", "B", "y")})}}
	_, err = c.Subsets[0].Samples(rows, &Labels{})
	if want := `row 1: column "choices" is an object, want of type list, as the card says`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

// TestCells: in a sheet all is text, and numbers and truth values are found in it.
func TestCells(t *testing.T) {
	cells := func(answerType string, changes map[string]any) ([]Sample, error) {
		text := strings.Replace(exampleText(t), `"from": "answer"`, `"from": "answer"`+answerType, 1)
		c, err := ParseCard("c", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c.Subsets[0].Samples(Rows{Columns: exampleColumns, All: []map[string]any{rowOfExample(changes)}, Texts: true}, &Labels{})
	}
	for _, tt := range []struct {
		name, answerType string
		changes          map[string]any
		key, want        string
	}{
		{"a place", "", map[string]any{"answer": "1"}, "B", ""},
		{"a place, as the card says", `, "type": "integer"`, map[string]any{"answer": "0"}, "A", ""},
		{"a letter", "", map[string]any{"answer": "B"}, "B", ""},
		{"a place too far", "", map[string]any{"answer": "2"}, "", `row 1: column "answer" is 2, and the places of the 2 options are 0 to 1`},
		{"no place, as the card says", `, "type": "string"`, map[string]any{"answer": "1"}, "", `row 1: column "answer" is "1", which is neither the letter nor the text of an option`},
		{"no number", `, "type": "integer"`, map[string]any{"answer": "B"}, "", `row 1: column "answer" is "B", want of type integer, as the card says`},
		{"a place and another's text", "", map[string]any{"answer": "1", "choices": []any{"1", "0"}}, "", `row 1: column "answer" is "1", the text of option A, and could be a place from 0`},
		{"a place and its text", "", map[string]any{"answer": "0", "choices": []any{"0", "1"}}, "A", ""},
		{"a number's text, as the card says", `, "type": "string"`, map[string]any{"answer": "1", "choices": []any{"1", "0"}}, "A", ""},
		{"false", "", map[string]any{"answer": "0", "has_image": "FALSE"}, "", `row 1: column "has_image" is false, and there is a picture`},
	} {
		got, err := cells(tt.answerType, tt.changes)
		if tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) || tt.want == "" && (err != nil || got[0].Key != tt.key) {
			t.Errorf("%s: %v, %v, want key %q, error %q", tt.name, got, err, tt.key, tt.want)
		}
	}
}

// TestManyFaults: all that is wrong with rows is told of, up to a number.
func TestManyFaults(t *testing.T) {
	bad := rowOfExample(map[string]any{"question": nil, "answer": ""})
	_, err := samplesOf(t, Labels{}, rowOfExample(nil), bad)
	want := "row 2: column \"question\" is missing\nrow 2: column \"answer\" is empty"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	_, err = samplesOf(t, Labels{}, slices.Repeat([]map[string]any{bad}, 30)...)
	if err == nil || !strings.HasSuffix(err.Error(), "stopped after 20 problems") || strings.Count(err.Error(), "\n") != 20 {
		t.Errorf("error %v", err)
	}
	_, err = samplesOf(t, Labels{}, rowOfExample(nil), rowOfExample(map[string]any{"question": "Other?"}))
	if want := `row 2: column "id" is "q1", as in row 1`; err == nil || err.Error() != want {
		t.Errorf("an id twice: %v", err)
	}
}

// TestLabels: ids of the data stand in records where that is wanted, else numbers
// of rows, from 0 as official indices are.
func TestLabels(t *testing.T) {
	rows := []map[string]any{
		rowOfExample(nil),
		rowOfExample(map[string]any{"id": "q2", "patient": "other"}),
		rowOfExample(map[string]any{"id": "q3"}),
		rowOfExample(map[string]any{"id": "q4", "patient": nil}),
	}
	names := func(labels Labels) string {
		all, err := samplesOf(t, labels, rows...)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, x := range all {
			if x.Name != fmt.Sprintf("q%d", i+1) {
				t.Errorf("sample %d is called %q", i, x.Name)
			}
			fmt.Fprintf(&b, "%s of %s, ", x.ID, x.Group)
		}
		return b.String()
	}
	if got, want := names(Labels{KeepNames: true}), "q1 of p, q2 of other, q3 of p, q4 of q4, "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	hidden := names(Labels{})
	ids := strings.Split(hidden, ", ")
	for i, id := range ids[:4] {
		name, group, _ := strings.Cut(id, " of ")
		if row, ok := rowOf(name); !ok || row != fmt.Sprint(i) {
			t.Errorf("sample %d has the ID %q", i, name)
		}
		if first, _, _ := strings.Cut(ids[0], " of "); i == 2 && group != first {
			t.Errorf("sample %d is of group %q, want that of the first", i, group)
		}
	}
	columns := slices.DeleteFunc(slices.Clone(exampleColumns), func(c string) bool { return c == "id" })
	all, err := example(t).Subsets[0].Samples(Rows{Columns: columns, All: rows, Prefix: "train/"}, &Labels{})
	if err != nil || all[0].ID != "train/0" || all[3].ID != "train/3" || all[3].Group != "train/3" || all[2].Group != "train/0" || all[0].Name != "" {
		t.Errorf("without ids: %v, %+v", err, all)
	}
}

// TestTags: scores are broken down by columns of short values, not too many.
func TestTags(t *testing.T) {
	grades := func(values ...any) []string {
		rows := make([]map[string]any, len(values))
		for i, v := range values {
			rows[i] = rowOfExample(map[string]any{"id": fmt.Sprint(i), "grade": v})
		}
		all, err := samplesOf(t, Labels{}, rows...)
		if err != nil {
			t.Fatal(err)
		}
		var tags []string
		for _, x := range all {
			for _, tag := range x.Tags {
				if strings.HasPrefix(tag, "grade:") {
					tags = append(tags, tag)
				}
			}
		}
		return tags
	}
	if diff := cmp.Diff([]string{"grade:1", "grade:x"}, grades(int64(1), "x", "")); diff != "" {
		t.Error(diff)
	}
	many := make([]any, 101)
	for i := range many {
		many[i] = int64(i)
	}
	for name, values := range map[string][]any{
		"a long text": {"x", strings.Repeat("x", 81)}, "two lines": {"x", "a\nb"}, "a list": {"x", []any{}}, "a fraction": {0.5}, "many values": many,
	} {
		if tags := grades(values...); tags != nil {
			t.Errorf("%s: tags %v", name, tags)
		}
	}
}

func TestAbsent(t *testing.T) {
	s := example(t).Subsets[0]
	needed, optional := s.Absent([]string{"id", "question", "choices.A", "choices.B"})
	if diff := cmp.Diff([][]string{{"grade"}, {"answer", "picture", "hint", "patient"}}, [][]string{needed, optional}); diff != "" {
		t.Error(diff)
	}
	if needed, _ := s.Absent(nil); !slices.Contains(needed, "question") {
		t.Errorf("needed %v", needed)
	}
}
