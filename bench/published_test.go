package bench

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zip"

	"lightbox/bench/card"
	"lightbox/bench/record"
	"lightbox/infer/ollama/fake"
	"lightbox/score"
)

// layOut writes files below a new folder and gives its path.
func layOut(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// packed is a zip archive of files.
func packed(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		entry, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(entry, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// slakeRow is a row of SLAKE.
func slakeRow(qid, picture, language, kind, question, answer string) string {
	return `{"qid": ` + qid + `, "img_name": "` + picture + `", "q_lang": "` + language + `", "answer_type": "` + kind + `", "question": "` + question + `", "answer": "` + answer + `"}`
}

// smallSLAKE is a data set in SLAKE's layout.
func smallSLAKE(t testing.TB) map[string]string {
	return map[string]string{
		"test.json": "[" + slakeRow("1", "x1/source.jpg", "en", "OPEN", "Which organ?", "Liver") + "," + slakeRow("2", "x1/source.jpg", "zh", "CLOSED", "有肝脏吗？", "有") + "]",
		"train.json": "[" + slakeRow("3", "x2/source.jpg", "en", "OPEN", "Which plane?", "Axial") + "," + slakeRow("4", "x2/source.jpg", "zh", "OPEN", "什么？", "肝") +
			"," + slakeRow("5", "x1/source.jpg", "en", "CLOSED", "Is it a liver?", "Yes") + "]",
		"imgs.zip": packed(t, map[string]string{"imgs/x1/source.jpg": string(greyPNG(t, 1)), "imgs/x2/source.jpg": string(greyPNG(t, 2))}),
	}
}

func parseShots(t testing.TB, text string) card.Shots {
	t.Helper()
	shots, err := card.ParseShots(text)
	if err != nil {
		t.Fatal(err)
	}
	return shots
}

func TestSLAKEOnTheWire(t *testing.T) {
	const instruction = "\nAnswer the question with a single word or phrase in English.\nThe last line of your response must be of the form \"ANSWER: <answer>\" (without quotes)."
	tests := []struct {
		shots    string
		want     []string // of sample 1
		warnings int
	}{
		{"icl", []string{"user: #Which organ?" + instruction}, 0},
		{"0", []string{"user: #Which organ?" + instruction}, 0},
		{"1", []string{"user: #Which plane?" + instruction, "assistant: ANSWER: Axial", "user: #Which organ?" + instruction}, 1},
	}
	dir := layOut(t, smallSLAKE(t))
	for _, tt := range tests {
		t.Run(tt.shots, func(t *testing.T) {
			s, cfg := play(t, 0, fake.Config{Script: func(r fake.Request) fake.Reply {
				if r.Number("num_predict") == DefaultNumPredict {
					return fake.Answer{Text: "ANSWER：Liver"} // only our rule reads the wide colon
				}
				return nil
			}})
			var err error
			if cfg.Benchmark, err = SLAKE(dir, ""); err != nil {
				t.Fatal(err)
			}
			defer cfg.Benchmark.Close()
			cfg.Shots, cfg.KeepNames = parseShots(t, tt.shots), true
			if _, err = Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, said(chatOf(t, s, lineOf(t, cfg.Out, "1")))); diff != "" {
				t.Error(diff)
			}
			run, err := record.Read(cfg.Out)
			if err != nil {
				t.Fatal(err)
			}
			m := run.Manifest().Benchmark
			if m.Split != "test" || m.Primary != score.RuleSlake || len(m.Warnings) != tt.warnings || (m.PoolDigest != "") != (tt.warnings > 0) {
				t.Errorf("manifest %+v", m)
			}
			if v := verdictOf(t, cfg.Out, "1", score.RuleSlake); v.Outcome != score.Correct {
				t.Errorf("verdict %+v", v)
			}
			if v := verdictOf(t, cfg.Out, "1", score.RuleSlakeEvalscope); v.Outcome != score.Incorrect {
				t.Errorf("evalscope's verdict %+v", v)
			}
		})
	}
}

// TestPoolIsOnRecord: with other demonstrations to draw from, a run does not go
// on.
func TestPoolIsOnRecord(t *testing.T) {
	files := smallSLAKE(t)
	_, cfg := play(t, 0, fake.Config{})
	cfg.Shots = parseShots(t, "1")
	run := func() error {
		var err error
		if cfg.Benchmark, err = SLAKE(layOut(t, files), ""); err != nil {
			t.Fatal(err)
		}
		defer cfg.Benchmark.Close()
		_, err = Run(context.Background(), cfg)
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	files["train.json"] = strings.Replace(files["train.json"], "Axial", "Coronal", 1)
	if err := run(); err == nil || !strings.Contains(err.Error(), "pool") {
		t.Errorf("error %v", err)
	}
}

// TestPoolIsOfTrain: rows of a file that does not say whether they are the train
// split are no demonstrations.
func TestPoolIsOfTrain(t *testing.T) {
	files := smallSLAKE(t)
	whole, err := os.ReadFile(smallScienceQA + "/data/train-00000-of-00001-fedcba9876543210.parquet")
	if err != nil {
		t.Fatal(err)
	}
	b, err := SLAKE(layOut(t, map[string]string{"mine.json": files["test.json"], "imgs.zip": files["imgs.zip"]}), "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	c, err := ScienceQA(layOut(t, map[string]string{"mine.parquet": string(whole)}), "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, b := range []Benchmark{b, c} {
		if _, err := b.Pool(); err == nil || !strings.Contains(err.Error(), "says that it is of the train split") {
			t.Errorf("%s: error %v", b.Name, err)
		}
	}
}

func TestSLAKESplits(t *testing.T) {
	files := smallSLAKE(t)
	dir := layOut(t, files)
	alone := layOut(t, map[string]string{"validate.json": files["train.json"], "imgs.zip": files["imgs.zip"]})
	tests := []struct {
		path, split string
		want        string // split, or a part of the error
	}{
		{dir, "", "test"},
		{dir, "train", "train"},
		{filepath.Join(dir, "train.json"), "", "train"},
		{filepath.Join(alone, "validate.json"), "", "validation"},
		{alone, "val", "validation"},
		{filepath.Join(dir, "test.json"), "train", `test.json is of split "test", and there is no other`},
		{alone, "", `validate.json is of split "validation"`},
		{alone, "train", `validate.json is of split "validation"`},
		{dir, "minitest", "has none of this name"},
		{dir, "validation", "name one: test.json, train.json"},
		{filepath.Join(dir, "none"), "", "none"},
	}
	for _, tt := range tests {
		t.Run(filepath.Base(tt.path)+" "+tt.split, func(t *testing.T) {
			b, err := SLAKE(tt.path, tt.split)
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
				return
			}
			defer b.Close()
			if b.Split != tt.want || b.Samples[0].Split != tt.want {
				t.Errorf("split %q, want %q", b.Split, tt.want)
			}
		})
	}
}

// TestBadSLAKE: bad data stop with file, row and field.
func TestBadSLAKE(t *testing.T) {
	row := slakeRow("1", "x1/source.jpg", "en", "OPEN", "q", "a")
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"twice", map[string]string{"test.json": "[" + row + "," + row + "]"}, []string{"reading row 2 of", "test.json", `key "qid": is 1, as in row 1`}},
		{"empty reference", map[string]string{"test.json": "[" + slakeRow("1", "x1/source.jpg", "en", "OPEN", "q", " ") + "]"}, []string{"row 1", "test.json", `key "answer": is empty`}},
		{"missing picture", map[string]string{"test.json": "[" + slakeRow("1", "x9/source.jpg", "en", "OPEN", "q", "a") + "]"}, []string{"row 1", "test.json", `key "img_name": is "x9/source.jpg"`}},
		{"wrong type", map[string]string{"test.json": strings.Replace("["+row+"]", `"a"`, "7", 1)}, []string{"row 1", "test.json", `key "answer": is 7, want text`}},
		{"open quote", map[string]string{"test.json": "[" + row[:len(row)-3]}, []string{"test.json", "unexpected EOF"}},
		{"columns missing", map[string]string{"test.json": `[{"qid": 1}]`}, []string{`there is no column "img_name"; there are qid`}},
		{"path out of the archive", map[string]string{"imgs.zip": packed(t, map[string]string{"imgs/../../x1/source.jpg": "x"})}, []string{"imgs.zip", `entry "imgs/../../x1/source.jpg": a path out of the archive`}},
		{"bomb", map[string]string{"imgs.zip": packed(t, map[string]string{"imgs/x1/source.jpg": strings.Repeat("\x00", 20<<20)})}, []string{"imgs.zip", `entry "imgs/x1/source.jpg": packed more than 200 to 1`}},
		{"cut archive", map[string]string{"imgs.zip": smallSLAKE(t)["imgs.zip"][:300]}, []string{"imgs.zip", "is it cut short?"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := smallSLAKE(t)
			for name, text := range tt.files {
				files[name] = text
			}
			_, err := SLAKE(layOut(t, files), "")
			var failure *Failure
			if !errors.As(err, &failure) || failure.Kind != WrongData {
				t.Fatalf("error %v", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want %q", err, want)
				}
			}
		})
	}
}

// smallScienceQA is a data set in ScienceQA's layout, written by another library;
// make.py beside it says what is in it.
const smallScienceQA = "testdata/scienceqa"

func TestScienceQA(t *testing.T) {
	b, err := ScienceQA(smallScienceQA, "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	type question struct {
		ID, Subset, Key, Reference string
		Choices, Width             int
	}
	var got []question
	for _, s := range b.Samples {
		q := question{s.ID, s.Subset, s.Key, s.References[0], len(s.Options), 0}
		for _, p := range s.Pictures {
			data, err := b.Pictures.Open(p)
			if err != nil {
				t.Fatal(err)
			}
			c, err := png.DecodeConfig(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			q.Width = c.Width
		}
		got = append(got, q)
	}
	want := []question{
		{"0", "image", "B", "blue", 2, 30},
		{"1", "text", "A", "one", 3, 0},
		{"2", "text", "B", "no", 2, 0},
		{"3", "image", "D", "d", 4, 33},
		{"4", "text", "E", "e", 5, 0},
		{"5", "image", "A", "blå", 2, 35},
		{"6", "image", "A", "same", 2, 36},
		{"7", "text", "B", "down", 2, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	pool, err := b.Pool()
	if err != nil {
		t.Fatal(err)
	}
	drawn := card.Draw(pool.Samples, b.Samples[6], 9, 0)
	if len(drawn) != 3 || slices.ContainsFunc(drawn, func(s card.Sample) bool { return s.ID == "3" }) {
		t.Errorf("%d demonstrations, with the query's picture among them?", len(drawn))
	}
	for _, s := range pool.Samples {
		for _, p := range s.Pictures {
			if _, err := b.Pictures.Open(p); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestScienceQAOnTheWire(t *testing.T) {
	const end = "\nAnswer with the option's letter from the given choices directly."
	tests := []struct {
		prompt, shots string
		primary       score.Metric
		last          string
		roles         []string
	}{
		{"", "icl", score.RuleScienceQALmms, "Context: Look.\nQuestion 3: which one?\nA. a\nB. b\nC. c\nD. d" + end, []string{"user"}},
		{"lmms", "1", score.RuleScienceQALmms, "Context: Look.\nQuestion 3: which one?\nA. a\nB. b\nC. c\nD. d" + end, []string{"user", "assistant", "user"}},
		{"qcm", "0", score.RuleScienceQAOfficial, "Question: Question 3: which one?\nContext: Look.\nOptions: (A) a (B) b (C) c (D) d\nAnswer:", []string{"user"}},
	}
	for _, tt := range tests {
		t.Run(tt.prompt+" "+tt.shots, func(t *testing.T) {
			s, cfg := play(t, 0, fake.Config{})
			var err error
			if cfg.Benchmark, err = ScienceQAPrompt(smallScienceQA, "test", tt.prompt); err != nil {
				t.Fatal(err)
			}
			defer cfg.Benchmark.Close()
			cfg.Shots, cfg.KeepNames = parseShots(t, tt.shots), true
			if _, err := Run(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			messages := chatOf(t, s, lineOf(t, cfg.Out, "3"))
			var roles []string
			for _, m := range messages {
				roles = append(roles, m.Role)
			}
			if diff := cmp.Diff(tt.roles, roles); diff != "" {
				t.Error(diff)
			}
			if last := messages[len(messages)-1]; last.Content != tt.last || len(last.Images) != 1 {
				t.Errorf("%d pictures, %q", len(last.Images), last.Content)
			}
			run, err := record.Read(cfg.Out)
			if err != nil {
				t.Fatal(err)
			}
			if m := run.Manifest().Benchmark; m.Primary != tt.primary || len(m.Rules) != 3 || m.Rules[0] != string(tt.primary) || m.Split != "test" {
				t.Errorf("manifest %+v", m)
			}
		})
	}
}

func TestBadScienceQA(t *testing.T) {
	whole, err := os.ReadFile(smallScienceQA + "/data/test-00000-of-00001-0123456789abcdef.parquet")
	if err != nil {
		t.Fatal(err)
	}
	problem := `"question": "q", "choices": ["a", "b"], "answer": 1, "hint": "", "image": null, "split": "test"`
	tests := []struct {
		name, split string
		files       map[string]string
		want        string
	}{
		{"cut Parquet", "", map[string]string{"test.parquet": string(whole[:len(whole)/2])}, "is it cut short?"},
		{"answer outside the choices", "", map[string]string{"test.jsonl": "{" + strings.Replace(problem, "1", "2", 1) + "}"}, `row 1 of`},
		{"columns missing", "", map[string]string{"test.jsonl": `{"question": "q"}`}, `there is no column "choices"`},
		{"problem twice", "", map[string]string{"problems.json": `{"1": {` + problem + `}, "1": {` + problem + `}}`}, `key "pid": is 1, as in row 1`},
		{"splits that are none", "", map[string]string{"problems.json": `{"1": {` + problem + `}}`, "pid_splits.json": "["}, "reading pid_splits.json"},
		{"open quote", "", map[string]string{"problems.json": `{"1": {"question": "q`}, "unexpected EOF"},
		{"no such split", "minitest", map[string]string{"x.parquet": string(whole)}, "the splits are train, validation, test"},
		{"another split", "train", map[string]string{"test-00000-of-00001.parquet": string(whole)}, `is of split "test"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ScienceQA(layOut(t, tt.files), tt.split)
			var failure *Failure
			if !errors.As(err, &failure) || failure.Kind != WrongData || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestParityPublishedSLAKE: the published test split is what was published.
func TestParityPublishedSLAKE(t *testing.T) {
	text, err := os.ReadFile("../../shared/data/slake/test.json")
	if err != nil {
		t.Skip("the data that this test compares with are not beside the project")
	}
	dir := layOut(t, map[string]string{"test.json": string(text)})
	pictures := map[string]string{}
	for _, m := range strings.Split(string(text), `"img_name": "`)[1:] {
		pictures["imgs/"+m[:strings.IndexByte(m, '"')]] = "x"
	}
	if err := os.WriteFile(filepath.Join(dir, "imgs.zip"), []byte(packed(t, pictures)), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := SLAKE(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if len(b.Samples) != 2094 || strings.Contains(b.About, "not what was published") {
		t.Errorf("%d samples; %s", len(b.Samples), b.About)
	}
}
