//go:build integration

package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer"
	"lightbox/infer/ollama"
	"lightbox/models"
	"lightbox/models/phantom"
	"lightbox/models/server"
	"lightbox/score"
)

// private is a real server with the phantom models, one for all tests.
var private *Private

func TestMain(m *testing.M) {
	code, err := withServer(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "these tests need a real Ollama server:", err)
		code = 1
	}
	os.Exit(code)
}

func withServer(m *testing.M) (int, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return 0, err
	}
	home, _ := os.UserHomeDir()
	binary, err := server.Finder{
		Explicit: os.Getenv("LIGHTBOX_OLLAMA"),
		Path:     filepath.SplitList(os.Getenv("PATH")), Home: home, Cache: cache,
	}.Find()
	if err != nil {
		return 0, err
	}
	root, err := os.MkdirTemp("", "lightbox-test-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(root)
	private, err = StartPrivate(context.Background(), server.Config{Binary: binary, Root: root, Env: os.Environ()})
	if err != nil {
		return 0, err
	}
	code := m.Run()
	return code, private.Stop()
}

func phantomConfig(t *testing.T) Config {
	t.Helper()
	b, err := Phantom()
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Benchmark: b, Host: private.Host, HostHidden: true,
		Model: phantom.Model, Judge: phantom.Judge, NumPredict: 32,
		KeepNames: true, Out: t.TempDir(), Version: "test",
	}
}

