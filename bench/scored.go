package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/answers"
	"lightbox/bench/slake"
	"lightbox/bench/smmile"
	"lightbox/bench/source"
	"lightbox/score"
	"lightbox/score/analysis"
	"lightbox/score/report"
)

// Rules are those of a benchmark: of each kind of question the first is ours,
// the others stand beside it.
type Rules struct{ Open, Choice []score.Rule }

// Decided is the verdict on an answer that was made elsewhere, of the first rule.
type Decided struct {
	ID      string `json:"id"`
	Outcome string `json:"verdict"`

	Answer              string `json:"answer"`
	NormalizedAnswer    string `json:"normalized_answer"`
	NormalizedReference string `json:"normalized_reference"`

	Rule        string `json:"rule"`
	Reason      string `json:"reason,omitempty"` // of unscored
	Explanation string `json:"explanation,omitempty"`
}

// ReasonNoResponse is of samples that were not answered.
const ReasonNoResponse = "response missing"

// rulePublished takes the letter that a published result file holds.
const rulePublished = "published letter"

// ScoreAnswers decides on answers that were made elsewhere. Name is the
// benchmark's.
func ScoreAnswers(name string, set *answers.Set, rules Rules) (report.Report, []Decided) {
	in := report.Input{
		Title: "answers made elsewhere", Benchmark: report.Benchmark{Name: name}, Pooled: true,
		Provenance: []report.Section{{Name: "answers", Rows: [][2]string{{"digest", set.Digest.Short()}, {"rows", fmt.Sprint(len(set.Answers))}}}},
		Notes:      publishedNotes(set),
	}
	if set.How != "" {
		in.Notes = append(in.Notes, report.Note{Level: report.Remark, Text: set.How})
	}
	var found []analysis.Sample
	decided := make([]Decided, len(set.Answers))
	for i, a := range set.Answers {
		if len(rules.Open) == 0 {
			a = keyed(a)
		}
		verdicts := verdictsOn(set, a, rules)
		if in.Primary == "" {
			in.Primary = verdicts[0].Metric
		}
		subset := cmp.Or(a.Subset, "all")
		decided[i] = decidedOf(a.ID, verdicts[0])
		in.Samples = append(in.Samples, report.Sample{
			ID: a.ID, Group: a.Group, Subset: subset, Verdicts: verdicts, Asked: !a.Absent || set.Published != nil,
			Text: report.Text{Question: a.Case.Question, Response: a.Case.Response},
		})
		found = append(found, analysis.Sample{
			ID: a.ID, Group: a.Group, Subset: subset, Response: a.Case.Response, References: a.Case.References,
			Options: a.Case.Options, Key: a.Case.Key, Verdicts: verdicts,
		})
	}
	guessed := analysis.Run{Samples: found, Primary: in.Primary, Pooled: true}
	if len(rules.Open) > 0 {
		guessed.Rule = rules.Open[0]
	}
	in.Tables, in.Notes = guessed.Tables(), append(in.Notes, ruleNotes(found)...)
	if t, ok := evalscopeTable(found); ok {
		in.Tables = append(in.Tables, t)
	}
	return report.Build(in), decided
}

// keyed is an answer to a question of multiple choice of which only the letter of
// the right option is known, as its reference answer.
func keyed(a answers.Answer) answers.Answer {
	if letter, ok := a.ReferenceLetter(); ok && a.Case.Key == "" && len(a.Case.Options) == 0 {
		a.Case.Key = letter
	}
	return a
}

// verdictsOn are the verdicts of the rules for an answer's kind of question.
func verdictsOn(set *answers.Set, a answers.Answer, rules Rules) []score.Verdict {
	named := rules.Open
	if len(named) == 0 || len(rules.Choice) > 0 && (a.Case.Key != "" || len(a.Case.Options) > 0) {
		named = rules.Choice
	}
	if set.Published != nil && set.Published.Choice && len(named) == 0 {
		return []score.Verdict{letterVerdict(a)}
	}
	var all []score.Verdict
	for _, rule := range named {
		if a.Absent {
			all = append(all, score.Verdict{Metric: rule.Metric, Rule: ruleNone, Outcome: score.Unscored, Reason: ReasonNoResponse})
			continue
		}
		all = append(all, rule.Verdict(a.Case))
	}
	return all
}

