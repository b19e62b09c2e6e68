package card

import (
	"fmt"

	"lightbox/infer/template"
)

// Card is a benchmark as its card describes it: the public JSON form, and the
// keys that lightbox adds to it.
type Card struct {
	Name        string
	ReleaseDate string
	Subsets     []Subset // in the card's order, one at least

	// Keys of ours.
	Citation      string
	Licence       string
	KnownTraining []string          // models that are known to have been trained on the data
	SHA256        map[string]string // of the data's files in lower-case hex, by base name; empty: not checked
}

// Subset is a part of a benchmark that is asked and scored in one way.
type Subset struct {
	Name         string
	Languages    []string
	Modalities   []string
	TaskType     string
	Pipeline     []string // names of rules; the first that decides wins
	Protocol     Reference
	Template     string // Jinja, of the prompt
	PromptSource Reference
	Mapping      Mapping
	Source       Source

	// Keys of ours.
	FewShot          FewShot
	Judge            string // protocol of the judge; empty: the usual
	Normalizer       string // rule that "exact-match" means for open questions; empty: the usual
	MaxSide, MinSide int    // of pictures, in pixels; 0: the model's

	template *template.Template
}

// Reference says where something is from.
type Reference struct{ Origin, Reference, Note string }

// String joins what is known.
func (r Reference) String() string {
	text := ""
	for _, part := range []string{r.Origin, r.Reference, r.Note} {
		if part != "" && text != "" {
			text += "; "
		}
		text += part
	}
	return text
}

// Source says where the data are published.
type Source struct {
	Format string
	URLs   []SplitURL
}

// SplitURL is the address of a split.
type SplitURL struct{ Split, URL string }

// FewShot are the demonstrations that a card asks for.
type FewShot struct {
	Shots int
	Split string // that they are drawn from; "train" unless the card says otherwise
}

// Mapping says which columns of the data a subset's samples are made of. A field
// without From is not mapped.
type Mapping struct {
	Media, ID, Question, Answer, Hint, Options Field
	Group, Language, Tags                      Field // keys of ours
	Extra                                      []ExtraField
}

// Field is what a part of a sample is made of.
type Field struct {
	From     string // column
	Type     string // of its values, see fieldTypes; empty: any
	Optional bool
	MinItems int
	MaxItems int // 0: any number
	Note     string
}

// ExtraField is a column that templates and breakdowns can use under its name.
type ExtraField struct {
	Name string
	Field
}

// Subset finds a subset by its name.
func (c *Card) Subset(name string) (*Subset, error) {
	var names []string
	for i := range c.Subsets {
		if c.Subsets[i].Name == name {
			return &c.Subsets[i], nil
		}
		names = append(names, c.Subsets[i].Name)
	}
	return nil, fmt.Errorf("choosing subset %q: the card has none of this name%s", name, nearestOf(name, names))
}

// CardError reports what is wrong with a card.
type CardError struct {
	Path  string // of the file
	Field string // JSON path of the value, such as subsets.main.language; empty: the whole file
	Line  int    // from 1
	Err   error
}

// Error names the file, the line and the value.
func (e *CardError) Error() string {
	field := ""
	if e.Field != "" {
		field = " " + e.Field + ":"
	}
	return fmt.Sprintf("reading card %q, line %d:%s %v", e.Path, e.Line, field, e.Err)
}

// Unwrap is what is wrong.
func (e *CardError) Unwrap() error { return e.Err }
