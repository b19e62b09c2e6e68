package bench

import (
	"fmt"
	"io"
	"strings"

	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/score"
	"lightbox/score/report"
)

// finish computes the report from the record, writes it there, and returns it.
func (r *run) finish() (Result, error) {
	manifest := r.record.Manifest()
	verdicts := map[string]map[score.Metric]score.Verdict{}
	for _, v := range r.record.Verdicts() { // later lines replace earlier ones
		if verdicts[v.ID] == nil {
			verdicts[v.ID] = map[score.Metric]score.Verdict{}
		}
		verdicts[v.ID][v.Metric] = v.Verdict
	}
	responses := r.record.Latest()
	in := report.Input{
		Title:      title(*manifest),
		Benchmark:  report.Benchmark{Name: manifest.Benchmark.Name, Version: manifest.Benchmark.Version},
		Primary:    r.primary(),
		Pooled:     r.cfg.Benchmark.Pooled,
		Provenance: provenance(*manifest),
		Notes:      r.notes(*manifest, responses),
	}
	unscored := 0
	for _, p := range r.plans {
		s := r.reported(p, responses[p.sample.ID], verdicts[p.sample.ID])
		for _, v := range s.Verdicts {
			if v.Outcome == score.Unscored {
				unscored++
				break
			}
		}
		in.Samples = append(in.Samples, s)
	}
	result := Result{Report: report.Build(in), Dir: r.cfg.Out, Unscored: unscored}
	for name, write := range map[string]func(io.Writer) error{"report.json": result.Report.JSON, "report.html": result.Report.HTML} {
		if err := r.record.WriteFile(name, write); err != nil {
			return result, err
		}
	}
	return result, nil
}

// noteBenchmark notes what is said of the data, and of how the model was
// addressed.
func (r *run) noteBenchmark(m record.Manifest, add func(report.Level, string, ...any)) {
	if about := r.cfg.Benchmark.About; about != "" {
		add(report.Remark, "%s", about)
	}
	for _, note := range r.cfg.Family.Notes {
		add(report.Remark, "%s", note)
	}
	if m.System == "" {
		return
	}
	if m.Model.System != "" {
		add(report.Remark, "the system text of family %q was sent in the place of the model's own", m.Family)
	}
	if !takesSystem(m.Model.Template) {
		add(report.Warning, "the model's template has no place for a system text: that of family %q may not reach the model", m.Family)
	}
}

// takesSystem tells whether a template shows a system text. One that is empty
// leaves it to the server.
func takesSystem(template string) bool {
	return template == "" || strings.Contains(template, ".System") || strings.Contains(template, ".Messages")
}

func title(m record.Manifest) string {
	if m.Judge == nil {
		return "model " + m.Model.Name
	}
	return fmt.Sprintf("model %s, judge %s", m.Model.Name, m.Judge.Name)
}

// primary is the metric that speaks for the samples: multiple choice where there
// are no open questions.
func (r *run) primary() score.Metric {
	for _, p := range r.plans {
		if len(p.sample.Options) == 0 {
			return r.cfg.Benchmark.Primary
		}
	}
	return score.MCQA
}

// reported is a sample as the report shows it.
func (r *run) reported(p planned, line record.Response, verdicts map[score.Metric]score.Verdict) report.Sample {
	s := report.Sample{ID: p.sample.ID, Subset: p.sample.Subset, Tags: p.sample.Tags, Asked: line.Fault == nil}
	for _, metric := range r.metrics(p) {
		s.Verdicts = append(s.Verdicts, verdicts[metric])
	}
	if line.Fault == nil {
		s.LengthStop = line.DoneReason == "length"
		s.Repetition = !line.Done
	}
	return s
}

