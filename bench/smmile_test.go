package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/bench/smmile"
	"lightbox/infer"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// smallSMMILE is a data set of three problems in SMMILE's layout; the first
// demonstrations of problem b include one without a picture.
const smallSMMILE = "source/testdata/hub"

func openSMMILE(t *testing.T, path string) Benchmark {
	t.Helper()
	b, err := SMMILE("smmile", path, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func family(t *testing.T, name string) smmile.Family {
	t.Helper()
	f, err := smmile.FamilyOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// said writes the turns of a request, a picture as "#".
func said(messages []fake.Message) []string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Role+": "+strings.Repeat("#", len(m.Images))+m.Content)
	}
	return all
}

func TestSMMILEOnTheWire(t *testing.T) {
	tests := []struct {
		name, family, shots string
		want                []string // of problem a
		asked               []string // ids that are not unscored
	}{
		{
			"in context", "none", "icl",
			[]string{"user: #Is it healed?", "assistant: Yes", "user: #Is it healed?", "assistant: No", "user: #Is it healed?\n"},
			[]string{"a", "c"},
		},
		{
			"one shot", "none", "1",
			[]string{"user: #Is it healed?", "assistant: Yes", "user: #Is it healed?\n"},
			[]string{"a", "b", "c"},
		},
		{"zero-shot", "none", "0", []string{"user: #Is it healed?\n"}, []string{"a", "b", "c"}},
		{
			"with a system text", "medgemma", "1",
			[]string{
				"system: You are an expert medical professional with extensive knowledge in medical imaging, diagnosis, and clinical practice.",
				"user: #Is it healed?", "assistant: Yes", "user: #Is it healed?\n",
			},
			[]string{"a", "b", "c"},
		},
		{
			"answers that end a line", "llama3.2-vision", "1",
			[]string{"user: #Is it healed?", "assistant: Yes\n", "user: #Is it healed?\n"},
			[]string{"a", "b", "c"},
		},
		{
			"in one turn", "medvlm-r1", "1",
			[]string{"user: #\n        Example 1:\nQuestion: Is it healed?\nAnswer: Yes\n\nNow answer this question:\nIs it healed?\n\n\n        Please provide your response to this question.\n        "},
			[]string{"a", "b", "c"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, cfg := play(t, 0, fake.Config{})
			cfg.Benchmark, cfg.Family, cfg.KeepNames = openSMMILE(t, smallSMMILE), family(t, tt.family), true
			var err error
			if cfg.Shots, err = card.ParseShots(tt.shots); err != nil {
				t.Fatal(err)
			}
			result, err := Run(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			run, err := record.Read(cfg.Out)
			if err != nil {
				t.Fatal(err)
			}
			var asked []string
			for id, line := range run.Latest() {
				if line.Fault == nil {
					asked = append(asked, id)
				} else if line.Fault.Reason != infer.ReasonPicture || line.Fault.Detail != "picture file missing" {
					t.Errorf("%s: fault %+v", id, line.Fault)
				}
			}
			slices.Sort(asked)
			if diff := cmp.Diff(tt.asked, asked); diff != "" {
				t.Error(diff)
			}
			if want := 3 - len(tt.asked); result.Unscored != want {
				t.Errorf("%d unscored, want %d", result.Unscored, want)
			}
			m := run.Manifest()
			if m.Family != tt.family || m.Shots != tt.shots || m.System != cfg.Family.System || m.Benchmark.Name != "smmile" || m.Benchmark.DataDigest == "" {
				t.Errorf("manifest: family %q, shots %q, system %q, benchmark %+v", m.Family, m.Shots, m.System, m.Benchmark)
			}
			if diff := cmp.Diff(tt.want, said(chatOf(t, s, run.Latest()["a"]))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// chatOf is the request for a sample: the one whose last text was its.
func chatOf(t *testing.T, s *fake.Server, line record.Response) []fake.Message {
	t.Helper()
	for _, r := range s.Chats() {
		if r.Last() == line.Asked && r.Number("num_predict") > 1 {
			return r.Messages
		}
	}
	t.Fatalf("no request asked %q", line.Asked)
	return nil
}

func TestSMMILETags(t *testing.T) {
	_, cfg := play(t, 0, fake.Config{})
	cfg.Benchmark = openSMMILE(t, smallSMMILE)
	cfg.Selection.IDs = []string{"c"}
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"speciality:radiology", "answer_format:free response", "image_type:CT", "cognitive_process:classification/diagnosis", "rarity:common",
		"difficulty:hard", "demonstrations:2", "first_match:yes", "last_match:no",
	}
	if diff := cmp.Diff(want, lineOf(t, cfg.Out, "c").Tags); diff != "" {
		t.Error(diff)
	}
}

// TestFamilyNotes: what a family's way cannot be carried is in the report.
func TestFamilyNotes(t *testing.T) {
	text := fake.Vision("eye")
	text.Template = "{{ .Prompt }}"
	_, cfg := play(t, 0, fake.Config{Models: []fake.Model{text}})
	cfg.Benchmark, cfg.Family = openSMMILE(t, smallSMMILE), family(t, "gpt4o")
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	notes := fmt.Sprint(result.Report.Notes)
	for _, want := range []string{"Ollama puts pictures first", "in the role of the system", "no place for a system text", "are not what was published as smmile (problems: 3, published 111)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %s, want %q among them", notes, want)
		}
	}
}

// TestOwnSystemTextAndFamily: a system text that is sent replaces the model's, so
// that both cannot be wanted.
func TestOwnSystemTextAndFamily(t *testing.T) {
	own := fake.Vision("eye")
	own.System = "Answer in French."
	tests := []struct {
		family string
		keep   bool
		want   Kind // of the failure; Interrupted: none
	}{
		{"none", false, WrongModel},
		{"none", true, Interrupted},
		{"claude", false, Interrupted},
		{"claude", true, Usage},
	}
	for _, tt := range tests {
		_, cfg := play(t, 1, fake.Config{Models: []fake.Model{own}})
		cfg.Family, cfg.KeepSystem = family(t, tt.family), tt.keep
		result, err := Run(context.Background(), cfg)
		var f *Failure
		if tt.want == Interrupted {
			if err != nil {
				t.Errorf("%s, keep %t: %v", tt.family, tt.keep, err)
			}
			if noted := strings.Contains(fmt.Sprint(result.Report.Notes), "in the place of the model's own"); noted == tt.keep {
				t.Errorf("%s, keep %t: notes %v", tt.family, tt.keep, result.Report.Notes)
			}
		} else if !errors.As(err, &f) || f.Kind != tt.want {
			t.Errorf("%s, keep %t: error %v", tt.family, tt.keep, err)
		}
	}
}

func TestSMMILERefused(t *testing.T) {
	lines := func(rows ...string) string {
		path := filepath.Join(t.TempDir(), "problems.jsonl")
		if err := os.WriteFile(path, []byte(strings.Join(rows, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	panel := func(id, order string) string {
		return fmt.Sprintf(`{"problem_id":%q,"order":%s,"question":"q","answer":"a","image":"x.png"}`, id, order)
	}
	arrow := t.TempDir()
	if err := os.WriteFile(filepath.Join(arrow, "data-00000-of-00001.arrow"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, benchmark, path, split string
		kind                         Kind
		want, hint                   string
	}{
		{"another split", "smmile", smallSMMILE, "validation", Usage, `split "validation"`, "leave --split out"},
		{"nothing there", "smmile", "nowhere", "", WrongData, "nowhere", "--data names the downloaded data set smmile/SMMILE:"},
		{"orders in smmile", "smmile", lines(panel("a_perm_1", "1")), "", WrongData, `problem "a_perm_1" is not one of smmile:`, ""},
		{"problems among orders", "smmile++", lines(panel("a", "1"), panel("b_perm_1", "1")), "", WrongData, `problem "a" is not one of smmile++:`, "smmile/SMMILE-plusplus"},
		{"no pictures", "smmile", lines(`{"problem_id":"a","order":1,"question":"q","answer":"a","picture":"x"}`), "", WrongData, `there is no column "image"; there are problem_id, order, question, answer, picture`, ""},
		{"a bad row", "smmile", lines(panel("a", "1"), "", panel("a", `"x"`)), "", WrongData, `reading row 3 of`, ""},
		{"Arrow", "smmile", arrow, "", WrongData, "Arrow files", "convert it with: python -c"},
		{"no such benchmark", "smile", smallSMMILE, "", Usage, "smile", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := SMMILE(tt.benchmark, tt.path, tt.split)
			var f *Failure
			if !errors.As(err, &f) || f.Kind != tt.kind || !strings.Contains(err.Error(), tt.want) || !strings.Contains(f.Hint, tt.hint) {
				t.Errorf("error %v (%+v)", err, f)
			}
		})
	}
}

// TestResumeFromAnotherLayout: the same data in other files are the same run.
func TestResumeFromAnotherLayout(t *testing.T) {
	s, cfg := play(t, 0, fake.Config{})
	cfg.Benchmark = openSMMILE(t, smallSMMILE)
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	before := len(s.Chats())
	raw, err := os.ReadFile(filepath.Join(smallSMMILE, "data/train-00000-of-00001.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "SMMILE.parquet")
	if err := os.WriteFile(moved, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Benchmark = openSMMILE(t, moved)
	if _, err := Run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Chats()); n != before {
		t.Errorf("%d requests more", n-before)
	}
}

// vectorFamilies are the scripts of the recorded requests by family.
var vectorFamilies = map[string]string{
	"qwen": "qwen", "llava": "llava", "llama32v": "llama3.2-vision", "medgemma": "medgemma", "openai": "gpt4o", "anthropic": "claude", "medr1": "medvlm-r1",
}

// vector is a request of the official scripts.
type vector struct {
	ID, Family, Mode, Task string
	Problem                string `json:"problem_id"`
	Drawn                  bool   `json:"option_order_reproducible"`
	Request                struct {
		System   string
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
}

// turns are the vector's turns as dialogue makes them: pictures first, answers
// in the role of the assistant.
func (v vector) turns(t *testing.T) []string {
	t.Helper()
	var all []string
	if v.Request.System != "" {
		all = append(all, "system: "+v.Request.System)
	}
	for i, m := range v.Request.Messages {
		role := m.Role
		if role == "system" && i > 0 {
			role = "assistant"
		}
		all = append(all, role+": "+contentOf(t, m.Content))
	}
	return all
}

// contentOf is a text, or parts; a picture is the number of its panel.
func contentOf(t *testing.T, content json.RawMessage) string {
	t.Helper()
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Type, Text string
		Panel      int
	}
	if err := json.Unmarshal(content, &parts); err != nil {
		t.Fatal(err)
	}
	picture := ""
	for _, p := range parts {
		if p.Type == "text" {
			text += p.Text
		} else {
			picture += fmt.Sprintf("#%d ", p.Panel)
		}
	}
	return picture + text
}

// eachVector goes through lines of a file that lies beside the project, because
// its texts have a licence of their own.
func eachVector(t *testing.T, name string, do func(line []byte)) {
	t.Helper()
	f, err := os.Open(filepath.Join("../../shared", name))
	if err != nil {
		t.Skipf("the recorded requests are not here: %v", err)
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		do(scan.Bytes())
	}
}

// TestParityRecordedRequests holds the dialogues of SMMILE, read from a folder with
// pictures, against what the authors' scripts sent.
func TestParityRecordedRequests(t *testing.T) {
	dir := t.TempDir()
	var rows strings.Builder
	panels := map[string]int{}
	eachVector(t, "data/smmile/smmile_text.jsonl", func(line []byte) {
		var r map[string]any
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		panels[r["problem_id"].(string)]++
		r["image"] = fmt.Sprintf("%d.png", panels[r["problem_id"].(string)])
		b, _ := json.Marshal(r)
		rows.Write(append(b, '\n'))
	})
	if err := os.Mkdir(filepath.Join(dir, "images"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(dir, "images", fmt.Sprintf("%d.png", i+1)), greyPNG(t, i), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "problems.jsonl"), []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	b := openSMMILE(t, dir)
	samples := map[string]card.Sample{}
	for _, s := range b.Samples {
		samples[s.ID] = s
	}
	seen, choices := map[string]int{}, map[string]map[string]card.Sample{}
	eachVector(t, "vectors/smmile_prompts.jsonl", func(line []byte) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		name, ok := vectorFamilies[v.Family]
		if !ok {
			return
		}
		asked := samples
		if v.Task == "mcqa" {
			if choices[name] == nil {
				choices[name] = choicesOf(t, b, family(t, name))
			}
			asked = choices[name]
		}
		seen[v.Family+" "+v.Mode+" "+v.Task]++
		text := map[string]string{"ICL": "icl", "0-shot": "0"}[v.Mode]
		shots, err := card.ParseShots(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, turn := range dialogue(shots.Show(asked[v.Problem]), family(t, name)) {
			picture := ""
			for _, p := range turn.pictures {
				picture += "#" + strings.TrimSuffix(filepath.Base(p), ".png") + " "
			}
			got = append(got, string(turn.role)+": "+picture+turn.text)
		}
		want := v.turns(t)
		if v.Task == "mcqa" && !v.Drawn { // the script draws without a seed
			want, got = sortedLines(want), sortedLines(got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", v.ID, diff)
		}
	})
	if len(seen) != 4*len(vectorFamilies) {
		t.Errorf("only %v were compared", seen)
	}
}

// choicesOf are the problems as a family's script makes multiple-choice questions
// of them, by id.
func choicesOf(t *testing.T, b Benchmark, f smmile.Family) map[string]card.Sample {
	t.Helper()
	made, err := AsMultipleChoice(b, f)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]card.Sample{}
	for _, s := range made.Samples {
		byID[s.ID] = s
	}
	return byID
}

// sortedLines sorts the lines of each text.
func sortedLines(texts []string) []string {
	sorted := make([]string, len(texts))
	for i, text := range texts {
		lines := strings.Split(text, "\n")
		slices.Sort(lines)
		sorted[i] = strings.Join(lines, "\n")
	}
	return sorted
}

// The task of multiple choice names tags that some models have as control tokens.
func TestTagsOfTheTaskAreNoControlText(t *testing.T) {
	c := newControls([]string{"<think>", "</think>", "<answer>", "</answer>"})
	for _, name := range smmile.FamilyNames() {
		f, err := smmile.FamilyOf(name)
		if err != nil {
			t.Fatal(err)
		}
		for id, s := range choicesOf(t, openSMMILE(t, smallSMMILE), f) {
			if safe, n, why := c.guard(s, true); why != "" || n != 0 || safe.Prompt != s.Prompt {
				t.Errorf("%s, %s: %d places changed, %q", name, id, n, why)
			}
		}
	}
}

func TestSMMILEPrimary(t *testing.T) {
	if b := openSMMILE(t, smallSMMILE); b.Primary != score.Judged || !b.Pooled || b.Version != "1" {
		t.Errorf("benchmark %+v", b)
	}
}

// TestSMMILEPlusPlusOutOfSMMILE: problems that their demonstrations do not
// support are left out, and the report says how the orders were made.
func TestSMMILEPlusPlusOutOfSMMILE(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "problems.jsonl")
	row := func(id string, order int, answer, process string) string {
		return fmt.Sprintf(`{"problem_id":%q,"order":%d,"question":"q","answer":%q,"image":"p.png","flag_cognitive_process":%q}`, id, order, answer, process)
	}
	const known, hard = "classification/diagnosis", "reasoning classification"
	text := strings.Join([]string{
		row("a", 1, "x", known), row("a", 2, "y", known), row("a", 3, "z", known),
		row("b", 1, "x", hard), row("b", 2, "y", hard), row("b", 3, "z", hard),
	}, "\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := SMMILE("smmile++", path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var got []string
	for _, s := range b.Samples {
		got = append(got, s.ID+" "+s.Demonstrations[0].References[0]+s.Demonstrations[1].References[0])
	}
	if diff := cmp.Diff([]string{"a_perm_1 xy", "a_perm_2 yx"}, got); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(b.About, "made from SMMILE") {
		t.Errorf("about %q", b.About)
	}
}

// TestTheKeyOfMedVLMR1Decides: beside ours, MedVLM-R1's rule takes the first option
// that contains the answer for the key, and the report says for how many.
func TestTheKeyOfMedVLMR1Decides(t *testing.T) {
	path := filepath.Join(t.TempDir(), "problems.jsonl")
	row := func(id string, order int, answer string) string {
		return fmt.Sprintf(`{"problem_id":%q,"order":%d,"question":"Paced?","answer":%q,"image":"p.png"}`, id, order, answer)
	}
	text := strings.Join([]string{row("a", 1, "Yes - Panel B"), row("a", 2, "Yes"), row("b", 1, "mass"), row("b", 2, "cyst")}, "\n")
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.WriteFile(filepath.Join(filepath.Dir(path), "p.png"), greyPNG(t, 1), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, cfg := play(t, 0, fake.Config{Script: func(r fake.Request) fake.Reply {
		if strings.Contains(r.Last(), "Paced?") && r.Number("num_predict") > 1 {
			return fake.Answer{Text: "<answer>A</answer>"}
		}
		return nil
	}})
	b, err := SMMILE("smmile", path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	cfg.Family, cfg.KeepNames = family(t, "medvlm-r1"), true
	if cfg.Benchmark, err = AsMultipleChoice(b, cfg.Family); err != nil {
		t.Fatal(err)
	}
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][2]score.Outcome{"a": {score.Incorrect, score.Correct}, "b": {score.Incorrect, score.Incorrect}} {
		ours, script := verdictOf(t, cfg.Out, id, score.MCQA), verdictOf(t, cfg.Out, id, "smmile-mcqa-d")
		if ours.Outcome != want[0] || script.Outcome != want[1] {
			t.Errorf("%s: %+v, by the script %+v", id, ours, script)
		}
	}
	said := false
	for _, n := range result.Report.Notes {
		said = said || strings.HasPrefix(n.Text, "rule smmile-mcqa-d: for 1 of 2 samples the key") && strings.HasSuffix(n.Text, "1 of them would be decided otherwise")
	}
	if !said {
		t.Errorf("notes %+v", result.Report.Notes)
	}
}
