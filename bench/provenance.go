package bench

import (
	"fmt"
	"slices"
	"strings"

	"lightbox/bench/icl"
	"lightbox/bench/record"
	"lightbox/bench/smmile"
	"lightbox/infer"
	"lightbox/models"
	"lightbox/preprocess"
	"lightbox/score"
	"lightbox/score/report"
)

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
		rows("benchmark", "name", m.Benchmark.Name, "version", m.Benchmark.Version, "split", m.Benchmark.Split, "prompt", m.Benchmark.Prompt, "samples", fmt.Sprint(m.Benchmark.Samples),
			"selection", m.Benchmark.Selection, "questions", m.Benchmark.DataDigest.Short(), "demonstrations from", m.Benchmark.PoolDigest.Short(),
			"card", m.Benchmark.Card.Short(), "scored as in", m.Benchmark.ScoreProtocol, "prompt from", m.Benchmark.PromptSource, "data from", m.Benchmark.Data,
			"citation", m.Benchmark.Citation, "licence", m.Benchmark.Licence, "known training", m.Benchmark.KnownTraining),
		modelSection("model", m.Model),
	}
	if m.Judge != nil {
		s := modelSection("judge", m.Judge.Model)
		s.Rows = append(s.Rows, [2]string{"protocol", m.Judge.Protocol})
		sections = append(sections, s)
	}
	return append(sections,
		rows("server", "Ollama", m.Server.Version),
		rows("sealed", sealed(m.Server)...),
		rows("asking", "context", fmt.Sprintf("%d tokens", m.Options.NumCtx), "reply", fmt.Sprintf("%d tokens at most", m.Options.NumPredict),
			"shots", m.Shots, "arrangement", m.Arrangement, "family", m.Family, "system text", m.System, "thinking", m.Thinking, "temperature", fmt.Sprint(m.Options.Temperature), "seed", fmt.Sprint(m.Options.Seed), "pictures", m.Recipe.Text,
			"at once", fmt.Sprint(m.Parallel), "checks", checks(m.Probe)),
		rows("lightbox", "version", m.Lightbox))
}

