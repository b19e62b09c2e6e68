package source

import (
	"bytes"
	"encoding/json"
	"fmt"

	"lightbox/infer/template"
)

// parseValue reads a JSON value that is whole. Objects keep the order of their
// keys, in which options are shown.
func parseValue(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return readValue(dec)
}

func readValue(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		n, _ := v.Float64() // too large is infinite
		return n, nil
	case json.Delim:
		if v == '[' {
			return readList(dec)
		}
		return readObject(dec)
	}
	return token, nil
}

func readList(dec *json.Decoder) (any, error) {
	list := []any{}
	for dec.More() {
		v, err := readValue(dec)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, err
}

func readObject(dec *json.Decoder) (any, error) {
	object := template.NewMapping()
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key := token.(string) // the decoder takes nothing else for a key
		if _, twice := object.Get(key); twice {
			return nil, fmt.Errorf("has the key %q twice", key)
		}
		v, err := readValue(dec)
		if err != nil {
			return nil, err
		}
		object.Set(key, v)
	}
	_, err := dec.Token()
	return object, err
}
