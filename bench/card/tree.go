package card

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Limits of a card.
const (
	maxCard      = 1 << 20 // bytes
	maxCardDepth = 16      // of objects and lists in each other
)

// tree is a value of a card, with the line it begins in.
type tree struct {
	path    string // such as subsets.main.language[0]
	line    int
	value   any // nil, bool, string, json.Number; objects and lists have members
	object  bool
	list    bool
	members []member
}

// member is a value of an object, or of a list, where it has no key.
type member struct {
	key string
	tree
}

// treeReader reads JSON and keeps lines and the order of keys.
type treeReader struct {
	name string
	data []byte
	dec  *json.Decoder
	seen int // bytes that are counted in line
	line int
}

func readTree(name string, data []byte) (tree, error) {
	r := &treeReader{name: name, data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.dec.UseNumber()
	switch {
	case len(data) > maxCard:
		return tree{}, r.fault("", fmt.Errorf("the file has %d bytes, %d at most", len(data), maxCard))
	case !utf8.Valid(data):
		return tree{}, r.fault("", errors.New("the file is not valid UTF-8"))
	}
	t, err := r.read("", 0)
	if err != nil {
		return tree{}, err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return tree{}, r.fault("", errors.Join(errors.New("more stands behind the card's end"), err))
	}
	return t, nil
}

// fault is an error at the line that was read last.
func (r *treeReader) fault(path string, err error) error {
	to := min(int(r.dec.InputOffset()), len(r.data))
	r.line += bytes.Count(r.data[r.seen:to], []byte("\n"))
	r.seen = to
	return &CardError{r.name, path, r.line, err}
}

func (r *treeReader) token(path string) (json.Token, int, error) {
	token, err := r.dec.Token()
	if err == io.EOF {
		err = errors.New("the file ends in the middle")
	}
	var at *CardError
	errors.As(r.fault(path, err), &at)
	if err != nil {
		return nil, 0, at
	}
	return token, at.Line, nil
}

func (r *treeReader) read(path string, depth int) (tree, error) {
	token, line, err := r.token(path)
	if err != nil {
		return tree{}, err
	}
	t := tree{path: path, line: line, value: token}
	switch token := token.(type) {
	case string:
		if strings.ContainsRune(token, utf8.RuneError) {
			return t, &CardError{r.name, path, line, errors.New("has half a character, or U+FFFD")}
		}
	case json.Delim:
		if depth == maxCardDepth {
			return t, &CardError{r.name, path, line, fmt.Errorf("is nested more than %d deep", maxCardDepth)}
		}
		t.value, t.object, t.list = nil, token == '{', token == '['
		err = r.fill(&t, depth)
	}
	return t, err
}

// fill reads the members of an object or a list.
func (r *treeReader) fill(t *tree, depth int) error {
	seen := map[string]bool{}
	for r.dec.More() {
		key, path := "", fmt.Sprintf("%s[%d]", t.path, len(t.members))
		if t.object {
			token, line, err := r.token(t.path)
			if err != nil {
				return err
			}
			key = token.(string) // the decoder takes nothing else for a key
			path = strings.TrimPrefix(t.path+"."+key, ".")
			if seen[key] {
				return &CardError{r.name, path, line, errors.New("stands there twice")}
			}
			seen[key] = true
		}
		v, err := r.read(path, depth+1)
		if err != nil {
			return err
		}
		t.members = append(t.members, member{key, v})
	}
	_, _, err := r.token(t.path)
	return err
}
