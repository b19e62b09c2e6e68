package card

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"lightbox/infer/template"
)

// ParseCard reads a card; name stands in errors. Whatever in it would have no
// effect is an error: unknown keys, types that the data do not have, names in
// the template that stand for nothing, rules that are none of those given (none
// given: any name will do). Its error is a [*CardError].
func ParseCard(name string, data []byte, rules ...string) (*Card, error) {
	root, err := readTree(name, data)
	if err != nil {
		return nil, err
	}
	r := &cardReader{name: name, rules: rules}
	var c Card
	r.object(root, keys{
		"name":         r.text(&c.Name),
		"release_date": r.date(&c.ReleaseDate),
		"subsets": func(t tree) {
			for _, m := range r.members(t) {
				s := Subset{Name: m.key}
				r.subset(m.tree, &s)
				c.Subsets = append(c.Subsets, s)
			}
		},
		"citation": r.text(&c.Citation), "licence": r.text(&c.Licence), "license": r.text(&c.Licence),
		"known_training": r.texts(&c.KnownTraining), "sha256": r.digests(&c.SHA256),
	}, "name", "subsets")
	if r.err == nil && len(c.Subsets) == 0 {
		r.fail(root, errors.New("has no subsets"))
	}
	if r.err != nil {
		return nil, r.err
	}
	return &c, nil
}

// cardReader reads the values of a card into their places. After an error it
// does nothing more.
type cardReader struct {
	name  string
	rules []string // that a card can name; none: any
	err   error
}

// keys say what is done with the values of an object.
type keys map[string]func(tree)

func (r *cardReader) fail(t tree, err error) {
	if r.err == nil {
		r.err = &CardError{r.name, t.path, t.line, err}
	}
}

// object reads an object that has no keys but the known, and the needed ones.
func (r *cardReader) object(t tree, known keys, needed ...string) {
	for _, m := range r.members(t) {
		read, ok := known[m.key]
		if !ok {
			var names []string
			for name := range known {
				names = append(names, name)
			}
			slices.Sort(names)
			r.fail(m.tree, fmt.Errorf("is an unknown key%s", nearestOf(m.key, names)))
			return
		}
		read(m.tree)
		needed = slices.DeleteFunc(needed, func(n string) bool { return n == m.key })
	}
	if len(needed) > 0 {
		r.fail(t, fmt.Errorf("has no key %q", needed[0]))
	}
}

func nearestOf(word string, known []string) string {
	if near := didYouMean(word, known); near != "" {
		return near
	}
	return "; there are " + strings.Join(known, ", ")
}

func (r *cardReader) members(t tree) []member {
	if !t.object {
		r.fail(t, errors.New("want an object"))
	}
	if r.err != nil {
		return nil
	}
	return t.members
}

func (r *cardReader) text(to *string) func(tree) {
	return func(t tree) {
		s, ok := t.value.(string)
		if !ok || strings.TrimSpace(s) == "" {
			r.fail(t, errors.New("want a text"))
		}
		if *to != "" {
			r.fail(t, errors.New("stands there twice, under another name"))
		}
		*to = s
	}
}

// date reads a date, of which the day and the month may be left out.
func (r *cardReader) date(to *string) func(tree) {
	return func(t tree) {
		r.text(to)(t)
		for _, form := range []string{time.DateOnly, "2006-01", "2006"} {
			if _, err := time.Parse(form, *to); err == nil {
				return
			}
		}
		r.fail(t, fmt.Errorf("is %q, want a date such as 2026-03-01", *to))
	}
}

// task reads a kind of task, which can be one that is not known here, but not one
// that is misspelt.
func (r *cardReader) task(to *string) func(tree) {
	return func(t tree) {
		r.text(to)(t)
		known := []string{TaskChoice, TaskOpen}
		if near := Nearest(*to, known); near != "" && !slices.Contains(known, *to) {
			r.fail(t, fmt.Errorf("is %q; did you mean %q?", *to, near))
		}
	}
}

// pipeline reads the names of rules.
func (r *cardReader) pipeline(to *[]string) func(tree) {
	return func(t tree) {
		r.texts(to)(t)
		all := []member{{"", t}}
		if t.list {
			all = t.members
		}
		for _, m := range all {
			var name string
			r.text(&name)(m.tree)
			if len(r.rules) > 0 && !slices.Contains(r.rules, name) {
				r.fail(m.tree, fmt.Errorf("unknown rule %q%s", name, nearestOf(name, r.rules)))
			}
		}
	}
}

