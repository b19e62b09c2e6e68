package source

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"lightbox/bench/card"
)

// maxOptions is how many options have letters.
const maxOptions = 26

// maxPictures is how many pictures a question can have.
const maxPictures = 256

// row is a row as the file has it. Its JSON is the canonical form that digests
// are taken of.
type row struct {
	number   int
	pictured string // the field that names pictures; of a sheet the column
	single   string // the field of an id that is of this row alone; empty: Problem is that of a problem

	Problem  string   `json:"problem_id,omitempty"`
	Order    *int     `json:"order,omitempty"`
	Question string   `json:"question"`
	Answer   string   `json:"answer,omitempty"` // empty: none
	Image    string   `json:"image,omitempty"`  // where there is one
	Images   []string `json:"images,omitempty"` // where there are several
	Options  []string `json:"options,omitempty"`
	Subset   string   `json:"subset,omitempty"`
	Task     string   `json:"task,omitempty"`
	Tags     []string `json:"tags,omitempty"`
}

// keys are those a row may have.
var keys = []string{"id", "problem_id", "order", "question", "answer", "image", "images", "options", "subset", "task", "tags"}

// id is the row's number and the start of its digest, which change with the
// question and name nobody.
func (r row) id() string {
	b, err := json.Marshal(r)
	if err != nil { // a struct of texts and numbers always encodes
		panic(fmt.Sprintf("encoding row: %v", err))
	}
	sum := sha256.Sum256(b)
	return fmt.Sprintf("%d-%s", r.number, hex.EncodeToString(sum[:4]))
}

// parseRow reads the row in a line.
func parseRow(number int, line []byte, bad complain) row {
	r := row{number: number}
	f, err := parseFields(line, bad)
	if err != nil {
		bad("", err)
		return r
	}
	r.set(f)
	return r
}

// set fills the row and complains about values that cannot be right.
func (r *row) set(f fields) {
	r.Problem = f.text("problem_id", someText)
	if id := f.name(fieldID); id != "" && r.Problem == "" {
		r.Problem, r.single = id, fieldID
	}
	r.Order = f.number("order")
	r.Question = f.text("question", someText)
	r.Answer = f.text("answer", someText)
	r.setPictures(f)
	r.Options = f.texts("options")
	r.Subset = f.text("subset", anyText)
	r.Task = f.text("task", anyText)
	r.Tags = f.texts("tags")

	if !f.has("question") {
		f.bad("question", errors.New("is missing"))
	}
	if f.has("order") && !f.has("problem_id") {
		f.bad("order", errors.New("stands there without problem_id"))
	}
	if r.Options != nil {
		if err := r.checkOptions(); err != nil {
			f.bad("options", err)
		}
	}
}

// setPictures takes the path in image, or the list of paths in images.
func (r *row) setPictures(f fields) {
	key, paths := "image", []string(nil)
	if path := f.text(key, someText); path != "" {
		paths = []string{path}
	}
	switch {
	case f.has("images") && paths != nil:
		f.bad("images", errors.New("stands there beside image"))
	case f.has("images"):
		key, paths = "images", f.texts("images")
	}
	if len(paths) > maxPictures {
		f.bad(key, fmt.Errorf("has %d pictures, %d at most", len(paths), maxPictures))
		return
	}
	for i, path := range paths {
		clean, err := picturePath(path)
		if err != nil {
			f.bad(key, err)
		}
		paths[i] = clean
	}
	if len(paths) == 1 {
		r.Image, paths = paths[0], nil
	}
	r.Images, r.pictured = paths, key
}

// pictures are the paths of the row's pictures.
func (r row) pictures() []string {
	if r.Image != "" {
		return []string{r.Image}
	}
	return slices.Clone(r.Images)
}

// checkOptions tells whether the options make a question that can be scored.
func (r *row) checkOptions() error {
	if n := len(r.Options); n < 2 || n > maxOptions {
		return fmt.Errorf("has %d texts, want 2 to %d", n, maxOptions)
	}
	for i, option := range r.Options {
		same := func(other string) bool { return plainText(other) == plainText(option) }
		if first := slices.IndexFunc(r.Options, same); first < i {
			return fmt.Errorf("has %q and %q, which look the same", r.Options[first], option)
		}
	}
	if r.Answer != "" && !slices.Contains(r.Options, r.Answer) {
		return fmt.Errorf("has none that equals the answer %q", r.Answer)
	}
	labelled, err := card.Letters(r.Options)
	return errors.Join(err, card.CheckOwnLetters(r.Options), card.CheckLetterTexts(labelled))
}

// plainText is a text without what does not show: blanks at its ends, and the
// choice among Unicode's ways to write one letter.
func plainText(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }
