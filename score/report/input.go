package report

import "lightbox/score"

// Input is what a report is built from.
type Input struct {
	Title      string
	Benchmark  Benchmark
	Provenance []Section // where the numbers come from, in the order shown
	Notes      []Note
	Caveat     string       // stands in the headline; "": none
	Primary    score.Metric // the benchmark's own choice, computed or not; "": it names none
	Pooled     bool         // one overall figure across subsets makes sense
	Samples    []Sample     // in data order
	Tables     []Table      // what else there is to say, in the order shown
	Progress   *Progress    // of a run that is not finished; nil: it is
}

// Table is a finding that is more than scores of groups: its rows hold, by
// column, a string, an int, a float64, or nil where there is nothing to say.
type Table struct {
	Name    string   `json:"name"`
	About   string   `json:"about,omitempty"` // how to read it, in a sentence or two
	Columns []Column `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// Column is a column of a [Table].
type Column struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
}

// Kind says what the cells of a column are.
type Kind string

// The kinds of columns.
const (
	Words    Kind = "words"
	Count    Kind = "count"    // an int
	Fraction Kind = "fraction" // a float64 of 0 to 1, or a difference of two; shown in percent
	Number   Kind = "number"   // a float64
)

// Progress says how far a run is that is not finished.
type Progress struct {
	Samples int `json:"samples"`  // in the report
	Of      int `json:"of"`       // of the whole run
	Judged  int `json:"judged"`   // by the judge, of ToJudge
	ToJudge int `json:"to_judge"` // open questions among Samples; 0 where there is no judge
}

// Benchmark names what was asked.
type Benchmark struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Section is a group of provenance: rows of a name and a value.
type Section struct {
	Name string      `json:"name"`
	Rows [][2]string `json:"rows"`
}

// Level says how much a [Note] matters.
type Level string

// The levels of notes.
const (
	Warning Level = "warning" // the numbers may not mean what they seem to
	Remark  Level = "note"    // good to know
)

// Note is a sentence for the reader of a report.
type Note struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// Sample is what became of one sample.
type Sample struct {
	ID         string          `json:"id"`
	Group      string          `json:"group,omitempty"` // the problem it belongs to
	Subset     string          `json:"subset"`
	Tags       []string        `json:"tags,omitempty"` // "name:value" or a bare word
	Verdicts   []score.Verdict `json:"verdicts"`       // at most one a metric; of more the first counts, with a warning
	LengthStop bool            `json:"length_stop,omitempty"`
	Repetition bool            `json:"repetition,omitempty"` // the server ended a repeating reply
	Asked      bool            `json:"asked"`                // the model was asked and replied
	Text       Text            `json:"-"`                    // for the page and for tables of samples; too long for JSON
}

// Text is what was said about one sample.
type Text struct {
	Shown    int    // demonstrations before the question
	Question string // as it was sent, or would have been
	Pictures []Picture
	Thinking string // of the model, kept apart from its response
	Response string
}

// Picture is the size of a picture in pixels, as sent and as it was before.
type Picture struct{ Width, Height, SourceWidth, SourceHeight int }
