package source

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
)

// complain is told what is wrong with a key of a row, or with the row where the
// key is empty.
type complain func(key string, err error)

// fields are the values of a row by key, and where to complain about them.
type fields struct {
	values map[string]json.RawMessage
	bad    complain
}

// parseFields reads a JSON object. It complains about keys that are unknown or
// stand there twice.
func parseFields(line []byte, bad complain) (fields, error) {
	f := fields{map[string]json.RawMessage{}, bad}
	return f, EachField(line, f.add)
}

// EachField goes through the fields of the JSON object in a line, in their order.
// It is an error where the line is anything else, or holds text that the JSON
// decoder would change in silence.
func EachField(line []byte, do func(key string, value json.RawMessage)) error {
	if !utf8.Valid(line) {
		return errors.New("is not valid UTF-8")
	}
	if half := loneSurrogate(line); half != "" {
		return fmt.Errorf("has half a character, %s", half)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(line, &whole); err != nil {
		return fmt.Errorf("is not JSON: %w", err)
	}
	if kind := kindOf(whole); kind != "an object" {
		return fmt.Errorf("is %s, want an object", kind)
	}
	dec := json.NewDecoder(bytes.NewReader(whole))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		var value json.RawMessage
		key, err := dec.Token()
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			return err
		}
		do(key.(string), value) // before a value stands a key, and keys are strings
	}
	return nil
}

func (f fields) add(key string, value json.RawMessage) {
	if _, twice := f.values[key]; twice {
		f.bad(key, errors.New("stands there twice"))
	} else if !slices.Contains(keys, key) {
		err := fmt.Errorf("is not known; known are %s", strings.Join(keys, ", "))
		if near := card.Nearest(key, keys); near != "" {
			err = fmt.Errorf("is not known; did you mean %q?", near)
		}
		f.bad(key, err)
	}
	f.values[key] = value
}

// has tells whether a key is there with a value other than null.
func (f fields) has(key string) bool {
	value, ok := f.values[key]
	return ok && string(value) != "null"
}

// Whether a text may be empty or blank.
const (
	someText = false
	anyText  = true
)

func (f fields) text(key string, empty bool) string {
	if !f.has(key) {
		return ""
	}
	s, err := parseText(f.values[key], empty)
	if err != nil {
		f.bad(key, err)
	}
	return s
}

func parseText(value json.RawMessage, empty bool) (string, error) {
	var s string
	if kind := kindOf(value); kind != "text" {
		return "", fmt.Errorf("is %s, want text", kind)
	}
	if err := json.Unmarshal(value, &s); err != nil {
		return "", err
	}
	switch {
	case !empty && strings.TrimSpace(s) == "":
		return "", errors.New("is empty")
	case strings.Contains(s, "\x00"):
		return "", errors.New("has the character U+0000, which no text has")
	}
	return s, nil
}

// name is a text that is not blank, or a number; "" where there is none.
func (f fields) name(key string) string {
	if f.has(key) && kindOf(f.values[key]) == "a number" {
		return string(f.values[key])
	}
	return f.text(key, someText)
}

// texts reads a list of texts that are not empty; nil where the key is absent or
// the list is wrong.
func (f fields) texts(key string) []string {
	if !f.has(key) {
		return nil
	}
	if kind := kindOf(f.values[key]); kind != "a list" {
		f.bad(key, fmt.Errorf("is %s, want a list of texts", kind))
		return nil
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(f.values[key], &elements); err != nil {
		f.bad(key, err)
		return nil
	}
	all := make([]string, len(elements))
	for i, element := range elements {
		var err error
		if all[i], err = parseText(element, someText); err != nil {
			f.bad(key, fmt.Errorf("has element %d, which %w", i+1, err))
			return nil
		}
	}
	return all
}

// number reads a whole number. Tables with gaps are often saved with a fraction
// of zero, as 3.0.
func (f fields) number(key string) *int {
	if !f.has(key) {
		return nil
	}
	value := f.values[key]
	if kind := kindOf(value); kind != "a number" {
		f.bad(key, fmt.Errorf("is %s, want a whole number", kind))
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(string(value), ".0"))
	if err != nil {
		f.bad(key, fmt.Errorf("is %s, want a whole number", value))
		return nil
	}
	return &n
}

// kindOf names the type of a JSON value.
func kindOf(value json.RawMessage) string {
	switch bytes.TrimLeft(value, " \t\r\n")[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "a number"
}

// loneSurrogate finds an escape such as \ud83d that stands without its other
// half. The JSON decoder would put U+FFFD in its place and say nothing.
func loneSurrogate(line []byte) string {
	for i := 0; i+1 < len(line); i++ {
		if line[i] != '\\' {
			continue
		}
		half, ok := escape(line[i:])
		switch low, _ := escape(line[min(i+6, len(line)):]); {
		case !ok || half < 0xd800 || half > 0xdfff:
			i++
		case half >= 0xdc00 || low < 0xdc00 || low > 0xdfff:
			return string(line[i : i+6])
		default:
			i += 11
		}
	}
	return ""
}

// escape is the code of a \uXXXX that b begins with.
func escape(b []byte) (uint64, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	code, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	return code, err == nil
}
