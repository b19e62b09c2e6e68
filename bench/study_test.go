package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/icl"
	"lightbox/score"
	"lightbox/score/report"
)

func TestEmbeddedStudies(t *testing.T) {
	if diff := cmp.Diff([]string{"icl"}, StudyNames()); diff != "" {
		t.Error(diff)
	}
	for _, name := range StudyNames() {
		s, err := OpenStudy(name)
		if err != nil || s.Name != name || len(s.Questions) < 3 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

func TestPlansThatAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":             `{`,
		"unknown key":         `{"name":"x","arm":[]}`,
		"text behind":         `{"reference":"a","arms":[{"name":"a"}]}{}`,
		"no arms":             `{"name":"x"}`,
		"no reference":        `{"reference":"b","arms":[{"name":"a"}]}`,
		"same folder":         `{"reference":"a b","arms":[{"name":"a b"},{"name":"a-b"}]}`,
		"no name":             `{"reference":"!","arms":[{"name":"!"}]}`,
		"unknown order":       `{"reference":"a","arms":[{"name":"a","order":"backwards"}]}`,
		"shots":               `{"reference":"a","arms":[{"name":"a","shots":"all"}]}`,
		"question of no arms": `{"reference":"a","arms":[{"name":"a"}],"questions":[{"ask":"?","more":"a","than":"b"}]}`,
		"question or no arm":  `{"reference":"a","arms":[{"name":"a"}],"questions":[{"ask":"?","more":"a","than":"a","or":["b"]}]}`,
		"too many arms":       `{"reference":"a","arms":[` + strings.Repeat(`{"name":"a"},`, 50) + `{"name":"b"}]}`,
	} {
		if s, err := ParseStudy([]byte(text)); err == nil {
			t.Errorf("%s: taken as %+v", name, s)
		}
	}
	if _, err := OpenStudy("ilc"); err == nil || !strings.Contains(err.Error(), "ilc") {
		t.Errorf("error %v", err)
	}
}

// armOf is an arm whose samples have outcomes: "+", "-" and "?" for unscored.
func armOf(name, outcomes string) ArmResult {
	in := report.Input{Primary: score.ExactMatch, Pooled: true}
	for i, o := range outcomes {
		outcome := map[rune]score.Outcome{'+': score.Correct, '-': score.Incorrect, '?': score.Unscored}[o]
		in.Samples = append(in.Samples, report.Sample{
			ID: fmt.Sprint(i), Asked: true, Verdicts: []score.Verdict{{Metric: score.ExactMatch, Rule: "r", Outcome: outcome}},
		})
	}
	return ArmResult{Arm: Arm{Name: name}, Report: report.Build(in)}
}

func TestStudyReport(t *testing.T) {
	s := Study{
		Name: "s", Reference: "plain", Arms: []Arm{{Name: "plain"}, {Name: "other"}, {Name: "same"}},
		Questions: []Question{
			{Ask: "Is plain better?", More: "plain", Than: "other", Yes: "yes", No: "no"},
			{Ask: "Is other better?", More: "other", Than: "plain", Yes: "yes", No: "no"},
			{Ask: "Is same better?", More: "same", Than: "plain", Yes: "yes", No: "no"},
		},
	}
	r := s.Report([]ArmResult{armOf("plain", "++++++++++++?"), armOf("other", "------------+"), armOf("same", "+++++++++++++")})
	if a := r.Arms[1]; a.Scored != 13 || a.Against.Pairs != 12 || a.Against.Difference != -1 || a.Against.P > 0.001 {
		t.Errorf("arm %+v, against %+v", a, a.Against)
	}
	if r.Arms[0].Against != nil || r.Arms[0].Unscored != 1 {
		t.Errorf("reference %+v", r.Arms[0])
	}
	for i, want := range []string{"yes (", "no (", "cannot be told: the interval"} {
		if !strings.HasPrefix(r.Answers[i].Answer, want) {
			t.Errorf("answer %q, want %q…", r.Answers[i].Answer, want)
		}
	}
	var b strings.Builder
	if err := r.Text(&b); err != nil || !strings.Contains(b.String(), "-100.0 [-100.0, -58.7]") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// TestCopyingIsNoLearning: a model that scores more with demonstrations than
// without, and no more than a guess among what they show, is not said to learn.
func TestCopyingIsNoLearning(t *testing.T) {
	s := Study{Reference: "in", Arms: []Arm{{Name: "in"}, {Name: "zero"}}, Questions: []Question{{Ask: "?", More: "in", Than: "zero", Yes: "yes", No: "no", Guess: "guess"}}}
	zero := armOf("zero", strings.Repeat("-", 40))
	for _, tt := range []struct {
		outcomes string
		rows     [][]any
		want     string
	}{
		{strings.Repeat("+", 17) + strings.Repeat("-", 23), [][]any{{"all", 40, 0.35, "answers shown", 0.425, 0.425}}, "guess ("},
		{strings.Repeat("+", 38) + "--", [][]any{{"all", 40, 0.35, "answers shown", 0.425, 0.95}}, "yes ("},
		{strings.Repeat("+", 38) + "--", [][]any{{"all", 40, 0.9, "answers shown", 0.425, 0.95}}, "guess ("},
		{strings.Repeat("+", 17) + strings.Repeat("-", 23), [][]any{{"a", 20, 0.35, "answers shown", 0.5, 0.4}, {"b", 20, 0.35, "answers shown", 0.9, 0.4}}, "yes ("}, // no guess at both
	} {
		in := armOf("in", tt.outcomes)
		in.Report.Tables = []report.Table{{Name: "baselines", Rows: tt.rows}}
		if got := s.Report([]ArmResult{in, zero}).Answers[0].Answer; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s with guesses %v: %q, want %q", tt.outcomes, tt.rows, got, tt.want)
		}
	}
}

