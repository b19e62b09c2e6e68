package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/source"
	"lightbox/score"
)

// fields are those that a row of answers may have. Others are left alone: files
// of answers hold what their makers need.
var fields = []string{"id", "response", "reference", "question", "options", "answer", "subset", "group", "language"}

// maxOthers is how many other fields are kept in mind.
const maxOthers = 100

// lines reads JSON Lines. Lines end at "\n" only.
func (r *rows) lines(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	n := 0
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if len(r.bad) >= maxErrors {
			return fmt.Errorf("reading %q: stopped after %d problems", r.path, maxErrors)
		}
		r.line(n, line)
	}
	r.how = othersNote(r.others)
	return nil
}

// othersNote names the fields that were not read, and what they may be meant for.
func othersNote(others []string) string {
	if len(others) == 0 {
		return ""
	}
	names := make([]string, len(others))
	for i, other := range others {
		names[i] = other
		if near := card.Nearest(other, fields); near != "" {
			names[i] += fmt.Sprintf(" (did you mean %s?)", near)
		}
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed:maxNamed], fmt.Sprintf("%d more", more))
	}
	return "fields that are not used: " + strings.Join(names, ", ")
}

// object reads the fields of a row, of which none may stand there twice, nor in
// other letter case.
func (r *rows) object(n int, line []byte) map[string]json.RawMessage {
	values := map[string]json.RawMessage{}
	err := source.EachField(line, func(key string, value json.RawMessage) {
		field := strings.ToLower(key)
		switch _, twice := values[key]; {
		case twice:
			r.fault(n, key, "stands there twice")
		case field != key && slices.Contains(fields, field):
			r.fault(n, key, "is not known; did you mean %q?", field)
		case !slices.Contains(fields, key) && !slices.Contains(r.others, key) && len(r.others) < maxOthers:
			r.others = append(r.others, key)
		}
		values[key] = value
	})
	if err != nil {
		r.fault(n, "", "%w", err)
		return nil
	}
	if _, ok := values["response"]; !ok {
		r.fault(n, "response", "is missing%s", misspelt("response", slices.Sorted(maps.Keys(values))))
	}
	return values
}

// misspelt says which of some names may be meant for a field that is missing; ""
// where none is.
func misspelt(field string, names []string) string {
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(fields, name) })
	if near := card.Nearest(field, names); near != "" {
		return fmt.Sprintf("; is it %q?", near)
	}
	return ""
}

// line reads the object in a line.
func (r *rows) line(n int, line []byte) {
	before := len(r.bad)
	values := r.object(n, line)
	if len(r.bad) > before {
		return
	}
	a := Answer{ID: strconv.Itoa(n), Absent: string(values["response"]) == "null"}
	get := func(key string, set func(json.RawMessage) error) {
		value, ok := values[key]
		if !ok || string(value) == "null" {
			return
		}
		if err := set(value); err != nil {
			r.fault(n, key, "%w", err)
		}
	}
	text := func(to *string) func(json.RawMessage) error {
		return func(value json.RawMessage) error {
			if err := json.Unmarshal(value, to); err != nil {
				return errors.New("is no text")
			}
			return nil
		}
	}
	get("id", name(&a.ID))
	get("group", name(&a.Group))
	get("response", text(&a.Case.Response))
	get("question", text(&a.Case.Question))
	get("language", text(&a.Language))
	a.Subset = a.Language
	get("subset", text(&a.Subset))
	get("reference", func(value json.RawMessage) error { return setReferences(&a, value) })
	get("options", func(value json.RawMessage) error { return setOptions(&a, value) })
	get("answer", func(value json.RawMessage) error { return setKey(&a, value) })
	if at, ok := place(string(values["answer"])); ok && otherText(at, a) != "" {
		r.places = append(r.places, strconv.Itoa(n))
	}
	r.settle(n, a, before)
}

