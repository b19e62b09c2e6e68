package bench

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/score"
	"lightbox/score/analysis"
	"lightbox/score/report"
)

// reasonNotJudged is of samples that a judge who is at work has not come to.
const reasonNotJudged = "not judged yet"

// ReportOf computes the report of the run directory dir from its record alone,
// while a run writes to it too. The report of a run that is not finished says
// how far it is. The error of a directory that holds no run, or a damaged one,
// is a [Failure].
func ReportOf(dir string) (report.Report, error) {
	run, err := record.Read(dir)
	if err != nil {
		hint := "lightbox run says at its end where the record is"
		var damaged *record.JournalError
		if errors.As(err, &damaged) {
			hint = damaged.Hint()
		}
		return report.Report{}, &Failure{Kind: WrongData, Hint: hint, Err: err}
	}
	defer run.Close()
	if run.Manifest() == nil {
		return report.Report{}, fail(WrongData, "lightbox run says at its end where the record is; one that has only begun to load the model has none yet",
			"reading run %q: it holds no manifest.json", dir)
	}
	return reportOf(run), nil
}

// reportOf computes the report from the manifest, the responses and the
// verdicts, and from nothing else, so that a run gives the same one at its end
// as its directory does later.
func reportOf(run *record.Run) report.Report {
	manifest, responses := run.Manifest(), run.Latest()
	in := report.Input{
		Title:      title(*manifest),
		Benchmark:  report.Benchmark{Name: manifest.Benchmark.Name, Version: manifest.Benchmark.Version},
		Primary:    manifest.Benchmark.Primary,
		Pooled:     manifest.Benchmark.Pooled,
		Provenance: provenance(*manifest),
		Notes:      notes(*manifest, responses),
		Caveat:     caveat(*manifest),
	}
	var found []analysis.Sample
	verdicts := standing(run.Verdicts(), responses)
	if n := closedLeaks(verdicts); n > 0 {
		in.Notes = append(in.Notes, report.Note{Level: report.Remark, Text: fmt.Sprintf("%d responses hold a name of a part of the judge's prompt: they were sent as they are, where evalscope's substitution would have put the reference answer there", n)})
	}
	lines := slices.SortedFunc(maps.Values(responses), func(a, b record.Response) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID))
	})
	for _, line := range lines {
		// A run that is under way writes the verdict of its rule next.
		if list := verdicts[line.ID]; slices.ContainsFunc(list, func(v score.Verdict) bool { return v.Metric != score.Judged }) {
			in.Samples = append(in.Samples, reported(line, list))
			found = append(found, analysed(line, list))
		}
	}
	in.Tables = analysis.Run{Samples: found, Primary: in.Primary, Pooled: in.Pooled, Rule: openRule(manifest.Benchmark.Rules)}.Tables()
	if t, ok := evalscopeTable(found); ok {
		in.Tables = append(in.Tables, t)
	}
	in.Notes = append(in.Notes, ruleNotes(found)...)
	progress := report.Progress{Samples: len(in.Samples), Of: manifest.Benchmark.Samples}
	if manifest.Judge != nil {
		progress.Judged, progress.ToJudge = judgedSoFar(in.Samples)
	}
	if progress.Samples < progress.Of || progress.Judged < progress.ToJudge {
		in.Progress = &progress
	}
	return report.Build(in)
}

// closedLeaks counts the responses that would have changed the judge's prompt.
func closedLeaks(verdicts map[string][]score.Verdict) int {
	n := 0
	for _, list := range verdicts {
		if slices.ContainsFunc(list, func(v score.Verdict) bool { return strings.Contains(v.Explanation, score.LeakClosed) }) {
			n++
		}
	}
	return n
}