// notes are the sentences that a reader needs beside the figures. They come from
// the record and the plan, so that a resumed run says the same as one in one go.
func (r *run) notes(m record.Manifest, responses map[string]record.Response) []report.Note {
	var notes []report.Note
	add := func(level report.Level, format string, args ...any) {
		notes = append(notes, report.Note{Level: level, Text: fmt.Sprintf(format, args...)})
	}
	r.noteBenchmark(m, add)
	if m.Parallel > 1 {
		add(report.Warning, "%d requests were under way at once: that can change answers even at temperature 0", m.Parallel)
	}
	if m.Options.Temperature > 0 {
		add(report.Warning, "the temperature was %v: another run gives other answers", m.Options.Temperature)
	}
	if m.Server.CloudDisabled != "yes" {
		add(report.Warning, "whether the server can forward requests to other machines is not ruled out (cloud switched off: %s); OLLAMA_NO_CLOUD=1 in its environment rules it out", m.Server.CloudDisabled)
	}
	switch m.Probe["picture seen"] {
	case checkSkipped:
		add(report.Remark, "the model was not asked whether it sees pictures")
	case checkUnknown:
		add(report.Warning, "whether the model sees pictures could not be found out: its replies change from one time to the next")
	}
	unknown, escaped := 0, 0
	for _, line := range responses {
		if line.Fault == nil && line.Context == record.ContextUnknown {
			unknown++
		}
		escaped += line.Escaped
	}
	if unknown > 0 {
		add(report.Warning, "for %d samples the server's token counts do not show that the whole prompt was read", unknown)
	}
	if escaped > 0 {
		add(report.Remark, "%d control tokens in the data were broken with a zero-width space", escaped)
	}
	if m.Model.ControlSource != "model" {
		add(report.Warning, "the server does not name the model's control tokens; those of a built-in list were looked for")
	}
	if r.fitted.price != "" {
		add(report.Remark, "%s", r.fitted.price)
	}
	return notes
}

// provenance says where the numbers come from.
func provenance(m record.Manifest) []report.Section {
	rows := func(name string, pairs ...string) report.Section {
		s := report.Section{Name: name}
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i+1] != "" {
				s.Rows = append(s.Rows, [2]string{pairs[i], pairs[i+1]})
			}
		}
		return s
	}
	sections := []report.Section{
		rows("benchmark", "name", m.Benchmark.Name, "version", m.Benchmark.Version, "samples", fmt.Sprint(m.Benchmark.Samples),
			"selection", m.Benchmark.Selection, "questions", m.Benchmark.DataDigest.Short(), "pictures", m.Benchmark.PictureDigest.Short()),
		modelSection("model", m.Model),
	}
	if m.Judge != nil {
		s := modelSection("judge", m.Judge.Model)
		s.Rows = append(s.Rows, [2]string{"protocol", m.Judge.Protocol})
		sections = append(sections, s)
	}
	return append(sections,
		rows("server", "Ollama", m.Server.Version, "contacted", m.Server.Address, "cloud switched off", m.Server.CloudDisabled),
		rows("asking", "context", fmt.Sprintf("%d tokens", m.Options.NumCtx), "reply", fmt.Sprintf("%d tokens at most", m.Options.NumPredict),
			"shots", m.Shots, "family", m.Family, "system text", m.System,
			"temperature", fmt.Sprint(m.Options.Temperature), "seed", fmt.Sprint(m.Options.Seed), "pictures", m.Recipe.Text,
			"at once", fmt.Sprint(m.Parallel), "checks", checks(m.Probe)),
		rows("lightbox", "version", m.Lightbox))
}

func modelSection(name string, m record.Model) report.Section {
	s := report.Section{Name: name, Rows: [][2]string{{"name", m.Name}, {"digest", infer.Digest(m.Digest).Short()}}}
	if m.ParameterSize != "" {
		s.Rows = append(s.Rows, [2]string{"size", strings.TrimSpace(m.ParameterSize + " " + m.Quantization)})
	}
	system := "none"
	if m.System != "" {
		system = m.System
	}
	return report.Section{Name: name, Rows: append(s.Rows, [2]string{"own system text", system})}
}

// checks writes what the start-up probe found.
func checks(probe map[string]string) string {
	var parts []string
	for _, name := range []string{"truncation refused", "picture seen", "second picture seen", "token counts"} {
		parts = append(parts, name+": "+probe[name])
	}
	return strings.Join(parts, ", ")
}
