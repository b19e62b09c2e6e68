package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
			ID: string(rune('a' + i)), Asked: true, Verdicts: []score.Verdict{{Metric: score.ExactMatch, Rule: "r", Outcome: outcome}},
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
	if a := r.Arms[1]; a.Scored != 13 || a.Against.Pairs != 12 || a.Against.Difference != -1 || a.Against.McNemar > 0.001 {
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
	if err := r.Text(&b); err != nil || !strings.Contains(b.String(), "-100.0 [-100.0, -100.0]") {
		t.Errorf("%v:\n%s", err, b.String())
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
