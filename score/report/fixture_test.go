package report

import (
	"fmt"
	"strings"

	"lightbox/score"
)

// marks are the outcomes that a letter of a fixture stands for.
var marks = map[byte]score.Verdict{
	'+': {Outcome: score.Correct, Answer: "pleural effusion", Explanation: `equals reference "Pleural effusion."`},
	'-': {Outcome: score.Incorrect, Answer: "pneumothorax", Explanation: `differs from reference "Pleural effusion."`},
	'0': {Outcome: score.NoAnswer, Explanation: "the response is empty"},
	't': {Outcome: score.Unscored, Reason: "timeout"},
	'r': {Outcome: score.Unscored, Reason: "runner died"},
	'j': {Outcome: score.Unscored, Reason: score.ReasonJudge, Explanation: `phantom-judge: reading judge reply "yes": neither 1 nor 0`},
}

// samplesOf makes a sample for every mark; a blank is a sample without a
// verdict of that metric. The judge's "=" is an exact match not asked about.
func samplesOf(subset string, lines map[score.Metric]string, tags ...[]string) []Sample {
	rules := map[score.Metric]string{score.ExactMatch: score.RuleSmmileEM, score.Judged: "judge-strict", score.MCQA: score.RuleMCQA}
	n := 0
	for _, line := range lines {
		n = max(n, len(line))
	}
	samples := make([]Sample, n)
	for i := range samples {
		s := Sample{ID: fmt.Sprintf("%s-%03d", subset, i), Subset: subset, Asked: true}
		if len(tags) > 0 {
			s.Tags = tags[i%len(tags)]
		}
		for _, m := range []score.Metric{score.ExactMatch, score.Judged, score.MCQA} {
			line := lines[m]
			if i >= len(line) || line[i] == ' ' {
				continue
			}
			mark, rule := line[i], rules[m]
			if mark == '=' {
				mark, rule = '+', score.RuleJudgeSkipped
			}
			v := marks[mark]
			v.Metric, v.Rule = m, rule
			if v.Reason == "timeout" || v.Reason == "runner died" {
				s.Asked = false
			}
			s.Verdicts = append(s.Verdicts, v)
		}
		samples[i] = s
	}
	return samples
}

// judged is a pooled benchmark with a judge, some samples unscored.
func judged() Input {
	tags := [][]string{{"specialty:radiology", "format:free response"}, {"specialty:pathology", "format:yes or no"}, {"specialty:radiology", "format:free response"}}
	in := Input{
		Title:     "Ward round with llava:7b",
		Benchmark: Benchmark{Name: "smmile", Version: "1.0"},
		Primary:   score.Judged,
		Pooled:    true,
		Provenance: []Section{
			{"model", [][2]string{{"name", "llava:7b"}, {"digest", "sha256:4f1c2b7a90de"}, {"temperature", "0"}, {"context", "8192 tokens"}}},
			{"server", [][2]string{{"Ollama", "0.17.4"}, {"address", "127.0.0.1"}}},
		},
		Notes: []Note{
			{Warning, "the server's switch against remote models could not be verified"},
			{Remark, "pictures were reduced to 1024 px on their longer side"},
		},
	}
	in.Samples = append(in.Samples, samplesOf("open", map[score.Metric]string{
		score.ExactMatch: "+----+---0-+t--+-r---",
		score.Judged:     "=+--+=-+-0-=t+-=-rj-+",
	}, tags...)...)
	in.Samples = append(in.Samples, samplesOf("yes or no", map[score.Metric]string{
		score.ExactMatch: "+++-++-+++",
		score.Judged:     "===-==-===",
	}, tags...)...)
	in.Samples[6].LengthStop = true
	in.Samples[8].Repetition = true
	in.Samples[0].Text = Text{
		Shown: 2, Question: "Which finding?", Response: "Pleural effusion",
		Pictures: []Picture{{512, 384, 2048, 1536}, {512, 384, 2048, 1536}, {64, 64, 64, 64}},
	}
	in.Samples[1].Text = Text{
		Question: "Select the best answer:\nA. effusion\nB. nodule\n", Thinking: "The left <costophrenic> angle is blunted. " + strings.Repeat("So. ", 50),
		Response: strings.Repeat("It is a pneumothorax, I think & hope. ", 8),
	}
	return in
}

// separate is a benchmark whose subsets are not pooled.
func separate() Input {
	in := Input{
		Title:     "",
		Benchmark: Benchmark{Name: "phantom", Version: "1"},
		Primary:   score.ExactMatch,
	}
	add := func(subset, line string, tags ...[]string) {
		in.Samples = append(in.Samples, samplesOf(subset, map[score.Metric]string{score.ExactMatch: line}, tags...)...)
	}
	add("in-context", "+++++++++++++++++++++++++++++++++++++++-", []string{"demonstrations:2"}, []string{"demonstrations:3"})
	add("modality", "+++++++++++++++", []string{"modality:CT"}, []string{"modality:MRI"}, []string{"modality:X-ray"})
	add("病灶", "++++++++++++++-", []string{"modality:CT"})
	in.Tables = []Table{{
		Name: "baselines", About: "What a guess scores that knows only the demonstrations.",
		Columns: []Column{{"guess", Words}, {"n", Count}, {"accuracy", Fraction}, {"calibration error", Number}},
		Rows:    [][]any{{"majority", 40, 0.275, 0.12345}, {"随机 <random>", 40, nil, nil}},
	}}
	return in
}

// halfway is a run that has asked some of its samples and judged none.
func halfway() Input {
	in := judged()
	in.Samples = in.Samples[:21]
	for i := range in.Samples {
		in.Samples[i].Verdicts = in.Samples[i].Verdicts[:1]
	}
	in.Progress = &Progress{Samples: 21, Of: 31, ToJudge: 21}
	return in
}

// hostile is a report whose texts try to steer what shows them.
func hostile() Input {
	evil := "<script>alert(1)</script>\x1b[31m\u202eevil\u009b2J\u2028\"'><img src=x onerror=y>\xff\x00"
	in := Input{
		Title:      evil,
		Benchmark:  Benchmark{Name: evil, Version: evil},
		Provenance: []Section{{evil, [][2]string{{evil, evil}}}},
		Notes:      []Note{{Warning, evil}, {Level(evil), evil}},
		Primary:    score.Metric(evil),
		Pooled:     true,
	}
	for _, outcome := range []score.Outcome{score.Correct, score.Unscored, score.Outcome(evil)} {
		in.Samples = append(in.Samples, Sample{
			ID: evil, Subset: evil, Tags: []string{evil, evil + ":" + evil},
			Text:     Text{Question: evil, Thinking: strings.Repeat(evil+"\r\n", 9), Response: "\n" + evil},
			Verdicts: []score.Verdict{{Metric: score.Metric(evil), Rule: evil, Outcome: outcome, Answer: evil, Reason: evil, Explanation: evil}},
		})
	}
	return in
}
