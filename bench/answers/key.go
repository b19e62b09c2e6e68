package answers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lightbox/bench/card"
	"lightbox/score"
)

// labelled are option texts with the letters of their places.
func labelled(texts []string) ([]score.Option, error) {
	options, err := card.Letters(texts)
	all := make([]score.Option, len(options))
	for i, o := range options {
		all[i] = score.Option(o)
	}
	return all, errors.Join(err, card.CheckOwnLetters(texts), card.CheckLetterTexts(options))
}

// place is an answer as the place of an option from 0: a number, or a text that
// is one; ok is false where it is neither.
func place(answer string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(answer))
	return n, err == nil
}

// keyOf is the letter that an answer, a letter or a place from 0, stands for.
func keyOf(answer string, options []score.Option) (string, error) {
	if n, ok := place(answer); ok {
		return keyAt(n, options)
	}
	letter := strings.ToUpper(strings.TrimSpace(answer))
	switch {
	case len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z':
		return "", fmt.Errorf("is %q, want a letter or a place from 0", answer)
	case len(options) > 0 && !has(options, letter):
		return "", fmt.Errorf("is %q, which is no option's letter", answer)
	}
	return letter, nil
}

// keyAt is the letter of a place from 0. Letters in another order than that of
// the alphabet say other places, and are refused.
func keyAt(n int, options []score.Option) (string, error) {
	if n < 0 || n > 25 || len(options) > 0 && n >= len(options) {
		return "", fmt.Errorf("is %d, want the place of an option from 0", n)
	}
	for i, o := range options {
		if letter := string(rune('A' + i)); o.Letter != letter {
			return "", fmt.Errorf("is %d, a place from 0, but the options have letters of their own: %s stands in the place of %s; name the letter", n, o.Letter, letter)
		}
	}
	return string(rune('A' + n)), nil
}

// checkPlace refuses a place in the form of a text that is an option's text too,
// and of another one, where no reference answer tells which is meant.
func checkPlace(answer string, a Answer) error {
	if n, ok := place(answer); ok {
		if other := otherText(n, a); other != "" {
			return fmt.Errorf("is %q, which is the place of option %s (%q), from 0, and the text of option %s; name the letter", answer, a.Case.Key, a.Case.Options[n].Text, other)
		}
	}
	return nil
}

// otherText is the letter of the option whose text is the number of another one's
// place; "" where none is, or a reference answer tells which is meant.
func otherText(n int, a Answer) string {
	for _, reference := range a.Case.References {
		if len(readings(reference, a.Case.Options))+len(alike(reference, a.Case.Options)) > 0 {
			return ""
		}
	}
	for i, o := range a.Case.Options {
		if strings.TrimSpace(o.Text) == strconv.Itoa(n) && i != n {
			return o.Letter
		}
	}
	return ""
}

// placesNote says of which rows a number was taken as a place though it is the
// text of another option too: in JSON a number is a place, as published data sets
// have it.
func placesNote(rows []string) string {
	n := len(rows)
	if n == 0 {
		return ""
	}
	if more := n - maxNamed; more > 0 {
		rows = append(rows[:maxNamed:maxNamed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%d of the answers are numbers and were taken as the place of an option, from 0, though another option has this very text: row %s", n, strings.Join(rows, ", "))
}

// maxNamed is how many such rows are named.
const maxNamed = 10

// readings are the letters of the options that a reference answer can mean: that
// of which it is the text, and that of which it is the letter.
func readings(reference string, options []score.Option) []string {
	var all []string
	letter := strings.ToUpper(strings.TrimSpace(reference))
	for _, o := range options {
		if o.Text == reference || o.Letter == letter {
			all = append(all, o.Letter)
		}
	}
	if len(options) == 0 && len(letter) == 1 && 'A' <= letter[0] && letter[0] <= 'Z' {
		all = []string{letter}
	}
	return all
}

// ReferenceLetter is the only reference answer where it is a letter.
func (a Answer) ReferenceLetter() (letter string, ok bool) {
	if len(a.Case.References) != 1 {
		return "", false
	}
	letters := readings(a.Case.References[0], nil)
	return strings.Join(letters, ""), len(letters) == 1
}

// alike are the letters of the options whose text a reference answer is but for
// letter case and blanks around it.
func alike(reference string, options []score.Option) []string {
	var all []string
	for _, o := range options {
		if strings.EqualFold(strings.TrimSpace(o.Text), strings.TrimSpace(reference)) {
			all = append(all, o.Letter)
		}
	}
	return all
}

// settle finds the key of an answer that has none by its reference answers, or
// holds both against each other. Of several references some can be no option's
// text, but not all.
func settle(a *Answer) error {
	var meant []string
	for _, reference := range a.Case.References {
		own := readings(reference, a.Case.Options)
		if len(own) == 0 {
			own = alike(reference, a.Case.Options)
		}
		if key := a.Case.Key; key != "" && len(own) > 0 && !slices.Contains(own, key) {
			return fmt.Errorf("is %q, which is option %s, and the key answer says option %s", reference, own[0], key)
		}
		meant = append(meant, own...)
	}
	slices.Sort(meant)
	meant = slices.Compact(meant)
	switch {
	case len(a.Case.References) == 0 || len(a.Case.Options) == 0:
	case len(meant) == 0:
		return fmt.Errorf("is %s, which is no option", quoted(a.Case.References))
	case a.Case.Key != "":
	case len(meant) > 1:
		return fmt.Errorf("is %s, which could mean option %s", quoted(a.Case.References), strings.Join(meant, " or "))
	default:
		a.Case.Key = meant[0]
	}
	return nil
}

// quoted are texts as an error shows them.
func quoted(texts []string) string {
	if len(texts) == 1 {
		return strconv.Quote(texts[0])
	}
	return fmt.Sprintf("%q", texts)
}

func has(options []score.Option, letter string) bool {
	return slices.ContainsFunc(options, func(o score.Option) bool { return o.Letter == letter })
}
