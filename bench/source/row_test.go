package source

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestBadRows(t *testing.T) {
	long := strings.Repeat(`"x",`, 26) + `"y"`
	tests := []struct {
		name, text string
		want       []string // row, key and the start of what is wrong
	}{
		{"not JSON", `{"question":`, []string{`1 "" is not JSON: unexpected end of JSON input`}},
		{"two objects", `{"question":"a"}{"question":"b"}`, []string{`1 "" is not JSON: invalid character '{' after top-level value`}},
		{"a list", `["a"]`, []string{`1 "" is a list, want an object`}},
		{"a number", `7`, []string{`1 "" is a number, want an object`}},
		{"invalid text", "{\"question\":\"a\xff\"}", []string{`1 "" is not valid UTF-8`}},
		{"another encoding", "\xff\xfe{\x00", []string{`1 "" is not valid UTF-8`}},
		{"high half of a character", `{"question":"a\ud83d"}`, []string{`1 "" has half a character, \ud83d`}},
		{"low half of a character", `{"question":"\\\uDE00\ud83d"}`, []string{`1 "" has half a character, \uDE00`}},
		{"two high halves", `{"question":"\ud83d\ud83d\ude00"}`, []string{`1 "" has half a character, \ud83d`}},
		{"misspelt key", `{"question":"a","anwser":"b"}`, []string{`1 "anwser" is not known; did you mean "answer"?`}},
		{"key in capitals", `{"Question":"a"}`, []string{`1 "Question" is not known; did you mean "question"?`, `1 "question" is missing`}},
		{"unknown key", `{"question":"a","patient":"b"}`, []string{`1 "patient" is not known; known are id, problem_id, order, question`}},
		{"key twice", `{"question":"a","question":"a"}`, []string{`1 "question" stands there twice`}},
		{"key twice, once escaped", `{"question":"a","\u0071uestion":"b"}`, []string{`1 "question" stands there twice`}},
		{"no question", `{"answer":"a"}`, []string{`1 "question" is missing`}},
		{"null question", `{"question":null}`, []string{`1 "question" is missing`}},
		{"blank question", `{"question":" \n"}`, []string{`1 "question" is empty`}},
		{"question a number", `{"question":7}`, []string{`1 "question" is a number, want text`}},
		{"empty answer", `{"question":"a","answer":""}`, []string{`1 "answer" is empty`}},
		{"answer a truth value", `{"question":"a","answer":true}`, []string{`1 "answer" is a truth value, want text`}},
		{"answer a list", `{"question":"a","answer":["b"]}`, []string{`1 "answer" is a list, want text`}},
		{"empty name", `{"question":"a","problem_id":""}`, []string{`1 "problem_id" is empty`}},
		{"image an object", `{"question":"a","image":{"bytes":"x"}}`, []string{`1 "image" is an object, want text`}},
		{"image above", `{"question":"a","image":"x/../../b.png"}`, []string{`1 "image" is "x/../../b.png", want a path below`}},
		{"image from the top", `{"question":"a","image":"/etc/x.png"}`, []string{`1 "image" is "/etc/x.png", want a path below`}},
		{"image with backslashes", `{"question":"a","image":"a\\b.png"}`, []string{`1 "image" is "a\\b.png", want a path with forward`}},
		{"image on the web", `{"question":"a","image":"https://example.org/b.png"}`, []string{`1 "image" is "https://example.org/b.png", an address`}},
		{"image the folder", `{"question":"a","image":"./"}`, []string{`1 "image" is "./", want a path below`}},
		{"order a text", `{"question":"a","problem_id":"p","order":"1"}`, []string{`1 "order" is text, want a whole number`}},
		{"order between", `{"question":"a","problem_id":"p","order":1.5}`, []string{`1 "order" is 1.5, want a whole number`}},
		{"order alone", `{"question":"a","order":1}`, []string{`1 "order" stands there without problem_id`}},
		{"tags a text", `{"question":"a","tags":"x"}`, []string{`1 "tags" is text, want a list of texts`}},
		{"tag null", `{"question":"a","tags":["x",null]}`, []string{`1 "tags" has element 2, which is null, want text`}},
		{"tag empty", `{"question":"a","tags":[""]}`, []string{`1 "tags" has element 1, which is empty`}},
		{"no options", `{"question":"a","options":[]}`, []string{`1 "options" has 0 texts, want 2 to 26`}},
		{"one option", `{"question":"a","answer":"b","options":["b"]}`, []string{`1 "options" has 1 texts, want 2 to 26`}},
		{"too many options", `{"question":"a","options":[` + long + `]}`, []string{`1 "options" has 27 texts, want 2 to 26`}},
		{"option twice", `{"question":"a","options":["b","c","b"]}`, []string{`1 "options" has "b" and "b", which look the same`}},
		{"answer none of the options", `{"question":"a","answer":"B","options":["b","c"]}`, []string{`1 "options" has none that equals the answer "B"`}},
		{"option that is another's letter", `{"question":"a","answer":"A","options":["B","A"]}`, []string{`1 "options" has the text "B" as option A, and "A" as option B: the letter B could mean either`}},
		{"letters in another order", `{"question":"a","options":["B) x","A) y"]}`, []string{`1 "options" has "B) x" in the place of option A: texts that carry letters`}},
		{
			"order twice", `{"problem_id":"p","order":1,"question":"a","answer":"x"}
{"problem_id":"p","order":2,"question":"b","answer":"x"}
{"problem_id":"p","order":1,"question":"c","answer":"x"}`,
			[]string{`3 "order" is 1, as in row 1 of problem "p"`},
		},
		{
			"an id twice", `{"id":7,"question":"a"}
{"problem_id":"p","question":"b"}
{"id":"7","question":"c"}
{"id":"p","question":"d"}`,
			[]string{`3 "id" is "7", as in row 1; a problem of several rows has a problem_id`, `4 "id" is "p", as in row 2`},
		},
		{"order of an id", `{"id":"7","order":1,"question":"a"}`, []string{`1 "order" stands there without problem_id`}},
		{"character zero", `{"question":"a\u0000b"}`, []string{`1 "question" has the character U+0000`}},
		{
			"order of one row only", `{"problem_id":"p","order":1,"question":"a","answer":"x"}
{"problem_id":"p","question":"b"}`,
			[]string{`2 "order" is missing, though other rows of problem "p" have it`},
		},
		{
			"demonstration without answer", `{"problem_id":"p","order":2,"question":"a"}
{"problem_id":"p","order":1,"question":"b"}`,
			[]string{`2 "answer" is missing, though the row is a demonstration of problem "p"`},
		},
		{
			"several, by row", `{"problem_id":"p","order":1,"question":"a"}
{"question":"","image":7}

{"problem_id":"p","order":2,"question":"b"}
{"quest":"b"}`,
			[]string{
				`1 "answer" is missing, though`, `2 "question" is empty`, `2 "image" is a number, want text`,
				`5 "quest" is not known`, `5 "question" is missing`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set, err := Parse("own.jsonl", []byte(tt.text), Options{})
			if err == nil {
				t.Fatalf("no error, but %+v", set.Samples)
			}
			got := rowErrors(t, err)
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], tt.want[i]) {
					t.Errorf("got %s, want %s", got[i], tt.want[i])
				}
			}
		})
	}
}

