package card

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lightbox/infer/template"
)

// Rows are those of a split, by column, as they were read: nil, bool, int64,
// float64, string, a []any of those or a *template.Mapping. A column of a
// structure may stand there as its parts, under the column, a dot and the name of
// the part. The media column holds references to pictures.
type Rows struct {
	Columns []string // in the data's order
	All     []map[string]any
	Split   string
	Prefix  string // of IDs that are row numbers, where rows of several splits meet
	Texts   bool   // the rows are of a sheet, whose numbers are texts
}

// Samples makes a sample out of each row. Errors about rows are [*FieldError],
// joined.
//
// Where the data have no id, the ID is the row's number from 0: the official
// index of data sets that have none.
func (s *Subset) Samples(rows Rows, labels *Labels) ([]Sample, error) {
	var faults Faults
	samples := make([]Sample, len(rows.All))
	tags := s.tagged(rows)
	numberOf := map[string]int{}
	for i, values := range rows.All {
		m := mapper{Fields{i, values, &faults}, s, rows}
		x := m.sample(tags)
		m.name(&x, labels)
		if before, twice := numberOf[x.Name]; twice && x.Name != "" {
			m.Fail(s.Mapping.ID.From, fmt.Errorf("is %q, as in row %d", x.Name, before+1))
		}
		numberOf[x.Name] = i
		samples[i] = x
		if faults.Full() {
			break
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return samples, nil
}

// Absent are the columns that the card names and the data do not have: those
// that must be there, and those that need not.
func (s *Subset) Absent(columns []string) (needed, optional []string) {
	m := s.Mapping
	note := func(f Field, mayLack bool) {
		has := func(c string) bool { return c == f.From || strings.HasPrefix(c, f.From+".") }
		switch {
		case f.From == "" || slices.ContainsFunc(columns, has):
		case f.Optional || mayLack:
			optional = append(optional, f.From)
		default:
			needed = append(needed, f.From)
		}
	}
	note(m.Question, false)
	note(m.Answer, false)
	note(m.Media, m.Media.MinItems == 0)
	note(m.Hint, false)
	note(m.Options, false)
	note(m.Group, false)
	note(m.Language, false)
	note(m.Tags, false)
	for _, x := range m.Extra {
		if x.Name != hasImage {
			note(x.Field, false)
		}
	}
	return needed, optional
}

// mapper makes a sample out of one row.
type mapper struct {
	Fields
	subset *Subset
	rows   Rows
}

// value is that of a field's column; nil where there is none.
func (m mapper) value(f Field) any {
	if f.From == "" {
		return nil
	}
	v, ok := m.Values[f.From]
	if !ok {
		v = m.structure(f.From)
	}
	if text, ok := v.(string); ok && m.rows.Texts {
		v = cellOf(text, f.Type)
	}
	if v != nil && f.Type != "" && !hasType(v, f.Type) {
		m.Fail(f.From, wrongType(plain(v), "of type "+f.Type+", as the card says"))
		return nil
	}
	return v
}

// cellOf is the text of a cell as a value of a type, where it can be one.
func cellOf(text, kind string) any {
	switch kind {
	case "integer":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case "bool":
		if b, err := strconv.ParseBool(strings.ToLower(text)); err == nil {
			return b
		}
	}
	return text
}

// structure joins the parts of a column that is one.
func (m mapper) structure(from string) any {
	parts := template.NewMapping()
	for _, column := range m.rows.Columns {
		if part, ok := strings.CutPrefix(column, from+"."); ok && m.Values[column] != nil {
			parts.Set(part, m.Values[column])
		}
	}
	if parts.Len() == 0 {
		return nil
	}
	return parts
}

func hasType(v any, name string) bool {
	switch v.(type) {
	case string:
		return name == "string"
	case int64:
		return name == "integer"
	case bool:
		return name == "bool"
	case []any:
		return name == "list"
	case *template.Mapping:
		return name == "dict"
	}
	return false
}

// plain is a value for messages.
func plain(v any) any {
	if _, ok := v.(*template.Mapping); ok {
		return map[string]any{}
	}
	return v
}

func (m mapper) sample(tags map[string]bool) Sample {
	s, fields := m.subset, m.subset.Mapping
	x := Sample{
		Subset: s.Name, Split: m.rows.Split,
		Question: m.text(fields.Question, true), Pictures: m.pictures(),
	}
	hint := m.value(fields.Hint)
	if x.Hint = m.textOf(fields.Hint, hint, false); hint != nil {
		hint = x.Hint
	}
	if len(s.Languages) == 1 {
		x.Language = s.Languages[0]
	}
	if fields.Language.From != "" {
		x.Language = m.text(fields.Language, false)
	}
	x.Options = m.options()
	m.answer(&x)
	x.Tags = m.tags()
	values := map[string]any{"question": x.Question, "hint": hint, "options": optionDict(x.Options)}
	for _, e := range fields.Extra {
		v := m.extra(e, len(x.Pictures) > 0)
		values[e.Name] = v
		if text, ok := scalar(v); ok && tags[e.Name] && !slices.Contains(x.Tags, e.Name+":"+text) {
			x.Tags = append(x.Tags, e.Name+":"+text)
		}
	}
	m.prompt(&x, values)
	return x
}

// text reads a text, or a whole number as one. One that is full holds more than
// blanks.
func (m mapper) text(f Field, full bool) string { return m.textOf(f, m.value(f), full) }

func (m mapper) textOf(f Field, v any, full bool) string {
	s, ok := v.(string)
	if n, is := v.(int64); is {
		s, ok = strconv.FormatInt(n, 10), true
	}
	switch {
	case v == nil && f.From != "" && !f.Optional:
		m.Fail(f.From, errors.New("is missing"))
	case v != nil && !ok:
		m.Fail(f.From, wrongType(plain(v), "text"))
	case full && v != nil && strings.TrimSpace(s) == "":
		m.Fail(f.From, errors.New("is empty"))
	}
	return s
}

// tags are the texts of the tags column, a list or a text as [SplitTags] takes it.
func (m mapper) tags() []string {
	f := m.subset.Mapping.Tags
	var all []string
	switch v := m.value(f).(type) {
	case nil:
		if f.From != "" && !f.Optional {
			m.Fail(f.From, errors.New("is missing"))
		}
	case string:
		return SplitTags(v)
	case []any:
		for i, one := range v {
			tag, ok := one.(string)
			if !ok || strings.TrimSpace(tag) == "" {
				m.Fail(f.From, fmt.Errorf("has element %d, which is no text", i+1))
			}
			all = append(all, tag)
		}
	default:
		m.Fail(f.From, wrongType(plain(v), "a text or a list of texts"))
	}
	return all
}

// SplitTags are the texts in a cell with commas, semicolons, bars or line ends
// between.
func SplitTags(cell string) []string {
	var all []string
	for _, part := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",;|\r\n", r) }) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// pictures are the references of the media column.
