package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"lightbox/bench/source"
	"lightbox/score"
)

// Prompts of new cards. Line ends and the list of options stand as their readers
// expect them.
const (
	picturePromptText = "{% if has_image %}<image>{% endif %}"
	openPromptText    = "{{ question }}"
	choicePromptText  = openPromptText + "\n{% for k, v in options.items() %}{{ k }}. {{ v }}\n{% endfor %}Answer with the option's letter from the given choices directly."
)

// NewCard is a card for a sheet of questions, which maps its columns, and in
// words which were chosen. A sheet with demonstrations needs none: cards have no
// problems of several rows.
func NewCard(name, path string, o source.Options, released time.Time) (text []byte, how string, err error) {
	const hint = "--column FIELD=NAME names a column"
	found, how, err := source.SheetColumns(path, o)
	if err != nil {
		return nil, "", &Failure{Kind: WrongData, Hint: hint, Err: err}
	}
	if len(found["order"]) > 0 {
		return nil, "", fail(Usage, "ask the sheet itself: lightbox run "+path, "writing a card for %q: it has demonstrations, and a card draws its own", path)
	}
	for _, field := range []string{"image", "options"} {
		if len(found[field]) > 1 {
			return nil, "", fail(Usage, "put them in one column with bars between, or ask the sheet itself: lightbox run "+path, "writing a card for %q: %d columns hold the %s, and a card maps one", path, len(found[field]), field)
		}
	}
	b := &bytes.Buffer{}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(cardOf(name, found, released)); err != nil {
		return nil, "", fmt.Errorf("writing a card: %w", err)
	}
	return b.Bytes(), how, nil
}

// object is a JSON object; its keys stand in order of their names.
type object map[string]any

// cardOf is the card that maps the columns found.
func cardOf(name string, found map[string][]string, released time.Time) object {
	mapping := object{"question": object{"from": found["question"][0]}, "source": object{"format": "csv", "url": object{"test": "own data"}}}
	field := func(target, of string, more object) {
		if len(found[of]) == 1 {
			more["from"] = found[of][0]
			mapping[target] = more
		}
	}
	field("id", "id", object{})
	field("answer", "answer", object{"optional": true})
	field("media", "image", object{"optional": true, "min_items": 0, "max_items": 1})
	field("options", "options", object{"optional": true})
	extra := object{}
	for _, column := range found["tag"] {
		extra[column] = object{"from": column}
	}
	before := ""
	if len(found["image"]) == 1 {
		before, extra["has_image"] = picturePromptText, object{"from": "has_image"} // where no column is called so: whether there is one
	}
	if len(extra) > 0 {
		mapping["extra"] = extra
	}
	subset := object{
		"language": []string{"en"}, "modalities": []string{"single_image_start", "text"}, "task_type": "open_qa",
		"score_pipeline": []string{score.RuleSmmileEM}, "prompt_template": before + openPromptText, "mapping_from_source": mapping,
	}
	if len(found["options"]) == 1 {
		subset["task_type"], subset["score_pipeline"], subset["prompt_template"] = "multiple_choice_qa", []string{score.RuleMCQA}, before+choicePromptText
	}
	return object{"name": name, "release_date": released.Format(time.DateOnly), "subsets": object{"main": subset}}
}