// rowErrors are the row errors that are joined in err.
func rowErrors(t *testing.T, err error) []string {
	t.Helper()
	var all []string
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var re *RowError
		if errors.As(e, &re) {
			if re.Path != "own.jsonl" {
				t.Errorf("path %q", re.Path)
			}
			all = append(all, fmt.Sprintf("%d %q %v", re.Row, re.Field, re.Err))
		} else {
			all = append(all, e.Error())
		}
	}
	return all
}

func TestErrorText(t *testing.T) {
	_, err := Parse("own.jsonl", []byte("{\"question\":\"\"}\n7"), Options{})
	want := "reading row 1 of \"own.jsonl\": key \"question\": is empty\nreading row 2 of \"own.jsonl\": is a number, want an object"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestManyBadRows(t *testing.T) {
	_, err := Parse("own.jsonl", []byte(strings.Repeat("{}\n", 50)), Options{})
	if err == nil {
		t.Fatal("no error")
	}
	got := rowErrors(t, err)
	if len(got) != 21 || got[19] != `20 "question" is missing` || got[20] != `reading "own.jsonl": stopped after 20 problems` {
		t.Errorf("got %d: %q", len(got), got)
	}
}

// TestIDField: an id names its sample as one of a sheet does, where names may be kept;
// problem_id goes before it.
func TestIDField(t *testing.T) {
	text := []byte("{\"id\":7,\"question\":\"a\"}\n{\"id\":\"x\",\"problem_id\":\"p\",\"question\":\"b\"}")
	set, err := Parse("own.jsonl", text, Options{KeepNames: true})
	if err != nil || len(set.Samples) != 2 || set.Samples[0].ID != "7" || set.Samples[1].ID != "p" {
		t.Fatalf("%v, %+v", err, set)
	}
	set, err = Parse("own.jsonl", text, Options{})
	if err != nil || !strings.HasPrefix(set.Samples[0].ID, "1-") || set.Samples[0].Name != "7" {
		t.Fatalf("%v, %+v", err, set)
	}
}