// letterVerdict compares the published letter of a choice with the key.
func letterVerdict(a answers.Answer) score.Verdict {
	v := score.Verdict{Metric: score.MCQA, Rule: rulePublished, Answer: a.Letter(), Outcome: score.Incorrect, Explanation: "the key is " + a.Case.Key}
	switch {
	case v.Answer == "":
		v.Outcome, v.Explanation = score.NoAnswer, "no letter was extracted"
	case v.Answer == a.Case.Key:
		v.Outcome, v.Explanation = score.Correct, "answers the key "+a.Case.Key
	}
	return v
}

func decidedOf(id string, v score.Verdict) Decided {
	return Decided{
		ID: id, Outcome: string(v.Outcome), Answer: v.Answer,
		NormalizedAnswer: v.NormalizedAnswer, NormalizedReference: v.NormalizedReference,
		Rule: v.Rule, Reason: v.Reason, Explanation: v.Explanation,
	}
}

// publishedNotes say what of a published file counts otherwise than it would
// here.
func publishedNotes(set *answers.Set) []report.Note {
	if set.Published == nil {
		return nil
	}
	failed := 0
	for _, a := range set.Answers {
		if a.Failed {
			failed++
		}
	}
	var notes []report.Note
	if failed > 0 {
		notes = append(notes, report.Note{Level: report.Warning, Text: fmt.Sprintf("%d responses are error messages of an interface; they count as incorrect, as published", failed)})
	}
	if set.Published.OwnKeys {
		notes = append(notes, report.Note{Level: report.Remark, Text: "the keys are those of SMMILE's script for MedVLM-R1, the first option that contains the answer, by which every rule decides here; the file does not hold the options, so that it cannot be told for how many they are not the answer's own (a run counts them)"})
	}
	return notes
}

// CheckAnswers tells whether answers can be of the benchmark of that name: those to
// SLAKE are of its languages and subsets, whose scores would else stand apart.
func CheckAnswers(name string, set *answers.Set) error {
	if name != slake.Name {
		return nil
	}
	var bad []error
	fault := func(a answers.Answer, field, format string, args ...any) {
		bad = append(bad, &source.RowError{Path: set.Path, Row: a.Row, Field: field, Err: fmt.Errorf(format, args...)})
	}
	for _, a := range set.Answers {
		language, _, _ := strings.Cut(a.Subset, "_")
		switch {
		case a.Language != "" && !slices.Contains(slake.Languages, a.Language):
			fault(a, "language", "is %q, want %s", a.Language, strings.Join(slake.Languages, " or "))
		case a.Subset != "" && !slices.Contains(slices.Concat(slake.Subsets, slake.Languages), a.Subset):
			fault(a, "subset", "is %q, want one of %s", a.Subset, strings.Join(slake.Subsets, ", "))
		case a.Language != "" && language != a.Language:
			fault(a, "subset", "is %q, and the language %q", a.Subset, a.Language)
		}
		if len(bad) == maxWrongAnswers {
			bad = append(bad, fmt.Errorf("reading %q: stopped after %d problems", set.Path, len(bad)))
			break
		}
	}
	return errors.Join(bad...)
}

// maxWrongAnswers is how many wrong answers are told of.
const maxWrongAnswers = 20

// RulesOf are the rules of a benchmark by its name, or by the file of its card,
// whose name ends in .json. Answers that the authors of
// SMMILE published keep their letters where no rule is named.
func RulesOf(name string, set *answers.Set) (Rules, error) {
	if strings.HasSuffix(strings.ToLower(name), ".json") {
		return cardRules(name)
	}
	switch name {
	case smmile.Name, smmile.NamePlus:
		if set.Published != nil && set.Published.Choice {
			return Rules{}, nil
		}
		return Rules{Open: rulesNamed(score.RuleSmmileEM), Choice: rulesNamed(score.RuleMCQA)}, nil
	case "slake":
		return Rules{Open: rulesNamed("slake", "slake-evalscope")}, nil
	case "scienceqa":
		return Rules{Choice: rulesNamed("scienceqa-lmms", "scienceqa-official", "scienceqa-llava")}, nil
	}
	return Rules{}, fail(Usage, "lightbox benchmarks lists them", "no benchmark is called %q", name)
}
