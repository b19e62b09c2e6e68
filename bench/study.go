package bench

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"lightbox/bench/card"
	"lightbox/bench/icl"
)

// Study is a plan of several runs of one model on one benchmark, its arms, which
// differ in what is shown.
type Study struct {
	Name      string     `json:"name"`
	About     string     `json:"about,omitempty"`
	Reference string     `json:"reference"` // the arm that the others are compared with
	Arms      []Arm      `json:"arms"`
	Questions []Question `json:"questions,omitempty"`
}

// Arm is one run of a study. What is empty is as in the data.
type Arm struct {
	Name          string `json:"name"`
	Shots         string `json:"shots,omitempty"`
	Order         string `json:"order,omitempty"`
	Distract      string `json:"distract,omitempty"`
	DistractCount int    `json:"distract_count,omitempty"`
	Ablate        string `json:"ablate,omitempty"` // of the query's picture
}

// Question is answered by the difference of two arms, or of one to several others.
type Question struct {
	Ask  string   `json:"ask"`
	More string   `json:"more"` // the arm that scores more where the answer is Yes
	Than string   `json:"than"`
	Or   []string `json:"or,omitempty"` // further arms that More is compared with: one of all is enough for Yes
	Yes  string   `json:"yes"`
	No   string   `json:"no"`

	// Guess is said in the place of Yes where the arm More does not score more, by its
	// whole interval, than guesses that see no picture; empty: they do not matter.
	Guess string `json:"guess,omitempty"`
}

//go:embed studies/*.json
var studies embed.FS

// StudyNames are the embedded studies.
func StudyNames() []string {
	entries, err := fs.Glob(studies, "studies/*.json")
	if err != nil { // the pattern is a constant
		panic(err)
	}
	for i, name := range entries {
		entries[i] = strings.TrimSuffix(path.Base(name), ".json")
	}
	return entries
}

// OpenStudy gives the embedded study of a name, or reads the file of a path.
func OpenStudy(name string) (Study, error) {
	data, err := studies.ReadFile("studies/" + name + ".json")
	if err != nil {
		data, err = os.ReadFile(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Study{}, fail(Usage, "the plans are "+strings.Join(StudyNames(), ", ")+"; a path to a .json file works too", "no plan is called %q", name)
	}
	if err != nil {
		return Study{}, &Failure{Kind: WrongData, Err: err}
	}
	s, err := ParseStudy(data)
	if err != nil {
		return s, &Failure{Kind: WrongData, Hint: "lightbox plan --help shows a plan", Err: fmt.Errorf("reading plan %q: %w", name, err)}
	}
	return s, nil
}

// mostArms keeps a plan from growing beyond what can be run.
const mostArms = 50

// ParseStudy reads a plan.
func ParseStudy(data []byte) (Study, error) {
	var s Study
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return s, err
	}
	if dec.More() {
		return s, errors.New("text follows the plan")
	}
	return s, s.check()
}

// check reports what keeps a plan from being run.
func (s Study) check() error {
	if n := len(s.Arms); n == 0 || n > mostArms {
		return fmt.Errorf("it has %d arms, want 1 to %d", n, mostArms)
	}
	folders := map[string]bool{}
	for _, a := range s.Arms {
		if a.folder() == "" || folders[a.folder()] {
			return fmt.Errorf("arm %q has no name of its own", a.Name)
		}
		folders[a.folder()] = true
		if _, err := card.ParseShots(a.Shots); err != nil {
			return fmt.Errorf("arm %q: %w", a.Name, err)
		}
		if err := a.arrangement().Check(); err != nil {
			return fmt.Errorf("arm %q: %w", a.Name, err)
		}
	}
	if s.arm(s.Reference) < 0 {
		return fmt.Errorf("reference %q is no arm", s.Reference)
	}
	for _, q := range s.Questions {
		for _, than := range q.others() {
			if s.arm(q.More) < 0 || s.arm(than) < 0 {
				return fmt.Errorf("question %q compares %q and %q, which are not both arms", q.Ask, q.More, than)
			}
		}
	}
	return nil
}

// others are the arms that More is compared with.
func (q Question) others() []string { return append([]string{q.Than}, q.Or...) }

// arm is the place of an arm, -1 where there is none.
func (s Study) arm(name string) int {
	return slices.IndexFunc(s.Arms, func(a Arm) bool { return a.Name == name })
}

func (a Arm) arrangement() icl.Arrangement {
	return icl.Arrangement{Order: a.Order, Distract: a.Distract, DistractCount: a.DistractCount, Ablate: a.Ablate}
}

// folder is the arm's name as that of a directory.
func (a Arm) folder() string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return '-'
	}, a.Name), "-")
}
