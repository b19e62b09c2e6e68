package card

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lightbox/infer/template"
)

// options are the choices of a row: a list is labelled A, B, C …, a dict keeps
// its letters and their order.
func (m mapper) options() []Option {
	f := m.subset.Mapping.Options
	var options []Option
	switch v := m.value(f).(type) {
	case nil:
		if f.From != "" && !f.Optional {
			m.Fail(f.From, errors.New("is missing"))
		}
		return nil
	case []any:
		texts := make([]string, len(v))
		for i, one := range v {
			texts[i] = m.option(one)
		}
		var err error
		if options, err = Letters(texts); err == nil {
			err = CheckOwnLetters(texts)
		}
		if err != nil {
			m.Fail(f.From, err)
		}
	case string: // as sheets hold them
		texts, err := SplitOptions(v)
		if err == nil && len(texts) < 2 {
			err = wrongType(v, "a list or a dict of options, or texts with bars between")
		}
		if err == nil {
			options, err = Letters(texts)
		}
		if err == nil {
			err = CheckOwnLetters(texts)
		}
		if err != nil {
			m.Fail(f.From, err)
		}
	case *template.Mapping:
		for _, letter := range v.Keys() {
			one, _ := v.Get(letter)
			if one == nil {
				continue
			}
			if !isLetter(letter) {
				m.Fail(f.From, fmt.Errorf("has the key %q, want letters", letter))
			}
			options = append(options, Option{letter, m.option(one)})
		}
		m.differ(options)
	default:
		m.Fail(f.From, wrongType(plain(v), "a list or a dict of options"))
	}
	m.count(f, len(options), "options")
	return options
}

// SplitOptions are the texts in a cell between bars, or where it has none between
// line ends or semicolons, without blanks around them. An empty one before others
// would take its letter away from the next, and is an error.
func SplitOptions(cell string) ([]string, error) {
	between := "|"
	for _, other := range []string{"\n", ";"} {
		if !strings.Contains(cell, between) {
			between = other
		}
	}
	var texts []string
	empty := false
	for part := range strings.SplitSeq(strings.TrimSpace(cell), between) {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			empty = empty || between != "\n"
		case empty:
			return nil, fmt.Errorf("has nothing before %q, where a text is wanted", part)
		default:
			texts = append(texts, part)
		}
	}
	return texts, nil
}

// option is the text of a choice, which may be empty: published data have such.
func (m mapper) option(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	m.Fail(m.subset.Mapping.Options.From, fmt.Errorf("has an option that %w", wrongType(plain(v), "text")))
	return ""
}

// differ demands that no letter stands for two options.
func (m mapper) differ(options []Option) {
	seen := map[string]bool{}
	for _, o := range options {
		if seen[strings.ToUpper(o.Letter)] {
			m.Fail(m.subset.Mapping.Options.From, fmt.Errorf("has the letter %q twice", o.Letter))
		}
		seen[strings.ToUpper(o.Letter)] = true
	}
}

func isLetter(s string) bool {
	return len(s) == 1 && ('A' <= s[0] && s[0] <= 'Z' || 'a' <= s[0] && s[0] <= 'z')
}

func optionDict(options []Option) *template.Mapping {
	dict := template.NewMapping()
	for _, o := range options {
		dict.Set(o.Letter, o.Text)
	}
	return dict
}

// answer reads the reference answer. One that is optional and not there leaves
// the sample unscored; one that is there must be right.
func (m mapper) answer(x *Sample) {
	f := m.subset.Mapping.Answer
	v := m.value(f)
	if v == nil {
		if !f.Optional {
			m.Fail(f.From, errors.New("is missing"))
		}
		return
	}
	if len(x.Options) > 0 {
		m.choice(x, v)
		return
	}
	all, several := v.([]any)
	if !several {
		all = []any{v}
	}
	for _, one := range all {
		x.References = append(x.References, m.openAnswer(one))
	}
	if len(all) == 0 {
		m.Fail(f.From, errors.New("is empty"))
	}
}

// openAnswer is a reference answer of an open question.
func (m mapper) openAnswer(v any) string {
	f := m.subset.Mapping.Answer
	s, ok := v.(string)
	switch n, whole := v.(int64); {
	case whole && m.subset.Mapping.Options.From != "":
		m.Fail(f.From, fmt.Errorf("is %d, the place of an option, and there are no options", n))
	case whole:
		return strconv.FormatInt(n, 10)
	case !ok:
		m.Fail(f.From, wrongType(plain(v), "text"))
	case strings.TrimSpace(s) == "":
		m.Fail(f.From, errors.New("is empty"))
	}
	return s
}

// choice finds the right option: by its place from 0, its letter, or its text.
func (m mapper) choice(x *Sample, v any) {
	column := m.subset.Mapping.Answer.From
	at := -1
	switch v := v.(type) {
	case int64:
		at = m.place(v, len(x.Options))
	case float64:
		if v != math.Trunc(v) || math.Abs(v) > 1e6 {
			m.Fail(column, wrongType(v, "the place, letter or text of an option"))
			return
		}
		at = m.place(int64(v), len(x.Options))
	case string:
		var err error
		if at, err = m.named(x.Options, v); err != nil {
			m.Fail(column, err)
		}
	default:
		m.Fail(column, wrongType(plain(v), "the place, letter or text of an option"))
	}
	if at >= 0 {
		right := x.Options[at]
		x.Key, x.Shown, x.References = right.Letter, right.Letter, []string{right.Text}
	}
}

// named finds an option by its letter or its text or, where cells are all texts, by
// its place from 0, unless the card says that the answer is a text.
func (m mapper) named(options []Option, answer string) (int, error) {
	at, err := optionOf(options, answer)
	place, none := strconv.Atoi(strings.TrimSpace(answer))
	switch {
	case none != nil || !m.rows.Texts || m.subset.Mapping.Answer.Type == "string":
	case err == nil && at != place:
		return -1, fmt.Errorf(`is %q, the text of option %s, and could be a place from 0: "type" of the card's answer says which, "string" or "integer"`, answer, options[at].Letter)
	case err != nil:
		return m.place(int64(place), len(options)), nil
	}
	return at, err
}

func (m mapper) place(n int64, of int) int {
	if n < 0 || n >= int64(of) {
		m.Fail(m.subset.Mapping.Answer.From, fmt.Errorf("is %d, and the places of the %d options are 0 to %d", n, of, of-1))
		return -1
	}
	return int(n)
}

// optionOf finds an option by its letter or its text, which must not mean
// another one.
func optionOf(options []Option, answer string) (int, error) {
	if strings.TrimSpace(answer) == "" {
		return -1, errors.New("is empty")
	}
	at := -1
	for i, o := range options {
		if !strings.EqualFold(o.Letter, answer) && o.Text != answer {
			continue
		}
		if at >= 0 {
			return -1, fmt.Errorf("is %q, which means option %s and option %s", answer, options[at].Letter, o.Letter)
		}
		at = i
	}
	if at < 0 {
		return -1, fmt.Errorf("is %q, which is neither the letter nor the text of an option", answer)
	}
	return at, nil
}
