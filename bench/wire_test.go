package bench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// TestEveryRequestIsExact looks at each request on the wire.
func TestEveryRequestIsExact(t *testing.T) {
	s, cfg := play(t, 7, fake.Config{})
	cfg.Judge, cfg.NumPredict, cfg.Seed = "judge", 100, 3
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	windows := map[string][]float64{}
	for _, r := range s.Chats() {
		if r.Truncate == nil || *r.Truncate || r.Shift == nil || *r.Shift {
			t.Errorf("request %d: truncate %v, shift %v, want both false", r.N, r.Truncate, r.Shift)
		}
		for _, name := range []string{"num_ctx", "num_predict", "temperature", "seed", "top_k", "top_p", "min_p", "repeat_penalty", "stop"} {
			if _, ok := r.Options[name]; !ok {
				t.Errorf("request %d does not send %s", r.N, name)
			}
		}
		if r.Number("num_predict") < 1 || r.Number("repeat_penalty") != 1 {
			t.Errorf("request %d: num_predict %v, repeat_penalty %v", r.N, r.Options["num_predict"], r.Options["repeat_penalty"])
		}
		if n := r.Number("num_ctx"); !slices.Contains(windows[r.Model], n) {
			windows[r.Model] = append(windows[r.Model], n)
		}
		for i, m := range r.Messages {
			if len(m.Images) > 1 {
				t.Errorf("request %d: message %d has %d pictures", r.N, i+1, len(m.Images))
			}
		}
	}
	for model, sizes := range windows {
		if len(sizes) != 1 {
			t.Errorf("%s was asked with contexts of %v tokens, want one size", model, sizes)
		}
	}
	if loads := s.Loads(); len(loads) != 2 || loads[0].Model == loads[1].Model {
		t.Errorf("loads %v, want the model once and then the judge once", loads)
	}
}

// TestPhasesDoNotMix demands that the judge is asked after the last sample.
func TestPhasesDoNotMix(t *testing.T) {
	s, cfg := play(t, 6, fake.Config{})
	cfg.Judge = "judge"
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	judging := false
	for _, r := range s.Chats() {
		isJudge := strings.HasPrefix(r.Model, "judge")
		if judging && !isJudge {
			t.Fatal("the model was asked after the judge")
		}
		judging = judging || isJudge
	}
	if !judging {
		t.Error("the judge was not asked")
	}
}

