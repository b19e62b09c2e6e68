package card

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func exampleText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/example.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func example(t testing.TB) *Card {
	t.Helper()
	c, err := ParseCard("example.json", []byte(exampleText(t)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseCard(t *testing.T) {
	c := example(t)
	want := &Card{
		Name: "Bones", ReleaseDate: "2026-01-15", Licence: "CC0", Citation: "made up for tests", KnownTraining: []string{"some-model"},
		Subsets: []Subset{{
			Name: "plain", Languages: []string{"en"}, Modalities: []string{"single_image_start", "text"}, TaskType: "multiple_choice_qa",
			Pipeline: []string{"exact-match", "rule-match"}, Protocol: Reference{Reference: "the letter alone", Note: "no model judges"},
			Template:     c.Subsets[0].Template,
			PromptSource: Reference{Origin: "own", Note: "made up"},
			Mapping: Mapping{
				Media: Field{From: "picture", Type: "list", MaxItems: 1}, ID: Field{From: "id"}, Question: Field{From: "question"},
				Answer: Field{From: "answer", Optional: true}, Hint: Field{From: "hint", Optional: true},
				Options: Field{From: "choices", Optional: true, Note: "lists get letters"}, Group: Field{From: "patient", Optional: true},
				Extra: []ExtraField{{"has_image", Field{From: "has_image"}}, {"grade", Field{From: "grade"}}},
			},
			Source:  Source{Format: "json", URLs: []SplitURL{{"train", "made up"}, {"test", "made up"}}},
			FewShot: FewShot{1, "train"}, MaxSide: 512,
		}},
	}
	if diff := cmp.Diff(want, c, cmpopts.IgnoreUnexported(Subset{})); diff != "" {
		t.Error(diff)
	}
	if got, want := c.Subsets[0].Protocol.String(), "the letter alone; no model judges"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := c.Subset("plane"); err == nil || !strings.Contains(err.Error(), `did you mean "plain"?`) {
		t.Errorf("error %v", err)
	}
}

// TestReadme: the card that the README shows is one.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), "```json\n{\"name\": ")
	shown, _, _ := strings.Cut(after, "\n```")
	if _, err := ParseCard("README.md", []byte(`{"name": `+shown)); err != nil || !ok {
		t.Errorf("%t, %v", ok, err)
	}
}

// TestSourceBeside: the source stands in the mapping, as published, or beside it.
func TestSourceBeside(t *testing.T) {
	text := strings.Replace(exampleText(t), `"few_shot"`, `"source": {"format": "parquet"}, "few_shot"`, 1)
	_, err := ParseCard("c", []byte(text))
	if err == nil || !strings.Contains(err.Error(), "stands in mapping_from_source and beside it") {
		t.Errorf("both: %v", err)
	}
	inside := `,
        "source": {"format": "json", "url": {"train": "made up", "test": "made up"}}`
	if !strings.Contains(text, inside) {
		t.Fatal("the example has changed")
	}
	c, err := ParseCard("c", []byte(strings.Replace(text, inside, "", 1)))
	if err != nil || c.Subsets[0].Source.Format != "parquet" {
		t.Errorf("beside: %v", err)
	}
}

func TestParseCardRefuses(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"an unknown key", `"release_date"`, `"relase_date"`, `reading card "c", line 3: relase_date: is an unknown key; did you mean "release_date"?`},
		{"an unknown key of a subset", `"task_type"`, `"tasktype"`, `reading card "c", line 11: subsets.plain.tasktype: is an unknown key; did you mean "task_type"?`},
		{"a far key", `"task_type"`, `"xyz"`, `reading card "c", line 11: subsets.plain.xyz: is an unknown key; there are few_shot, image, judge, language, mapping_from_source, modalities, normalizer, prompt_template, prompt_template_source, score_pipeline, score_protocol, source, task_type`},
		{"an unknown key of a field", `"optional": true, "note"`, `"optinal": true, "note"`, `reading card "c", line 22: subsets.plain.mapping_from_source.options.optinal: is an unknown key; did you mean "optional"?`},
		{"an unknown field", `"hint": {`, `"hnit": {`, `reading card "c", line 21: subsets.plain.mapping_from_source.hnit: is an unknown key; did you mean "hint"?`},
		{"a key twice", `"licence": "CC0"`, `"name": "CC0"`, `reading card "c", line 4: name: stands there twice`},
		{"both spellings", `"citation"`, `"license"`, `reading card "c", line 5: license: stands there twice, under another name`},
		{"no name", `"name": "Bones",`, ``, `reading card "c", line 1: has no key "name"`},
		{"no template", `"prompt_template": "{%`, `"task_type": "{%`, `reading card "c", line 14: subsets.plain.task_type: stands there twice`},
		{"a template that does not parse", `{% endfor %}`, `{% endfr %}`, `reading card "c", line 14: subsets.plain.prompt_template: line 4, column 4: "endfr": is no block of a prompt; there are if, for and set`},
		{"a name that stands for nothing", `{{ question }}`, `{{ qestion }}`, `reading card "c", line 14: subsets.plain.prompt_template: line 2, column 15: "qestion": names no value; there are question, hint, options, has_image, grade`},
		{"the answer in the prompt", `{{ question }}`, `{{ answer }}`, `reading card "c", line 14: subsets.plain.prompt_template: line 2, column 15: "answer": names no value; there are question, hint, options, has_image, grade`},
		{"the answer under another name", `{"from": "grade"}`, `{"from": "answer"}`, `reading card "c", line 16: subsets.plain.mapping_from_source: extra.grade is the column of the reference answer, which prompts must not show`},
		{"an extra called as a field", `"grade": {"from"`, `"question": {"from"`, `reading card "c", line 26: subsets.plain.mapping_from_source.extra.question: is no name for an extra column`},
		{"an extra that no template can name", `"grade": {"from"`, `"the grade": {"from"`, `reading card "c", line 26: subsets.plain.mapping_from_source.extra.the grade: is no name for an extra column`},
		{"a misspelt task", `"multiple_choice_qa"`, `"multiple_choise_qa"`, `reading card "c", line 11: subsets.plain.task_type: is "multiple_choise_qa"; did you mean "multiple_choice_qa"?`},
		{"no date", `"2026-01-15"`, `"2026-02-30"`, `reading card "c", line 3: release_date: is "2026-02-30", want a date such as 2026-03-01`},
		{"a rule that is none", `"rule-match"`, `"rule-mach"`, `reading card "c", line 12: subsets.plain.score_pipeline[1]: unknown rule "rule-mach"; did you mean "rule-match"?`},
		{"no rules", `["exact-match", "rule-match"]`, `[]`, `reading card "c", line 8: subsets.plain: score_pipeline names no rule`},
		{"a rule twice", `"rule-match"`, `"exact-match"`, `reading card "c", line 12: subsets.plain.score_pipeline[1]: "exact-match" stands there twice`},
		{"a number for a text", `"Bones"`, `7`, `reading card "c", line 2: name: want a text`},
		{"an empty text", `"Bones"`, `" "`, `reading card "c", line 2: name: want a text`},
		{"null", `"Bones"`, `null`, `reading card "c", line 2: name: want a text`},
		{"a list for an object", `{"from": "id"}`, `["id"]`, `reading card "c", line 18: subsets.plain.mapping_from_source.id: want an object`},
		{"a text for a flag", `"optional": true, "note"`, `"optional": "yes", "note"`, `reading card "c", line 22: subsets.plain.mapping_from_source.options.optional: want true or false`},
		{"a fraction", `"max_items": 1`, `"max_items": 1.5`, `reading card "c", line 17: subsets.plain.mapping_from_source.media.max_items: want a whole number from 0 to 1048576`},
		{"no items at all", `"max_items": 1`, `"max_items": 0`, `reading card "c", line 17: subsets.plain.mapping_from_source.media.max_items: want 1 or more`},
		{"more at least than at most", `"min_items": 0`, `"min_items": 2`, `reading card "c", line 17: subsets.plain.mapping_from_source.media: min_items is 2, and max_items 1`},
		{"items of what has none", `{"from": "id"}`, `{"from": "id", "min_items": 1}`, `reading card "c", line 16: subsets.plain.mapping_from_source: min_items and max_items of column "id" count nothing; media and options have items`},
		{"an unknown type", `"type": "list"`, `"type": "lst"`, `reading card "c", line 17: subsets.plain.mapping_from_source.media: type "lst" is unknown; did you mean "list"?`},
		{"no column", `{"from": "id"}`, `{}`, `reading card "c", line 18: subsets.plain.mapping_from_source.id: has no key "from"`},
		{"a digest that is none", `"licence": "CC0"`, `"sha256": {"a": "12"}`, `reading card "c", line 4: sha256.a: want 64 hexadecimal digits`},
		{"half a character", `"CC0"`, `"\ud800"`, `reading card "c", line 4: licence: has half a character, or U+FFFD`},
		{"no JSON", `"licence":`, `licence:`, `reading card "c", line 4: invalid character 'l'`},
		{"no UTF-8", `CC0`, "\xff", `reading card "c", line 1: the file is not valid UTF-8`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := exampleText(t)
			if !strings.Contains(text, tt.old) {
				t.Fatalf("the example has no %s", tt.old)
			}
			_, err := ParseCard("c", []byte(strings.Replace(text, tt.old, tt.new, 1)), "exact-match", "rule-match")
			var e *CardError
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestParseCardLimits(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", "line 1: the file ends in the middle"},
		{"cut", exampleText(t)[:900], "the file ends in the middle"},
		{"more", exampleText(t) + "{}", "more stands behind the card's end"},
		{"a text", `"x"`, "line 1: want an object"},
		{"no subsets", `{"name": "x", "subsets": {}}`, "line 1: has no subsets"},
		{"deep", strings.Repeat(`{"name":`, 5000), "is nested more than 16 deep"},
		{"long", strings.Repeat(" ", maxCard+1), "the file has 1048577 bytes, 1048576 at most"},
	}
	for _, tt := range tests {
		var e *CardError
		if _, err := ParseCard("c", []byte(tt.text)); !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
}

// FuzzParseCard: a card is read or is a [*CardError] with a line that the text has.
func FuzzParseCard(f *testing.F) {
	f.Add([]byte(exampleText(f)))
	f.Add([]byte(`{"name": "x", "subsets": {"a": {"score_pipeline": "mcqa", "prompt_template": "{{ question }}", "mapping_from_source": {"question": {"from": "q"}, "answer": {"from": "a"}}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ParseCard("c", text)
		if err == nil {
			if c.Name == "" || len(c.Subsets) == 0 || c.Subsets[0].template == nil {
				t.Errorf("card %+v", c)
			}
			return
		}
		var e *CardError
		if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+strings.Count(string(text), "\n") {
			t.Errorf("error %v", err)
		}
	})
}
