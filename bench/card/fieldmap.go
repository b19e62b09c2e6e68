package card

import (
	"errors"
	"fmt"
	"slices"
)

// hasImage is the variable that tells whether a sample has a picture. Where the
// data have no column for it, it is true where there is one.
const hasImage = "has_image"

// fieldTypes are what a field's type can say of the values in its column.
var fieldTypes = []string{"string", "integer", "bool", "list", "dict"}

// reserved are the names that a template knows whatever a card maps.
var reserved = []string{"question", "hint", "options"}

// names are those that the template can use. The reference answer has none.
func (m Mapping) names() []string {
	all := slices.Clone(reserved)
	for _, x := range m.Extra {
		all = append(all, x.Name)
	}
	return all
}

func (r *cardReader) mapping(t tree, s *Subset) {
	m := &s.Mapping
	r.object(t, keys{
		"media": r.field(&m.Media), "id": r.field(&m.ID), "question": r.field(&m.Question), "answer": r.field(&m.Answer),
		"hint": r.field(&m.Hint), "options": r.field(&m.Options), "group": r.field(&m.Group), "language": r.field(&m.Language), "tags": r.field(&m.Tags),
		"extra": func(t tree) {
			for _, x := range r.members(t) {
				e := ExtraField{Name: x.key}
				r.field(&e.Field)(x.tree)
				if slices.Contains(reserved, x.key) || x.key == "answer" || !isName(x.key) {
					r.fail(x.tree, errors.New("is no name for an extra column"))
				}
				m.Extra = append(m.Extra, e)
			}
		},
		"source": r.source(s),
	}, "question", "answer")
	for _, f := range []Field{m.ID, m.Question, m.Answer, m.Hint, m.Group, m.Language, m.Tags} {
		if f.MinItems > 0 || f.MaxItems > 0 {
			r.fail(t, fmt.Errorf("min_items and max_items of column %q count nothing; media and options have items", f.From))
		}
	}
	for _, x := range m.Extra {
		if x.From != "" && x.From == m.Answer.From {
			r.fail(t, fmt.Errorf("extra.%s is the column of the reference answer, which prompts must not show", x.Name))
		}
	}
}

// isName tells whether a template can write a name.
func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (r *cardReader) field(to *Field) func(tree) {
	return func(t tree) {
		r.object(t, keys{
			"from": r.text(&to.From), "type": r.text(&to.Type), "optional": r.flag(&to.Optional),
			"min_items": r.number(&to.MinItems), "max_items": r.most(&to.MaxItems), "note": r.text(&to.Note),
		}, "from")
		if to.Type != "" && !slices.Contains(fieldTypes, to.Type) {
			r.fail(t, fmt.Errorf("type %q is unknown%s", to.Type, nearestOf(to.Type, fieldTypes)))
		}
		if to.MaxItems > 0 && to.MinItems > to.MaxItems {
			r.fail(t, fmt.Errorf("min_items is %d, and max_items %d", to.MinItems, to.MaxItems))
		}
	}
}