// standing are the verdicts by sample that are about its last response: of each
// metric the last one, the judge's behind that of the rule.
func standing(all []record.Verdict, responses map[string]record.Response) map[string][]score.Verdict {
	subjects := make(map[string]infer.Digest, len(responses))
	for id, line := range responses {
		subjects[id] = line.Subject()
	}
	by := map[string][]score.Verdict{}
	for _, v := range all {
		if subject, ok := subjects[v.ID]; !ok || v.Of != subject {
			continue
		}
		list := by[v.ID]
		if at := slices.IndexFunc(list, func(have score.Verdict) bool { return have.Metric == v.Metric }); at >= 0 {
			list[at] = v.Verdict
		} else {
			by[v.ID] = append(list, v.Verdict)
		}
	}
	return by
}

// judgedSoFar counts the open questions and those of them that are judged. Where
// some are, the others get a verdict that says that they are not yet.
func judgedSoFar(samples []report.Sample) (judged, open int) {
	has := func(s report.Sample, m score.Metric) bool {
		return slices.ContainsFunc(s.Verdicts, func(v score.Verdict) bool { return v.Metric == m })
	}
	choice := func(s report.Sample) bool {
		return slices.ContainsFunc(s.Verdicts, func(v score.Verdict) bool { return v.Metric.Choice() })
	}
	for _, s := range samples {
		if !choice(s) {
			open++
		}
		if has(s, score.Judged) {
			judged++
		}
	}
	if judged == 0 {
		return judged, open
	}
	for i, s := range samples {
		if !choice(s) && !has(s, score.Judged) {
			samples[i].Verdicts = append(s.Verdicts, score.Verdict{
				Metric: score.Judged, Rule: ruleNone, Outcome: score.Unscored, Reason: reasonNotJudged,
			})
		}
	}
	return judged, open
}

// reported is a sample as the report shows it.
func reported(line record.Response, verdicts []score.Verdict) report.Sample {
	s := report.Sample{
		ID: line.ID, Group: line.Group, Subset: line.Subset, Tags: line.Tags, Verdicts: verdicts, Asked: line.Fault == nil,
		Text: report.Text{Shown: line.Shown, Question: line.Asked, Thinking: line.Thinking, Response: line.Text},
	}
	for _, p := range line.Pictures {
		s.Text.Pictures = append(s.Text.Pictures, report.Picture{Width: p.Width, Height: p.Height, SourceWidth: p.SourceWidth, SourceHeight: p.SourceHeight})
	}
	if line.Fault == nil {
		s.LengthStop = line.DoneReason == "length" && line.Outside == nil // by probabilities one token is all that is wanted
		s.Repetition = !line.Done
	}
	return s
}

// analysed is a sample as findings are made from it.
func analysed(line record.Response, verdicts []score.Verdict) analysis.Sample {
	s := analysis.Sample{
		ID: line.ID, Group: line.Group, Subset: line.Subset, Tags: line.Tags, Response: line.Text,
		References: line.References, Key: line.Key, Answers: line.Answers, Inserted: line.Inserted, Verdicts: verdicts,
		AnswerLetters: line.AnswerLetters, Letters: line.Letters, Outside: line.Outside,
		Question: line.Asked, Prompt: string(line.Prompt),
	}
	for _, p := range line.Pictures {
		s.Pictures = append(s.Pictures, string(p.Digest))
	}
	for _, o := range line.Options {
		s.Options = append(s.Options, score.Option(o))
	}
	return s
}

// openRule is the first rule of open questions among the names of rules and
// pipelines, or none.
func openRule(names []string) score.Rule {
	for _, name := range names {
		rule, err := score.RuleNamed(name)
		if err != nil {
			rule, err = score.Pipeline(strings.Split(name, ", "), score.ExactMatch, false)
		}
		if err == nil && !rule.Choice() {
			return rule
		}
	}
	return score.Rule{}
}

// unscoredSamples counts the samples that any metric leaves out.
func unscoredSamples(r report.Report) int {
	n := 0
	for _, s := range r.Samples {
		if slices.ContainsFunc(s.Verdicts, func(v score.Verdict) bool { return v.Outcome == score.Unscored }) {
			n++
		}
	}
	return n
}

func title(m record.Manifest) string {
	if m.Judge == nil {
		return "model " + m.Model.Name
	}
	return fmt.Sprintf("model %s, judge %s", m.Model.Name, m.Judge.Name)
}
