package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbox/bench/card"
	"lightbox/score"
)

// fields are those that a row of answers may have. Others are left alone: files
// of answers hold what their makers need.
var fields = []string{"id", "response", "reference", "question", "options", "answer", "subset", "language"}

// lines reads JSON Lines. Lines end at "\n" only.
func (r *rows) lines(data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("reading %q: not valid UTF-8", r.path)
	}
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
	return nil
}

// line reads the object in a line.
func (r *rows) line(n int, line []byte) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(line, &values); err != nil || values == nil {
		r.fault(n, "", "is no JSON object: %v", err)
		return
	}
	if !known(values) {
		near := ""
		for key := range values {
			if near = card.Nearest(key, fields); near != "" {
				near = fmt.Sprintf("; did you mean %q by %q?", near, key)
				break
			}
		}
		r.fault(n, "response", "is missing%s", near)
		return
	}
	a := Answer{ID: strconv.Itoa(n)}
	before := len(r.bad)
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
	a.Absent = values["response"] == nil || string(values["response"]) == "null"
	get("id", func(value json.RawMessage) error { return setID(&a, value) })
	get("response", text(&a.Case.Response))
	get("question", text(&a.Case.Question))
	get("language", text(&a.Subset))
	get("subset", text(&a.Subset))
	get("reference", func(value json.RawMessage) error { return setReferences(&a, value) })
	get("options", func(value json.RawMessage) error { return setOptions(&a, value) })
	get("answer", func(value json.RawMessage) error { return setKey(&a, value) })
	if len(r.bad) == before {
		r.add(n, a)
	}
}

// known tells whether a row has the one field that a row of answers has.
func known(values map[string]json.RawMessage) bool {
	_, ok := values["response"]
	return ok
}

// setID takes a text or a number.
func setID(a *Answer, value json.RawMessage) error {
	var n json.Number
	if json.Unmarshal(value, &a.ID) == nil && a.ID != "" {
		return nil
	}
	if value[0] == '"' || json.Unmarshal(value, &n) != nil {
		return errors.New("is neither a text nor a number")
	}
	a.ID = n.String()
	return nil
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

// setKey takes a letter or a place from 0. It comes after the options.
func setKey(a *Answer, value json.RawMessage) (err error) {
	var letter string
	var place int
	switch {
	case json.Unmarshal(value, &place) == nil:
		a.Case.Key, err = keyOf("", place, a.Case.Options)
	case json.Unmarshal(value, &letter) == nil && strings.TrimSpace(letter) != "":
		a.Case.Key, err = keyOf(letter, 0, a.Case.Options)
	default:
		return errors.New("is neither a letter nor a place from 0")
	}
	return err
}