func mustRun(t *testing.T, cfg Config) Result {
	t.Helper()
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestPhantomFiguresOnARealServer holds the figures against what
// models/phantom/README.md says the models do.
func TestPhantomFiguresOnARealServer(t *testing.T) {
	result := mustRun(t, phantomConfig(t))
	want := map[string]map[score.Metric][3]int{ // n, least and most correct
		"in-context":             {score.ExactMatch: {40, 38, 40}, score.Judged: {40, 38, 40}},
		"without demonstrations": {score.ExactMatch: {40, 0, 0}, score.Judged: {40, 0, 0}},
		"in-context mcqa":        {score.MCQA: {40, 39, 40}},
		"zero-shot":              {score.ExactMatch: {60, 60, 60}, score.Judged: {60, 60, 60}},
		"zero-shot mcqa":         {score.MCQA: {60, 60, 60}},
	}
	found := 0
	for _, g := range result.Report.Subsets {
		for _, s := range g.Scores {
			w, ok := want[g.Name][s.Metric]
			if !ok {
				t.Errorf("unexpected score %s of %q", s.Metric, g.Name)
				continue
			}
			found++
			if s.Scored != w[0] || s.Correct < w[1] || s.Correct > w[2] {
				t.Errorf("%s of %q: %d of %d correct, want %d to %d of %d", s.Metric, g.Name, s.Correct, s.Scored, w[1], w[2], w[0])
			}
		}
	}
	if found != 8 {
		t.Errorf("%d scores, want 8", found)
	}
	if result.Unscored != 0 {
		t.Errorf("%d samples are unscored", result.Unscored)
	}
	compareReplies(t, result.Dir)
}

// compareReplies holds every response against the recorded one. The recorded
// pictures were scaled with another filter, so a few replies may differ.
func compareReplies(t *testing.T, dir string) {
	t.Helper()
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	responses := run.Latest()
	suffix := map[string]string{"icl": "", "0-shot": "/0-shot", "icl-mcqa": "/mcqa", "0-shot-mcqa": "/mcqa"}
	same, rows := 0, 0
	for _, line := range jsonLines(t, "phantom/expected.jsonl") {
		var e struct {
			ID       string `json:"problem_id"`
			Mode     string `json:"mode"`
			Response string `json:"response"`
			Tokens   int    `json:"prompt_tokens"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		id := e.ID + suffix[e.Mode]
		if strings.HasPrefix(e.ID, "zs-") && e.Mode == "0-shot" {
			id = e.ID
		}
		got, ok := responses[id]
		if !ok {
			t.Fatalf("no response to %q", id)
		}
		rows++
		if got.Text == e.Response {
			same++
		}
		if got.PromptTokens != e.Tokens {
			t.Errorf("%s: %d prompt tokens, want %d", id, got.PromptTokens, e.Tokens)
		}
	}
	if rows != 240 || same < 235 {
		t.Errorf("%d of %d responses are as recorded, want at least 235 of 240", same, rows)
	}
}

func jsonLines(t *testing.T, path string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	scan := bufio.NewScanner(bytes.NewReader(data))
	for scan.Scan() {
		lines = append(lines, bytes.Clone(scan.Bytes()))
	}
	return lines
}

// TestTwoRunsAreEqual compares everything in the record that may not vary.
func TestTwoRunsAreEqual(t *testing.T) {
	a, b := phantomConfig(t), phantomConfig(t)
	mustRun(t, a)
	mustRun(t, b)
	sameRecords(t, a.Out, b.Out)
}

func sameRecords(t *testing.T, a, b string) {
	t.Helper()
	for _, name := range []string{"manifest.json", "responses.jsonl", "verdicts.jsonl", "report.json", "report.html"} {
		x, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			t.Fatal(err)
		}
		y, err := os.ReadFile(filepath.Join(b, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			t.Errorf("%s of two runs differs", name)
		}
	}
}

// TestPicturesDecideTheAnswer asks in-context problems with the query's picture
// replaced, and with the pictures of the demonstrations in another order.
func TestPicturesDecideTheAnswer(t *testing.T) {
	cfg := phantomConfig(t)
	cfg.Judge = ""
	normal := texts(t, cfg, nil)
	replaced := texts(t, cfg, func(s *card.Sample) { s.Pictures = s.Demonstrations[otherLabel(*s)].Pictures })
	turned := texts(t, cfg, func(s *card.Sample) {
		demos := append([]card.Sample{}, s.Demonstrations...)
		for i := range demos {
			demos[i].Pictures = s.Demonstrations[(i+1)%len(demos)].Pictures
		}
		s.Demonstrations = demos
	})
	for name, changed := range map[string]map[string]string{"query picture replaced": replaced, "demonstration pictures turned": turned} {
		differ := 0
		for id, text := range changed {
			if normal[id] != text {
				differ++
			}
		}
		t.Logf("%s: %d of %d answers change", name, differ, len(changed))
		if differ < len(changed)/2 {
			t.Errorf("%s: only %d of %d answers change", name, differ, len(changed))
		}
	}
}

// otherLabel is a demonstration whose answer is not the query's.
func otherLabel(s card.Sample) int {
	for i, d := range s.Demonstrations {
		if d.References[0] != s.References[0] {
			return i
		}
	}
	return 0
}

// texts runs the in-context subset with every sample changed.
func texts(t *testing.T, cfg Config, change func(*card.Sample)) map[string]string {
	t.Helper()
	cfg.Out = t.TempDir()
	var samples []card.Sample
	for _, s := range cfg.Benchmark.Samples {
		if s.Subset != "in-context" {
			continue
		}
		if change != nil {
			change(&s)
		}
		samples = append(samples, s)
	}
	cfg.Benchmark.Samples = samples
	mustRun(t, cfg)
	run, err := record.Read(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for id, line := range run.Latest() {
		all[id] = line.Text
	}
	return all
}

// TestJudgeVerdictsAreAsRecorded asks the judge all recorded questions the way a
// run does.
func TestJudgeVerdictsAreAsRecorded(t *testing.T) {
	cfg := phantomConfig(t).withDefaults()
	r := &run{cfg: cfg, gate: newGate(1)}
	if err := r.connect(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.record.Close()
	r.options = infer.Greedy(4096, 32, nil)
	court := r.court()
	court.options.NumCtx = 4096
	rows, unlike := 0, 0
	for _, line := range jsonLines(t, "phantom/judge_expected.jsonl") {
		var e struct{ Question, Answer, Response, Judge string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		reply, err := court.AskJudge(context.Background(), score.Request{Prompt: score.JudgePrompt(e.Question, e.Answer, e.Response)})
		if err != nil {
			t.Fatal(err)
		}
		correct, err := score.ReadJudge(reply)
		if err != nil {
			t.Fatal(err)
		}
		rows++
		if correct != (e.Judge == "1") {
			unlike++
			t.Logf("unlike the record: %q, %q", e.Answer, e.Response)
		}
	}
	if rows != 420 || unlike != 0 {
		t.Errorf("%d of %d verdicts are unlike the recorded ones", unlike, rows)
	}
}

// TestModelsWithWordsOfTheirOwnAreRefused makes variants of the phantom on the
// real server.
func TestModelsWithWordsOfTheirOwnAreRefused(t *testing.T) {
	ctx := context.Background()
	client, err := ollama.New(ollama.Config{Host: private.Host})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	base := phantom.Definitions()[0]
	files := map[string]string{base.File: base.Digest}
	for _, d := range []ollama.Definition{
		{Name: "own-system", Files: files, Template: base.Template, Parameters: base.Parameters, System: "Say CT."},
		{Name: "own-message", Files: files, Template: base.Template, Parameters: base.Parameters, Messages: []models.Turn{{Role: "user", Text: "hello"}}},
	} {
		if err := client.Create(ctx, d); err != nil {
			t.Fatal(err)
		}
		defer client.Delete(ctx, d.Name)
	}
	for _, tt := range []struct {
		model string
		keep  bool
		kind  Kind
	}{
		{"own-system", false, WrongModel},
		{"own-message", false, WrongModel},
		{"own-message", true, WrongModel},
		{"no-such-model", false, WrongModel},
		{"phantom-judge", false, WrongModel}, // no vision
		{"phantom-vlm:cloud", false, NotLocal},
	} {
		cfg := phantomConfig(t)
		cfg.Model, cfg.KeepSystem = tt.model, tt.keep
		_, err := Run(ctx, cfg)
		var failure *Failure
		if !errors.As(err, &failure) || failure.Kind != tt.kind {
			t.Errorf("%s: error %v, want one of kind %d", tt.model, err, tt.kind)
		}
	}
	cfg := phantomConfig(t)
	cfg.Model, cfg.KeepSystem, cfg.Judge, cfg.Selection.Limit = "own-system", true, "", 2
	mustRun(t, cfg)
	run, err := record.Read(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Manifest().Model.System; got != "Say CT." {
		t.Errorf("the record says the model's system text is %q", got)
	}
}

// TestForwardingStubIsRefused makes a model that forwards to another server, and
// demands that this server hears nothing of it.
func TestForwardingStubIsRefused(t *testing.T) {
	heard := make(chan string, 100)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { heard <- r.URL.Path }))
	defer upstream.Close()
	body := fmt.Sprintf(`{"model":"innocent","from":"up","remote_host":%q,"stream":false}`, upstream.URL)
	resp, err := http.Post("http://"+private.Host.String()+"/api/create", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("making the stub: %s", resp.Status)
	}
	for _, role := range []string{"model", "judge"} {
		cfg := phantomConfig(t)
		if role == "model" {
			cfg.Model = "innocent"
		} else {
			cfg.Judge = "innocent"
		}
		_, err := Run(context.Background(), cfg)
		var failure *Failure
		if !errors.As(err, &failure) || failure.Kind != NotLocal {
			t.Errorf("a %s that forwards: error %v, want a refusal", role, err)
		}
		if _, err := os.Stat(filepath.Join(cfg.Out, "responses.jsonl")); err == nil {
			t.Errorf("a %s that forwards: the run was begun", role)
		}
	}
	if len(heard) > 0 {
		t.Errorf("the other server heard %q", <-heard)
	}
}

// TestPromptThatDoesNotFitIsRefused gives the in-context problems a context that
// holds the short ones only.
func TestPromptThatDoesNotFitIsRefused(t *testing.T) {
	cfg := phantomConfig(t)
	cfg.Judge, cfg.NumPredict = "", 2000
	cfg.NumCtx = 2048
	cfg.Selection.Limit = 40
	result := mustRun(t, cfg)
	refused := 0
	for _, g := range result.Report.Subsets {
		for _, s := range g.Scores {
			refused += s.Reasons[string(infer.ReasonContextRefused)]
			if g.Name == "in-context" && s.Scored+s.Unscored != 40 {
				t.Errorf("in-context: %d scored and %d unscored, want 40 in all", s.Scored, s.Unscored)
			}
		}
	}
	if refused == 0 || refused != result.Unscored {
		t.Errorf("%d samples refused for their context, %d unscored", refused, result.Unscored)
	}
}

// TestRecipeIsWhatTheModelSees checks that the model's own geometry decides.
func TestRecipeIsWhatTheModelSees(t *testing.T) {
	cfg := phantomConfig(t)
	cfg.Judge, cfg.Selection.Limit = "", 1
	mustRun(t, cfg)
	run, err := record.Read(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range run.Responses() {
		for _, p := range line.Pictures {
			if max(p.Width, p.Height) != 72 {
				t.Errorf("%s: a picture of %d×%d was sent, want 72 on the longer side", line.ID, p.Width, p.Height)
			}
		}
	}
}
