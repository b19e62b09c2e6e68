package bench

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/infer/ollama/fake"
	"lightbox/score"
	"lightbox/score/report"
)

// TestRecallJudgesWhatTheRuleCallsWrong follows the protocol from the prompt to
// the report: question 1 is right by the rule, 2 becomes right, 3 stays wrong, and
// of 4 the judge's reply cannot be read.
func TestRecallJudgesWhatTheRuleCallsWrong(t *testing.T) {
	judge := func(r fake.Request) fake.Reply {
		switch text := r.Last(); {
		case strings.Contains(text, "question 2?"):
			return fake.Answer{Text: "```json\n{\"reasoning\": \"the same\", \"verdict\": \"A\"}\n```"}
		case strings.Contains(text, "question 3?"):
			return fake.Answer{Text: `{"verdict": "B"}`}
		}
		return fake.Answer{Text: "A"}
	}
	s, cfg := play(t, 4, fake.Config{Script: func(r fake.Request) fake.Reply {
		switch {
		case strings.HasPrefix(r.Model, "judge") && strings.HasPrefix(r.Last(), "Your job"):
			return judge(r)
		case r.Last() == "asked: question 1?":
			return fake.Answer{Text: "yes"}
		case strings.HasPrefix(r.Last(), "asked: "):
			return fake.Answer{Text: "certainly {gold}"}
		}
		return fake.Answer{}
	}})
	for i := range cfg.Benchmark.Samples {
		cfg.Benchmark.Samples[i].Prompt = "asked: " + cfg.Benchmark.Samples[i].Question
	}
	cfg.Judge, cfg.JudgeProtocol = "judge", "llm_recall"
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, r := range s.Chats() {
		if !strings.HasPrefix(r.Last(), "Your job") {
			continue
		}
		asked++
		if !strings.Contains(r.Last(), "[Question]\n**User**: asked: question ") || !strings.Contains(r.Last(), "[Predicted Answer]\ncertainly {gold}\n") {
			t.Errorf("the judge reads %q", r.Last())
		}
		if r.Number("num_predict") != 4096 || r.Number("temperature") != 0 || r.Number("num_ctx") < 4096 {
			t.Errorf("options %v", r.Options)
		}
	}
	if asked != 3 || result.Report.Counts.JudgeSkipped != 1 {
		t.Errorf("%d asked, %d skipped; want 3 and 1", asked, result.Report.Counts.JudgeSkipped)
	}
	at := slices.IndexFunc(result.Report.Overall, func(s report.Score) bool { return s.Metric == score.Judged })
	if at < 0 {
		t.Fatal("the judge has no score")
	}
	got := result.Report.Overall[at]
	want := map[string]int{"judge-llm_recall (rule)": 1, "judge-llm_recall": 2, "judge-llm_recall (unusable reply)": 1}
	if diff := cmp.Diff(want, got.Rules); diff != "" || got.Correct != 2 || got.Incorrect != 2 {
		t.Errorf("%d correct, %d incorrect; rules (-want +got):\n%s", got.Correct, got.Incorrect, diff)
	}
}
