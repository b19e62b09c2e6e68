package source

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"lightbox/infer/template"
)

// byteOrderMark stands before UTF-8 that some editors write.
const byteOrderMark = "\xef\xbb\xbf"

// nameColumn is what image folders of the datasets library call the path of a
// picture.
const nameColumn = "file_name"

// readJSON appends the rows of a file: JSON Lines, a list of objects, or an
// object of objects where its keys have a column.
func (t *Table) readJSON(f *os.File, name, onDisk string, o TableOptions) error {
	plain, err := decompress(onDisk, f)
	if err != nil {
		return fmt.Errorf("reading %q: %w", onDisk, err)
	}
	defer plain.Close()
	bad := &problems{path: onDisk}
	add := func(number int, key string, line []byte) error {
		before := len(bad.errs)
		r, keys := parseRecord(line, func(field string, err error) { bad.add(number, field, err) })
		if len(bad.errs) > before {
			return nil
		}
		t.addColumns(keys...)
		if key != "" {
			r[o.Key] = key
			t.addColumns(o.Key)
		}
		if err := t.setPicture(r, o.Picture, name); err != nil {
			bad.add(number, o.Picture, err)
		}
		return t.add(r, onDisk, number)
	}
	if strings.Contains(strings.ToLower(name), ".jsonl") {
		err = eachLine(plain, usual, bad, func(n int, line []byte) error { return add(n, "", line) })
	} else {
		err = eachElement(plain, usual, o.Key != "", add)
	}
	if err != nil {
		err = fmt.Errorf("reading %q: %w", onDisk, err)
	}
	return errors.Join(bad.err(), err)
}

// eachElement goes through a JSON list, or an object where keyed says so.
func eachElement(r io.Reader, most limits, keyed bool, do func(number int, key string, element []byte) error) error {
	text := bufio.NewReader(&capped{r, most.file})
	if head, err := text.Peek(len(byteOrderMark)); err == nil && string(head) == byteOrderMark {
		text.Discard(len(head)) // is there, since it was seen
	}
	dec := json.NewDecoder(text)
	head, err := dec.Token()
	isObject := keyed && head == json.Delim('{')
	if err != nil || head != json.Delim('[') && !isObject {
		return errors.Join(errors.New("want a list of objects, or one object a line in a file named .jsonl"), err)
	}
	for n := 1; dec.More(); n++ {
		key := ""
		if isObject {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			key = token.(string) // before a value stands a key, and keys are strings
		}
		var element json.RawMessage
		if err := dec.Decode(&element); err != nil {
			return err
		}
		if err := do(n, key, element); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.Join(errors.New("more stands behind its end"), err)
	}
	return nil
}

// parseRecord reads an object, and gives its keys in their order.
func parseRecord(line []byte, bad complain) (Record, []string) {
	r := Record{}
	var keys []string
	err := EachField(line, func(key string, value json.RawMessage) {
		if _, twice := r[key]; twice {
			bad(key, errors.New("stands there twice"))
		}
		v, err := parseValue(value)
		if err != nil {
			bad(key, err)
		}
		keys = append(keys, key)
		r[key] = v
	})
	if err != nil {
		bad("", err)
	}
	return r, keys
}

// setPicture makes the picture column a reference, or a list of them. Pictures
// are named by a path, or by an object with one, as the datasets library writes
// them.
func (t *Table) setPicture(r Record, picture, rows string) error {
	if picture == "" {
		return nil
	}
	if _, ok := r[picture]; !ok && r[nameColumn] != nil {
		r[picture] = r[nameColumn]
		t.addColumns(picture)
	}
	list, ok := r[picture].([]any)
	if !ok {
		reference, err := t.reference(r[picture], rows)
		r[picture] = reference
		return err
	}
	for i, v := range list {
		var err error
		if list[i], err = t.reference(v, rows); err == nil && list[i] == nil {
			err = errors.New("is missing")
		}
		if err != nil {
			return fmt.Errorf("element %d %w", i+1, err)
		}
	}
	return nil
}

// reference is that of one picture, nil where there is none.
func (t *Table) reference(v any, rows string) (any, error) {
	if object, ok := v.(*template.Mapping); ok {
		if v, ok = object.Get("path"); !ok || v == nil {
			if content, _ := object.Get("bytes"); content != nil {
				return nil, errors.New("is a picture's bytes, which JSON rows cannot hold; want a path")
			}
			v = nil
		}
	}
	name, ok := v.(string)
	switch {
	case v == nil, ok && name == "":
		return nil, nil
	case !ok:
		return nil, errors.New("is not the path of a picture")
	}
	return t.locate(name, rows), nil
}