func (m mapper) pictures() []string {
	f := m.subset.Mapping.Media
	if f.From == "" {
		return nil
	}
	var all []string
	switch v := m.Values[f.From].(type) {
	case nil:
	case string:
		all = []string{v}
	case []any:
		for _, one := range v {
			reference, ok := one.(string)
			if !ok || reference == "" {
				m.Fail(f.From, errors.New("has an element that is no picture"))
			}
			all = append(all, reference)
		}
	default:
		m.Fail(f.From, wrongType(plain(v), "a picture or a list of pictures"))
	}
	m.count(f, len(all), "pictures")
	return all
}

// count demands as many items as the card says.
func (m mapper) count(f Field, n int, what string) {
	switch {
	case n < f.MinItems:
		m.Fail(f.From, fmt.Errorf("has %d %s, the card wants %d at least", n, what, f.MinItems))
	case f.MaxItems > 0 && n > f.MaxItems:
		m.Fail(f.From, fmt.Errorf("has %d %s, the card wants %d at most", n, what, f.MaxItems))
	}
}

// extra is the value of an extra column.
func (m mapper) extra(e ExtraField, pictured bool) any {
	v := m.value(e.Field)
	if e.Name == hasImage {
		if text, ok := v.(string); ok && m.rows.Texts {
			v = cellOf(text, "bool")
		}
		said, ok := v.(bool)
		switch {
		case v == nil:
			return pictured
		case ok && said && !pictured:
			m.Fail(e.From, errors.New("is true, and there is no picture"))
		case ok && !said && pictured:
			m.Fail(e.From, errors.New("is false, and there is a picture"))
		}
	}
	if v == nil && !e.Optional {
		m.Fail(e.From, errors.New("is missing"))
	}
	return v
}