// TestOneOfSeveralArmsIsEnough: a question about several arms names all of them with
// their figures, and is answered with yes where one differs.
func TestOneOfSeveralArmsIsEnough(t *testing.T) {
	s := Study{
		Reference: "in", Arms: []Arm{{Name: "in"}, {Name: "any"}, {Name: "same"}},
		Questions: []Question{{Ask: "Misled?", More: "in", Than: "any", Or: []string{"same"}, Yes: "yes", No: "no"}},
	}
	right := strings.Repeat("+", 34)
	equal, worse := right+"++++++", right+"------"
	out := ArmResult{Arm: Arm{Name: "same"}, Why: "the data name no specialty"}
	for _, tt := range []struct {
		any, same ArmResult
		want      string
	}{
		{armOf("any", equal), armOf("same", worse), "yes (in against same: +15.0 [+1.8, +26.8] points on 40 samples, p 0.031); cannot be told: the interval of the difference holds zero (in against any: +0.0 [-6.6, +6.6] points on 40 samples, p 1.000)"},
		{armOf("any", worse), armOf("same", worse), "yes (in against any: +15.0 [+1.8, +26.8] points on 40 samples, p 0.031; in against same: +15.0 [+1.8, +26.8] points on 40 samples, p 0.031)"},
		{armOf("any", equal), out, "cannot be told: the interval of the difference holds zero (in against any: +0.0 [-6.6, +6.6] points on 40 samples, p 1.000); cannot be told: the arm is left out (in against same)"},
	} {
		r := s.Report([]ArmResult{armOf("in", equal), tt.any, tt.same})
		a := r.Answers[0]
		if a.Answer != tt.want || len(a.Compared) != 2 || a.Compared[0].Paired != a.Paired {
			t.Errorf("answer %q\nwant   %q\n%+v", a.Answer, tt.want, a)
		}
	}
	r := s.Report([]ArmResult{armOf("in", equal), armOf("any", equal), out})
	if want := `arm "same" is left out: the data name no specialty`; !slices.Contains(r.Notes, want) {
		t.Errorf("notes %q lack %q", r.Notes, want)
	}
	few := armOf("same", worse[:39])
	few.Arm.Distract = icl.Targeted
	few.Report.Notes = []report.Note{{Text: "for 3 samples " + fromTheSubset}}
	r = s.Report([]ArmResult{armOf("in", equal), armOf("any", equal), few})
	for _, want := range []string{`arm "same": for 3 samples ` + fromTheSubset, `arm "same" leaves out 1 of 40 samples: too few of other problems have another answer, and a picture that can be sent`} {
		if !slices.Contains(r.Notes, want) {
			t.Errorf("notes %q lack %q", r.Notes, want)
		}
	}
}

// TestFewSamplesTellNothing: neither one sample, nor five of forty on one side,
// nor many orders of four problems are enough for a yes.
func TestFewSamplesTellNothing(t *testing.T) {
	s := Study{Reference: "a", Arms: []Arm{{Name: "a"}, {Name: "b"}}, Questions: []Question{{Ask: "?", More: "a", Than: "b", Yes: "yes", No: "no"}}}
	right := strings.Repeat("+", 35)
	for _, tt := range []struct{ name, a, b, want string }{
		{"one sample", "+", "-", "cannot be told: the interval"},
		{"two samples", "++", "--", "cannot be told: the interval"},
		{"five of forty", right + "+++++", right + "-----", "cannot be told: too few samples differ"},
		{"six of forty-one", right + "++++++", right + "------", "yes ("},
		{"nothing in common", "+", "?", "cannot be told: no sample"},
	} {
		r := s.Report([]ArmResult{armOf("a", tt.a), armOf("b", tt.b)})
		if got := r.Answers[0].Answer; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q…", tt.name, got, tt.want)
		}
	}
	grouped := func(a ArmResult) ArmResult {
		for i := range a.Report.Samples {
			a.Report.Samples[i].Group = fmt.Sprint(i % 4)
		}
		return a
	}
	many := strings.Repeat("+", 96)
	r := s.Report([]ArmResult{grouped(armOf("a", many)), grouped(armOf("b", strings.ReplaceAll(many, "+", "-")))})
	if p := r.Answers[0].Paired.P; p != 0.125 || !strings.HasPrefix(r.Answers[0].Answer, "cannot be told") {
		t.Errorf("24 orders of four problems: p %v, %q", p, r.Answers[0].Answer)
	}
	if low := *r.Arms[0].Low; low > 0.52 {
		t.Errorf("24 orders of four right problems: from %v, want that of four samples", low)
	}
}

// TestEveryKindOfQuestionCounts: multiple choice has no verdict of the metric of
// open questions, and is scored all the same.
func TestEveryKindOfQuestionCounts(t *testing.T) {
	a := armOf("a", "++-?")
	for i := range a.Report.Samples[2:] {
		a.Report.Samples[2+i].Verdicts[0].Metric = score.MCQA
	}
	if s := armScore(a, score.ExactMatch); s.Scored != 3 || s.Unscored != 1 || *s.Accuracy != 2.0/3 {
		t.Errorf("%+v", s)
	}
	if s := armScore(a, score.Judged); s.Scored != 1 || s.Unscored != 3 {
		t.Errorf("an open question that was not judged is scored: %+v", s)
	}
}

func FuzzParseStudy(f *testing.F) {
	f.Add([]byte(`{"name":"x","reference":"a","arms":[{"name":"a","order":"shuffle"}],"questions":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseStudy(data)
		if err == nil && (s.arm(s.Reference) < 0 || len(s.Arms) > mostArms) {
			t.Errorf("%+v was taken", s)
		}
	})
}
