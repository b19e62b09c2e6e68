package doctor

// Level is how a check ended.
type Level string

// The levels, from good to bad.
const (
	Pass Level = "pass"
	Warn Level = "warn"
	Fail Level = "fail"
)

// Kind is what a failed check means for a run.
type Kind string

// The kinds of failures.
const (
	Unreachable Kind = "server unreachable"
	WrongModel  Kind = "model missing or unable"
	NotLocal    Kind = "not local"
	NoRoom      Kind = "no room"
)

// Finding is the end of one check.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	Found string `json:"found"`
	Mend  string `json:"mend,omitempty"` // a command or a step; "" where nothing is to be mended
	Kind  Kind   `json:"kind,omitempty"` // of a failure
}

// report collects findings.
type report []Finding

func (r *report) pass(check, found string) { *r = append(*r, Finding{check, Pass, found, "", ""}) }

func (r *report) warn(check, found, mend string) {
	*r = append(*r, Finding{check, Warn, found, mend, ""})
}

func (r *report) fail(check, found, mend string, kind Kind) {
	*r = append(*r, Finding{check, Fail, found, mend, kind})
}
