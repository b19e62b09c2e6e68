package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/score"
)

// Prompts of new cards, which are those of the sheets themselves. Line ends and the
// list of options stand as their readers expect them.
const (
	openPromptText   = "{{ question }}"
	choicePromptText = "{% if options %}\n" + openPromptText + beforeOptions +
		"{% for k, v in options.items() %}{{ k }}. {{ v }}\n{% endfor %}" + behindOptions + "{% else %}" + openPromptText + "{% endif %}"
)

// NewCard is a card for a sheet of questions, which maps its columns, and in
// words which were chosen. A sheet of which a card cannot say the same as asking
// the sheet itself is refused, such as one with demonstrations.
func NewCard(name, path string, o source.Options, released time.Time) (text []byte, how string, err error) {
	found, how, err := source.SheetColumns(path, o)
	if err != nil {
		return nil, "", &Failure{Kind: WrongData, Hint: "--column FIELD=NAME names a column", Err: err}
	}
	if err := mappable(path, found); err != nil {
		return nil, "", err
	}
	own, err := source.Load(path, o)
	if err != nil {
		return nil, "", &Failure{Kind: WrongData, Hint: "lightbox run says the same of the sheet; --column FIELD=NAME names a column", Err: err}
	}
	b := &bytes.Buffer{}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(cardOf(name, found, countKinds(own.Samples), released)); err != nil {
		return nil, "", fmt.Errorf("writing a card: %w", err)
	}
	if err := sayTheSame(b.Bytes(), path, o, own.Samples); err != nil {
		return nil, "", fail(Usage, askSheet(path), "writing a card for %q: %w", path, err)
	}
	return b.Bytes(), how, nil
}

// askSheet is the way to ask what no card can say.
func askSheet(path string) string { return "ask the sheet itself: lightbox run " + path }

// separators are what stands between several of a field in one cell.
var separators = map[string]string{"image": "semicolons", "options": "bars"}

// mappable refuses columns that a card cannot map.
func mappable(path string, found map[string][]string) error {
	if len(found["order"]) > 0 {
		return fail(Usage, askSheet(path), "writing a card for %q: it has demonstrations, and a card draws its own", path)
	}
	for _, field := range []string{"image", "options"} {
		if n := len(found[field]); n > 1 {
			return fail(Usage, "put them in one column with "+separators[field]+" between, or "+askSheet(path),
				"writing a card for %q: %d columns hold the %s, and a card maps one", path, n, field)
		}
	}
	return nil
}

// kinds count what the questions of a sheet are of.
type kinds struct{ open, choice, pictured, pictures int } // pictures: the most that one has

func countKinds(samples []card.Sample) kinds {
	var k kinds
	for _, s := range samples {
		if len(s.Options) > 0 {
			k.choice++
		} else {
			k.open++
		}
		if len(s.Pictures) > 0 {
			k.pictured++
		}
		k.pictures = max(k.pictures, len(s.Pictures))
	}
	return k
}

// object is a JSON object; its keys stand in order of their names.
type object map[string]any

// cardOf is the card that maps the columns found. It names no language: letters
// do not tell one.
func cardOf(name string, found map[string][]string, k kinds, released time.Time) object {
	subset := object{"score_pipeline": []string{score.RuleSmmileEM}, "prompt_template": openPromptText, "mapping_from_source": mappingOf(found, k), "task_type": card.TaskOpen}
	switch {
	case k.open == 0:
		subset["score_pipeline"], subset["prompt_template"], subset["task_type"] = []string{score.RuleMCQA}, choicePromptText, card.TaskChoice
	case k.choice > 0:
		subset["score_pipeline"], subset["prompt_template"] = []string{score.RuleMCQA, score.RuleSmmileEM}, choicePromptText
		delete(subset, "task_type") // a card has one, or says none
	}
	if k.pictures <= 1 {
		modalities := []string{}
		if k.pictured > 0 {
			modalities = append(modalities, "single_image_start")
		}
		if k.pictured < k.open+k.choice {
			modalities = append(modalities, "text")
		}
		subset["modalities"] = modalities
	}
	return object{"name": name, "release_date": released.Format(time.DateOnly), "subsets": object{"main": subset}}
}

// mappingOf maps the columns found. Those of subset and task break scores down as
// extra columns do.
func mappingOf(found map[string][]string, k kinds) object {
	mapping := object{"question": object{"from": found["question"][0]}, "source": object{"format": "csv", "url": object{"test": "own data"}}}
	field := func(target, of string, more object) {
		if len(found[of]) == 1 {
			more["from"], more["optional"] = found[of][0], true
			mapping[target] = more
		}
	}
	field("id", "id", object{})
	field("group", "problem_id", object{})
	field("answer", "answer", object{"type": "string"}) // never the place of an option
	field("media", "image", object{"min_items": 0, "max_items": max(k.pictures, 1)})
	field("options", "options", object{})
	field("tags", "tags", object{})
	extra := object{}
	for _, column := range found["tag"] {
		extra[column] = object{"from": column, "optional": true}
	}
	for _, of := range []string{"subset", "task"} {
		if len(found[of]) == 1 {
			extra[of] = object{"from": found[of][0], "optional": true}
		}
	}
	if len(extra) > 0 {
		mapping["extra"] = extra
	}
	if len(found["answer"]) == 0 {
		mapping["answer"] = object{"from": "answer", "optional": true} // a card has one
	}
	return mapping
}