// sealed says what is known of where the data went, in names and values.
func sealed(s record.Server) []string {
	contacted := s.Address
	if len(s.Contacted) > 0 {
		contacted = strings.Join(s.Contacted, ", ")
	}
	var open []string
	for _, check := range []struct{ value, what string }{
		{s.CloudDisabled, "whether the server can forward requests"},
		{s.Reachable, "who else can reach it"},
		{s.Logging, "whether it writes requests to files"},
	} {
		if check.value == "" || check.value == "unknown" {
			open = append(open, check.what)
		}
	}
	return []string{
		"contacted", contacted + ", and nothing else",
		"cloud switched off", s.CloudDisabled, "server reachable from", s.Reachable, "request logging", s.Logging,
		"not verified", strings.Join(open, ", "),
	}
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

// notes are the sentences that a reader needs beside the figures.
func notes(m record.Manifest, responses map[string]record.Response) []report.Note {
	var n notebook
	n.onQuestions(m)
	n.onAsking(m)
	n.onReplies(m, responses)
	n.onShapes(m, responses)
	return n
}

// notebook is notes in the order in which they were made.
type notebook []report.Note

func (n *notebook) add(level report.Level, format string, args ...any) {
	*n = append(*n, report.Note{Level: level, Text: fmt.Sprintf(format, args...)})
}

// onQuestions says what a reader must know of the data and of how they are put.
func (n *notebook) onQuestions(m record.Manifest) {
	for _, w := range m.Benchmark.Warnings {
		n.add(report.Warning, "%s", w)
	}
	if m.Benchmark.About != "" {
		n.add(report.Remark, "%s", m.Benchmark.About)
	}
	if m.LeftOut > 0 {
		n.add(report.Warning, "%d samples were left out: none of their demonstrations has the query's answer", m.LeftOut)
	}
	for _, note := range m.FamilyNotes {
		n.add(report.Remark, "%s", note)
	}
	if m.System != "" && m.Model.System != "" {
		n.add(report.Remark, "the system text of family %q was sent in the place of the model's own", m.Family)
	}
	if m.System != "" && !takesSystem(m.Model.Template) {
		n.add(report.Warning, "the model's template has no place for a system text: that of family %q may not reach the model", m.Family)
	}
}

// onAsking says what of the settings, the server and the model bears on figures.
func (n *notebook) onAsking(m record.Manifest) {
	if m.Parallel > 1 {
		n.add(report.Warning, "%d requests were under way at once: that can change answers even at temperature 0", m.Parallel)
	}
	if m.Options.Temperature > 0 {
		n.add(report.Warning, "the temperature was %v: another run gives other answers", m.Options.Temperature)
	}
	if m.Server.CloudDisabled != "yes" {
		n.add(report.Warning, "whether the server can forward requests to other machines is not ruled out (cloud switched off: %s); OLLAMA_NO_CLOUD=1 in its environment rules it out", m.Server.CloudDisabled)
	}
	if m.Server.Reachable == record.ReachOthers {
		n.add(report.Warning, "the server took requests from other machines too; OLLAMA_HOST=127.0.0.1 in its environment keeps them out")
	}
	if m.Server.Logging == "on" {
		n.add(report.Warning, "the server wrote what it was asked, which can be pictures, to files of its own")
	}
	switch m.Probe["picture seen"] {
	case checkSkipped:
		if m.Benchmark.Pictures {
			n.add(report.Warning, "the model was not asked whether it sees pictures")
		}
	case checkUnknown:
		n.add(report.Warning, "whether the model sees pictures could not be found out: its replies change from one time to the next")
	}
	if m.Judge != nil && m.Judge.Protocol == "official" {
		n.add(report.Warning, "sampling of the judge's replies was left to the server, as in the published evaluation: another run can give other verdicts")
	}
	if m.Model.ControlSource != "model" {
		n.add(report.Warning, "the server does not name the model's control tokens; those of a built-in list were looked for")
	}
	if m.WindowPrice != "" {
		n.add(report.Remark, "%s", m.WindowPrice)
	}
}

// onReplies counts what was odd about replies.
func (n *notebook) onReplies(m record.Manifest, responses map[string]record.Response) {
	unknown, escaped, stripped := 0, 0, 0
	for _, line := range responses {
		if line.Fault == nil && line.Context == record.ContextUnknown {
			unknown++
		}
		escaped += line.Escaped
		if line.Fault == nil && score.HoldsThinking(line.Text) {
			stripped++
		}
	}
	n.onPictures(m, responses)
	if stripped > 0 {
		n.add(report.Remark, "%d responses held raw <think> text, which was left out before scoring", stripped)
	}
	if unknown > 0 {
		n.add(report.Warning, "for %d samples the server's token counts do not show that the whole prompt was read", unknown)
	}
	if escaped > 0 {
		n.add(report.Remark, "%d control tokens in the data were broken with a zero-width space", escaped)
	}
}

// onPictures warns of pictures on which a name may stand, and of those that show
// nothing but for the grey ones in the place of queries'.
func (n *notebook) onPictures(m record.Manifest, responses map[string]record.Response) {
	unknown, even := map[infer.Digest]bool{}, map[infer.Digest]bool{}
	for _, line := range responses {
		for _, p := range line.Pictures {
			if slices.Contains(p.Steps, preprocess.BurnedInUnknown) {
				unknown[p.Source] = true
			}
			blank := strings.HasSuffix(m.Arrangement, icl.Blanked) && slices.Contains(p.Steps, preprocess.NothingButGrey)
			if !blank && slices.ContainsFunc(p.Steps, preprocess.ShowsNothing) {
				even[p.Source] = true
			}
		}
	}
	if len(even) > 0 {
		n.add(report.Warning, "%d pictures, or frames of them, were sent all black, all white or of one grey, for their window or because the file holds nothing else: look at them with lightbox image, and choose another --window", len(even))
	}
	if len(unknown) > 0 {
		n.add(report.Warning, "%d DICOM pictures do not say whether text is burned into them: look at them, and cover what names a patient with --mask", len(unknown))
	}
}

// onShapes says where the server changes the aspect of pictures that were sent with
// their own.
func (n *notebook) onShapes(m record.Manifest, responses map[string]record.Response) {
	if !models.ProfileOf(models.Facts{Architecture: m.Model.Architecture}).Squashes {
		return
	}
	oblong := map[infer.Digest]bool{}
	for _, line := range responses {
		for _, p := range line.Pictures {
			if p.Width != p.Height {
				oblong[p.Digest] = true
			}
		}
	}
	if len(oblong) > 0 {
		n.add(report.Remark, "servers squash the pictures of this family of models to a square: %d pictures were not square; --fit pad keeps their aspect", len(oblong))
	}
}

// takesSystem tells whether a template shows a system text. One that is empty
// leaves it to the server.
func takesSystem(template string) bool {
	return template == "" || strings.Contains(template, ".System") || strings.Contains(template, ".Messages")
}

// publishedJudge judged the published figures of SMMILE (Rieff et al. 2025), in the
// words of smmileJudges.
const publishedJudge = "llama3.3"

var smmileJudges = map[string]bool{"strict": true, "official": true}

// caveat says in the headline what keeps the figures from being compared with
// published ones.
func caveat(m record.Manifest) string {
	var reasons []string
	if m.Judge != nil && smmileJudges[m.Judge.Protocol] && !strings.HasPrefix(m.Judge.Name, publishedJudge) {
		reasons = append(reasons, fmt.Sprintf("judged by %s and not by %s", m.Judge.Name, publishedJudge))
	}
	if m.Thinking == string(thinksOn) || m.Thinking == string(thinksAlways) {
		reasons = append(reasons, "the model thought before it answered")
	}
	if name := m.Benchmark.Name; m.Format == FormatLogprob && (name == smmile.Name || name == smmile.NamePlus) {
		reasons = append(reasons, "prompt and rule of "+FormatLogprob+" are lightbox's own")
	}
	if m.Arrangement != "" {
		reasons = append(reasons, "what is shown was changed ("+m.Arrangement+")")
	}
	if reasons == nil {
		return ""
	}
	return "not comparable with published figures: " + strings.Join(reasons, ", ")
}