// rule reads the name of a rule.
func (r *cardReader) rule(to *string) func(tree) {
	return func(t tree) {
		var one []string
		if r.pipeline(&one)(t); len(one) == 1 {
			*to = one[0]
		}
	}
}

// texts reads a text, or a list of texts.
func (r *cardReader) texts(to *[]string) func(tree) {
	return func(t tree) {
		all := []member{{"", t}}
		if t.list {
			all = t.members
		}
		for _, m := range all {
			var s string
			r.text(&s)(m.tree)
			if slices.Contains(*to, s) {
				r.fail(m.tree, fmt.Errorf("%q stands there twice", s))
			}
			*to = append(*to, s)
		}
	}
}

func (r *cardReader) number(to *int) func(tree) {
	return func(t tree) {
		n, ok := t.value.(json.Number)
		v, err := n.Int64()
		if !ok || err != nil || v < 0 || v > 1<<20 {
			r.fail(t, errors.New("want a whole number from 0 to 1048576"))
		}
		*to = int(v)
	}
}

// most reads a number that 0 would make none of.
func (r *cardReader) most(to *int) func(tree) {
	return func(t tree) {
		r.number(to)(t)
		if *to == 0 {
			r.fail(t, errors.New("want 1 or more"))
		}
	}
}

func (r *cardReader) flag(to *bool) func(tree) {
	return func(t tree) {
		b, ok := t.value.(bool)
		if !ok {
			r.fail(t, errors.New("want true or false"))
		}
		*to = b
	}
}

var hex256 = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (r *cardReader) digests(to *map[string]string) func(tree) {
	return func(t tree) {
		*to = map[string]string{}
		for _, m := range r.members(t) {
			var s string
			r.text(&s)(m.tree)
			if s = strings.ToLower(s); !hex256.MatchString(s) {
				r.fail(m.tree, errors.New("want 64 hexadecimal digits"))
			}
			(*to)[m.key] = s
		}
	}
}

func (r *cardReader) reference(to *Reference) func(tree) {
	return func(t tree) {
		r.object(t, keys{
			"origin": r.text(&to.Origin), "reference": r.text(&to.Reference),
			"note": r.text(&to.Note), "notes": r.text(&to.Note),
		})
	}
}

func (r *cardReader) subset(t tree, s *Subset) {
	var prompt tree
	r.object(t, keys{
		"language": r.texts(&s.Languages), "modalities": r.texts(&s.Modalities), "task_type": r.task(&s.TaskType),
		"score_pipeline": r.pipeline(&s.Pipeline), "score_protocol": r.reference(&s.Protocol),
		"prompt_template":        func(t tree) { prompt = t; r.text(&s.Template)(t) },
		"prompt_template_source": r.reference(&s.PromptSource),
		"mapping_from_source":    func(t tree) { r.mapping(t, s) },
		"source":                 r.source(s),
		"few_shot": func(t tree) {
			r.object(t, keys{"shots": r.number(&s.FewShot.Shots), "split": r.text(&s.FewShot.Split)}, "shots")
		},
		"judge": r.text(&s.Judge), "normalizer": r.rule(&s.Normalizer),
		"image": func(t tree) { r.object(t, keys{"max_side": r.number(&s.MaxSide), "min_side": r.number(&s.MinSide)}) },
	}, "score_pipeline", "prompt_template", "mapping_from_source")
	if r.err != nil {
		return
	}
	if len(s.Pipeline) == 0 {
		r.fail(t, errors.New("score_pipeline names no rule"))
	}
	s.FewShot.Split = cmp.Or(s.FewShot.Split, "train")
	var err error
	if s.template, err = template.Parse(s.Template); err == nil {
		err = s.template.Check(s.Mapping.names())
	}
	if err != nil {
		r.fail(prompt, err)
	}
}

// source reads where the data are, which stands in the mapping or beside it.
func (r *cardReader) source(s *Subset) func(tree) {
	return func(t tree) {
		if s.Source.Format != "" || len(s.Source.URLs) > 0 {
			r.fail(t, errors.New("stands in mapping_from_source and beside it"))
		}
		r.object(t, keys{"format": r.text(&s.Source.Format), "url": func(t tree) {
			for _, m := range r.members(t) {
				u := SplitURL{Split: m.key}
				r.text(&u.URL)(m.tree)
				s.Source.URLs = append(s.Source.URLs, u)
			}
		}})
	}
}