// settle takes a row of which nothing was wrong but before faults.
func (r *rows) settle(n int, a Answer, before int) {
	if len(r.bad) > before {
		return
	}
	if err := settle(&a); err != nil {
		r.fault(n, "reference", "%w", err)
		return
	}
	r.add(n, a)
}

// name takes a text that is not empty, or a number.
func name(to *string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		var n json.Number
		if json.Unmarshal(value, to) == nil && *to != "" {
			return nil
		}
		if value[0] == '"' || json.Unmarshal(value, &n) != nil {
			return errors.New("is neither a text nor a number")
		}
		*to = n.String()
		return nil
	}
}

// setReferences takes a text, a number, or a list of texts.
func setReferences(a *Answer, value json.RawMessage) error {
	var one string
	var n json.Number
	switch {
	case json.Unmarshal(value, &one) == nil:
		a.Case.References = []string{one}
	case value[0] != '"' && json.Unmarshal(value, &n) == nil:
		a.Case.References = []string{n.String()}
	case json.Unmarshal(value, &a.Case.References) == nil:
	default:
		return errors.New("is neither a text nor a list of texts")
	}
	if len(a.Case.References) == 0 || slices.ContainsFunc(a.Case.References, func(r string) bool { return strings.TrimSpace(r) == "" }) {
		return errors.New("is empty; leave it out, or write null, where there is none")
	}
	return nil
}

// setOptions takes a list of texts, a list of pairs, or an object.
func setOptions(a *Answer, value json.RawMessage) (err error) {
	var texts []string
	var pairs [][]string
	switch {
	case json.Unmarshal(value, &texts) == nil:
		a.Case.Options, err = labelled(texts)
		return err
	case json.Unmarshal(value, &pairs) == nil:
		for i, pair := range pairs {
			if len(pair) != 2 {
				return fmt.Errorf("has element %d, which is no pair of letter and text", i+1)
			}
			a.Case.Options = append(a.Case.Options, score.Option{Letter: pair[0], Text: pair[1]})
		}
	default:
		if a.Case.Options, err = orderedOptions(value); err != nil {
			return err
		}
	}
	return checkLetters(a.Case.Options)
}

// orderedOptions reads an object from letter to text, in its order.
func orderedOptions(value json.RawMessage) ([]score.Option, error) {
	bad := errors.New("is neither a list of texts, nor of pairs, nor an object from letter to text")
	dec := json.NewDecoder(bytes.NewReader(value))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, bad
	}
	var all []score.Option
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, bad
		}
		o := score.Option{Letter: key.(string)} // before a value stands a key, and keys are texts
		if err := dec.Decode(&o.Text); err != nil {
			return nil, bad
		}
		all = append(all, o)
	}
	return all, nil
}

// checkLetters demands letters that differ, and makes them capitals.
func checkLetters(options []score.Option) error {
	var seen []string
	for i, o := range options {
		letter := strings.ToUpper(strings.TrimSpace(o.Letter))
		if len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z' {
			return fmt.Errorf("has %q in the place of a letter", o.Letter)
		}
		if slices.Contains(seen, letter) {
			return fmt.Errorf("has the letter %s twice", letter)
		}
		seen = append(seen, letter)
		options[i].Letter = letter
	}
	return nil
}

// setKey takes a letter or a place from 0, which may be a text. It comes after the
// options and references.
func setKey(a *Answer, value json.RawMessage) (err error) {
	var text string
	var n int
	switch {
	case json.Unmarshal(value, &n) == nil:
		a.Case.Key, err = keyAt(n, a.Case.Options)
	case json.Unmarshal(value, &text) == nil && strings.TrimSpace(text) != "":
		err = setKeyText(a, text)
	default:
		return errors.New("is neither a letter nor a place from 0")
	}
	return err
}

// setKeyText takes the text of a letter or a place.
func setKeyText(a *Answer, text string) (err error) {
	if a.Case.Key, err = keyOf(text, a.Case.Options); err != nil {
		return err
	}
	return checkPlace(text, *a)
}
