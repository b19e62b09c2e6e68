package scienceqa

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"lightbox/bench/card"
)

// Subsets by which samples are divided: those with and without a picture.
const (
	SubsetImage = "image"
	SubsetText  = "text"
)

// Samples makes a sample out of each row, in their order. The function has tells
// whether there is a picture by its reference. Errors about rows are
// [*card.FieldError], joined.
func Samples(rows []Row, split string, p Prompt, has func(reference string) bool) ([]card.Sample, error) {
	var bad card.Faults
	samples := make([]card.Sample, len(rows))
	for i, row := range rows {
		f := card.Fields{Row: row.At, Values: row.Values, Faults: &bad}
		samples[i] = sampleOf(f, row, p)
		samples[i].Split = split
		if row.Picture != "" && !has(row.Picture) {
			f.Fail(PictureColumn, fmt.Errorf("names a picture that is not there: %s", row.Picture))
		}
		if bad.Full() {
			break
		}
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	return samples, nil
}

func sampleOf(f card.Fields, row Row, p Prompt) card.Sample {
	s := card.Sample{
		ID: row.ID, Name: row.ID, Group: row.ID, Subset: SubsetText, Language: "en",
		Question: f.Text(columnQuestion), Hint: f.OptionalText(columnHint),
	}
	if row.Picture != "" {
		s.Subset, s.Pictures = SubsetImage, []string{row.Picture}
	}
	setOptions(f, &s)
	s.Prompt, s.Shown = p.ask(s), fmt.Sprintf(p.reply, s.Key)
	s.Tags = tagsOf(f, s)
	return s
}

// setOptions reads the choices, and which of them is right.
func setOptions(f card.Fields, s *card.Sample) {
	before := f.Faults.Len()
	choices, answer := f.Texts(columnChoices), f.Whole(columnAnswer)
	if f.Faults.Len() > before {
		return
	}
	var err error
	switch s.Options, err = card.Letters(choices); {
	case err != nil:
		f.Fail(columnChoices, err)
	case len(choices) == 0:
		f.Fail(columnChoices, errors.New("is empty"))
	case answer >= int64(len(choices)):
		f.Fail(columnAnswer, fmt.Errorf("is %d, outside of the %d choices, which count from 0", answer, len(choices)))
	case strings.TrimSpace(choices[answer]) == "":
		f.Fail(columnChoices, fmt.Errorf("has element %d, the answer, which is empty", answer+1))
	default:
		s.Key, s.References = s.Options[answer].Letter, []string{choices[answer]}
	}
}

// Undecided are the IDs of samples whose answer a letter does not decide on: there
// is one choice, or choices are empty or look the same.
func Undecided(samples []card.Sample) []string {
	var all []string
	for _, s := range samples {
		seen := map[string]bool{"": true}
		for _, o := range s.Options {
			seen[strings.ToLower(strings.TrimSpace(o.Text))] = true
		}
		if len(seen) <= len(s.Options) || len(s.Options) < 2 {
			all = append(all, s.ID)
		}
	}
	return all
}

// TagNames are the names of the tags of samples, in the order in which to show
// them.
func TagNames() []string { return []string{"subject", "context", "grades", "grade", "topic"} }

// tagsOf are the tags by which the authors break scores down (evaluate_acc.py):
// a question can have both a text and a picture as its context.
func tagsOf(f card.Fields, s card.Sample) []string {
	var tags []string
	add := func(name, value string) {
		if value != "" {
			tags = append(tags, name+":"+value)
		}
	}
	add("subject", f.OptionalText("subject"))
	if s.Hint != "" {
		add("context", "text")
	}
	if len(s.Pictures) > 0 {
		add("context", "image")
	}
	if s.Hint == "" && len(s.Pictures) == 0 {
		add("context", "none")
	}
	grade := f.OptionalText("grade")
	if n, err := strconv.Atoi(strings.TrimPrefix(grade, "grade")); err == nil {
		if n <= 6 {
			add("grades", "1-6")
		} else {
			add("grades", "7-12")
		}
	}
	add("grade", grade)
	add("topic", f.OptionalText("topic"))
	return tags
}