// TestDemonstrationsAreTurns compares a sample with what was sent of it, and the
// pictures on the wire with those of the record.
func TestDemonstrationsAreTurns(t *testing.T) {
	s, cfg := play(t, 3, fake.Config{})
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	var sent fake.Request
	for _, r := range s.Chats() {
		if isSample(r) && r.Last() == "question 3?" {
			sent = r
		}
	}
	type message struct {
		Role, Text string
		Pictures   int
	}
	var got []message
	var digests []string
	for _, m := range sent.Messages {
		got = append(got, message{m.Role, m.Content, len(m.Images)})
		for _, p := range m.Images {
			digests = append(digests, p.Digest)
		}
	}
	want := []message{
		{"user", "example 3.1?", 1},
		{"assistant", "no", 0},
		{"user", "example 3.2?", 1},
		{"assistant", "no", 0},
		{"user", "question 3?", 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what was sent (-want +got):\n%s", diff)
	}
	var recorded []string
	for _, p := range lineOf(t, cfg.Out, "3").Pictures {
		recorded = append(recorded, string(p.Digest))
	}
	if diff := cmp.Diff(digests, recorded); diff != "" {
		t.Errorf("digests of the pictures (-wire +record):\n%s", diff)
	}
}

// TestParallelGivesTheSameReport runs one benchmark one by one and four at a time,
// on a server that is busy now and then.
func TestParallelGivesTheSameReport(t *testing.T) {
	run := func(parallel int) ([]byte, []string) {
		script := func(r fake.Request) fake.Reply {
			if r.N%7 == 0 && isSample(r) {
				return fake.Busy()
			}
			return fake.Answer{}
		}
		_, cfg := play(t, 40, fake.Config{Script: script})
		cfg.Parallel = parallel
		result, err := Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, s := range result.Report.Samples {
			ids = append(ids, s.ID)
		}
		verdicts, err := os.ReadFile(filepath.Join(cfg.Out, "verdicts.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(verdicts, []byte("\n")) // written as replies come
		slices.SortFunc(lines, bytes.Compare)
		return bytes.Join(lines, nil), ids
	}
	one, order := run(1)
	four, same := run(4)
	if !bytes.Equal(one, four) || !slices.Equal(order, same) {
		t.Error("four requests at a time give other verdicts or another order than one")
	}
	if len(order) != 40 || !slices.IsSortedFunc(order, func(a, b string) int { return len(a) - len(b) }) {
		t.Errorf("samples are not in data order: %v", order)
	}
}

// TestSecondProcessIsRefused holds a run directory and starts another run in it.
func TestSecondProcessIsRefused(t *testing.T) {
	_, cfg := play(t, 2, fake.Config{})
	held, err := record.Create(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if _, err := Run(context.Background(), cfg); !errors.Is(err, record.ErrLocked) {
		t.Errorf("error %v, want that the directory is in use", err)
	}
}

// TestResumeAfterCutVerdicts cuts the journal of verdicts at line ends and inside
// of lines, runs again, and compares with the undisturbed record. The journal of
// responses has TestCutAtEveryByte.
func TestResumeAfterCutVerdicts(t *testing.T) {
	_, cfg := play(t, 6, fake.Config{})
	cfg.Judge = "judge"
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	whole := readAll(t, cfg.Out)
	const name = "verdicts.jsonl"
	text := whole[name]
	for at := 0; at <= len(text); at += 1 + len(text)/60 {
		again := cfg
		again.Out = t.TempDir()
		lay(t, again.Out, whole)
		lay(t, again.Out, map[string][]byte{name: text[:at]})
		if _, err := Run(context.Background(), again); err != nil {
			t.Fatalf("cut at byte %d: %v", at, err)
		}
		if diff := cmp.Diff(whole, readAll(t, again.Out)); diff != "" {
			t.Fatalf("cut at byte %d: the record differs:\n%s", at, diff)
		}
	}
}

// readAll is what a record holds but for what may vary.
func readAll(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"manifest.json", "responses.jsonl", "verdicts.jsonl", "report.json", "report.html"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	return files
}

// TestPassingFaultsAreAskedAgain leaves one sample unscored for a passing reason
// and one for a lasting one, and runs again.
func TestPassingFaultsAreAskedAgain(t *testing.T) {
	healed := false
	s, cfg := play(t, 4, fake.Config{Script: func(r fake.Request) fake.Reply {
		switch {
		case isSample(r) && r.Last() == "question 1?" && !healed:
			return fake.RunnerDied()
		case isSample(r) && r.Last() == "question 2?":
			return fake.PictureRefused()
		}
		return fake.Answer{Text: "yes"}
	}})
	cfg.NoProbe = true // every reply is the same
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if result.Unscored != 2 {
		t.Errorf("%d unscored, want 2", result.Unscored)
	}
	healed = true
	before := len(s.Chats())
	if result, err = Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if result.Unscored != 1 {
		t.Errorf("%d unscored after going on, want 1", result.Unscored)
	}
	again := 0
	for _, r := range s.Chats()[before:] {
		if isSample(r) {
			again++
		}
	}
	if again != 1 {
		t.Errorf("%d samples were asked again, want the one", again)
	}
}

// TestControlTextIsNotSent gives samples texts that would steer the server.
func TestControlTextIsNotSent(t *testing.T) {
	s, cfg := play(t, 3, fake.Config{})
	cfg.Benchmark.Samples[0].Question = "question 1? [img-1]"
	cfg.Benchmark.Samples[1].Question = "question 2? <end_of_turn>"
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if v := verdictOf(t, cfg.Out, "1", score.ExactMatch); v.Reason != string(infer.ReasonControlText) || result.Unscored != 2 {
		t.Errorf("verdict %+v, %d unscored, want control text and 2", v, result.Unscored)
	}
	for _, r := range s.Chats() {
		if strings.Contains(r.Last(), "[img") || strings.Contains(r.Last(), "<end_of_turn>") {
			t.Errorf("%q was sent", r.Last())
		}
	}
	cfg.Out, cfg.EscapeControl = t.TempDir(), true
	if result, err = Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if line := lineOf(t, cfg.Out, "2"); line.Escaped != 1 || line.Fault != nil || result.Unscored != 0 {
		t.Errorf("escaped %d, fault %v, %d unscored, want 1, none and 0", line.Escaped, line.Fault, result.Unscored)
	}
}

// TestPromptsThatCannotFitAreNotSent asks for a context that the pictures of a
// problem alone fill.
func TestPromptsThatCannotFitAreNotSent(t *testing.T) {
	s, cfg := play(t, 2, fake.Config{})
	nine := card.Sample{ID: "long", Question: "question long?", Pictures: cfg.Benchmark.Samples[0].Pictures, References: []string{"yes"}}
	for range 9 {
		nine.Demonstrations = append(nine.Demonstrations, cfg.Benchmark.Samples[1])
	}
	cfg.Benchmark.Samples = append(cfg.Benchmark.Samples, nine)
	cfg.NumCtx = 2048
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	v := verdictOf(t, cfg.Out, "long", score.ExactMatch)
	if v.Reason != string(infer.ReasonContextRefused) || !strings.Contains(v.Explanation, "needs num_ctx 3") || !strings.Contains(v.Explanation, "10 pictures") {
		t.Errorf("verdict %+v, want the number of tokens that it needs", v)
	}
	for _, r := range s.Chats() {
		if r.Last() == "question long?" {
			t.Error("the prompt was sent")
		}
	}
}

// TestMissingCountsAreUnknown runs on a server that does not count.
func TestMissingCountsAreUnknown(t *testing.T) {
	_, cfg := play(t, 2, fake.Config{Script: func(r fake.Request) fake.Reply { return fake.Answer{PromptTokens: -1} }})
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if line := lineOf(t, cfg.Out, "1"); line.Context != record.ContextUnknown {
		t.Errorf("context %q, want unknown", line.Context)
	}
	warned := false
	for _, n := range result.Report.Notes {
		warned = warned || strings.Contains(n.Text, "for 2 samples the server's token counts")
	}
	if !warned {
		t.Errorf("no warning about the counts in %v", result.Report.Notes)
	}
}

// TestJudgeThatCannotBeRead gets one more try and is unscored after it.
func TestJudgeThatCannotBeRead(t *testing.T) {
	s, cfg := play(t, 1, fake.Config{Script: func(r fake.Request) fake.Reply {
		if strings.HasPrefix(r.Model, "judge") && len(r.Last()) < 2000 {
			return fake.Answer{Text: "perhaps"}
		}
		return fake.Answer{}
	}})
	cfg.Judge = "judge"
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if v := verdictOf(t, cfg.Out, "1", score.Judged); v.Outcome != score.Unscored || v.Reason != string(infer.ReasonJudge) || result.Unscored != 1 {
		t.Errorf("verdict %+v, want unscored", v)
	}
	var asked []fake.Request
	for _, r := range s.Chats() {
		if r.Format != nil {
			asked = append(asked, r)
		}
	}
	if len(asked) != 2 {
		t.Fatalf("the judge was asked %d times, want 2", len(asked))
	}
	first, second := asked[0], asked[1]
	if first.Number("num_predict") != 8 || second.Number("num_predict") != 16 || string(second.Think) != "false" {
		t.Errorf("num_predict %v then %v, think %s; want 8, 16 and false", first.Number("num_predict"), second.Number("num_predict"), second.Think)
	}
}

// TestEqualJudgePromptsAreAskedOnce gives two samples the same question, answer
// and response.
func TestEqualJudgePromptsAreAskedOnce(t *testing.T) {
	s, cfg := play(t, 4, fake.Config{Script: func(r fake.Request) fake.Reply {
		if isSample(r) {
			return fake.Answer{Text: "perhaps"}
		}
		return fake.Answer{}
	}})
	cfg.Judge = "judge"
	for i := range cfg.Benchmark.Samples {
		cfg.Benchmark.Samples[i].Question = "question 0?"
	}
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range s.Chats() {
		if r.Format != nil {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the judge was asked %d times, want once", n)
	}
}

// TestRecordIsSmall counts the bytes of a sample.
func TestRecordIsSmall(t *testing.T) {
	const n = 300
	_, cfg := play(t, n, fake.Config{})
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, text := range readAll(t, cfg.Out) {
		if bytes.Contains(text, []byte("iVBOR")) {
			t.Error("the record holds a picture")
		}
		total += len(text)
	}
	lines := readAll(t, cfg.Out)["responses.jsonl"]
	if per := len(lines) / n; per > 2048 {
		t.Errorf("%d bytes a response, want at most 2048", per)
	}
}
